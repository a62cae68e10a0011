// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A pin of a public key: the SHA-256 digest of its SubjectPublicKeyInfo, written as `sha256/` and base64 (RFC 7469 §
/// 2.4). You can pin keys of every algorithm.
public struct SPKIPin: Sendable, Hashable {
    /// The digest, 32 bytes.
    public let sha256: [UInt8]

    /// Parses `sha256/BASE64`, with padding.
    /// - Throws: ``SPKIPinError`` for another prefix, invalid base64, or a digest that isn't 32 bytes.
    public init(_ text: String) throws(SPKIPinError) {
        guard text.hasPrefix("sha256/") else { throw SPKIPinError(text, .pinPrefixMissing) }
        let bytes: [UInt8]
        do throws(Base64.DecodingError) {
            bytes = try Base64.decode(String(text.dropFirst("sha256/".count)))
        } catch {
            throw SPKIPinError(text, .pinNotBase64)
        }
        guard bytes.count == 32 else { throw SPKIPinError(text, .pinLengthWrong, byteCount: bytes.count) }
        self.sha256 = bytes
    }

    /// Creates the pin of a key.
    public init(_ key: SubjectPublicKeyInfo) { self.sha256 = key.sha256 }

    /// Creates the pin of a certificate's key.
    public init(_ certificate: Certificate) { self.sha256 = certificate.subjectPublicKeyInfoSHA256 }
}

extension SPKIPin: CustomStringConvertible {
    /// The pin as text: `sha256/BASE64`.
    public var description: String { "sha256/" + Base64.encode(sha256) }
}

extension SPKIPin: Codable {
    /// Decodes the text of a pin.
    /// - Throws: `DecodingError.dataCorrupted` with an ``SPKIPinError`` for a text that isn't a pin.
    public init(from decoder: any Decoder) throws {
        self = try decoder.text { text throws(SPKIPinError) in try Self(text) }
    }

    /// Encodes the pin as text: `sha256/BASE64`.
    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}

extension Decoder {
    /// Decodes a value from its text.
    /// - Throws: `DecodingError.dataCorrupted` with the error of `parse`.
    func text<Value, Failure: TrustError>(_ parse: (String) throws(Failure) -> Value) throws -> Value {
        let text = try String(from: self)
        do throws(Failure) { return try parse(text) } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: error.message, underlyingError: error))
        }
    }
}

/// An error in the text of a pin.
public struct SPKIPinError: TrustError, Hashable {
    /// The kind of error: `pinPrefixMissing`, `pinNotBase64` or `pinLengthWrong`.
    public let code: ErrorCode
    /// The text as passed by the caller.
    public let text: String
    /// The number of bytes of the digest for `pinLengthWrong`, where 32 are expected. Nil for other errors.
    package let byteCount: Int?

    /// Creates an error.
    init(_ text: String, _ code: ErrorCode, byteCount: Int? = nil) {
        self.code = code
        self.text = text
        self.byteCount = byteCount
    }

    /// One readable line. The wording may change.
    public var message: String {
        let what =
            switch code {
            case .pinPrefixMissing: "does not start with sha256/"
            case .pinLengthWrong: "has \(byteCount ?? 0) bytes, expected 32"
            default: "is not base64 after sha256/"
            }
        return "pin \"\(clipped(text, to: 80))\" \(what)"
    }
}

extension ErrorCode {
    /// The text of a pin doesn't start with `sha256/`.
    static let pinPrefixMissing = ErrorCode("pinPrefixMissing")
    /// The text of a pin isn't base64 after `sha256/`.
    static let pinNotBase64 = ErrorCode("pinNotBase64")
    /// The digest of a pin isn't 32 bytes.
    static let pinLengthWrong = ErrorCode("pinLengthWrong")
}
