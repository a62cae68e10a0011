// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@testable import ServerTrustPins

@Suite("Attacks on signed pin lists")
struct AttackTests {
    /// An attack, and the code with which a client refuses it.
    struct Attack: Sendable, CustomTestStringConvertible {
        let name: String
        let code: ErrorCode
        var at: Time = ListFixture.now.advanced(by: 60)
        let document: @Sendable (ListFixture) throws -> [UInt8]
        var testDescription: String { name }

        init(
            _ name: String, _ code: ErrorCode, at: Time? = nil,
            _ document: @escaping @Sendable (ListFixture) throws -> [UInt8]
        ) {
            self.name = name
            self.code = code
            self.document = document
            if let at { self.at = at }
        }

        /// Returns an attack with a validly signed list whose contents aren't allowed.
        static func signed(
            _ name: String, _ code: ErrorCode, at: Time? = nil,
            _ payload: @escaping @Sendable (ListFixture) throws -> [UInt8]
        ) -> Attack {
            Attack(name, code, at: at) { try SignedPinList.signed(try payload($0), by: [$0.office]).bytes }
        }

        /// Returns an attack with a list that is changed after it was signed.
        static func changed(
            _ name: String, _ code: ErrorCode, _ change: @escaping @Sendable (String) -> String
        ) -> Attack {
            Attack(name, code) { Array(change(String(decoding: try $0.list(6).bytes, as: UTF8.self)).utf8) }
        }

        /// Returns an attack with a list that `office` signed with any header.
        static func header(_ name: String, _ code: ErrorCode, _ header: String) -> Attack {
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
        .signed("rollback to an older list", .pinListRollback) { try $0.payload(4) },
        .signed("the same number with other pins", .pinListSequenceReused) {
            try $0.payload(5, pins: ListFixture.pins(99))
        },
        .signed("a higher number, issued before the current list", .pinListIssuedEarlier) {
            try $0.payload(6, issued: now.advanced(by: -1))
        },
        // Dates.
        Attack(
            "a newer list after its expiry that includes itself", .pinListExpired, at: now.advanced(by: 30 * day + 1)
        ) {
            fixture in
            let list = try fixture.list(6)
            return list.with(rotations: [list]).bytes
        },
        .signed("a newer list replayed after its expiry", .pinListExpired, at: now.advanced(by: 30 * day + 1)) {
            try $0.payload(6)
        },
        .signed("a list from tomorrow", .pinListNotYetValid) { try $0.payload(6, notBefore: now.advanced(by: day)) },
        .signed("the clock set to before the current list", .pinListClockSetBack, at: now.advanced(by: -1)) {
            try $0.payload(6)
        },
        .signed(
            "an expired list with the clock set back to match it", .pinListClockSetBack, at: now.advanced(by: -40 * day)
        ) {
            try $0.payload(6)
        },
        // Signers and audience.
        .signed("another app's list", .pinListForeignAudience) { try $0.payload(6, audience: "com.example.other") },
        Attack("a stranger's key", .pinListUnknownSigner) { fixture in
            let stranger = try PinSigningPrivateKey(.ed25519)
            return try SignedPinList.signed(try fixture.payload(6), by: [stranger]).bytes
        },
        Attack("an unknown signer's list that names its own key", .pinListUnknownSigner) { fixture in
            let stranger = try PinSigningPrivateKey(.ed25519)
            let signers = try PinSigners([stranger.publicKey])
            return try SignedPinList.signed(try fixture.payload(6, signers: signers), by: [stranger]).bytes
        },
        Attack("an unknown signer's signature with the office's name", .pinListSignatureInvalid) { fixture in
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
        Attack("the signature of another list", .pinListSignatureInvalid) { fixture in
            let good = try fixture.list(6)
            let other = try fixture.list(7)
            return SignedPinList(payload: other.payload, signatures: good.signatures, rotations: []).bytes
        },
        .signed("next keys without a signature by their owner", .pinListUnprovenSigners) { fixture in
            try fixture.payload(6, signers: try PinSigners([try PinSigningPrivateKey(.es256).publicKey]))
        },
        .signed("a next threshold that isn't met", .pinListUnprovenSigners) { fixture in
            try fixture.payload(6, signers: try fixture.signers(threshold: 2))
        },
        // Algorithms and headers.
        .header("alg none", .pinListAlgorithmNotAllowed, #"{"alg":"none","kid":"KID","typ":"pin-list+jws"}"#),
        .header(
            "alg HS256 over the public key", .pinListAlgorithmNotAllowed,
            #"{"alg":"HS256","kid":"KID","typ":"pin-list+jws"}"#),
        .header(
            "the other key's algorithm", .pinListAlgorithmNotAllowed,
            #"{"alg":"ES256","kid":"KID","typ":"pin-list+jws"}"#),
        .header("another key's name", .pinListSignatureInvalid, #"{"alg":"ES256","kid":"SAFE","typ":"pin-list+jws"}"#),
        .header("no typ", .pinListMalformed, #"{"alg":"EdDSA","kid":"KID"}"#),
        .header("a token's typ", .pinListForeignType, #"{"alg":"EdDSA","kid":"KID","typ":"JWT"}"#),
        .header("no kid", .pinListMalformed, #"{"alg":"EdDSA","typ":"pin-list+jws"}"#),
        .header(
            "a critical parameter", .pinListUnknownCriticalField,
            #"{"alg":"EdDSA","kid":"KID","typ":"pin-list+jws","crit":["exp"],"exp":1}"#),
        .header(
            "an unencoded payload", .pinListUnknownCriticalField,
            #"{"alg":"EdDSA","kid":"KID","typ":"pin-list+jws","crit":["b64"],"b64":false}"#),
        .header("alg twice", .pinListMalformed, #"{"alg":"none","alg":"EdDSA","kid":"KID","typ":"pin-list+jws"}"#),
        // Form.
        .changed("an unprotected header", .pinListMalformed) {
            $0.replacingOccurrences(of: #"{"protected""#, with: #"{"header":{"alg":"none"},"protected""#)
        },
        .changed("a second payload", .pinListMalformed) {
            $0.replacingOccurrences(of: #"{"payload""#, with: #"{"payload":"e30","payload""#)
        },
        .changed("an unknown member", .pinListMalformed) { $0.dropLast() + #","x":1}"# },
        .changed("padding", .pinListMalformed) {
            $0.replacingOccurrences(of: #","signatures""#, with: #"=","signatures""#).replacingOccurrences(
                of: #""=""#, with: #"=""#)
        },
        .changed("two documents", .pinListMalformed) { $0 + $0 },
        .changed("a byte order mark", .pinListMalformed) { "\u{feff}" + $0 },
        .changed("nothing", .pinListTruncated) { _ in "" },
        .changed("a page of HTML", .pinListMalformed) { _ in "<!DOCTYPE html><title>Log in to the network</title>" },
        .changed("no signature", .pinListMalformed) { _ in #"{"payload":"e30","signatures":[]}"# },
        .changed("the compact form", .pinListMalformed) { _ in "eyJhbGciOiJub25lIn0.e30." },
        Attack("the same signature twice", .pinListMalformed) { fixture in
            let list = try fixture.list(6)
            return SignedPinList(payload: list.payload, signatures: list.signatures + list.signatures, rotations: [])
                .bytes
        },
        Attack("too many signatures", .pinListTooLarge) { fixture in
            let keys = try (0..<33).map { _ in try PinSigningPrivateKey(.ed25519) }
            return try SignedPinList.signed(try fixture.payload(6), by: keys).bytes
        },
        Attack("too many rotations", .pinListTooLarge) { fixture in
            let list = try fixture.list(6)
            return list.with(rotations: Array(repeating: list, count: 61)).bytes
        },
        Attack("too long", .pinListTooLarge) { _ in [UInt8](repeating: 0x20, count: SignedPinList.maximumSize + 1) },
        .changed("endless nesting", .pinListTruncated) { _ in String(repeating: #"{"payload":"#, count: 100_000) },
        .changed("nested too deeply", .pinListMalformed) { _ in
            String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        },
        // Contents.
        .signed("a future version", .pinListUnknownVersion) {
            try $0.altered(6, #""version":1"#, #""version":2"#)
        },
        .signed("a future version with critical members", .pinListUnknownVersion) {
            try $0.altered(6, #""version":1"#, #""version":2,"critical":["tunnel"]"#)
        },
        .signed("an unknown critical member", .pinListUnknownCriticalField) {
            try $0.altered(6, #""version":1"#, #""version":1,"critical":["tunnel"],"tunnel":1"#)
        },
        .signed("two audiences", .pinListMalformed) {
            try $0.altered(6, #""audience""#, #""audience":"com.example.other","audience""#)
        },
        .signed("no sequence", .pinListInvalid) { try $0.altered(6, #""sequence":6,"#, "") },
        .signed("a sequence that isn't an integer", .pinListInvalid) {
            try $0.altered(6, #""sequence":6"#, #""sequence":6.5"#)
        },
        .signed("a sequence beyond the maximum", .pinListInvalid) {
            try $0.altered(6, #""sequence":6"#, #""sequence":99999999999999999999"#)
        },
        .signed("a negative sequence", .pinListInvalid) { try $0.altered(6, #""sequence":6"#, #""sequence":-6"#) },
        .signed("a date in another form", .pinListInvalid) {
            try $0.altered(6, #""issued":"2026-11-18T11:06:40Z""#, #""issued":"2026-11-18""#)
        },
        .signed("no signers", .pinListInvalid) { try $0.altered(6, #""threshold":1"#, #""threshold":0"#) },
        .signed("a malformed denied key", .pinListInvalid) {
            try $0.altered(6, #""deniedKeys":[]"#, #""deniedKeys":["sha256/AAAA"]"#)
        },
        .signed("unreadable pins", .pinListPinsInvalid) { try $0.altered(6, #""rules":["#, #""rulez":["#) },
        .signed("pins without a rule", .pinListPinsInvalid) {
            try $0.altered(6, String(decoding: ListFixture.pins(6), as: UTF8.self), #"{"schemaVersion":1}"#)
        },
        .signed("a private key among the signers", .pinListInvalid) {
            try $0.altered(6, #""crv":"Ed25519","#, #""crv":"Ed25519","d":"AA","#)
        },
        .signed("a document that isn't an object", .pinListInvalid) { _ in Array("[]".utf8) },
        .signed("a document that isn't JSON", .pinListMalformed) { _ in [0xff, 0xfe] },
    ]

    /// Returns a client whose current list is number 5.
    private func listState(_ fixture: ListFixture) throws -> PinListState {
        var listState = PinListState(try fixture.builtIn())
        guard case .newer = try listState.accept(try fixture.list(5), at: Self.now) else {
            throw CocoaError(.formatting)
        }
        return listState
    }

    @Test("Each attack on a list is refused with its own code and changes nothing", arguments: attacks)
    func attack(_ attack: Attack) throws {
        let fixture = try ListFixture()
        var listState = try listState(fixture)
        let document = try attack.document(fixture)
        #expect(refusal { _ = try listState.accept(try SignedPinList(document), at: attack.at) } == attack.code)
        #expect(listState.sequence == 5)
        #expect(listState.list?.configuration == (try fixture.list(5).unverifiedList()).configuration)
        // Without the attack, the document is valid.
        #expect(refusal { _ = try listState.accept(try fixture.list(6), at: Self.now.advanced(by: 60)) } == nil)
    }

    @Test("A list that is truncated at any byte is refused as truncated")
    func truncation() throws {
        let fixture = try ListFixture()
        let list = try fixture.list(6, by: [fixture.office, fixture.safe])
        let bytes = list.with(rotations: [try fixture.list(5)]).bytes
        #expect(try SignedPinList(bytes).bytes == bytes)
        for length in bytes.indices {
            #expect(refusal { _ = try SignedPinList(Array(bytes[..<length])) } == .pinListTruncated, "\(length) bytes")
        }
    }

    @Test("A list with any bit flipped is refused", arguments: PinSigningKey.Algorithm.allCases)
    func flippedBits(_ algorithm: PinSigningKey.Algorithm) throws {
        let fixture = try ListFixture(algorithm)
        let builtIn = try fixture.builtIn()
        let bytes = try fixture.list(6).bytes
        #expect(try builtIn.verify(try SignedPinList(bytes), at: Self.now).sequence == 6)
        var codes: Set<ErrorCode> = []
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                let code = refusal { _ = try builtIn.verify(try SignedPinList(flipped), at: Self.now) }
                #expect(code != nil, "bit \(bit) of byte \(index)")
                if let code { codes.insert(code) }
            }
        }
        // In the payload and the signature, in the key's name, in the structure.
        #expect(
            codes.isSuperset(of: [
                .pinListSignatureInvalid, .pinListUnknownSigner, .pinListMalformed, .pinListTruncated,
            ]))
    }
}
