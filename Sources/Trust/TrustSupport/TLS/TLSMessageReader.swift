// SPDX-License-Identifier: Apache-2.0

/// Joins the fragments of records into messages of the handshake (RFC 8446 § 5.1).
///
/// Keeps one unfinished message at most, which the caller's limit bounds, and the last fragment.
package struct TLSMessageReader: Sendable {
    /// The maximum size of a message with certificates: BoringSSL, and with it Chrome, takes 100 KiB (`SSL_CTX_set_max_cert_list`), and
    /// OpenSSL as much; this is a little more, so that the chains that they refuse can be seen.
    package static let maximumCertificates = 128 << 10

    private var buffer: [UInt8] = []
    private var position = 0

    package init() {}

    /// Whether a part of a message is left, which may not happen where keys change.
    package var isInMessage: Bool { position < buffer.count }

    package mutating func append(_ fragment: some Sequence<UInt8>) {
        // Bytes that are read go.
        buffer.removeFirst(position)
        position = 0
        buffer += fragment
    }

    /// Returns the next message with its header of four bytes; nil if its bytes aren't there.
    ///
    /// A kind without a limit is refused by its first byte, and a length beyond the limit before its bytes are waited for.
    /// - Parameter limit: returns the maximum size of the body of a message by its kind; nil for an unknown kind.
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
