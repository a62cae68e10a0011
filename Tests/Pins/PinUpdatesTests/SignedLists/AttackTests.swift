// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing
import TrustSupport

@testable import PinUpdates

@Suite("Attacks on signed pin lists")
struct AttackTests {
    /// An attack, and the code with which a client refuses it.
    struct Attack: Sendable, CustomTestStringConvertible {
        let name: String
        let code: PinListError.Code
        var at: Time = ListFixture.now.advanced(by: 60)
        let document: @Sendable (ListFixture) throws -> [UInt8]
        var testDescription: String { name }

        init(
            _ name: String, _ code: PinListError.Code, at: Time? = nil,
            _ document: @escaping @Sendable (ListFixture) throws -> [UInt8]
        ) {
            self.name = name
            self.code = code
            self.document = document
            if let at { self.at = at }
        }

        /// A list that is signed well and says something that it shouldn't.
        static func signed(
            _ name: String, _ code: PinListError.Code, at: Time? = nil,
            _ payload: @escaping @Sendable (ListFixture) throws -> [UInt8]
        ) -> Attack {
            Attack(name, code, at: at) { try SignedPinList.signed(try payload($0), by: [$0.office]).bytes }
        }

        /// A list whose text is changed after it was signed.
        static func changed(
            _ name: String, _ code: PinListError.Code, _ change: @escaping @Sendable (String) -> String
        ) -> Attack {
            Attack(name, code) { Array(change(String(decoding: try $0.list(6).bytes, as: UTF8.self)).utf8) }
        }

        /// A list signed by `office` under any header.
        static func header(_ name: String, _ code: PinListError.Code, _ header: String) -> Attack {
            Attack(name, code) { fixture in
                let header = header.replacingOccurrences(of: "KID", with: fixture.office.publicKey.id)
                    .replacingOccurrences(of: "SAFE", with: fixture.safe.publicKey.id)
                let protected = Base64URL.encode(Array(header.utf8))
                let payload = Base64URL.encode(try fixture.payload(6))
                let signature = try fixture.office.signature(over: Array("\(protected).\(payload)".utf8))
                return Array(
                    #"{"payload":"\#(payload)","signatures":[{"protected":"\#(protected)","signature":"\#(Base64URL.encode(signature))"}]}"#
                        .utf8)
            }
        }
    }

    static let day = ListFixture.day
    static let now = ListFixture.now

    static let attacks: [Attack] = [
        // Order.
        .signed("rollback to an older list", .rollback) { try $0.payload(4) },
        .signed("the same number with other pins", .sequenceReused) { try $0.payload(5, pins: ListFixture.pins(99)) },
        .signed("a higher number, issued before the list in force", .issuedEarlier) {
            try $0.payload(6, issued: now.advanced(by: -1))
        },
        // Dates.
        Attack("a newer list after its time that carries itself", .expired, at: now.advanced(by: 30 * day + 1)) {
            fixture in
            let list = try fixture.list(6)
            return list.with(rotations: [list]).bytes
        },
        .signed("a newer list played again after its time", .expired, at: now.advanced(by: 30 * day + 1)) {
            try $0.payload(6)
        },
        .signed("a list of tomorrow", .notYetValid) { try $0.payload(6, notBefore: now.advanced(by: day)) },
        .signed("the clock set back before the list in force", .clockSetBack, at: now.advanced(by: -1)) {
            try $0.payload(6)
        },
        .signed("an expired list with the clock set back to suit it", .clockSetBack, at: now.advanced(by: -40 * day)) {
            try $0.payload(6)
        },
        // Signers and audience.
        .signed("another app's list", .foreignAudience) { try $0.payload(6, audience: "com.example.other") },
        Attack("a stranger's key", .unknownSigner) { fixture in
            let stranger = try PinSigningPrivateKey(.ed25519)
            return try SignedPinList.signed(try fixture.payload(6), by: [stranger]).bytes
        },
        Attack("a stranger's list that names the stranger's key", .unknownSigner) { fixture in
            let stranger = try PinSigningPrivateKey(.ed25519)
            let signers = try PinSigners([stranger.publicKey])
            return try SignedPinList.signed(try fixture.payload(6, signers: signers), by: [stranger]).bytes
        },
        Attack("a stranger's signature in the office's name", .signatureInvalid) { fixture in
            let stranger = try PinSigningPrivateKey(.ed25519)
            let forged = String(
                decoding: try SignedPinList.signed(try fixture.payload(6), by: [stranger]).bytes, as: UTF8.self)
            func header(_ key: PinSigningKey) -> String {
                Base64URL.encode(
                    Array(#"{"alg":"\#(key.algorithm.rawValue)","kid":"\#(key.id)","typ":"pin-list+jws"}"#.utf8))
            }
            return Array(
                forged.replacingOccurrences(of: header(stranger.publicKey), with: header(fixture.office.publicKey)).utf8
            )
        },
        Attack("the signature of another list", .signatureInvalid) { fixture in
            let good = try fixture.list(6)
            let other = try fixture.list(7)
            return SignedPinList(payload: other.payload, signatures: good.signatures, rotations: []).bytes
        },
        .signed("next keys that nobody has shown to have", .unprovenSigners) { fixture in
            try fixture.payload(6, signers: try PinSigners([try PinSigningPrivateKey(.es256).publicKey]))
        },
        .signed("a next threshold that wasn't met", .unprovenSigners) { fixture in
            try fixture.payload(6, signers: try fixture.signers(threshold: 2))
        },
        // Algorithms and headers.
        .header("alg none", .algorithmNotAllowed, #"{"alg":"none","kid":"KID","typ":"pin-list+jws"}"#),
        .header(
            "alg HS256 over the public key", .algorithmNotAllowed, #"{"alg":"HS256","kid":"KID","typ":"pin-list+jws"}"#),
        .header(
            "the other key's algorithm", .algorithmNotAllowed, #"{"alg":"ES256","kid":"KID","typ":"pin-list+jws"}"#),
        .header("another key's name", .signatureInvalid, #"{"alg":"ES256","kid":"SAFE","typ":"pin-list+jws"}"#),
        .header("no typ", .malformed, #"{"alg":"EdDSA","kid":"KID"}"#),
        .header("a token's typ", .foreignType, #"{"alg":"EdDSA","kid":"KID","typ":"JWT"}"#),
        .header("no kid", .malformed, #"{"alg":"EdDSA","typ":"pin-list+jws"}"#),
        .header(
            "a critical parameter", .unknownCriticalField,
            #"{"alg":"EdDSA","kid":"KID","typ":"pin-list+jws","crit":["exp"],"exp":1}"#),
        .header(
            "an unencoded payload", .unknownCriticalField,
            #"{"alg":"EdDSA","kid":"KID","typ":"pin-list+jws","crit":["b64"],"b64":false}"#),
        .header("alg twice", .malformed, #"{"alg":"none","alg":"EdDSA","kid":"KID","typ":"pin-list+jws"}"#),
        // Form.
        .changed("an unprotected header", .malformed) {
            $0.replacingOccurrences(of: #"{"protected""#, with: #"{"header":{"alg":"none"},"protected""#)
        },
        .changed("a second payload", .malformed) {
            $0.replacingOccurrences(of: #"{"payload""#, with: #"{"payload":"e30","payload""#)
        },
        .changed("a member that nobody knows", .malformed) { $0.dropLast() + #","x":1}"# },
        .changed("padding", .malformed) {
            $0.replacingOccurrences(of: #","signatures""#, with: #"=","signatures""#).replacingOccurrences(
                of: #""=""#, with: #"=""#)
        },
        .changed("two documents", .malformed) { $0 + $0 },
        .changed("a byte order mark", .malformed) { "\u{feff}" + $0 },
        .changed("nothing", .truncated) { _ in "" },
        .changed("a page of HTML", .malformed) { _ in "<!DOCTYPE html><title>Log in to the network</title>" },
        .changed("no signature", .malformed) { _ in #"{"payload":"e30","signatures":[]}"# },
        .changed("the compact form", .malformed) { _ in "eyJhbGciOiJub25lIn0.e30." },
        Attack("the same signature twice", .malformed) { fixture in
            let list = try fixture.list(6)
            return SignedPinList(payload: list.payload, signatures: list.signatures + list.signatures, rotations: [])
                .bytes
        },
        Attack("too many signatures", .tooLarge) { fixture in
            let keys = try (0..<33).map { _ in try PinSigningPrivateKey(.ed25519) }
            return try SignedPinList.signed(try fixture.payload(6), by: keys).bytes
        },
        Attack("too many rotations", .tooLarge) { fixture in
            let list = try fixture.list(6)
            return list.with(rotations: Array(repeating: list, count: 61)).bytes
        },
        Attack("too long", .tooLarge) { _ in [UInt8](repeating: 0x20, count: SignedPinList.maximumSize + 1) },
        .changed("nested without end", .truncated) { _ in String(repeating: #"{"payload":"#, count: 100_000) },
        .changed("nested too deeply", .malformed) { _ in
            String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        },
        // Contents.
        .signed("a version of the future", .unknownVersion) { try $0.altered(6, #""version":1"#, #""version":2"#) },
        .signed("a version of the future with critical members", .unknownVersion) {
            try $0.altered(6, #""version":1"#, #""version":2,"critical":["tunnel"]"#)
        },
        .signed("a critical member that nobody knows", .unknownCriticalField) {
            try $0.altered(6, #""version":1"#, #""version":1,"critical":["tunnel"],"tunnel":1"#)
        },
        .signed("two audiences", .malformed) {
            try $0.altered(6, #""audience""#, #""audience":"com.example.other","audience""#)
        },
        .signed("no sequence", .listInvalid) { try $0.altered(6, #""sequence":6,"#, "") },
        .signed("a sequence that isn't whole", .listInvalid) {
            try $0.altered(6, #""sequence":6"#, #""sequence":6.5"#)
        },
        .signed("a sequence beyond all numbers", .listInvalid) {
            try $0.altered(6, #""sequence":6"#, #""sequence":99999999999999999999"#)
        },
        .signed("a sequence below zero", .listInvalid) { try $0.altered(6, #""sequence":6"#, #""sequence":-6"#) },
        .signed("a date in another form", .listInvalid) {
            try $0.altered(6, #""issued":"2026-11-18T11:06:40Z""#, #""issued":"2026-11-18""#)
        },
        .signed("no signers", .listInvalid) { try $0.altered(6, #""threshold":1"#, #""threshold":0"#) },
        .signed("a denied key that is none", .listInvalid) {
            try $0.altered(6, #""deniedKeys":[]"#, #""deniedKeys":["sha256/AAAA"]"#)
        },
        .signed("pins that can't be read", .pinsInvalid) { try $0.altered(6, #""rules":["#, #""rulez":["#) },
        .signed("pins without a rule", .pinsInvalid) {
            try $0.altered(6, String(decoding: ListFixture.pins(6), as: UTF8.self), #"{"schemaVersion":1}"#)
        },
        .signed("a private key among the signers", .listInvalid) {
            try $0.altered(6, #""crv":"Ed25519","#, #""crv":"Ed25519","d":"AA","#)
        },
        .signed("what isn't an object", .listInvalid) { _ in Array("[]".utf8) },
        .signed("what isn't JSON", .malformed) { _ in [0xff, 0xfe] },
    ]

    /// A client that has list 5 in force.
    private func listState(_ fixture: ListFixture) throws -> PinListState {
        var listState = PinListState(try fixture.builtIn())
        guard case .newer = try listState.accept(try fixture.list(5), at: Self.now) else {
            throw CocoaError(.formatting)
        }
        return listState
    }

    @Test("Each attack is refused with its own code, and leaves everything as it was", arguments: attacks)
    func attack(_ attack: Attack) throws {
        let fixture = try ListFixture()
        var listState = try listState(fixture)
        let document = try attack.document(fixture)
        #expect(refusal { _ = try listState.accept(try SignedPinList(document), at: attack.at) } == attack.code)
        #expect(listState.sequence == 5)
        #expect(listState.list?.configuration == (try fixture.list(5).unverifiedList()).configuration)
        // The document is valid without the attack.
        #expect(refusal { _ = try listState.accept(try fixture.list(6), at: Self.now.advanced(by: 60)) } == nil)
    }

    @Test("A list that is cut off at any byte is refused as truncated")
    func truncation() throws {
        let fixture = try ListFixture()
        let list = try fixture.list(6, by: [fixture.office, fixture.safe])
        let bytes = list.with(rotations: [try fixture.list(5)]).bytes
        #expect(try SignedPinList(bytes).bytes == bytes)
        for length in bytes.indices {
            #expect(refusal { _ = try SignedPinList(Array(bytes[..<length])) } == .truncated, "\(length) bytes")
        }
    }

    @Test("No flipped bit passes", arguments: PinSigningKey.Algorithm.allCases)
    func flippedBits(_ algorithm: PinSigningKey.Algorithm) throws {
        let fixture = try ListFixture(algorithm)
        let builtIn = try fixture.builtIn()
        let bytes = try fixture.list(6).bytes
        #expect(try builtIn.verify(try SignedPinList(bytes), at: Self.now).sequence == 6)
        var codes: Set<PinListError.Code> = []
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                let code = refusal { _ = try builtIn.verify(try SignedPinList(flipped), at: Self.now) }
                #expect(code != nil, "bit \(bit) of byte \(index)")
                if let code { codes.insert(code) }
            }
        }
        // In the payload and the signature, in the name of the key, in the form.
        #expect(codes.isSuperset(of: [.signatureInvalid, .unknownSigner, .malformed, .truncated]))
    }
}
