// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Crypto
import CryptoExtras
import Foundation
import PKIX

/// Returns whether a key made a signature over a message or its digest.
/// - Parameters:
///   - key: RSA of 2048 bits or more, or a key on P-256, P-384 or P-521.
///   - algorithm: the algorithm. An RSA algorithm accepts no signature by another kind of key.
///   - signedData: the message. For an algorithm with `Digest` in its name, the digest, which has to be as long as
///     the hash function's.
///   - signature: the signature.
///   - error: set if the result is false: `errSecVerifyFailed` for a wrong signature, and `errSecParam` if the key
///     can't be used with the algorithm. The caller releases it (`takeRetainedValue()`).
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    guard let verifier = SignatureVerifier(key, algorithm) else {
        error?.pointee = Unmanaged.passRetained(
            .status(errSecParam, "A key of this type or size can't verify a signature with \(algorithm.rawValue)."))
        return false
    }
    guard verifier.isValid(signature, for: signedData) else {
        error?.pointee = Unmanaged.passRetained(.status(errSecVerifyFailed, "The signature doesn't verify."))
        return false
    }
    return true
}

/// Returns whether `SecKeyVerifySignature(_:_:_:_:_:)` can use a key with an algorithm; false for all other
/// operations.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    operation == .verify && SignatureVerifier(key, algorithm) != nil
}

/// A signature is wrong.
public let errSecVerifyFailed: OSStatus = -67808

/// A swift-crypto key with a scheme that fits it.
private struct SignatureVerifier {
    private let hash: SecKeyAlgorithm.Hash
    private var isDigest = false
    private let isMadeByKey: (_ signature: Data, _ digest: any Digest) -> Bool

    /// Prepares a key. Returns nil if it is malformed, too small, or of another kind than the algorithm's.
    init?(_ key: SecKey, _ algorithm: SecKeyAlgorithm) {
        let info = key.subjectPublicKeyInfo
        let isMadeByKey: ((Data, any Digest) -> Bool)?
        switch algorithm.scheme {
        case .rsaPKCS1(let hash): (self.hash, isMadeByKey) = (hash, Self.rsa(info, .insecurePKCS1v1_5))
        case .rsaPSS(let hash): (self.hash, isMadeByKey) = (hash, Self.rsa(info, .PSS))
        case .ecdsa(let hash, let isDER, let isDigest):
            (self.hash, self.isDigest, isMadeByKey) = (hash, isDigest, Self.ellipticCurve(info, isDER: isDER))
        case nil: return nil
        }
        guard let isMadeByKey else { return nil }
        self.isMadeByKey = isMadeByKey
    }

    /// Accepts an RSA key of 2048 bits or more. A key restricted to PSS may restrict the hash function, so it verifies
    /// nothing here.
    private static func rsa(
        _ info: SubjectPublicKeyInfo, _ padding: _RSA.Signing.Padding
    ) -> ((Data, any Digest) -> Bool)? {
        guard info.algorithm == .rsaEncryption, info.keyDescription.kind == .rsa,
            let key = try? _RSA.Signing.PublicKey(derRepresentation: info.der)
        else { return nil }
        return { key.isValidSignature(.init(rawRepresentation: $0), for: $1, padding: padding) }
    }

    private static func ellipticCurve(
        _ info: SubjectPublicKeyInfo, isDER: Bool
    ) -> ((Data, any Digest) -> Bool)? {
        let description = info.keyDescription
        guard description.kind == .ellipticCurve else { return nil }
        let point = description.contents
        switch description.bits {
        case 256:
            guard let key = try? P256.Signing.PublicKey(x963Representation: point) else { return nil }
            let read = P256.Signing.ECDSASignature.self
            return { signature, digest in
                (try? isDER ? read.init(derRepresentation: signature) : read.init(rawRepresentation: signature))
                    .map { key.isValidSignature($0, for: digest) } ?? false
            }
        case 384:
            guard let key = try? P384.Signing.PublicKey(x963Representation: point) else { return nil }
            let read = P384.Signing.ECDSASignature.self
            return { signature, digest in
                (try? isDER ? read.init(derRepresentation: signature) : read.init(rawRepresentation: signature))
                    .map { key.isValidSignature($0, for: digest) } ?? false
            }
        case 521:
            guard let key = try? P521.Signing.PublicKey(x963Representation: point) else { return nil }
            let read = P521.Signing.ECDSASignature.self
            return { signature, digest in
                (try? isDER ? read.init(derRepresentation: signature) : read.init(rawRepresentation: signature))
                    .map { key.isValidSignature($0, for: digest) } ?? false
            }
        default: return nil
        }
    }

    func isValid(_ signature: Data, for data: Data) -> Bool {
        switch hash {
        case .sha256: isValid(signature, for: data, SHA256.self)
        case .sha384: isValid(signature, for: data, SHA384.self)
        case .sha512: isValid(signature, for: data, SHA512.self)
        }
    }

    private func isValid<Hash: HashFunction>(_ signature: Data, for data: Data, _: Hash.Type) -> Bool {
        guard isDigest else { return isMadeByKey(signature, Hash.hash(data: data)) }
        return GivenDigest<Hash>(data).map { isMadeByKey(signature, $0) } ?? false
    }
}

/// A digest that a caller has computed. For ECDSA, swift-crypto accepts any type of digest. For RSA, it accepts
/// only its own types.
private struct GivenDigest<Hash: HashFunction>: Digest {
    private let bytes: [UInt8]

    /// Nil if the length isn't the hash function's.
    init?(_ data: Data) {
        guard data.count == Self.byteCount else { return nil }
        self.bytes = [UInt8](data)
    }

    static var byteCount: Int { Hash.Digest.byteCount }
    var description: String { "\(bytes.count) bytes" }
    func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }
}
#endif
