// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import ServerTrust

/// The parts of a server's first bytes that explain a failed handshake: whether they are TLS at all, the version in the
/// ServerHello, the request for a certificate in TLS 1.2, and an alert in the clear.
///
/// It stores at most ``maximumFirst`` bytes, one unfinished record and one unfinished message, however many bytes
/// arrive. It doesn't read encrypted bytes.
package struct ServerRecords: Sendable {
    /// The number of first bytes to keep, which is enough for the greeting of a protocol in the clear.
    static let maximumFirst = 256

    /// The first bytes.
    package private(set) var first: [UInt8] = []
    /// The last alert in the clear.
    package private(set) var alert: TLSAlert?
    /// The `legacy_version` of the ServerHello: 0x0303 for TLS 1.2 and 1.3.
    package private(set) var version: UInt16?
    /// Whether the server has requested a certificate in TLS 1.2. In TLS 1.3, this request is encrypted.
    package private(set) var asksForCertificate = false

    /// The readers. Nil when nothing more is read.
    private var readers: (records: TLSRecordReader, messages: TLSMessageReader)? = (
        TLSRecordReader(), TLSMessageReader()
    )

    package init() {}

    /// Whether the first bytes are a TLS record. Nil before any bytes have arrived.
    package var isTLS: Bool? {
        guard let type = first.first else { return nil }
        return (20...24).contains(type) && (first.count < 2 || first[1] == 3)
    }

    /// Reads the next bytes from the server.
    package mutating func read(_ bytes: ByteBufferView) {
        if first.count < Self.maximumFirst { first += bytes.prefix(Self.maximumFirst - first.count) }
        readers?.records.append(bytes)
        do throws(TLSFramingError) {
            while let record = try readers?.records.next() {
                switch record.kind {
                case .handshake: try readMessages(record.fragment)
                case .alert where record.fragment.count == 2: alert = TLSAlert(record.fragment[1])
                // Type 20 starts encryption in TLS 1.2, and type 23 is encrypted. An alert of another size is also
                // encrypted.
                case .alert, .changeCipherSpec, .applicationData: readers = nil
                }
            }
        } catch {
            readers = nil
        }
    }

    private mutating func readMessages(_ fragment: [UInt8]) throws(TLSFramingError) {
        readers?.messages.append(fragment)
        while let message = try readers?.messages.next(limit: { _ in TLSMessageReader.maximumCertificates }) {
            if message[0] == 2, message.count >= 6 { version = UInt16(message[4]) << 8 | UInt16(message[5]) }
            if message[0] == 13 { asksForCertificate = true }
        }
    }
}

/// A handler below TLS that keeps the parts of the server's bytes that explain a failed handshake. It changes nothing,
/// and leaves the pipeline when TLS is established.
final class HandshakeWitness: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private(set) var records = ServerRecords()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        records.read(unwrapInboundIn(data).readableBytesView)
        context.fireChannelRead(data)
    }
}

#endif
