// SPDX-License-Identifier: Apache-2.0

import CommonCryptoCompatibility
import Testing

/// Returns bytes as hexadecimal digits.
func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
    }.joined()
}

/// The test vectors from FIPS 180-4's examples and from RFC 6234 § 8.5: no byte, "abc", and 448 or 896 bits.
@Suite("Digest functions with CommonCrypto's names")
struct DigestTests {
    private static let long =
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"
    private static let short = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"

    struct Vector: Sendable {
        let text: String
        let sha1: String
        let sha256: String
        let sha384: String
        let sha512: String
    }

    static let vectors = [
        Vector(
            text: "", sha1: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            sha384: "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b",
            sha512: "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"),
        Vector(
            text: "abc", sha1: "a9993e364706816aba3e25717850c26c9cd0d89d",
            sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            sha384: "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
            sha512: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"),
    ]

    private typealias Function = (
        UnsafeRawPointer?, CC_LONG, UnsafeMutablePointer<UInt8>?
    ) -> UnsafeMutablePointer<UInt8>?

    /// Calls a function with a buffer that is one byte longer than the digest. The function must not change that byte.
    private func digest(_ function: Function, _ text: String, _ length: Int32) -> String {
        var place = [UInt8](repeating: 0xa5, count: Int(length) + 1)
        let bytes = Array(text.utf8)
        let isWritten = bytes.withUnsafeBytes { function($0.baseAddress, CC_LONG($0.count), &place) != nil }
        #expect(isWritten)
        #expect(place.last == 0xa5)
        return hex(Array(place.dropLast()))
    }

    @Test("Digests match the examples in FIPS 180-4", arguments: vectors)
    func examples(vector: Vector) {
        #expect(digest(CC_SHA1, vector.text, CC_SHA1_DIGEST_LENGTH) == vector.sha1)
        #expect(digest(CC_SHA256, vector.text, CC_SHA256_DIGEST_LENGTH) == vector.sha256)
        #expect(digest(CC_SHA384, vector.text, CC_SHA384_DIGEST_LENGTH) == vector.sha384)
        #expect(digest(CC_SHA512, vector.text, CC_SHA512_DIGEST_LENGTH) == vector.sha512)
    }

    @Test("Digests of two-block messages match the examples in FIPS 180-4")
    func twoBlocks() {
        #expect(digest(CC_SHA1, Self.short, 20) == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
        #expect(
            digest(CC_SHA256, Self.short, 32) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            digest(CC_SHA384, Self.long, 48)
                == "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039")
        #expect(
            digest(CC_SHA512, Self.long, 64)
                == "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
                + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909")
    }

    @Test("A digest doesn't depend on how the message is split")
    func pieces() {
        let bytes = Array(Self.short.utf8)
        for cut in 0...bytes.count {
            var place = [UInt8](repeating: 0, count: 64)
            let (head, tail) = (Array(bytes[..<cut]), Array(bytes[cut...]))
            var first = CC_SHA1_CTX()
            #expect(CC_SHA1_Init(&first) == 1)
            #expect(CC_SHA1_Update(&first, head, CC_LONG(head.count)) == 1)
            #expect(CC_SHA1_Update(&first, tail, CC_LONG(tail.count)) == 1)
            #expect(CC_SHA1_Final(&place, &first) == 1)
            #expect(hex(Array(place[..<20])) == digest(CC_SHA1, Self.short, 20))
            var second = CC_SHA256_CTX()
            CC_SHA256_Init(&second)
            CC_SHA256_Update(&second, head, CC_LONG(head.count))
            CC_SHA256_Update(&second, tail, CC_LONG(tail.count))
            CC_SHA256_Final(&place, &second)
            #expect(hex(Array(place[..<32])) == digest(CC_SHA256, Self.short, 32))
            var third = CC_SHA512_CTX()
            CC_SHA384_Init(&third)
            CC_SHA384_Update(&third, head, CC_LONG(head.count))
            CC_SHA384_Update(&third, tail, CC_LONG(tail.count))
            CC_SHA384_Final(&place, &third)
            #expect(hex(Array(place[..<48])) == digest(CC_SHA384, Self.short, 48))
            CC_SHA512_Init(&third)
            CC_SHA512_Update(&third, head, CC_LONG(head.count))
            CC_SHA512_Update(&third, tail, CC_LONG(tail.count))
            CC_SHA512_Final(&place, &third)
            #expect(hex(place) == digest(CC_SHA512, Self.short, 64))
        }
    }

    @Test("Init starts a new digest")
    func reuse() {
        var context = CC_SHA256_CTX()
        var place = [UInt8](repeating: 0, count: 32)
        for _ in 0..<2 {
            CC_SHA256_Init(&context)
            CC_SHA256_Update(&context, "abc", 3)
            CC_SHA256_Final(&place, &context)
            #expect(hex(place) == Self.vectors[1].sha256)
        }
    }

    @Test(
        "The function writes nothing for a nil pointer with a length, and treats a nil pointer without a length as no bytes"
    )
    func missingPointers() {
        var place = [UInt8](repeating: 7, count: 64)
        #expect(CC_SHA256(nil, 1, &place) == nil)
        #expect(CC_SHA256("a", 1, nil) == nil)
        var context = CC_SHA256_CTX()
        #expect(CC_SHA256_Update(&context, nil, 1) == 0)
        #expect(CC_SHA256_Update(nil, "a", 1) == 0)
        #expect(CC_SHA256_Init(nil) == 0)
        #expect(CC_SHA256_Final(nil, &context) == 0)
        #expect(CC_SHA256_Final(&place, nil) == 0)
        #expect(place == [UInt8](repeating: 7, count: 64))
        #expect(CC_SHA256(nil, 0, &place) != nil)
        #expect(hex(Array(place[..<32])) == Self.vectors[0].sha256)
    }

    @Test("Init doesn't read the previous contents of a context's memory") func allocated() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 4_096, alignment: 64)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0xa5, count: 4_096)
        let bytes: [UInt8] = [1, 2, 3]
        var expected = [UInt8](repeating: 0, count: 64)
        for _ in 0..<2 {
            var place = [UInt8](repeating: 0, count: 64)
            let context = memory.bindMemory(to: CC_SHA256_CTX.self, capacity: 1)
            #expect(CC_SHA256_Init(context) == 1)
            #expect(CC_SHA256_Update(context, bytes, 3) == 1)
            #expect(CC_SHA256_Final(&place, context) == 1)
            CC_SHA256(bytes, 3, &expected)
            #expect(place == expected)
        }
        for _ in 0..<2 {
            var place = [UInt8](repeating: 0, count: 64)
            let context = memory.bindMemory(to: CC_SHA512_CTX.self, capacity: 1)
            #expect(CC_SHA384_Init(context) == 1)
            #expect(CC_SHA384_Update(context, bytes, 3) == 1)
            #expect(CC_SHA384_Final(&place, context) == 1)
            expected = [UInt8](repeating: 0, count: 64)
            CC_SHA384(bytes, 3, &expected)
            #expect(place == expected)
        }
    }
}
