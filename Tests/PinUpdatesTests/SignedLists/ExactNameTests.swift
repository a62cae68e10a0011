// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@testable import PinUpdates

/// Names that only a comparison by canonical equivalence takes for others.
@Suite("Names in signed lists") struct ExactNameTests {
    static let kelvin = "\u{212a}"

    private func code(_ document: [UInt8], _ room: ListRoom) throws -> PinListRefusal.Code? {
        let floor = try room.floor()
        return refusal { _ = try floor.verify(try SignedPinList(document), at: ListRoom.now) }
    }

    @Test(
        "A member or word of the list that is written with another character is another",
        arguments: [
            (#""deniedKeys":"#, "\"denied\(kelvin)eys\":", PinListRefusal.Code.listInvalid),
            (#""kty":"OKP""#, "\"kty\":\"O\(kelvin)P\"", .listInvalid),
        ])
    func members(_ text: String, _ replacement: String, _ expected: PinListRefusal.Code) throws {
        let room = try ListRoom()
        let payload = try room.altered(6, text, replacement)
        #expect(try code(SignedPinList.signed(payload, by: [room.office]).bytes, room) == expected)
        #expect(try code(room.list(6).bytes, room) == nil)
    }

    @Test(
        "A member beside one that is only equivalent to it is no duplicate, and the one that counts is the one of these bytes"
    )
    func duplicates() throws {
        let room = try ListRoom()
        let payload = try room.altered(6, #""version":1"#, "\"version\":1,\"denied\(Self.kelvin)eys\":[\"x\"]")
        let document = try SignedPinList.signed(payload, by: [room.office])
        #expect(try room.floor().verify(document, at: ListRoom.now).deniedKeys.isEmpty)
        // A critical name that is only equivalent to a known one isn't known.
        let critical = try room.altered(6, #""version":1"#, "\"version\":1,\"critical\":[\"denied\(Self.kelvin)eys\"]")
        #expect(try code(SignedPinList.signed(critical, by: [room.office]).bytes, room) == .unknownCriticalField)
    }

    @Test("A signature in the name of a key is in exactly that name")
    func keyID() throws {
        // A thumbprint with a K in it, which about half of all have.
        var room = try ListRoom()
        while !room.office.publicKey.id.contains("K") { room = try ListRoom() }
        let payload = try room.payload(6)
        func document(_ names: [String]) throws -> [UInt8] {
            let body = Base64URL.encode(payload)
            let signatures = try names.map { name in
                let header = Base64URL.encode(
                    Array("{\"alg\":\"EdDSA\",\"kid\":\"\(name)\",\"typ\":\"pin-list+jws\"}".utf8))
                let signature = Base64URL.encode(try room.office.signature(over: Array("\(header).\(body)".utf8)))
                return "{\"protected\":\"\(header)\",\"signature\":\"\(signature)\"}"
            }
            return Array("{\"payload\":\"\(body)\",\"signatures\":[\(signatures.joined(separator: ","))]}".utf8)
        }
        let name = room.office.publicKey.id
        let other = name.replacing("K", with: Self.kelvin)
        #expect(try code(document([name]), room) == nil)
        #expect(try code(document([other]), room) == .unknownSigner)
        #expect(try code(document([other, name]), room) == nil)
        #expect(try code(document([name, name]), room) == .malformed)
    }

    @Test("An audience that is only equivalent is another app's")
    func audience() throws {
        let room = try ListRoom()
        for (audience, expected) in [
            ("com.example.\(Self.kelvin)iosk", PinListRefusal.Code.foreignAudience), ("com.example.Kiosk", nil),
        ] {
            let floor = PinFloor(
                audience: "com.example.Kiosk", configuration: try ListRoom.configuration(1),
                signers: try room.signers(),
                issued: ListRoom.now)
            let list = try SignedPinList.signed(try room.payload(6, audience: audience), by: [room.office])
            #expect(refusal { _ = try floor.verify(list, at: ListRoom.now) } == expected)
        }
    }
}
