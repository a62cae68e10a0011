// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import ServerTrustTesting
import Testing

@testable import PKIX

/// The leaf's own key verifies nothing in its path, but it must be a valid key.
@Suite("The leaf's key")
struct LeafKeyTests {
    private static let rsa = "1.2.840.113549.1.1.1"
    private static let pss = "1.2.840.113549.1.1.10"
    private static let curves = [
        (name: "P-256", oid: "1.2.840.10045.3.1.7", point: Array(SigningKey.p256().publicKey.suffix(65))),
        (name: "P-384", oid: "1.3.132.0.34", point: Array(SigningKey.p384().publicKey.suffix(97))),
        (name: "P-521", oid: "1.3.132.0.35", point: Array(SigningKey.p521().publicKey.suffix(133))),
    ]

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: [UInt8]
        let isGood: Bool
    }

    private static func rsaKey(_ algorithm: String, _ modulus: [UInt8], _ exponent: [UInt8]) -> [UInt8] {
        ASN1.publicKey(
            ASN1.algorithm(algorithm, algorithm == rsa ? ASN1.null : []),
            ASN1.sequence(ASN1.unsigned(modulus), ASN1.unsigned(exponent)))
    }

    private static let pointRows: [Row] = curves.flatMap { curve -> [Row] in
        let good = curve.point
        let width = (good.count - 1) / 2
        let last = good.count - 1
        var off = good
        off[last] ^= 1
        var flipped = good
        flipped[1 + width / 2] ^= 0x10
        let swapped = [4] + good[(1 + width)...] + good[1...width]
        let rows: [(String, [UInt8], Bool)] = [
            ("a point on the curve", good, true), ("no bytes", [], false), ("infinity", [0], false),
            ("a point off the curve", off, false), ("a bit of x flipped", flipped, false),
            ("x and y swapped", swapped, false), ("zeros", [4] + [UInt8](repeating: 0, count: 2 * width), false),
            ("coordinates over the prime", [4] + [UInt8](repeating: 0xff, count: 2 * width), false),
            ("the hybrid form", [6 | good[last] & 1] + good[1...], false),
            ("the hybrid form with the wrong bit", [6 | ~good[last] & 1] + good[1...], false),
            ("the compressed form", [2 | good[last] & 1] + good[1...width], false),
            ("a form that does not exist", [5] + good[1...], false), ("x alone", [4] + good[1...width], false),
            ("a byte short", Array(good.dropLast()), false), ("one byte too many", good + [0], false),
            ("a leading zero", [0] + good, false),
        ]
        let others = curves.filter { $0.oid != curve.oid }.map { ("a point of \($0.name)", $0.point, false) }
        return (rows + others).map { name, bits, isGood in
            let algorithm = ASN1.algorithm("1.2.840.10045.2.1", ASN1.oid(curve.oid))
            return Row(
                testDescription: "\(curve.name): \(name)", key: ASN1.publicKey(algorithm, bits), isGood: isGood)
        }
    }

    private static let rsaRows: [Row] = [rsa, pss].flatMap { algorithm -> [Row] in
        let odd: [UInt8] = [0xb5] + [UInt8](repeating: 0x5b, count: 255)
        let even: [UInt8] = odd.dropLast() + [0x5a]
        let rows: [(String, [UInt8], [UInt8], Bool)] = [
            ("exponent 65537", odd, [1, 0, 1], true), ("exponent 3", odd, [3], true),
            ("an exponent of 64 bits", odd, [0xff] + [UInt8](repeating: 1, count: 7), true),
            ("an exponent of 256 bits, the baseline's maximum", odd, [UInt8](repeating: 0xff, count: 32), true),
            ("the largest exponent", odd, odd.dropLast() + [0x59], true), ("exponent 0", odd, [0], false),
            (
                "an exponent that is below the modulus only in its first byte", odd,
                [0xb4] + [UInt8](repeating: 0xff, count: 255), true
            ),
            ("a modulus that needs no zero before it", [0x7f] + odd, [1, 0, 1], true),
            (
                "only the modulus needs a zero before it, and the exponent is smaller", [0x81] + odd, [0x7f] + odd, true
            ),
            ("exponent 1", odd, [1], false), ("exponent 2", odd, [2], false),
            ("exponent 65536", odd, [1, 0, 0], false),
            ("an exponent equal to the modulus", odd, odd, false),
            ("an exponent just over the modulus", odd, odd.dropLast() + [0x5d], false),
            ("an exponent longer than the modulus", odd, odd + [1], false),
            ("an even modulus", even, [1, 0, 1], false),
            ("modulus 0", [0], [1, 0, 1], false),
        ]
        return rows.map { name, modulus, exponent, isGood in
            Row(
                testDescription: "\(algorithm == rsa ? "RSA" : "RSA-PSS"): \(name)",
                key: rsaKey(algorithm, modulus, exponent), isGood: isGood)
        }
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        stride(from: 0, to: hexadecimal.count, by: 2).compactMap {
            UInt8(hexadecimal.dropFirst($0).prefix(2), radix: 16)
        }
    }

    private static let edwardsRows: [Row] = {
        let good = Array(SigningKey.ed25519().publicKey.suffix(32))
        let prime = [UInt8(0xed)] + [UInt8](repeating: 0xff, count: 30) + [UInt8(0x7f)]
        let order8 = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
        let otherOrder8 = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
        let rows: [(String, [UInt8], Bool)] = [
            ("a key", good, true), ("31 bytes", Array(good.dropLast()), false), ("33 bytes", good + [0], false),
            ("no bytes", [], false), ("the neutral element", [1] + [UInt8](repeating: 0, count: 31), false),
            ("the neutral element with its sign", [1] + [UInt8](repeating: 0, count: 30) + [0x80], false),
            ("order 2", [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f], false),
            ("order 4", [UInt8](repeating: 0, count: 32), false),
            ("order 4, the other", [UInt8](repeating: 0, count: 31) + [0x80], false),
            ("order 8", bytes(order8), false),
            ("order 8, the other", bytes(otherOrder8), false),
            ("a coordinate equal to the prime", prime, false),
            ("a coordinate over the prime", [0xee] + prime[1...], false),
            ("all ones", [UInt8](repeating: 0xff, count: 32), false),
        ]
        return rows.map { name, bits, isGood in
            Row(
                testDescription: "Ed25519: \(name)", key: ASN1.publicKey(ASN1.algorithm("1.3.101.112"), bits),
                isGood: isGood)
        }
    }()

    @Test(
        "A leaf's key must be valid for its kind under the web profile",
        arguments: pointRows + rsaRows + edwardsRows)
    func webProfile(row: Row) throws {
        let root = try CraftedCertificate.authority().certificate()
        let leaf = try CraftedCertificate.leaf().with { $0.publicKey = row.key }.certificate()
        #expect(try codes(leaf, anchors: [root]) == (row.isGood ? [] : [.keyMalformed]))
        // A leaf that is its own anchor must meet the same rules.
        #expect(try codes(leaf, anchors: [leaf]) == (row.isGood ? [] : [.keyMalformed]))
        let failure = try failures(leaf, anchors: [root]).first
        #expect(failure?.certificate == (row.isGood ? nil : 0))
    }

    @Test(
        "The plain profile accepts leaf keys that it can't check, but refuses keys with the wrong form for their kind")
    func plainProfile() throws {
        let root = try CraftedCertificate.authority().certificate()
        func codes(_ key: [UInt8]) throws -> [TrustFailure.Code] {
            let leaf = try CraftedCertificate.leaf().with { $0.publicKey = key }.certificate()
            return try PKIXTests.codes(leaf, anchors: [root], policy: .plain)
        }
        #expect(try codes(ASN1.publicKey(ASN1.algorithm("1.2.3.4"), [1])) == [])
        #expect(try codes(ASN1.publicKey(ASN1.algorithm("1.3.101.113"), [UInt8](repeating: 1, count: 57))) == [])
        for row in Self.edwardsRows { #expect(try codes(row.key) == (row.isGood ? [] : [.keyMalformed]), "\(row)") }
    }

    @Test(
        "The engine accepts a point exactly if the crypto library does, whether the point is on the curve or one bit off"
    )
    func likeTheLibrary() throws {
        var random = Repeatable(0x9256)
        func isValid(_ point: [UInt8]) -> Bool {
            let view = point[...]
            return P256Point.isValid(view.span, ByteRange(0, view.count))
        }
        for _ in 0..<400 {
            let point = [UInt8](P256.Signing.PrivateKey().publicKey.x963Representation)
            #expect(isValid(point))
            var other = point
            other[Int.random(in: 1..<65, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            #expect(isValid(other) == ((try? P256.Signing.PublicKey(x963Representation: other)) != nil))
            // The same x with the other y.
            let y = point[33...].map { $0 }
            let prime: [UInt8] =
                [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12)
                + [UInt8](repeating: 0xff, count: 12)
            var negative = [UInt8](repeating: 0, count: 32)
            var borrow = 0
            for index in (0..<32).reversed() {
                let difference = Int(prime[index]) - Int(y[index]) - borrow
                borrow = difference < 0 ? 1 : 0
                negative[index] = UInt8(truncatingIfNeeded: difference)
            }
            #expect(isValid(point[..<33] + negative))
            #expect((try? P256.Signing.PublicKey(x963Representation: point[..<33] + negative)) != nil)
        }
        // The edges of the field: 0, 1, the prime and its neighbors, in both coordinates.
        let edge: [UInt8] =
            [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12)
            + [UInt8](repeating: 0xff, count: 11)
        let numbers =
            [UInt8(0), 1, 2, 3].map { [UInt8](repeating: 0, count: 31) + [$0] }
            + [0xfd, 0xfe, 0xff].map { edge + [$0] } + [[UInt8](repeating: 0xff, count: 32)]
        for x in numbers {
            for y in numbers {
                let point = [4] + x + y
                #expect(isValid(point) == ((try? P256.Signing.PublicKey(x963Representation: point)) != nil))
            }
        }
    }

    @Test("A coordinate of P-256 has one encoding: adding the prime makes a point invalid")
    func coordinatesOverThePrime() {
        let zero = String(repeating: "0", count: 64)
        let five = String(repeating: "0", count: 63) + "5"
        let prime = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
        let primeAndFive = "ffffffff00000001000000000000000000000001000000000000000000000004"
        // The points with x = 0 and with y = 5.
        let y = "66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4"
        let x = "d7325d7646cd60d80a92738ceb345f844cffaf35841022cab176f692de8de1d7"
        for (point, isValid) in [(zero + y, true), (prime + y, false), (x + five, true), (x + primeAndFive, false)] {
            let bytes = [4] + Self.bytes(point)
            let view = bytes[...]
            #expect(P256Point.isValid(view.span, ByteRange(0, 65)) == isValid, "\(point)")
            #expect(((try? P256.Signing.PublicKey(x963Representation: bytes)) != nil) == isValid, "\(point)")
        }
    }

    @Test("An issuer's Ed25519 key of small order is malformed under both profiles")
    func smallOrderIssuer() throws {
        for row in Self.edwardsRows where !row.isGood {
            let root = try CraftedCertificate.authority().with { $0.publicKey = row.key }.certificate()
            // With the neutral element as key, a signature of the neutral element and zero verifies over anything.
            let forged = SigningKey.ed25519().with { _ in
                [1] + [UInt8](repeating: 0, count: 63)
            }
            let leaf = try CraftedCertificate.leaf().certificate(signedBy: forged)
            for policy in [ValidationPolicy(), .plain] {
                let found = try failures(leaf, anchors: [root], policy: policy)
                #expect(found.contains { $0.code == .keyMalformed && $0.certificate == 1 }, "\(row)")
            }
        }
    }
}
