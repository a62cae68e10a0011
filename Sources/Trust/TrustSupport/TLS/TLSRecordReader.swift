// SPDX-License-Identifier: Apache-2.0

/// A record of TLS as it came.
package struct TLSRecord: Sendable {
    package enum Kind: UInt8, Sendable {
        case changeCipherSpec = 20
        case alert = 21
        case handshake = 22
        case applicationData = 23
    }

    package let kind: Kind
    /// The five bytes before the fragment, which encryption authenticates.
    package let header: [UInt8]
    package let fragment: [UInt8]
}

/// The reason why bytes aren't records, or records no messages.
package enum TLSFramingError: Error, Sendable, Hashable {
    /// The stream doesn't begin as TLS; its first bytes, at most 64.
    case notTLS([UInt8])
    /// Behind a record there are bytes that begin none.
    case notRecord
    /// A record's fragment is over the limit of its kind.
    case recordTooLarge(Int, limit: Int)
    /// A message of a kind that the caller doesn't read.
    case unknownMessage(UInt8)
    /// A message's body is over its limit.
    case messageTooLarge(Int, limit: Int)
}

/// Cuts a server's bytes into records (RFC 8446 § 5.1). Keeps one unfinished record at most, which ``maximumFragment`` bounds.
package struct TLSRecordReader: Sendable {
    /// The fragment of a plaintext record: 2¹⁴ bytes; of an encrypted one of TLS 1.3: 256 more (RFC 8446 § 5.2).
    package static let maximumPlaintext = 1 << 14
    static let maximumFragment = maximumPlaintext + 256

    private var buffer: [UInt8] = []
    private var position = 0
    private var hasRecord = false

    package init() {}

    package mutating func append(_ bytes: some Sequence<UInt8>) {
        // Bytes that are read go; the rest is less than a record.
        buffer.removeFirst(position)
        position = 0
        buffer += bytes
    }

    /// Returns the next record; nil if its bytes aren't there.
    package mutating func next() throws(TLSFramingError) -> TLSRecord? {
        guard position < buffer.count else { return nil }
        guard let kind = TLSRecord.Kind(rawValue: buffer[position]) else { throw refusal }
        guard position + 2 <= buffer.count else { return nil }
        guard buffer[position + 1] == 3 else { throw refusal }
        guard position + 5 <= buffer.count else { return nil }
        // Application data never comes first.
        guard hasRecord || kind != .applicationData else { throw refusal }
        let count = Int(buffer[position + 3]) << 8 | Int(buffer[position + 4])
        let limit = kind == .applicationData ? Self.maximumFragment : Self.maximumPlaintext
        guard count <= limit else { throw hasRecord ? .recordTooLarge(count, limit: limit) : refusal }
        guard position + 5 + count <= buffer.count else { return nil }
        let header = Array(buffer[position..<position + 5])
        let fragment = Array(buffer[position + 5..<position + 5 + count])
        position += 5 + count
        hasRecord = true
        return TLSRecord(kind: kind, header: header, fragment: fragment)
    }

    private var refusal: TLSFramingError { hasRecord ? .notRecord : .notTLS(Array(buffer[position...].prefix(64))) }
}
