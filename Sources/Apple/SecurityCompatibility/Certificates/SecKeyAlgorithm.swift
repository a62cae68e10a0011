// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation

/// An algorithm of `SecKeyVerifySignature(_:_:_:_:_:)`, with Apple's raw value.
///
/// The module has the algorithms that swift-crypto verifies: SHA-2 with elliptic curves, and SHA-2 with RSA, by
/// PKCS #1 v1.5 or by PSS with a salt as long as the digest.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    /// The string that identifies the algorithm, such as `algid:sign:ECDSA:message-X962:SHA256`.
    public let rawValue: CFString
    /// Creates an algorithm from its string. A string that identifies no supported algorithm verifies nothing.
    public init(rawValue: CFString) { self.rawValue = rawValue }

    private init(_ name: String) { self.rawValue = "algid:sign:" + name }

    /// RSA PKCS #1 v1.5 over a message, with SHA-256.
    public static let rsaSignatureMessagePKCS1v15SHA256 = Self("RSA:message-PKCS1v15:SHA256")
    /// RSA PKCS #1 v1.5 over a message, with SHA-384.
    public static let rsaSignatureMessagePKCS1v15SHA384 = Self("RSA:message-PKCS1v15:SHA384")
    /// RSA PKCS #1 v1.5 over a message, with SHA-512.
    public static let rsaSignatureMessagePKCS1v15SHA512 = Self("RSA:message-PKCS1v15:SHA512")
    /// RSA PSS over a message, with SHA-256, MGF1 with SHA-256 and a salt of 32 bytes.
    public static let rsaSignatureMessagePSSSHA256 = Self("RSA:message-PSS:SHA256:SHA256:32")
    /// RSA PSS over a message, with SHA-384, MGF1 with SHA-384 and a salt of 48 bytes.
    public static let rsaSignatureMessagePSSSHA384 = Self("RSA:message-PSS:SHA384:SHA384:48")
    /// RSA PSS over a message, with SHA-512, MGF1 with SHA-512 and a salt of 64 bytes.
    public static let rsaSignatureMessagePSSSHA512 = Self("RSA:message-PSS:SHA512:SHA512:64")
    /// ECDSA over a message, with SHA-256 and a signature in DER (X9.62).
    public static let ecdsaSignatureMessageX962SHA256 = Self("ECDSA:message-X962:SHA256")
    /// ECDSA over a message, with SHA-384 and a signature in DER (X9.62).
    public static let ecdsaSignatureMessageX962SHA384 = Self("ECDSA:message-X962:SHA384")
    /// ECDSA over a message, with SHA-512 and a signature in DER (X9.62).
    public static let ecdsaSignatureMessageX962SHA512 = Self("ECDSA:message-X962:SHA512")
    /// ECDSA over a SHA-256 digest, with a signature in DER (X9.62).
    public static let ecdsaSignatureDigestX962SHA256 = Self("ECDSA:digest-X962:SHA256")
    /// ECDSA over a SHA-384 digest, with a signature in DER (X9.62).
    public static let ecdsaSignatureDigestX962SHA384 = Self("ECDSA:digest-X962:SHA384")
    /// ECDSA over a SHA-512 digest, with a signature in DER (X9.62).
    public static let ecdsaSignatureDigestX962SHA512 = Self("ECDSA:digest-X962:SHA512")
    /// ECDSA over a message, with SHA-256 and a signature as `R || S` (RFC 4754).
    public static let ecdsaSignatureMessageRFC4754SHA256 = Self("ECDSA:message-RFC4754:SHA256")
    /// ECDSA over a message, with SHA-384 and a signature as `R || S` (RFC 4754).
    public static let ecdsaSignatureMessageRFC4754SHA384 = Self("ECDSA:message-RFC4754:SHA384")
    /// ECDSA over a message, with SHA-512 and a signature as `R || S` (RFC 4754).
    public static let ecdsaSignatureMessageRFC4754SHA512 = Self("ECDSA:message-RFC4754:SHA512")
}

extension SecKeyAlgorithm {
    enum Hash: Sendable {
        case sha256, sha384, sha512
    }

    enum Scheme: Sendable {
        case rsaPKCS1(Hash)
        case rsaPSS(Hash)
        /// ECDSA with a signature in DER, or as `R || S`, over a message or its digest.
        case ecdsa(Hash, isDER: Bool, isDigest: Bool)
    }

    /// The scheme, or nil for an unsupported algorithm.
    var scheme: Scheme? {
        switch self {
        case .rsaSignatureMessagePKCS1v15SHA256: .rsaPKCS1(.sha256)
        case .rsaSignatureMessagePKCS1v15SHA384: .rsaPKCS1(.sha384)
        case .rsaSignatureMessagePKCS1v15SHA512: .rsaPKCS1(.sha512)
        case .rsaSignatureMessagePSSSHA256: .rsaPSS(.sha256)
        case .rsaSignatureMessagePSSSHA384: .rsaPSS(.sha384)
        case .rsaSignatureMessagePSSSHA512: .rsaPSS(.sha512)
        case .ecdsaSignatureMessageX962SHA256: .ecdsa(.sha256, isDER: true, isDigest: false)
        case .ecdsaSignatureMessageX962SHA384: .ecdsa(.sha384, isDER: true, isDigest: false)
        case .ecdsaSignatureMessageX962SHA512: .ecdsa(.sha512, isDER: true, isDigest: false)
        case .ecdsaSignatureDigestX962SHA256: .ecdsa(.sha256, isDER: true, isDigest: true)
        case .ecdsaSignatureDigestX962SHA384: .ecdsa(.sha384, isDER: true, isDigest: true)
        case .ecdsaSignatureDigestX962SHA512: .ecdsa(.sha512, isDER: true, isDigest: true)
        case .ecdsaSignatureMessageRFC4754SHA256: .ecdsa(.sha256, isDER: false, isDigest: false)
        case .ecdsaSignatureMessageRFC4754SHA384: .ecdsa(.sha384, isDER: false, isDigest: false)
        case .ecdsaSignatureMessageRFC4754SHA512: .ecdsa(.sha512, isDER: false, isDigest: false)
        default: nil
        }
    }
}

/// An operation with a key.
public enum SecKeyOperationType: CFIndex, Sendable {
    /// Signing. No key here supports it.
    case sign = 0
    /// Verifying a signature.
    case verify = 1
    /// Encrypting. No key here supports it.
    case encrypt = 2
    /// Decrypting. No key here supports it.
    case decrypt = 3
    /// Key exchange. No key here supports it.
    case keyExchange = 4
}
#endif
