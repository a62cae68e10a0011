// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import ServerTrust
import Testing

@testable import ServerTrustPins

/// Signatures that are made outside this package. ``PinSigningPrivateKey`` plays the token, which receives bytes and
/// returns a signature.
@Suite("Signatures from outside the package") struct OutsideSignatureTests {
    private let now = ListFixture.now

    @Test(
        "A list signed outside the package equals one signed by the package, byte for byte except for the signature",
        arguments: PinSigningKey.Algorithm.allCases)
    func outside(_ algorithm: PinSigningKey.Algorithm) throws {
        let fixture = try ListFixture(algorithm)
        let key = fixture.office.publicKey
        let draft = try SignedPinList.signed(try fixture.payload(2), by: [])
        let input = draft.signingInput(for: key)
        let list = try draft.adding(try fixture.office.signature(over: input), by: key)
        #expect(try fixture.builtIn().verify(list, at: now).sequence == 2)
        let here = try fixture.list(2)
        #expect(list.payload == here.payload)
        #expect(list.signatures.map(\.protected) == here.signatures.map(\.protected))
        #expect(try SignedPinList(list.bytes) == list)
        // RFC 7515 § 5.1: two base64url strings separated by a period.
        let parts = String(decoding: input, as: UTF8.self).split(separator: ".").map(String.init)
        #expect(parts.count == 2)
        #expect(Base64URL.decode(try #require(parts.last)) == (try fixture.payload(2)))
    }

    @Test("A list without a signature is only read on request and is never accepted")
    func draft() throws {
        let fixture = try ListFixture()
        let draft = try SignedPinList.signed(try fixture.payload(2), by: [], rotations: [try fixture.list(1)])
        #expect(refusal { _ = try SignedPinList(draft.bytes) } == .pinListMalformed)
        #expect(try SignedPinList(draft.bytes, allowsNoSignature: true) == draft)
        #expect(refusal { _ = try fixture.builtIn().verify(draft, at: now) } == .pinListUnknownSigner)
        // One of its rotations still needs a signature.
        let bare = draft.with(rotations: [try .signed(try fixture.payload(1), by: [])])
        #expect(refusal { _ = try SignedPinList(bare.bytes, allowsNoSignature: true) } == .pinListMalformed)
        // The rotations stay.
        let list = try draft.adding(
            try fixture.office.signature(over: draft.signingInput(for: fixture.office.publicKey)),
            by: fixture.office.publicKey)
        #expect(list.rotations == draft.rotations)
    }

    @Test("A P-256 signature is accepted as 64 bytes or in DER, and stored as 64 bytes")
    func forms() throws {
        let fixture = try ListFixture()
        let key = fixture.safe.publicKey
        let draft = try SignedPinList.signed(try fixture.payload(2), by: [])
        let joined = try fixture.safe.signature(over: draft.signingInput(for: key))
        let der = Array(try P256.Signing.ECDSASignature(rawRepresentation: joined).derRepresentation)
        for signature in [joined, der] {
            let list = try draft.adding(signature, by: key)
            #expect(list.signatures.map(\.bytes) == [joined])
            #expect(try fixture.builtIn().verify(list, at: now).sequence == 2)
        }
        // Other encodings of the same numbers.
        let others: [[UInt8]] = [
            der + [0], Array(der.dropLast()), [0] + joined, Array(joined.dropLast()), joined + [0], [], [0x30, 0],
        ]
        for other in others {
            #expect(
                refusal { _ = try draft.adding(other, by: key) } == .pinListSignatureInvalid, "\(other.count) bytes")
        }
    }

    /// A signature that the office's key didn't make for the list's input.
    struct Slip: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: @Sendable (ListFixture) -> PinSigningPrivateKey
        let bytes: @Sendable (SignedPinList, ListFixture) throws -> [UInt8]

        init(
            _ name: String, by key: @escaping @Sendable (ListFixture) -> PinSigningPrivateKey = { $0.office },
            _ bytes: @escaping @Sendable (SignedPinList, ListFixture) throws -> [UInt8]
        ) {
            self.testDescription = name
            self.key = key
            self.bytes = bytes
        }
    }

    static let slips: [Slip] = [
        Slip("by another key", by: { $0.safe }) { $0.signingInput(for: $1.office.publicKey) },
        Slip("over another list") { list, fixture in
            try SignedPinList.signed(try fixture.payload(3), by: []).signingInput(for: fixture.office.publicKey)
        },
        Slip("over the input for another key") { $0.signingInput(for: $1.safe.publicKey) },
        Slip("over the payload without a header") { list, _ in list.payloadBytes },
        Slip("over the payload's text") { list, _ in Array(list.payload.utf8) },
        Slip("over the input with a line feed") { $0.signingInput(for: $1.office.publicKey) + [0x0a] },
        Slip("over the digest of the input") {
            Array(SHA256.hash(data: $0.signingInput(for: $1.office.publicKey)))
        },
        Slip("over nothing") { _, _ in [] },
    ]

    @Test("A signature from another key or over other bytes is refused", arguments: slips)
    func refused(_ slip: Slip) throws {
        for algorithm in PinSigningKey.Algorithm.allCases {
            let fixture = try ListFixture(algorithm)
            let draft = try SignedPinList.signed(try fixture.payload(2), by: [])
            let signature = try slip.key(fixture).signature(over: try slip.bytes(draft, fixture))
            #expect(
                refusal { _ = try draft.adding(signature, by: fixture.office.publicKey) } == .pinListSignatureInvalid)
        }
    }

    @Test("A new signature from the same key replaces the old one, and 32 keys can sign")
    func again() throws {
        let fixture = try ListFixture()
        let list = try fixture.list(2, by: [fixture.office, fixture.safe])
        let again = try list.adding(
            try fixture.office.signature(over: list.signingInput(for: fixture.office.publicKey)),
            by: fixture.office.publicKey)
        #expect(again.signatures.count == 2)
        #expect(try fixture.builtIn(threshold: 2).verify(again, at: now).sequence == 2)
        // It fixes a signature that was changed in transit.
        var broken = list.signatures
        broken[0] = SignedPinList.Signature(
            protected: broken[0].protected, algorithm: broken[0].algorithm, keyID: broken[0].keyID,
            bytes: [UInt8](repeating: 7, count: 64))
        let mended = try SignedPinList(payload: list.payload, signatures: broken, rotations: []).adding(
            try fixture.office.signature(over: list.signingInput(for: fixture.office.publicKey)),
            by: fixture.office.publicKey)
        #expect(try fixture.builtIn(threshold: 2).verify(mended, at: now).sequence == 2)

        var full = try SignedPinList.signed(try fixture.payload(2), by: [])
        for count in 1...33 {
            let key = try PinSigningPrivateKey(.ed25519)
            let signature = try key.signature(over: full.signingInput(for: key.publicKey))
            guard count <= SignedPinList.maximumSignatures else {
                #expect(refusal { _ = try full.adding(signature, by: key.publicKey) } == .pinListTooLarge)
                continue
            }
            full = try full.adding(signature, by: key.publicKey)
        }
        #expect(try SignedPinList(full.bytes) == full)
    }

    @Test(
        "Clients accept any increase in a list's number, up to the last number",
        arguments: [
            6, 1_005, 1_006, 1_000_000_005, PinList.maximumSequence - 1, PinList.maximumSequence,
        ])
    func steps(_ sequence: Int) throws {
        let fixture = try ListFixture()
        var listState = PinListState(try fixture.builtIn())
        _ = try listState.accept(try fixture.list(5), at: now)
        var payload = PinListPayload(
            audience: ListFixture.audience, sequence: sequence, issued: now, expires: now.advanced(by: 60),
            pins: ListFixture.pins(6), signers: try fixture.signers())
        payload.usesSequenceReserve = true
        _ = try listState.accept(try .signed(try payload.bytes(), by: [fixture.office]), at: now)
        #expect(listState.sequence == sequence)
    }
}
