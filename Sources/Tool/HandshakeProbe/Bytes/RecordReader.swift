// SPDX-License-Identifier: Apache-2.0

/// A record of TLS as it came.
struct Record {
    enum Kind: UInt8 {
        case changeCipherSpec = 20
        case alert = 21
        case handshake = 22
        case applicationData = 23
    }

    var kind: Kind
    /// The five bytes before the fragment, which encryption authenticates.
    var header: [UInt8]
    var fragment: [UInt8]
}

/// Cuts the server's bytes into records (RFC 8446 § 5.1). Keeps one unfinished record at most, which ``maximumFragment`` bounds.
struct RecordReader {
    /// The fragment of a plaintext record: 2¹⁴ bytes; of an encrypted one of TLS 1.3: 256 more (RFC 8446 § 5.2).
    static let maximumPlaintext = 1 << 14
    static let maximumFragment = maximumPlaintext + 256

    private var buffer: [UInt8] = []
    private var position = 0
    private var hasRecord = false

    mutating func append(_ bytes: some Sequence<UInt8>) {
        // Bytes that are read go; the rest is less than a record.
        buffer.removeFirst(position)
        position = 0
        buffer += bytes
    }

    /// Whether a part of a record is left.
    var isInRecord: Bool { position < buffer.count }

    /// Returns the next record; nil if its bytes aren't there.
    mutating func next() throws(HandshakeError) -> Record? {
        guard position < buffer.count else { return nil }
        guard let kind = Record.Kind(rawValue: buffer[position]) else { throw refusal }
        guard position + 2 <= buffer.count else { return nil }
        guard buffer[position + 1] == 3 else { throw refusal }
        guard position + 5 <= buffer.count else { return nil }
        // Application data never comes first.
        guard hasRecord || kind != .applicationData else { throw refusal }
        let count = Int(buffer[position + 3]) << 8 | Int(buffer[position + 4])
        let limit = kind == .applicationData ? Self.maximumFragment : Self.maximumPlaintext
        guard count <= limit else {
            throw hasRecord
                ? HandshakeError(
                    .recordTooLarge, "the server sent a record of \(count) bytes, expected at most \(limit)")
                : refusal
        }
        guard position + 5 + count <= buffer.count else { return nil }
        let header = Array(buffer[position..<position + 5])
        let fragment = Array(buffer[position + 5..<position + 5 + count])
        position += 5 + count
        hasRecord = true
        return Record(kind: kind, header: header, fragment: fragment)
    }

    private var refusal: HandshakeError {
        guard !hasRecord else {
            return HandshakeError(.unexpected, "the server sent bytes that are no record of TLS")
        }
        return HandshakeError(
            .notTLS, "the server doesn't answer with TLS", firstBytes: Array(buffer[position...].prefix(64)))
    }
}
