// SPDX-License-Identifier: Apache-2.0

/// The reason why a probe's handshake ended before the server's certificate and signature arrived.
package struct HandshakeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors. Raw values are stable.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The first bytes aren't a TLS record.
        case notTLS
        /// The server sent a fatal alert.
        case alert
        /// The connection ended too early.
        case ended
        /// The server chose a version that wasn't offered.
        case versionNotOffered
        /// The server chose a cipher suite that wasn't offered, or that doesn't belong to the chosen version.
        case cipherSuiteNotOffered
        /// The server chose a group that wasn't offered, or sent a key for another group.
        case groupNotOffered
        /// The server signed with a scheme that wasn't offered, or that doesn't belong to the chosen version.
        case schemeNotOffered
        /// The ServerHello contains the mark of a downgrade (RFC 8446 § 4.1.3).
        case downgraded
        /// The server requested a second ClientHello without a reason, or twice.
        case retryRefused
        /// The server's key share yields no secret: it isn't a point of its group, or the secret is zero.
        case keyShareInvalid
        /// A record can't be decrypted.
        case decryptionFailed
        /// A record is longer than TLS allows.
        case recordTooLarge
        /// The server sent too many empty records, warnings or ChangeCipherSpec records. No server has a reason to send
        /// so many.
        case tooManyRecords
        /// A message, or all messages together, exceed the limit.
        case tooLarge
        /// A message doesn't have the format that its standard requires.
        case malformed
        /// A message or record isn't allowed at this point.
        case unexpected
        /// An extension occurs twice.
        case extensionRepeated
        /// The server responded to an extension that the client didn't send.
        case extensionUnsolicited
        /// The server sent no certificate.
        case noCertificate
    }

    /// The kind of error.
    package let code: Code
    /// A description for people. Its wording may change. It contains no text from the server.
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    static func malformed(_ name: String) -> Self { Self(.malformed, "\(name) is malformed") }

    package var description: String { "\(detail) (\(code.rawValue))" }
}
