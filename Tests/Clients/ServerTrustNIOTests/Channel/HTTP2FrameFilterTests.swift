// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import PKIX
import ServerTrustNIO
import Testing

@Suite("The filter of HTTP/2 frames", .timeLimit(.minutes(5)))
struct HTTP2FrameFilterTests {
    /// A client's connection with a filter.
    private struct Connection {
        let channel = EmbeddedChannel()
        private let refusals = Locked(0)

        init() throws {
            try channel.pipeline.syncOperations.addHandler(
                HTTP2FrameFilter { [refusals] _, _ in refusals.withLock { $0 += 1 } })
        }

        var refusalCount: Int { refusals.withLock { $0 } }

        /// Receives the pieces of the server's bytes. Returns what the filter passes on.
        func receive(_ pieces: some Sequence<[UInt8]>) throws -> [UInt8] {
            var passed: [UInt8] = []
            for piece in pieces {
                try channel.writeInbound(ByteBuffer(bytes: piece))
                while let bytes = try channel.readInbound(as: ByteBuffer.self) { passed += bytes.readableBytesView }
            }
            return passed
        }

        func receive(_ bytes: [UInt8]) throws -> [UInt8] { try receive([bytes]) }

        /// Sends each buffer in its own write. Returns what the filter passes on.
        @discardableResult
        func send(_ writes: [UInt8]...) throws -> [[UInt8]] {
            var passed: [[UInt8]] = []
            for bytes in writes {
                try channel.writeOutbound(IOData.byteBuffer(ByteBuffer(bytes: bytes)))
                while case .byteBuffer(let bytes)? = try channel.readOutbound(as: IOData.self) {
                    passed.append(Array(bytes.readableBytesView))
                }
            }
            return passed
        }
    }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Returns a frame (RFC 9113 § 4.1).
    private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        Array(bytes(UInt32(payload.count)).dropFirst()) + [type, flags] + bytes(stream) + payload
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Returns SETTINGS with parameters and values.
    private static func settings(_ values: (UInt16, UInt32)...) -> [UInt8] {
        frame(4, values.flatMap { name, value in Array(bytes(UInt32(name)).suffix(2)) + bytes(value) })
    }

    private static func window(_ value: UInt32) -> [UInt8] { settings((4, value)) }

    private static let ack = frame(4, flags: 1)
    /// The head of a request that has a body.
    private static let openHead = frame(1, flags: 4, stream: 1, [0x83, 0x86, 0x84])
    private static let wholeHead = frame(1, flags: 5, stream: 1, [0x82, 0x86, 0x84])
    private static let push = frame(5, flags: 4, stream: 1, [0, 0, 0, 2, 0x82, 0x87, 0x84])

    /// Frames of every kind that a client accepts, with payloads that look like the heads of refused frames.
    private static let harmless: [[UInt8]] = [
        settings((3, 100), (4, 65_535), (5, 16_384)), ack, frame(8, [0, 1, 0, 0]),
        frame(1, flags: 4, stream: 1, [0x88]), frame(0, stream: 1, push), frame(0, flags: 1, stream: 1, window(0)),
        frame(6, [1, 2, 3, 4, 5, 6, 7, 8]), frame(3, stream: 3, [0, 0, 0, 8]), frame(0xbb, push + push), settings(),
        frame(7, [0, 0, 0, 1, 0, 0, 0, 0]),
    ]

    private static func splits(_ bytes: [UInt8]) -> [[[UInt8]]] {
        (0...bytes.count).map { [Array(bytes[..<$0]), Array(bytes[$0...])] } + [bytes.map { [$0] }]
    }

    @Test("Allowed frames pass unchanged and in order, split at every position and byte by byte")
    func allowed() throws {
        let bytes = Array(Self.harmless.joined())
        for pieces in Self.splits(bytes) {
            let connection = try Connection()
            #expect(try connection.receive(pieces) == bytes)
            #expect(connection.refusalCount == 0)
        }
    }

    @Test("Frames in pieces of any two sizes pass unchanged")
    func threePieces() throws {
        let bytes = Array(Self.harmless.prefix(6).joined())
        for first in stride(from: 0, through: bytes.count, by: 3) {
            for second in stride(from: first, through: bytes.count, by: 5) {
                let connection = try Connection()
                let pieces = [Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])]
                #expect(try connection.receive(pieces) == bytes)
            }
        }
    }

    @Test("A large frame passes without waiting for its end")
    func largeFrame() throws {
        let connection = try Connection()
        let bytes = Self.frame(0, stream: 1, [UInt8](repeating: 7, count: 1 << 14))
        #expect(try connection.receive(Array(bytes[..<100])) == Array(bytes[..<100]))
        #expect(try connection.receive(Array(bytes[100...])) == Array(bytes[100...]))
        #expect(try connection.receive(Self.ack) == Self.ack)
    }

    @Test("PUSH_PROMISE is refused at any split, everything before it passes, and nothing after it does")
    func push() throws {
        let before = Array(Self.harmless.joined())
        let bytes = before + Self.push + Self.harmless[3]
        for pieces in Self.splits(bytes) {
            let connection = try Connection()
            #expect(try connection.receive(pieces) == before)
            #expect(connection.refusalCount == 1)
            #expect(try connection.receive(Self.ack).isEmpty)
            #expect(connection.refusalCount == 1)
        }
    }

    @Test(
        "SETTINGS that lower the window during a request's body are refused at any split, and don't pass",
        arguments: [65_534, 1, 0] as [UInt32])
    func lowered(window: UInt32) throws {
        let before = Array(Self.harmless.joined())
        let bytes = before + Self.window(window) + Self.ack
        for pieces in Self.splits(bytes) {
            let connection = try Connection()
            try connection.send(Self.openHead)
            #expect(try connection.receive(pieces) == before)
            #expect(connection.refusalCount == 1)
        }
    }

    @Test("The lowered window is found anywhere in SETTINGS with other parameters")
    func positions() throws {
        for refused in [
            Self.settings((4, 0), (3, 100)), Self.settings((3, 100), (4, 0)), Self.settings((4, 70_000), (4, 0)),
            Self.settings((4, 0), (4, 70_000)), Self.settings((0x99, 0), (4, 65_534), (5, 16_384)),
        ] {
            let connection = try Connection()
            try connection.send(Self.openHead)
            #expect(try connection.receive(refused).isEmpty)
            #expect(connection.refusalCount == 1)
        }
    }

    @Test("SETTINGS that keep or raise the window, and acknowledgments, pass during a request's body")
    func raised() throws {
        let connection = try Connection()
        try connection.send(Self.openHead)
        for bytes in [
            Self.window(65_535), Self.window(100_000), Self.window(100_000), Self.window(0x7fff_ffff), Self.ack,
            Self.settings((3, 0)), Self.settings(),
        ] {
            #expect(try connection.receive(bytes) == bytes)
        }
        #expect(connection.refusalCount == 0)
        // The comparison is with the last value.
        #expect(try connection.receive(Self.window(0x7fff_fffe)).isEmpty)
        #expect(connection.refusalCount == 1)
    }

    @Test("SETTINGS that lower the window pass if no request's body is open")
    func lowerBetween() throws {
        let connection = try Connection()
        #expect(try connection.receive(Self.window(100)) == Self.window(100))
        try connection.send(Self.wholeHead)
        #expect(try connection.receive(Self.window(50)) == Self.window(50))
        let second = Self.frame(1, flags: 4, stream: 3, [0x83])
        try connection.send(second)
        // Now 50 is the value to keep.
        #expect(try connection.receive(Self.window(50)) == Self.window(50))
        #expect(try connection.receive(Self.window(49)).isEmpty)
        #expect(connection.refusalCount == 1)
    }

    /// The ways in which the body of a request on stream 1 ends.
    private static let ends: [[[UInt8]]] = [
        [frame(0, flags: 1, stream: 1)], [frame(0, stream: 1, [1, 2]), frame(0, flags: 1, stream: 1, [3])],
        // The head and payload of DATA in separate writes, as SwiftNIO writes them.
        [Array(frame(0, flags: 1, stream: 1, [1, 2, 3])[..<9]), [1, 2, 3]],
        [Array(frame(0, stream: 1, openHead)[..<9]), openHead, frame(0, flags: 1, stream: 1)],
        [frame(1, flags: 5, stream: 1, [0x88])], [frame(3, stream: 1, [0, 0, 0, 8])],
    ]

    @Test("A request's body is over after END_STREAM or RST_STREAM from the client", arguments: ends)
    func ended(writes: [[UInt8]]) throws {
        let connection = try Connection()
        try connection.send(Self.openHead)
        for (index, bytes) in writes.enumerated() {
            #expect(try connection.send(bytes) == [bytes])
            let isLast = index == writes.count - 1
            if !isLast { continue }
            #expect(try connection.receive(Self.window(0)) == Self.window(0))
        }
        #expect(connection.refusalCount == 0)
    }

    @Test("A request's body is over after RST_STREAM from the server, and stays open after its END_STREAM")
    func endedByServer() throws {
        var connection = try Connection()
        try connection.send(Self.openHead)
        let reset = Self.frame(3, stream: 1, [0, 0, 0, 7]) + Self.window(0)
        #expect(try connection.receive(reset) == reset)
        #expect(connection.refusalCount == 0)

        connection = try Connection()
        try connection.send(Self.openHead)
        let answer = Self.frame(1, flags: 5, stream: 1, [0x88])
        #expect(try connection.receive(answer + Self.window(0)) == answer)
        #expect(connection.refusalCount == 1)
    }

    @Test("Only the streams whose bodies are open count")
    func severalStreams() throws {
        let connection = try Connection()
        try connection.send(Self.openHead, Self.frame(1, flags: 4, stream: 3, [0x83]))
        try connection.send(Self.frame(0, flags: 1, stream: 1))
        // Stream 3 is still open, and a reset of another stream changes nothing.
        let other = Self.frame(3, stream: 5, [0, 0, 0, 8])
        #expect(try connection.receive(other + Self.window(0)) == other)
        #expect(connection.refusalCount == 1)
    }

    @Test("The client's preface isn't a frame, and the frames after it are read", arguments: [true, false])
    func preface(isAlone: Bool) throws {
        let connection = try Connection()
        if isAlone {
            let passed = try connection.send(Self.preface, Self.window(1 << 20), Self.openHead)
            #expect(passed == [Self.preface, Self.window(1 << 20), Self.openHead])
        } else {
            try connection.send(Self.preface + Self.window(1 << 20), Self.openHead)
        }
        // The client's own SETTINGS are no limit for the server's.
        #expect(try connection.receive(Self.window(65_535)) == Self.window(65_535))
        #expect(try connection.receive(Self.window(65_534)).isEmpty)
        #expect(connection.refusalCount == 1)
    }

    @Test(
        "SETTINGS in a frame larger than the default size don't hide a lowered window, because a client may allow such frames"
    )
    func largeSettings() throws {
        let connection = try Connection()
        try connection.send(Self.openHead)
        var values: [UInt8] = []
        for _ in 0..<2_731 { values += [0, 0x99, 0, 0, 0, 0] }
        let bytes = Self.frame(4, values + [0, 4, 0, 0, 0, 0])
        let passed = try connection.receive(bytes)
        #expect(passed.count < bytes.count)
        #expect(connection.refusalCount == 1)
    }
}
