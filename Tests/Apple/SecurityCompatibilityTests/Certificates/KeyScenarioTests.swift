// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import PKIX
import SecurityCompatibility
import ServerTrustTesting
import Testing

@Suite("Public key and signature scenarios")
struct KeyScenarioTests {
    private static let document = Data("pins of api.example.com".utf8)

    private func key(_ data: Data, _ type: CFString) throws -> SecKey { try #require(KeyScenarios.key(data, type).0) }

    /// Verifies a signature, then the same signature for another document, then the signature with changed bytes, as
    /// many as a test can afford.
    private func check(_ key: SecKey, _ algorithm: SecKeyAlgorithm, _ document: Data, _ signature: Data) {
        #expect(KeyScenarios.verify(key, algorithm, document, signature) == (true, nil))
        var other = document
        other[0] ^= 1
        #expect(KeyScenarios.verify(key, algorithm, other, signature) == (false, Int(errSecVerifyFailed)))
        for index in [0, 1, signature.count / 2, signature.count - 1] {
            var changed = signature
            changed[index] ^= 1
            #expect(KeyScenarios.verify(key, algorithm, document, changed) == (false, Int(errSecVerifyFailed)))
        }
        for wrong in [Data(), Data(signature.dropLast()), signature + [0], Data(repeating: 0, count: signature.count)] {
            #expect(KeyScenarios.verify(key, algorithm, document, wrong) == (false, Int(errSecVerifyFailed)))
        }
    }

    @Test("RSA signatures with PKCS #1 v1.5 and PSS verify, and changed ones don't")
    func rsa() throws {
        let signer = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let key = try key(signer.publicKey.pkcs1DERRepresentation, kSecAttrKeyTypeRSA)
        let document = Self.document
        let digests: [any Digest] = [
            SHA256.hash(data: document), SHA384.hash(data: document), SHA512.hash(data: document),
        ]
        let pkcs1: [SecKeyAlgorithm] = [
            .rsaSignatureMessagePKCS1v15SHA256, .rsaSignatureMessagePKCS1v15SHA384, .rsaSignatureMessagePKCS1v15SHA512,
        ]
        let pss: [SecKeyAlgorithm] = [
            .rsaSignatureMessagePSSSHA256, .rsaSignatureMessagePSSSHA384, .rsaSignatureMessagePSSSHA512,
        ]
        for (index, digest) in digests.enumerated() {
            let plain = try signer.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation
            let salted = try signer.signature(for: digest, padding: .PSS).rawRepresentation
            check(key, pkcs1[index], document, plain)
            check(key, pss[index], document, salted)
            // The same signature doesn't verify with another padding or hash function.
            #expect(!KeyScenarios.verify(key, pss[index], document, plain).isValid)
            #expect(!KeyScenarios.verify(key, pkcs1[index], document, salted).isValid)
            #expect(!KeyScenarios.verify(key, pkcs1[(index + 1) % 3], document, plain).isValid)
        }
        let others = try self.key(
            _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey.pkcs1DERRepresentation, kSecAttrKeyTypeRSA)
        let signature = try signer.signature(for: digests[0], padding: .insecurePKCS1v1_5).rawRepresentation
        #expect(!KeyScenarios.verify(others, pkcs1[0], document, signature).isValid)
    }

    @Test("ECDSA signatures over messages and digests verify, in DER and as R || S, and changed ones don't")
    func ellipticCurves() throws {
        let document = Self.document
        let p256 = P256.Signing.PrivateKey()
        let first = try key(p256.publicKey.x963Representation, kSecAttrKeyTypeECSECPrimeRandom)
        let signature = try p256.signature(for: document)
        let digest = Data(SHA256.hash(data: document))
        check(first, .ecdsaSignatureMessageX962SHA256, document, signature.derRepresentation)
        check(first, .ecdsaSignatureMessageRFC4754SHA256, document, signature.rawRepresentation)
        check(first, .ecdsaSignatureDigestX962SHA256, digest, signature.derRepresentation)
        // A digest of another length, and a message instead of a digest.
        for wrong in [Data(digest.dropLast()), digest + [0], Data(), document] {
            #expect(
                !KeyScenarios.verify(first, .ecdsaSignatureDigestX962SHA256, wrong, signature.derRepresentation).isValid
            )
        }
        let p384 = P384.Signing.PrivateKey()
        let second = try key(p384.publicKey.x963Representation, kSecAttrKeyTypeECSECPrimeRandom)
        let by384 = try p384.signature(for: document)
        check(second, .ecdsaSignatureMessageX962SHA384, document, by384.derRepresentation)
        check(second, .ecdsaSignatureMessageRFC4754SHA384, document, by384.rawRepresentation)
        check(
            second, .ecdsaSignatureDigestX962SHA384, Data(SHA384.hash(data: document)), by384.derRepresentation)
        let p521 = P521.Signing.PrivateKey()
        let third = try key(p521.publicKey.x963Representation, kSecAttrKeyTypeECSECPrimeRandom)
        let by521 = try p521.signature(for: document)
        check(third, .ecdsaSignatureMessageX962SHA512, document, by521.derRepresentation)
        check(third, .ecdsaSignatureMessageRFC4754SHA512, document, by521.rawRepresentation)
        check(third, .ecdsaSignatureDigestX962SHA512, Data(SHA512.hash(data: document)), by521.derRepresentation)
        #expect(
            !KeyScenarios.verify(first, .ecdsaSignatureMessageX962SHA512, document, by521.derRepresentation).isValid)
    }

    @Test("A key verifies only with algorithms of its kind, never below 2048 bits or for another operation")
    func unsupported() throws {
        let curve = try key(P256.Signing.PrivateKey().publicKey.x963Representation, kSecAttrKeyTypeECSECPrimeRandom)
        let rsa = try key(
            _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey.pkcs1DERRepresentation, kSecAttrKeyTypeRSA)
        let weak = try key(
            _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024)).publicKey.pkcs1DERRepresentation,
            kSecAttrKeyTypeRSA)
        let ed25519 = try #require(
            SecCertificateCreateWithData(
                nil, Data(TestAuthority.root().issue(.leaf("a.example.com"), key: .ed25519()).certificate.der)
            ).flatMap { SecCertificateCopyKey($0) })
        for (key, algorithm) in [
            (curve, SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256), (rsa, .ecdsaSignatureMessageX962SHA256),
            (weak, .rsaSignatureMessagePKCS1v15SHA256), (weak, .rsaSignatureMessagePSSSHA256),
            (ed25519, .ecdsaSignatureMessageX962SHA256), (rsa, SecKeyAlgorithm(rawValue: "algid:sign:RSA:raw")),
        ] {
            var error: Unmanaged<CFError>?
            #expect(!SecKeyVerifySignature(key, algorithm, Self.document, Data(count: 256), &error))
            #expect(error.map { CFErrorGetCode($0.takeRetainedValue()) } == Int(errSecParam))
            #expect(!SecKeyVerifySignature(key, algorithm, Self.document, Data(count: 256), nil))
            #expect(!SecKeyIsAlgorithmSupported(key, .verify, algorithm))
        }
        #expect(SecKeyIsAlgorithmSupported(rsa, .verify, .rsaSignatureMessagePSSSHA512))
        #expect(!SecKeyIsAlgorithmSupported(rsa, .sign, .rsaSignatureMessagePSSSHA512))
        #expect(!SecKeyIsAlgorithmSupported(rsa, .encrypt, .rsaSignatureMessagePSSSHA512))
    }

    @Test("A key created from bytes equals the certificate's key, and its external representation is the same bytes")
    func creation() throws {
        let root = try TestAuthority.root()
        for (testKey, type) in [
            (TestKey.p256(), kSecAttrKeyTypeECSECPrimeRandom), (.p384(), kSecAttrKeyTypeECSECPrimeRandom),
            (.p521(), kSecAttrKeyTypeECSECPrimeRandom), (try .rsa(), kSecAttrKeyTypeRSA),
        ] {
            let leaf = try root.issue(.leaf("a.example.com"), key: testKey).certificate
            let certificate = try #require(SecCertificateCreateWithData(nil, Data(leaf.der)))
            let expected = try #require(SecCertificateCopyKey(certificate))
            let bytes = try #require(SecKeyCopyExternalRepresentation(expected, nil))
            let key = try key(bytes, type)
            #expect(key == expected)
            #expect(CFEqual(key, expected))
            #expect(SecKeyCopyExternalRepresentation(key, nil) == bytes)
            #expect(SecKeyCopyPublicKey(key) == key)
        }
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey
        #expect(
            try key(rsa.derRepresentation, kSecAttrKeyTypeRSA)
                == key(rsa.pkcs1DERRepresentation, kSecAttrKeyTypeRSA))
    }

    @Test("Malformed keys, private keys and unknown kinds are refused with their codes")
    func refusals() throws {
        let p256 = P256.Signing.PrivateKey()
        let point = p256.publicKey.x963Representation
        var off = point
        off[64] ^= 1
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let decode = Int(errSecDecode)
        for (data, type, code) in [
            (off, kSecAttrKeyTypeECSECPrimeRandom, decode), (Data(), kSecAttrKeyTypeECSECPrimeRandom, decode),
            (Data(point.dropLast()), kSecAttrKeyTypeECSECPrimeRandom, decode),
            (Data(count: 65), kSecAttrKeyTypeECSECPrimeRandom, decode),
            (p256.publicKey.derRepresentation, kSecAttrKeyTypeECSECPrimeRandom, decode),
            (p256.publicKey.compressedRepresentation, kSecAttrKeyTypeECSECPrimeRandom, decode),
            (point, kSecAttrKeyTypeRSA, decode), (Data(), kSecAttrKeyTypeRSA, decode),
            (p256.publicKey.derRepresentation, kSecAttrKeyTypeRSA, decode),
            (rsa.derRepresentation, kSecAttrKeyTypeRSA, decode),
            (rsa.publicKey.pkcs1DERRepresentation + [0], kSecAttrKeyTypeRSA, decode),
            (point, "7", Int(errSecParam)),
        ] {
            #expect(KeyScenarios.key(data, type) == (nil, code))
        }
        #expect(
            KeyScenarios.key(rsa.derRepresentation, kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate)
                == (nil, Int(errSecUnimplemented)))
        #expect(KeyScenarios.key(point, kSecAttrKeyTypeECSECPrimeRandom, "2") == (nil, Int(errSecParam)))
        #expect(SecKeyCreateWithData(point, [:] as CFDictionary, nil) == nil)
    }
}
