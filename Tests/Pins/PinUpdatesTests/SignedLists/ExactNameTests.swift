// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@testable import ServerTrustPins

/// Names that are equal only under canonical equivalence.
@Suite("Names in signed lists") struct ExactNameTests {
    static let kelvin = "\u{212a}"

    private func code(_ document: [UInt8], _ fixture: ListFixture) throws -> ErrorCode? {
        let builtIn = try fixture.builtIn()
        return refusal { _ = try builtIn.verify(try SignedPinList(document), at: ListFixture.now) }
    }

    @Test(
        "A member or word in the list counts as different if one character differs",
        arguments: [
            (#""deniedKeys":"#, "\"denied\(kelvin)eys\":", ErrorCode.pinListInvalid),
            (#""kty":"OKP""#, "\"kty\":\"O\(kelvin)P\"", .pinListInvalid),
        ])
    func members(_ text: String, _ replacement: String, _ expected: ErrorCode) throws {
        let fixture = try ListFixture()
        let payload = try fixture.altered(6, text, replacement)
        #expect(try code(SignedPinList.signed(payload, by: [fixture.office]).bytes, fixture) == expected)
        #expect(try code(fixture.list(6).bytes, fixture) == nil)
    }

    @Test(
        "A member that is only equivalent to another isn't a duplicate, and the byte-identical one counts"
    )
    func duplicates() throws {
        let fixture = try ListFixture()
        let payload = try fixture.altered(6, #""version":1"#, "\"version\":1,\"denied\(Self.kelvin)eys\":[\"x\"]")
        let document = try SignedPinList.signed(payload, by: [fixture.office])
        #expect(try fixture.builtIn().verify(document, at: ListFixture.now).deniedKeys.isEmpty)
        // A critical name that is only equivalent to a known one counts as unknown.
        let critical = try fixture.altered(
            6, #""version":1"#, "\"version\":1,\"critical\":[\"denied\(Self.kelvin)eys\"]")
        #expect(
            try code(SignedPinList.signed(critical, by: [fixture.office]).bytes, fixture)
                == .pinListUnknownCriticalField)
    }

    @Test("The name of a signature's key is compared byte by byte")
    func keyID() throws {
        // A thumbprint that contains a K, as about half of all do.
        var fixture = try ListFixture()
        while !fixture.office.publicKey.id.contains("K") { fixture = try ListFixture() }
        let payload = try fixture.payload(6)
        func document(_ names: [String]) throws -> [UInt8] {
            let body = Base64URL.encode(payload)
            let signatures = try names.map { name in
                let header = Base64URL.encode(
                    Array("{\"alg\":\"EdDSA\",\"kid\":\"\(name)\",\"typ\":\"pin-list+jws\"}".utf8))
                let signature = Base64URL.encode(try fixture.office.signature(over: Array("\(header).\(body)".utf8)))
                return "{\"protected\":\"\(header)\",\"signature\":\"\(signature)\"}"
            }
            return Array("{\"payload\":\"\(body)\",\"signatures\":[\(signatures.joined(separator: ","))]}".utf8)
        }
        let name = fixture.office.publicKey.id
        let other = name.replacing("K", with: Self.kelvin)
        #expect(try code(document([name]), fixture) == nil)
        #expect(try code(document([other]), fixture) == .pinListUnknownSigner)
        #expect(try code(document([other, name]), fixture) == nil)
        #expect(try code(document([name, name]), fixture) == .pinListMalformed)
    }

    @Test("An audience that is only canonically equivalent counts as another app's audience")
    func audience() throws {
        let fixture = try ListFixture()
        for (audience, expected) in [
            ("com.example.\(Self.kelvin)iosk", ErrorCode.pinListForeignAudience), ("com.example.Kiosk", nil),
        ] {
            let builtIn = BuiltInPinList(
                audience: "com.example.Kiosk", configuration: try ListFixture.configuration(1),
                signers: try fixture.signers(),
                issued: ListFixture.now)
            let list = try SignedPinList.signed(try fixture.payload(6, audience: audience), by: [fixture.office])
            #expect(refusal { _ = try builtIn.verify(list, at: ListFixture.now) } == expected)
        }
    }
}
