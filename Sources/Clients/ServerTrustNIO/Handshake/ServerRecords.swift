// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TrustSupport

/// The parts of a server's first bytes that say why a handshake fails: whether they are TLS at all, the version of its ServerHello, the request
/// for a certificate in TLS 1.2, an alert in the clear.
///
/// Keeps ``maximumFirst`` bytes, and one unfinished record and message at most, however many bytes come. Encrypted bytes aren't read.
package struct ServerRecords: Sendable {
    /// The number of first bytes that are kept: enough for the greeting of a protocol in the clear.
    static let maximumFirst = 256

    /// The first bytes.
    package private(set) var first: [UInt8] = []
    /// The last alert in the clear.
    package private(set) var alert: TLSAlert?
    /// `legacy_version` of the ServerHello: 0x0303 for TLS 1.2 and 1.3.
    package private(set) var version: UInt16?
    /// Whether the server has asked for a certificate in TLS 1.2; in TLS 1.3 it asks encrypted.
    package private(set) var asksForCertificate = false

    /// The readers; nil when nothing is read any more.
    private var readers: (records: TLSRecordReader, messages: TLSMessageReader)? = (
        TLSRecordReader(), TLSMessageReader()
    )

    package init() {}

    /// Whether the first bytes are those of a TLS record; nil if none has come.
    package var isTLS: Bool? {
        guard let type = first.first else { return nil }
        return (20...24).contains(type) && (first.count < 2 || first[1] == 3)
    }

    /// Reads the next bytes that the server has sent.
    package mutating func read(_ bytes: ByteBufferView) {
        if first.count < Self.maximumFirst { first += bytes.prefix(Self.maximumFirst - first.count) }
        readers?.records.append(bytes)
        do throws(TLSFramingError) {
            while let record = try readers?.records.next() {
                switch record.kind {
                case .handshake: try readMessages(record.fragment)
                case .alert where record.fragment.count == 2: alert = TLSAlert(record.fragment[1])
                // 20 begins encryption in TLS 1.2, 23 is encrypted. An alert of another size is encrypted as well.
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
