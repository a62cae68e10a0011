// SPDX-License-Identifier: Apache-2.0

/// Joins the fragments of records into handshake messages (RFC 8446 § 5.1).
///
/// Stores at most one unfinished message, bounded by the caller's limit, and the last fragment.
package struct TLSMessageReader: Sendable {
    /// The maximum size of a message with certificates. BoringSSL, and therefore Chrome, accepts 100 KiB
    /// (`SSL_CTX_set_max_cert_list`), and so does OpenSSL. This limit is slightly higher, to show chains that they
    /// refuse.
    package static let maximumCertificates = 128 << 10

    private var buffer: [UInt8] = []
    private var position = 0

    package init() {}

    /// Whether part of a message remains. That isn't allowed when keys change.
    package var isInMessage: Bool { position < buffer.count }

    package mutating func append(_ fragment: some Sequence<UInt8>) {
        // Drops the bytes already read.
        buffer.removeFirst(position)
        position = 0
        buffer += fragment
    }

    /// Returns the next message with its four-byte header, or nil if it isn't complete yet.
    ///
    /// Refuses an unknown kind at its first byte, and a length above the limit before waiting for the message's bytes.
    /// - Parameter limit: returns the maximum size of a message's body for a kind, or nil for an unknown kind.
    package mutating func next(limit: (UInt8) -> Int?) throws(TLSFramingError) -> [UInt8]? {
        guard position < buffer.count else { return nil }
        guard let limit = limit(buffer[position]) else { throw .unknownMessage(buffer[position]) }
        guard buffer.count - position >= 4 else { return nil }
        let count = Int(buffer[position + 1]) << 16 | Int(buffer[position + 2]) << 8 | Int(buffer[position + 3])
        guard count <= limit else { throw .messageTooLarge(count, limit: limit) }
        guard buffer.count - position - 4 >= count else { return nil }
        let end = position + 4 + count
        defer { position = end }
        return Array(buffer[position..<end])
    }
}
