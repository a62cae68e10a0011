// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A public key that swift-crypto has parsed, ready to verify signatures.
///
/// Preparing a key costs a fifth of a verification for the curves and more for RSA, so anchors and cached intermediates
/// keep their prepared keys.
struct VerificationKey: Sendable {
    private enum Key: Sendable {
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
        case p521(P521.Signing.PublicKey)
        case rsa(_RSA.Signing.PublicKey)
        case rsaPSSOnly(_RSA.Signing.PublicKey, SignatureScheme.Hash?)
        case ed25519(Curve25519.Signing.PublicKey)
        case mldsa(any MLDSAVerifier)
    }

    private let key: Key

    /// The cost of one verification, relative to one with P-256 (about 30 µs in 2026). See
    /// ``ValidationBudget/signatures``.
    let cost: Int

    /// Creates a key.
    /// - Returns: nil if the bytes aren't a valid key of their kind (a point off the curve, an even modulus, …), or the
    ///   engine doesn't verify that kind.
    init?(_ bytes: Span<UInt8>, _ info: CertificateFields.PublicKeyInfo, _ form: KeyForm) {
        switch form {
        case .p256:
            guard
                let key = unsafe withBytes(
                    bytes, info.key, { unsafe try? P256.Signing.PublicKey(x963Representation: $0) })
            else { return nil }
            self.key = .p256(key)
            self.cost = 1
        case .p384:
            guard
                let key = unsafe withBytes(
                    bytes, info.key, { unsafe try? P384.Signing.PublicKey(x963Representation: $0) })
            else { return nil }
            self.key = .p384(key)
            self.cost = 10
        case .p521:
            guard
                let key = unsafe withBytes(
                    bytes, info.key, { unsafe try? P521.Signing.PublicKey(x963Representation: $0) })
            else { return nil }
            self.key = .p521(key)
            self.cost = 20
        case .rsa(let numbers):
            guard let key = Self.rsa(bytes, numbers) else { return nil }
            self.key = .rsa(key)
            self.cost = Self.cost(of: numbers)
        case .rsaPSSOnly(let numbers, let hash):
            guard let key = Self.rsa(bytes, numbers) else { return nil }
            self.key = .rsaPSSOnly(key, hash)
            self.cost = Self.cost(of: numbers)
        case .ed25519:
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: Data(copying: bytes, info.key)) else {
                return nil
            }
            self.key = .ed25519(key)
            self.cost = 2
        case .mldsa65:
            guard let key = mldsaVerifier(.mldsa65, Data(copying: bytes, info.key)) else { return nil }
            self.key = .mldsa(key)
            self.cost = 4
        case .mldsa87:
            guard let key = mldsaVerifier(.mldsa87, Data(copying: bytes, info.key)) else { return nil }
            self.key = .mldsa(key)
            self.cost = 6
        case .explicitCurve, .otherCurve, .dsa, .other, .malformed:
            return nil
        }
    }

    private static func rsa(_ bytes: Span<UInt8>, _ numbers: KeyForm.RSANumbers) -> _RSA.Signing.PublicKey? {
        unsafe withBytes(bytes, numbers.modulus) { modulus in
            unsafe withBytes(bytes, numbers.exponent) { exponent in
                unsafe try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
            }
        }
    }

    /// Returns the cost of RSA, which is quadratic in the modulus and linear in the number of the exponent's bits.
    /// 65537 has 17 bits.
    private static func cost(of numbers: KeyForm.RSANumbers) -> Int {
        let kilobits = (numbers.bits + 2047) / 2048
        return kilobits * kilobits * (numbers.exponent.count > 3 ? 2 : 1)
    }

    /// Whether the key can be used with `scheme` at all. It doesn't check a signature.
    func fits(_ scheme: SignatureScheme) -> Bool {
        switch (key, scheme) {
        case (.p256, .ecdsa), (.p384, .ecdsa), (.p521, .ecdsa), (.rsa, .rsaPKCS1), (.rsa, .rsaPSS),
            (.ed25519, .ed25519):
            true
        case (.rsaPSSOnly(_, let only), .rsaPSS(let hash)): only == nil || only == hash
        case (.mldsa(let verifier), _): verifier.scheme == scheme
        default: false
        }
    }

    /// Whether this key has made `signature` over `message`. Both are ranges of `bytes`.
    func isValid(
        _ signature: ByteRange, over message: ByteRange, of bytes: Span<UInt8>, scheme: SignatureScheme
    ) -> Bool {
        guard fits(scheme) else { return false }
        switch (key, scheme) {
        case (.ed25519(let key), _):
            guard signature.count == 64 else { return false }
            return key.isValidSignature(Data(copying: bytes, signature), for: Data(copying: bytes, message))
        case (.mldsa(let verifier), _):
            return verifier.isValid(Data(copying: bytes, signature), for: Data(copying: bytes, message))
        case (_, .ecdsa(let hash)), (_, .rsaPKCS1(let hash)):
            return isValid(signature, over: message, of: bytes, hash, .insecurePKCS1v1_5)
        case (_, .rsaPSS(let hash)):
            return isValid(signature, over: message, of: bytes, hash, .PSS)
        default:
            return false
        }
    }

    private func isValid(
        _ signature: ByteRange, over message: ByteRange, of bytes: Span<UInt8>, _ hash: SignatureScheme.Hash,
        _ padding: _RSA.Signing.Padding
    ) -> Bool {
        switch hash {
        case .sha256: isValid(signature, over: message, of: bytes, SHA256.self, padding)
        case .sha384: isValid(signature, over: message, of: bytes, SHA384.self, padding)
        case .sha512: isValid(signature, over: message, of: bytes, SHA512.self, padding)
        }
    }

    /// Whether this key has made `signature` over `message` with a hash function. False for a key that signs no
    /// digests. The padding counts only for RSA.
    private func isValid<Function: HashFunction>(
        _ signature: ByteRange, over message: ByteRange, of bytes: Span<UInt8>, _ function: Function.Type,
        _ padding: _RSA.Signing.Padding
    ) -> Bool {
        switch key {
        case .p256(let key):
            guard let raw = ecdsaSignature(bytes, signature, coordinate: 32),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(signature, for: Digests.hash(function, bytes, message.indices))
        case .p384(let key):
            guard let raw = ecdsaSignature(bytes, signature, coordinate: 48),
                let signature = try? P384.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(signature, for: Digests.hash(function, bytes, message.indices))
        case .p521(let key):
            guard let raw = ecdsaSignature(bytes, signature, coordinate: 66),
                let signature = try? P521.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(signature, for: Digests.hash(function, bytes, message.indices))
        case .rsa(let key), .rsaPSSOnly(let key, _):
            // The initializer of a signature would copy the bytes again. The property takes them as they are.
            var raw = Self.emptySignature
            raw.rawRepresentation = Data(copying: bytes, signature)
            return key.isValidSignature(raw, for: Digests.hash(function, bytes, message.indices), padding: padding)
        case .ed25519, .mldsa:
            return false
        }
    }

    private static let emptySignature = _RSA.Signing.RSASignature(rawRepresentation: Data())

    /// Whether this key has made `signature` over bytes with that SHA-256. Supported are ECDSA with P-256 and RSA by
    /// PKCS #1 v1.5. False for other keys.
    func isValid(_ signature: [UInt8], for digest: SHA256Digest) -> Bool {
        let view = signature[...]
        switch key {
        case .p256(let key):
            guard let raw = ecdsaSignature(view.span, ByteRange(0, signature.count), coordinate: 32),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(signature, for: digest)
        case .rsa(let key):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
        default: return false
        }
    }
}

// MARK: - Weak signatures

extension VerificationKey {
    /// Creates an RSA key of 1024 to 2047 bits, which verifies only evidence of revocations.
    /// - Returns: nil for other sizes and other kinds of keys.
    init?(
        insecurelyReadingWeakRSA bytes: Span<UInt8>, _ info: CertificateFields.PublicKeyInfo, _ form: KeyForm
    ) {
        let numbers: KeyForm.RSANumbers
        switch form {
        case .rsa(let found), .rsaPSSOnly(let found, _): numbers = found
        default: return nil
        }
        guard (1024..<RSAKeyLimits.minimumBits).contains(numbers.bits),
            let rsa = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: Data(copying: bytes, info.whole))
        else { return nil }
        if case .rsaPSSOnly(_, let hash) = form { self.key = .rsaPSSOnly(rsa, hash) } else { self.key = .rsa(rsa) }
        self.cost = Self.cost(of: numbers)
    }

    /// Whether the key can be used with a SHA-1 scheme at all. It doesn't check a signature.
    func fits(_ scheme: SHA1Scheme) -> Bool {
        switch (key, scheme) {
        case (.p256, .ecdsa), (.p384, .ecdsa), (.p521, .ecdsa), (.rsa, .rsaPKCS1), (.rsa, .rsaPSS),
            (.rsaPSSOnly(_, nil), .rsaPSS):
            true
        default: false
        }
    }

    /// Whether this key has made `signature` with SHA-1 over `message`. Both are ranges of `bytes`. A valid signature
    /// proves only that a revocation is authentic.
    func insecurelyIsValid(
        _ signature: ByteRange, over message: ByteRange, of bytes: Span<UInt8>, scheme: SHA1Scheme
    ) -> Bool {
        guard fits(scheme) else { return false }
        return isValid(
            signature, over: message, of: bytes, Insecure.SHA1.self, scheme == .rsaPSS ? .PSS : .insecurePKCS1v1_5)
    }
}

/// Reads `Ecdsa-Sig-Value ::= SEQUENCE { r INTEGER, s INTEGER }` (RFC 3279 § 2.2.3) as r and s of fixed width.
///
/// The strict parser here, instead of the crypto library's, ensures that a signature has only one encoding and that no
/// big number is created twice.
private func ecdsaSignature(_ bytes: Span<UInt8>, _ range: ByteRange, coordinate: Int) -> [UInt8]? {
    var outer = DERReader(bytes, range)
    guard var fields = try? outer.nextSequence("Ecdsa-Sig-Value"), outer.isAtEnd else { return nil }
    var raw: [UInt8] = []
    raw.reserveCapacity(coordinate * 2)
    for _ in 0..<2 {
        guard let number = try? fields.next(DERTag.integer, "Ecdsa-Sig-Value"),
            (try? fields.checkInteger(number, "Ecdsa-Sig-Value")) != nil, bytes[number.content] < 0x80
        else { return nil }
        let start = bytes[number.content] == 0 ? number.content + 1 : number.content
        let count = number.end - start
        // Zero isn't a valid r or s (SEC 1 § 4.1.4). The crypto library would reject it too.
        guard count > 0, count <= coordinate else { return nil }
        for _ in count..<coordinate { raw.append(0) }
        unsafe withBytes(bytes, ByteRange(start, number.end)) { unsafe raw.append(contentsOf: $0) }
    }
    return fields.isAtEnd ? raw : nil
}

/// Calls `body` with `range` of `bytes` as a buffer that is valid only during the call.
@inline(__always)
private func withBytes<Result>(
    _ bytes: Span<UInt8>, _ range: ByteRange, _ body: (UnsafeRawBufferPointer) -> Result
) -> Result {
    unsafe bytes.extracting(range.indices).withUnsafeBytes { unsafe body($0) }
}

extension Data {
    fileprivate init(copying bytes: Span<UInt8>, _ range: ByteRange) {
        self = unsafe withBytes(bytes, range) { unsafe Data($0) }
    }
}

// MARK: - ML-DSA

/// ML-DSA is available in Apple's systems from version 26 and in swift-crypto on all other platforms. This protocol
/// hides the difference.
private protocol MLDSAVerifier: Sendable {
    var scheme: SignatureScheme { get }
    func isValid(_ signature: Data, for message: Data) -> Bool
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
private struct MLDSA65Verifier: MLDSAVerifier {
    let key: MLDSA65.PublicKey
    var scheme: SignatureScheme { .mldsa65 }
    func isValid(_ signature: Data, for message: Data) -> Bool { key.isValidSignature(signature, for: message) }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
private struct MLDSA87Verifier: MLDSAVerifier {
    let key: MLDSA87.PublicKey
    var scheme: SignatureScheme { .mldsa87 }
    func isValid(_ signature: Data, for message: Data) -> Bool { key.isValidSignature(signature, for: message) }
}

private func mldsaVerifier(_ scheme: SignatureScheme, _ key: Data) -> (any MLDSAVerifier)? {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return nil }
    switch scheme {
    case .mldsa65: return (try? MLDSA65.PublicKey(rawRepresentation: key)).map { MLDSA65Verifier(key: $0) }
    case .mldsa87: return (try? MLDSA87.PublicKey(rawRepresentation: key)).map { MLDSA87Verifier(key: $0) }
    default: return nil
    }
}
