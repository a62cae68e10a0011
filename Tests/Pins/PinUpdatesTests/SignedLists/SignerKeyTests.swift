// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustPins

/// Keys that no signer may have, wherever a list or file names one.
@Suite("Keys of small order") struct SignerKeyTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).compactMap { offset in
            let start = hex.index(hex.startIndex, offsetBy: offset)
            return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
        }
    }

    /// The y coordinates of the eight points, and every other encoding that libraries read as one of them: with either
    /// sign, and with p added.
    static let smallOrder: [[UInt8]] = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ].flatMap { text in
        let positive = bytes(text)
        return [positive, positive.dropLast() + [positive[31] | 0x80]]
    }

    /// y from p to 2^255 - 1: other encodings of points that have a canonical one.
    static let notCanonical: [[UInt8]] = (0xed...0xff).flatMap { low in
        [0x7f, 0xff].map { high in [UInt8(low)] + [UInt8](repeating: 0xff, count: 30) + [high] }
    }

    private static func pem(_ key: [UInt8]) -> String {
        PEM.encode(
            [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00] + key, label: "PUBLIC KEY")
    }

    @Test(
        "Every encoding of a point of small order is refused in PEM and in a list", arguments: smallOrder + notCanonical
    )
    func refused(_ key: [UInt8]) throws {
        let ofPEM = #expect(throws: PinSigningKeyError.self) { try PinSigningKey(pem: Self.pem(key)) }
        let ofBytes = #expect(throws: PinSigningKeyError.self) { try PinSigningKey(.ed25519, key) }
        // A non-canonical encoding is refused for that reason first.
        let codes: [ErrorCode] = [.pinSigningKeyUnsafe, .pinSigningKeyInvalid]
        #expect(ofPEM.map { codes.contains($0.code) } == true && ofPEM?.code == ofBytes?.code)
        let fixture = try ListFixture()
        let old = Base64URL.encode(fixture.office.publicKey.bytes)
        let payload = try fixture.altered(6, old, Base64URL.encode(key))
        let document = try SignedPinList.signed(payload, by: [fixture.office])
        let builtIn = try fixture.builtIn()
        #expect(refusal { _ = try builtIn.verify(document, at: ListFixture.now) } == .pinListInvalid)
        // The other signer is honest. If one signature is enough, a single such key among several signers is enough for
        // a forgery.
        #expect(try PinSigningKey(pem: fixture.safe.publicKey.pem) == fixture.safe.publicKey)
    }

    @Test("The table contains every point of small order and no signer's key")
    func complete() throws {
        let canonical = Self.smallOrder.filter { Ed25519Point.isCanonical($0) }
        // Five values of y, each with both signs.
        #expect(canonical.count == 10)
        #expect(canonical.allSatisfy { Ed25519Point.isOfSmallOrder($0) })
        for _ in 0..<200 {
            let key = try PinSigningPrivateKey(.ed25519).publicKey
            #expect(try PinSigningKey(pem: key.pem) == key)
        }
        // The neighbors of 2^255 - 19 and of the small values. They are canonical. If they are points at all, they have
        // another order.
        for low in [UInt8(0xeb), 0xea] {
            let key = [low] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
            #expect(Ed25519Point.isCanonical(key) && !Ed25519Point.isOfSmallOrder(key))
        }
        #expect(!Ed25519Point.isOfSmallOrder([2] + [UInt8](repeating: 0, count: 31)))
        #expect(!Ed25519Point.isCanonical([]) && !Ed25519Point.isOfSmallOrder([]))
    }
}
