// SPDX-License-Identifier: Apache-2.0

/// A message of the handshake.
struct Message {
    enum Kind: UInt8 {
        case clientHello = 1
        case serverHello = 2
        case newSessionTicket = 4
        case encryptedExtensions = 8
        case certificate = 11
        case serverKeyExchange = 12
        case certificateRequest = 13
        case serverHelloDone = 14
        case certificateVerify = 15
        case finished = 20
        case certificateStatus = 22
        case messageHash = 254
    }

    var kind: Kind
    /// With its header of four bytes, as the transcript has it.
    var bytes: [UInt8]

    var body: ArraySlice<UInt8> { bytes.dropFirst(4) }
}

/// Joins the fragments of records into messages (RFC 8446 § 5.1).
struct MessageReader {
    /// The maximum size of a message with certificates: BoringSSL, and with it Chrome, takes 100 KiB (`SSL_CTX_set_max_cert_list`), and
    /// OpenSSL as much; this is a little more, so that the chains that they refuse can be seen.
    static let maximumCertificates = 128 << 10
    /// The maximum size of any other message: that of BoringSSL (`kMaxMessageLen`), and as much for a staple as for certificates.
    static let maximumMessage = 16 << 10

    private var buffer: [UInt8] = []

    /// Whether a part of a message is left, which may not happen where keys change.
    var isInMessage: Bool { !buffer.isEmpty }

    mutating func append(_ fragment: some Sequence<UInt8>) { buffer += fragment }

    /// Returns the next message; nil if its bytes aren't there. A length beyond the limit is refused before its bytes are waited for.
    mutating func next() throws(HandshakeError) -> Message? {
        guard let first = buffer.first else { return nil }
        guard let kind = Message.Kind(rawValue: first) else {
            throw HandshakeError(
                .unexpected, "the server sent message number \(first) of a handshake, which has no place there")
        }
        guard buffer.count >= 4 else { return nil }
        let count = Int(buffer[1]) << 16 | Int(buffer[2]) << 8 | Int(buffer[3])
        let limit =
            switch kind {
            case .certificate, .certificateStatus, .certificateRequest: Self.maximumCertificates
            default: Self.maximumMessage
            }
        guard count <= limit else {
            throw HandshakeError(.tooLarge, "the server sent a message of \(count) bytes, expected at most \(limit)")
        }
        guard buffer.count >= 4 + count else { return nil }
        let message = Message(kind: kind, bytes: Array(buffer.prefix(4 + count)))
        buffer.removeFirst(4 + count)
        return message
    }
}
