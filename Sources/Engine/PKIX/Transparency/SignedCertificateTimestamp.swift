// SPDX-License-Identifier: Apache-2.0

/// A signed certificate timestamp of version 1 (RFC 6962 § 3.2): a log's promise to publish a certificate. It is parsed
/// but not verified.
///
/// Don't trust its contents before ``TransparencyLogKey/isValid(_:for:)`` has verified the signature. The log's
/// identifier says which key verifies it.
package struct SignedCertificateTimestamp: Sendable, Hashable {
    /// The source of a timestamp.
    package enum Origin: String, Sendable, Hashable, CaseIterable, Codable {
        /// In an extension of the certificate, which the issuer has signed.
        case embedded
        /// In the TLS handshake.
        case handshake
        /// In the stapled OCSP response.
        case ocsp
    }

    /// SHA-256 of the log's SubjectPublicKeyInfo: 32 bytes.
    package let logID: [UInt8]

    /// The date of the promise, in milliseconds since 1970.
    package let milliseconds: UInt64

    /// The extensions, which aren't parsed (for example, the index of the entry in a tiled log). The signature covers
    /// them.
    package let extensions: [UInt8]

    /// The number of the hash in TLS 1.2's registry (RFC 5246 § 7.4.1.4.1): 4 for SHA-256.
    package let hash: UInt8

    /// The number of the signature algorithm in TLS 1.2's registry: 1 for RSA, 3 for ECDSA.
    package let algorithm: UInt8

    /// The signature, in the encoding of TLS.
    package let signature: [UInt8]

    /// The date of the promise in whole seconds, rounded down. A date beyond the range of `Time` becomes the last
    /// possible time.
    package var time: Time { Time(secondsSinceEpoch: Int64(milliseconds / 1000)) }
}

extension SignedCertificateTimestamp {
    /// The reason why an item of a list isn't a timestamp of version 1.
    package enum Unreadable: Error, Sendable, Hashable {
        /// A version other than 1, with its encoded number. The number 0 means version 1.
        case version(UInt8)
        /// The item ends too early, or bytes follow its signature.
        case malformed
    }

    /// Parses one item of a list.
    /// - Throws: ``Unreadable``.
    package init(_ bytes: [UInt8]) throws(Unreadable) {
        var rest = bytes[...]
        guard let version = rest.popFirst() else { throw .malformed }
        guard version == 0 else { throw .version(version) }
        guard let logID = rest.take(32), let date = rest.take(8), let extensions = rest.takeVector(),
            let algorithm = rest.take(2), let signature = rest.takeVector(), rest.isEmpty
        else { throw .malformed }
        self.logID = Array(logID)
        self.milliseconds = date.reduce(0) { $0 << 8 | UInt64($1) }
        self.extensions = Array(extensions)
        self.hash = algorithm[algorithm.startIndex]
        self.algorithm = algorithm[algorithm.startIndex + 1]
        self.signature = Array(signature)
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns the first `count` bytes. Returns nil if fewer remain.
    fileprivate mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= self.count else { return nil }
        defer { removeFirst(count) }
        return prefix(count)
    }

    /// Removes a 16-bit length and the bytes behind it (RFC 5246 § 4.3), and returns these bytes. Returns nil if too
    /// few bytes remain.
    package mutating func takeVector() -> ArraySlice<UInt8>? {
        guard let length = take(2) else { return nil }
        return take(Int(length[length.startIndex]) << 8 | Int(length[length.startIndex + 1]))
    }
}
