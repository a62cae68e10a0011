// SPDX-License-Identifier: Apache-2.0

import CommonCryptoCompatibility
import Testing

/// The test vectors from RFC 4231 § 4 and, for SHA-1, from RFC 2202 § 3.
@Suite("HMAC functions with CommonCrypto's names")
struct MessageAuthenticationTests {
    struct Vector: Sendable {
        let key: [UInt8]
        let data: [UInt8]
        let macs: [Int: String]
    }

    static let vectors = [
        Vector(
            key: [UInt8](repeating: 0x0b, count: 20), data: Array("Hi There".utf8),
            macs: [
                kCCHmacAlgSHA1: "b617318655057264e28bc0b6fb378c8ef146be00",
                kCCHmacAlgSHA256: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
                kCCHmacAlgSHA384:
                    "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6",
                kCCHmacAlgSHA512: "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                    + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854",
            ]),
        Vector(
            key: Array("Jefe".utf8), data: Array("what do ya want for nothing?".utf8),
            macs: [
                kCCHmacAlgSHA1: "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
                kCCHmacAlgSHA256: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
                kCCHmacAlgSHA384:
                    "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
                kCCHmacAlgSHA512: "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                    + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
            ]),
        // A key that is longer than a SHA-512 block.
        Vector(
            key: [UInt8](repeating: 0xaa, count: 131),
            data: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            macs: [
                kCCHmacAlgSHA256: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
                kCCHmacAlgSHA384:
                    "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952",
                kCCHmacAlgSHA512: "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
                    + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598",
            ]),
    ]

    @Test("HMACs match RFC 4231 and RFC 2202, in one call and in pieces", arguments: vectors)
    func examples(vector: Vector) {
        for (algorithm, expected) in vector.macs {
            let length = expected.count / 2
            var place = [UInt8](repeating: 0xa5, count: length + 1)
            CCHmac(
                CCHmacAlgorithm(algorithm), vector.key, vector.key.count, vector.data, vector.data.count, &place)
            #expect(hex(Array(place.dropLast())) == expected)
            #expect(place.last == 0xa5)

            var context = CCHmacContext()
            CCHmacInit(&context, CCHmacAlgorithm(algorithm), vector.key, vector.key.count)
            for byte in vector.data { CCHmacUpdate(&context, [byte], 1) }
            CCHmacUpdate(&context, nil, 0)
            var pieces = [UInt8](repeating: 0, count: length)
            CCHmacFinal(&context, &pieces)
            #expect(hex(pieces) == expected)
        }
    }

    @Test("Without a key, the functions write nothing") func withoutKey() {
        var place: [UInt8] = [1, 2, 3]
        let key: [UInt8] = [1]
        CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), key, 1, key, 1, nil)
        var context = CCHmacContext()
        CCHmacUpdate(&context, key, 1)
        CCHmacFinal(&context, &place)
        #expect(place == [1, 2, 3])
    }

    @Test("An unknown algorithm stops the program, because a buffer without an HMAC could compare equal")
    func unknownAlgorithm() async {
        await #expect(processExitsWith: .failure) {
            var place = [UInt8](repeating: 0, count: 28)
            CCHmac(CCHmacAlgorithm(5), [UInt8](), 0, [UInt8](), 0, &place)
        }
    }

    @Test("A nil key with a length stops the program") func missingKey() async {
        await #expect(processExitsWith: .failure) {
            var place = [UInt8](repeating: 0, count: 32)
            CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), nil, 1, nil, 0, &place)
        }
    }

    @Test("Init doesn't read the previous contents of a context's memory") func allocated() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 4_096, alignment: 64)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0xa5, count: 4_096)
        let context = memory.bindMemory(to: CCHmacContext.self, capacity: 1)
        var expected = [UInt8](repeating: 0, count: 32)
        CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), [1] as [UInt8], 1, [2, 3] as [UInt8], 2, &expected)
        for _ in 0..<2 {
            var place = [UInt8](repeating: 0, count: 32)
            CCHmacInit(context, CCHmacAlgorithm(kCCHmacAlgSHA256), [1] as [UInt8], 1)
            CCHmacUpdate(context, [2, 3] as [UInt8], 2)
            CCHmacFinal(context, &place)
            #expect(place == expected)
        }
    }
}
