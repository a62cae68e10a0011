// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

/// A pin of a public key: the SHA-256 digest of its SubjectPublicKeyInfo, written as `sha256/` and base64 (RFC 7469 § 2.4). Keys of
/// every algorithm have one.
public struct SPKIPin: Sendable, Hashable {
    /// The digest, 32 bytes.
    public let sha256: [UInt8]

    /// Parses `sha256/BASE64`, with padding.
    /// - Throws: ``SPKIPinError`` for another prefix, invalid base64, or a digest that isn't 32 bytes.
    public init(_ text: String) throws(SPKIPinError) {
        guard text.hasPrefix("sha256/") else { throw SPKIPinError(text: text, reason: .prefix) }
        let bytes: [UInt8]
        do throws(Base64.DecodingError) {
            bytes = try Base64.decode(String(text.dropFirst("sha256/".count)))
        } catch {
            throw SPKIPinError(text: text, reason: .notBase64)
        }
        guard bytes.count == 32 else { throw SPKIPinError(text: text, reason: .length(bytes.count)) }
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

/// An error in the text of a pin.
public struct SPKIPinError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason why a text is not a pin. The set is complete.
    package enum Reason: Sendable, Hashable {
        /// The text doesn't start with `sha256/`.
        case prefix
        /// The part after `sha256/` is not base64.
        case notBase64
        /// The digest isn't 32 bytes; its number of bytes.
        case length(Int)
    }
    /// The text as it was given.
    package let text: String
    /// The reason.
    package let reason: Reason

    /// Creates an error.
    package init(text: String, reason: Reason) {
        self.text = text
        self.reason = reason
    }

    /// One line for people; its wording may change.
    public var description: String {
        let what =
            switch reason {
            case .prefix: "does not start with sha256/"
            case .notBase64: "is not base64 after sha256/"
            case .length(let count): "has \(count) bytes, expected 32"
            }
        return "pin \"\(clipped(text, to: 80))\" \(what)"
    }
}
