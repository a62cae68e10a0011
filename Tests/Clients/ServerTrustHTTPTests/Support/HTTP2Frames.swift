// SPDX-License-Identifier: Apache-2.0

/// The frames of a client's connection.
enum HTTP2Frames {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Returns the types of the frames after the preface (RFC 9113 § 6), or nil for anything else.
    static func types(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: preface) else { return nil }
        var rest = bytes.dropFirst(preface.count)
        var types: [UInt8] = []
        while !rest.isEmpty {
            guard rest.count >= 9 else { return nil }
            let head = Array(rest.prefix(9))
            types.append(head[3])
            rest = rest.dropFirst(9 + Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2]))
        }
        return types
    }

    /// Whether the bytes contain only what every HTTP/2 server gets: preface, SETTINGS, WINDOW_UPDATE, PING, GOAWAY.
    static func hasNoRequest(_ bytes: [UInt8]) -> Bool {
        bytes.isEmpty || types(bytes)?.allSatisfy { [4, 6, 7, 8].contains($0) } ?? false
    }

    /// Returns a frame (RFC 9113 § 4.1).
    static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xff), type, flags, 0, 0, 0, stream] + payload
    }

    static let settings = frame(4)
    static let ping = frame(6, [1, 2, 3, 4, 5, 6, 7, 8])
    /// A frame of an unknown type, which a peer ignores (RFC 9113 § 5.5).
    static let unknown = frame(0xbb)

    static func goAway(_ code: UInt8, last: UInt8 = 0x7f) -> [UInt8] { frame(7, [0, 0, 0, last, 0, 0, 0, code]) }

    static func windowUpdate(_ increment: UInt8, stream: UInt8 = 0) -> [UInt8] {
        frame(8, stream: stream, [0, 0, 0, increment])
    }

    /// Returns the head of a response. `:status: 200` is 0x88 (RFC 7541, Appendix A).
    static func head(_ stream: UInt8, isLast: Bool = false) -> [UInt8] {
        frame(1, flags: isLast ? 5 : 4, stream: stream, [0x88])
    }

    /// Returns an informational head: the name of entry 8 with the value `103`.
    static func hints(_ stream: UInt8) -> [UInt8] { frame(1, flags: 4, stream: stream, [8, 3] + Array("103".utf8)) }

    static func data(_ stream: UInt8, _ text: String, isLast: Bool = false) -> [UInt8] {
        frame(0, flags: isLast ? 1 : 0, stream: stream, Array(text.utf8))
    }

    /// Returns a response with status 200 and `hello`.
    static func answer(_ stream: UInt8) -> [UInt8] { head(stream) + data(stream, "hello", isLast: true) }
}
