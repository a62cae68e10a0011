// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

@testable import PKIX

@Suite("Detached signatures")
struct DetachedSignatureTests {
    private static let message = Array("a list".utf8)

    static let rows: [(name: String, make: @Sendable () throws -> SigningKey, isSupported: Bool)] = [
        ("P-256", { .p256() }, true), ("RSA-2048", { try .rsa() }, true), ("Ed25519", { .ed25519() }, true),
        ("P-384", { .p384() }, false), ("RSA-1024", { try .rsa(FixedKeys.rsa1024) }, false),
        ("PSS", { try .rsa(isPSS: true) }, false),
    ]

    @Test("A signature by a supported key is valid over its message only", arguments: rows)
    func kinds(name: String, make: @Sendable () throws -> SigningKey, isSupported: Bool) throws {
        let key = try make()
        let info = try SubjectPublicKeyInfo(der: key.publicKey)
        let signature = try key.sign(Self.message)
        #expect(info.isValid(signature, over: Self.message) == isSupported)
        #expect(!info.isValid(signature, over: Self.message + [0]))
        #expect(!info.isValid(signature, over: Array(Self.message.dropFirst())))
        #expect(!info.isValid([], over: Self.message))
        #expect(!info.isValid(signature, over: []))
        var altered = signature
        altered[altered.count - 1] ^= 1
        #expect(!info.isValid(altered, over: Self.message))
        #expect(try !SubjectPublicKeyInfo(der: SigningKey.shared.publicKey).isValid(signature, over: Self.message))
    }

    @Test("A key that isn't valid verifies nothing")
    func invalidKey() throws {
        var point = SigningKey.shared.publicKey
        let signature = try SigningKey.shared.sign(Self.message)
        #expect(try SubjectPublicKeyInfo(der: point).isValid(signature, over: Self.message))
        point[point.count - 1] ^= 1
        #expect(try !SubjectPublicKeyInfo(der: point).isValid(signature, over: Self.message))
    }

    @Test("RSA keys may have 2048 to 8192 bits", arguments: [(2047, false), (2048, true), (8192, true), (8193, false)])
    func sizes(bits: Int, isSupported: Bool) throws {
        let forged = RSAOfOneSignature(bits: bits, message: Self.message)
        let info = try SubjectPublicKeyInfo(der: ASN1.rsaKey(forged.modulus, [3]))
        #expect(info.keyDescription.bits == bits)
        #expect(info.isValid(forged.signature, over: Self.message) == isSupported)
        #expect(!info.isValid(forged.signature, over: Self.message + [0]))
    }
}

/// An RSA key with exponent 3 of any size and a valid signature by PKCS #1 v1.5, without a private key: the modulus is
/// the cube of the signature minus the padded message.
private struct RSAOfOneSignature {
    let modulus: [UInt8]
    let signature: [UInt8]

    init(bits: Int, message: [UInt8]) {
        let size = (bits + 7) / 8
        let digest = ASN1.sequence(
            ASN1.algorithm(ASN1.sha256, ASN1.null), ASN1.octets([UInt8](SHA256.hash(data: message))))
        let padded = [0, 1] + [UInt8](repeating: 0xff, count: size - 3 - digest.count) + [0] + digest
        // A third of the modulus' size. The first byte determines the number of the cube's bits.
        let count = (bits + 23) / 24
        let low = [UInt8](repeating: 0xa6, count: count - 2) + [0xa6 | ~(padded.last ?? 0) & 1]
        var root: [UInt8] = []
        for first in UInt8(1)...255
        where Self.bits(of: Self.cube([first, 0xa6, 0xa6])) + 24 * (count - 3) == bits { root = [first] + low }
        var rest = Array(Self.cube(root).suffix(size))
        var borrow = 0
        for index in rest.indices.reversed() {
            let difference = Int(rest[index]) - Int(padded[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            rest[index] = UInt8(truncatingIfNeeded: difference)
        }
        modulus = rest
        signature = [UInt8](repeating: 0, count: size - root.count) + root
    }

    private static func bits(of number: [UInt8]) -> Int {
        let significant = number.drop { $0 == 0 }
        return significant.count * 8 - (significant.first ?? 0).leadingZeroBitCount
    }

    private static func cube(_ number: [UInt8]) -> [UInt8] { product(product(number, number), number) }

    private static func product(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var sums = [Int](repeating: 0, count: left.count + right.count)
        for (i, x) in left.enumerated() {
            for (j, y) in right.enumerated() { sums[i + j + 1] += Int(x) * Int(y) }
        }
        for index in sums.indices.dropFirst().reversed() {
            sums[index - 1] += sums[index] >> 8
            sums[index] &= 0xff
        }
        return sums.map { UInt8($0) }
    }
}
