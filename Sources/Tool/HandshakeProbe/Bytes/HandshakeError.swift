// SPDX-License-Identifier: Apache-2.0

/// The reason why a probe's handshake ended before the server's certificate and signature were there.
package struct HandshakeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors; raw values are stable.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The first bytes are no record of TLS.
        case notTLS
        /// The server sent a fatal alert.
        case alert
        /// The connection ended first.
        case ended
        /// The server chose a version that wasn't offered.
        case versionNotOffered
        /// The server chose a cipher suite that wasn't offered or isn't one of its version.
        case cipherSuiteNotOffered
        /// The server chose a group that wasn't offered, or sent a key of another one.
        case groupNotOffered
        /// The server signed by a scheme that wasn't offered or isn't one of its version.
        case schemeNotOffered
        /// The server's hello carries the mark of a downgrade (RFC 8446 § 4.1.3).
        case downgraded
        /// The server asked for a second hello without a reason, or twice.
        case retryRefused
        /// The server's key share gives no secret: it is no point of its group, or the secret is zero.
        case keyShareInvalid
        /// A record can't be decrypted.
        case decryptionFailed
        /// A record is longer than TLS permits.
        case recordTooLarge
        /// More empty records, warnings or records of ChangeCipherSpec than any server has a reason for.
        case tooManyRecords
        /// A message, or all of them, are larger than the limit.
        case tooLarge
        /// A message isn't written as its standard has it.
        case malformed
        /// A message or a record that has no place there.
        case unexpected
        /// An extension comes twice.
        case extensionRepeated
        /// The server answers an extension that wasn't sent.
        case extensionUnsolicited
        /// The server showed no certificate.
        case noCertificate
    }

    /// The kind of error.
    package let code: Code
    /// For people; wording may change. Nothing in it is text of the server.
    package let detail: String
    /// The server's alert, with ``Code/alert``.
    package let alert: TLSAlert?
    /// The first bytes of the server, at most 64, with ``Code/notTLS``.
    package let firstBytes: [UInt8]

    init(_ code: Code, _ detail: String, alert: TLSAlert? = nil, firstBytes: [UInt8] = []) {
        self.code = code
        self.detail = detail
        self.alert = alert
        self.firstBytes = firstBytes
    }

    static func malformed(_ name: String) -> Self { Self(.malformed, "\(name) is malformed") }

    package var description: String { "\(detail) (\(code.rawValue))" }
}
