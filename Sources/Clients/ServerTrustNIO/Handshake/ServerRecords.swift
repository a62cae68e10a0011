// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TrustSupport

/// The parts of a server's first bytes that say why a handshake fails: whether they are TLS at all, the version of its ServerHello, the request
/// for a certificate in TLS 1.2, an alert in the clear.
///
/// Keeps ``maximumFirst`` bytes and a few more, however many come, and reads each byte once at most. Encrypted bytes aren't read.
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

    private enum State {
        /// In the head of a record.
        case head
        /// In a record of that type, with that many bytes to come.
        case record(type: UInt8, left: Int)
        /// Nothing is read any more.
        case done
    }

    private var state = State.head
    /// The head of a record, or the body of an alert, as far as it has come.
    private var partial: [UInt8] = []
    /// The head of a handshake message and the start of its body, as far as they have come. Messages may span records.
    private var message: [UInt8] = []
    /// The bytes to come of the message whose head was read.
    private var messageLeft = 0

    package init() {}

    /// Whether the first bytes are those of a TLS record; nil if none has come.
    package var isTLS: Bool? {
        guard let type = first.first else { return nil }
        return (20...24).contains(type) && (first.count < 2 || first[1] == 3)
    }

    /// Reads the next bytes that the server has sent.
    package mutating func read(_ bytes: ByteBufferView) {
        if first.count < Self.maximumFirst { first += bytes.prefix(Self.maximumFirst - first.count) }
        guard isTLS != false else {
            state = .done
            return
        }
        var rest = bytes
        while !rest.isEmpty {
            switch state {
            case .done: return
            case .head: readHead(&rest)
            case .record(let type, let left): readBody(&rest, type, left)
            }
        }
    }

    private mutating func readHead(_ rest: inout ByteBufferView) {
        Self.take(5 - partial.count, from: &rest, into: &partial)
        guard partial.count == 5 else { return }
        let (type, size) = (partial[0], Int(partial[3]) << 8 | Int(partial[4]))
        partial = []
        // 20 begins encryption in TLS 1.2, 23 is encrypted. An alert of another size is encrypted as well.
        let isRead = type == 22 || type == 21 && size == 2
        state = isRead ? size == 0 ? .head : .record(type: type, left: size) : .done
    }

    private mutating func readBody(
        _ rest: inout ByteBufferView, _ type: UInt8, _ left: Int
    ) {
        let part = rest.prefix(left)
        rest = rest.dropFirst(part.count)
        if type == 21 {
            partial += part
            if partial.count == 2 {
                alert = TLSAlert(partial[1])
                partial = []
            }
        } else {
            readMessages(part)
        }
        state = left == part.count ? .head : .record(type: type, left: left - part.count)
    }

    /// Reads heads of handshake messages (RFC 8446 § 4) and of the ServerHello its version.
    private mutating func readMessages(_ part: ByteBufferView) {
        var rest = part
        while !rest.isEmpty {
            guard messageLeft == 0 else {
                let count = min(messageLeft, rest.count)
                if message.first == 2, message.count < 6 { message += rest.prefix(min(count, 6 - message.count)) }
                rest = rest.dropFirst(count)
                messageLeft -= count
                if message.count == 6 { version = UInt16(message[4]) << 8 | UInt16(message[5]) }
                if messageLeft == 0 { message = [] }
                continue
            }
            Self.take(4 - message.count, from: &rest, into: &message)
            guard message.count == 4 else { return }
            messageLeft = Int(message[1]) << 16 | Int(message[2]) << 8 | Int(message[3])
            if message[0] == 13 { asksForCertificate = true }
            if messageLeft == 0 { message = [] }
        }
    }

    private static func take(_ count: Int, from rest: inout ByteBufferView, into bytes: inout [UInt8]) {
        bytes += rest.prefix(count)
        rest = rest.dropFirst(count)
    }
}
