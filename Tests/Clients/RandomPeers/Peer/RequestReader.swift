// SPDX-License-Identifier: Apache-2.0

import Crypto
import NIOCore
import PKIX

/// Finds requests in the bytes of a client.
struct RequestReader {
    enum Event {
        /// - Parameter accept: the value of `Sec-WebSocket-Accept`, empty for another request.
        case request(stream: UInt32, accept: String)
        case settings
        case ping([UInt8])
        /// A WebSocket frame.
        case message
        /// A closing WebSocket frame.
        case farewell
    }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Whether a request counts from its head.
    let isEager: Bool
    var isHTTP2 = false
    private var isWebSocket = false
    private var hasPreface = false
    private var received: [UInt8] = []
    /// The rest of a request's body.
    private var skipped = 0

    init(isEager: Bool) { self.isEager = isEager }

    mutating func read(_ bytes: ByteBufferView) -> [Event] {
        received += bytes
        if !hasPreface, received.starts(with: Self.preface.prefix(4)) { isHTTP2 = true }
        if isWebSocket {
            defer { received = [] }
            return [received.first.map { $0 & 15 == 8 } == true ? .farewell : .message]
        }
        return isHTTP2 ? readFrames() : readHeads()
    }

    private mutating func readHeads() -> [Event] {
        var events: [Event] = []
        while true {
            let skip = min(skipped, received.count)
            received.removeFirst(skip)
            skipped -= skip
            let text = String(decoding: received, as: UTF8.self)
            guard let end = received.firstIndex(ofHeadEnd: 0) else { return events }
            received.removeFirst(end)
            let fields = text.prefix(end).lowercased().split(separator: "\r\n")
            if let length = fields.first(where: { $0.hasPrefix("content-length:") }) {
                skipped = Int(length.dropFirst(15).filter { $0 != " " }) ?? 0
            }
            events.append(.request(stream: 1, accept: Self.accept(text)))
            if text.contains("ec-WebSocket-Key") || text.contains("ec-websocket-key") { isWebSocket = true }
        }
    }

    /// Returns the answer to the key of a request (RFC 6455 § 4.2.2).
    private static func accept(_ head: String) -> String {
        guard let line = head.split(separator: "\r\n").first(where: { $0.lowercased().hasPrefix("sec-websocket-key:") })
        else {
            return ""
        }
        let key = line.dropFirst(18).filter { $0 != " " }
        return Base64.encode(
            Array(Insecure.SHA1.hash(data: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))))
    }

    private mutating func readFrames() -> [Event] {
        if !hasPreface {
            guard received.count >= Self.preface.count else { return [] }
            received.removeFirst(Self.preface.count)
            hasPreface = true
        }
        var events: [Event] = []
        while received.count >= 9 {
            let length = Int(received[0]) << 16 + Int(received[1]) << 8 + Int(received[2])
            guard received.count >= 9 + length else { break }
            let (type, flags) = (received[3], received[4])
            let stream = received[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let payload = Array(received[9..<9 + length])
            received.removeFirst(9 + length)
            let isEnd = flags & 1 == 1
            switch type {
            case 0 where isEnd && !isEager: events.append(.request(stream: stream, accept: ""))
            case 1 where isEnd || isEager: events.append(.request(stream: stream, accept: ""))
            case 4 where !isEnd: events.append(.settings)
            case 6 where !isEnd: events.append(.ping(payload))
            default: break
            }
        }
        return events
    }
}

extension [UInt8] {
    /// Returns the index after the first empty line.
    fileprivate func firstIndex(ofHeadEnd start: Int) -> Int? {
        guard count >= 4 else { return nil }
        for index in start...count - 4
        where self[index] == 13 && self[index + 1] == 10 && self[index + 2] == 13 && self[index + 3] == 10 {
            return index + 4
        }
        return nil
    }
}
