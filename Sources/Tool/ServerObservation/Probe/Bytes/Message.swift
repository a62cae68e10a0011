// SPDX-License-Identifier: Apache-2.0

/// A handshake message.
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

        /// The maximum size of the message. It is BoringSSL's limit (`kMaxMessageLen`), except that a staple may be as
        /// large as certificates.
        var maximumSize: Int {
            switch self {
            case .certificate, .certificateStatus, .certificateRequest: TLSMessageReader.maximumCertificates
            default: 16 << 10
            }
        }
    }

    var kind: Kind
    /// The message with its four-byte header, as in the transcript.
    var bytes: [UInt8]

    var body: ArraySlice<UInt8> { bytes.dropFirst(4) }
}

extension TLSMessageReader {
    /// Returns the next message, or nil if its bytes aren't complete.
    mutating func message() throws(HandshakeError) -> Message? {
        do throws(TLSFramingError) {
            guard let bytes = try next(limit: { Message.Kind(rawValue: $0)?.maximumSize }), let first = bytes.first,
                let kind = Message.Kind(rawValue: first)
            else { return nil }
            return Message(kind: kind, bytes: bytes)
        } catch {
            throw HandshakeError(error)
        }
    }
}

extension TLSRecordReader {
    /// Returns the next record, or nil if its bytes aren't complete.
    mutating func record() throws(HandshakeError) -> TLSRecord? {
        do throws(TLSFramingError) { return try next() } catch { throw HandshakeError(error) }
    }
}

extension HandshakeError {
    /// Creates the error for bytes that aren't records or messages.
    fileprivate init(_ error: TLSFramingError) {
        switch error {
        case .notTLS: self.init(.notTLS, "the server doesn't respond with TLS")
        case .notRecord: self.init(.unexpected, "the server sent bytes that aren't a TLS record")
        case .recordTooLarge(let count, let limit):
            self.init(.recordTooLarge, "the server sent a record of \(count) bytes, expected at most \(limit)")
        case .unknownMessage(let kind):
            self.init(
                .unexpected, "the server sent handshake message number \(kind), which isn't allowed at this point")
        case .messageTooLarge(let count, let limit):
            self.init(.tooLarge, "the server sent a message of \(count) bytes, expected at most \(limit)")
        }
    }
}
