// SPDX-License-Identifier: Apache-2.0

/// A TLS record as received.
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

/// The reason why bytes aren't records, or records aren't messages.
package enum TLSFramingError: Error, Sendable, Hashable {
    /// The stream doesn't begin like TLS. The value is its first bytes, at most 64.
    case notTLS([UInt8])
    /// The bytes after a record don't begin another record.
    case notRecord
    /// A record's fragment exceeds the limit of its kind.
    case recordTooLarge(Int, limit: Int)
    /// A message has a kind that the caller doesn't read.
    case unknownMessage(UInt8)
    /// A message's body exceeds its limit.
    case messageTooLarge(Int, limit: Int)
}

/// Splits a server's bytes into records (RFC 8446 § 5.1). Stores at most one unfinished record, bounded by
/// ``maximumFragment``.
package struct TLSRecordReader: Sendable {
    /// The maximum size of a plaintext record's fragment: 2¹⁴ bytes. An encrypted TLS 1.3 record may have 256 more (RFC
    /// 8446 § 5.2).
    package static let maximumPlaintext = 1 << 14
    static let maximumFragment = maximumPlaintext + 256

    private var buffer: [UInt8] = []
    private var position = 0
    private var hasRecord = false

    package init() {}

    package mutating func append(_ bytes: some Sequence<UInt8>) {
        // Drops the bytes already read. The rest is less than a record.
        buffer.removeFirst(position)
        position = 0
        buffer += bytes
    }

    /// Returns the next record, or nil if it isn't complete yet.
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
