// SPDX-License-Identifier: Apache-2.0

import PKIX

/// SHA-256 of a SubjectPublicKeyInfo's real bytes, written `sha256/` and base64 (RFC 7469 § 2.4): the same for every kind of key.
public struct SPKIPin: Sendable, Hashable {
    /// 32 bytes.
    public let sha256: [UInt8]

    /// Parses `sha256/BASE64`, with padding.
    /// - Throws: ``SPKIPinError`` for another prefix, bad base64, or anything but 32 bytes.
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

    /// The pin of a key.
    public init(_ key: SubjectPublicKeyInfo) { self.sha256 = key.sha256 }

    /// The pin of a certificate's key.
    public init(_ certificate: Certificate) { self.sha256 = certificate.subjectPublicKeyInfoSHA256 }
}

extension SPKIPin: CustomStringConvertible {
    /// `sha256/BASE64`
    public var description: String { "sha256/" + Base64.encode(sha256) }
}

/// Why a text is no pin.
public struct SPKIPinError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Reason: Sendable, Hashable {
        case prefix
        case notBase64
        /// How many bytes there were.
        case length(Int)
    }
    /// The text as it was given.
    public let text: String
    /// What is wrong with it.
    public let reason: Reason

    public init(text: String, reason: Reason) {
        self.text = text
        self.reason = reason
    }

    public var description: String {
        let what =
            switch reason {
            case .prefix: "does not start with sha256/"
            case .notBase64: "is not base64 after sha256/"
            case .length(let count): "has \(count) bytes, expected 32"
            }
        return "pin \"\(printable)\" \(what)"
    }

    /// The text on one line whatever is in it, and not all of it: what was pasted in the wrong place may be anything.
    private var printable: String {
        let maximum = 80
        let shown = text.unicodeScalars.prefix(maximum).map { $0.escaped(asASCII: true) }.joined()
        return text.unicodeScalars.count > maximum ? shown + "…" : shown
    }
}
