// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP2
import Testing

@testable import ServerTrustHTTP

@Suite("The guard on HTTP/2 connections")
struct HTTP2GuardTests {
    /// A client's connection with a guard, after the server has sent SETTINGS.
    private struct Connection {
        let channel = EmbeddedChannel()
        let initialized: EventLoopPromise<Void>
        let result: EventLoopFuture<Void>

        init() throws {
            initialized = channel.eventLoop.makePromise()
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            try channel.pipeline.syncOperations.addHandler(NIOHTTP2Handler(mode: .client))
            try channel.writeInbound(ByteBuffer(bytes: HTTP2Frames.settings))
            result = HTTP2Guard.watch(channel, maximumIdleBytes: 1 << 14) { [initialized] _ in initialized.futureResult
            }
            _ = try channel.readInbound(as: HTTP2Frame.self)
        }

        /// Sends a frame repeatedly. Returns the number of frames up to the one that ends the connection, or nil if the
        /// guard accepts all.
        func taken(_ frame: [UInt8], of count: Int) -> Int? {
            for number in 1...count {
                // Throws the error that NIOHTTP2 reports.
                _ = try? channel.writeInbound(ByteBuffer(bytes: frame))
                channel.embeddedEventLoop.run()
                if !channel.isActive { return number }
            }
            return nil
        }

        func open() {
            initialized.succeed(())
            channel.embeddedEventLoop.run()
        }
    }

    static let floods: [(String, [UInt8], Int)] = [
        ("GOAWAY with an error", HTTP2Frames.goAway(2), 1),
        ("data outside of a stream", HTTP2Frames.data(0, "x"), 1),
        ("PING", HTTP2Frames.ping, 200),
        ("SETTINGS", HTTP2Frames.settings, 200),
        ("WINDOW_UPDATE", HTTP2Frames.windowUpdate(1), (1 << 14) / 13 + 1),
        ("frames of an unknown type", HTTP2Frames.unknown, (1 << 14) / 9 + 1),
        ("informational heads", HTTP2Frames.hints(1), (1 << 14) / 14 + 1),
    ]

    @Test(
        "The guard closes a connection at the first invalid frame, or when a flood reaches its limit", arguments: floods
    )
    func limits(name: String, frame: [UInt8], limit: Int) throws {
        let connection = try Connection()
        connection.open()
        let head = HTTP2Frame.FramePayload.Headers(
            headers: [":method": "GET", ":scheme": "https", ":authority": "h2.lab.test", ":path": "/"], endStream: true)
        try connection.channel.writeOutbound(HTTP2Frame(streamID: 1, payload: .headers(head)))
        #expect(connection.taken(frame, of: 2 * limit) == limit)
        _ = try? connection.channel.finish()
    }

    @Test("Data counts as progress, however many other frames arrive in between")
    func progress() throws {
        let connection = try Connection()
        connection.open()
        let head = HTTP2Frame.FramePayload.Headers(
            headers: [":method": "GET", ":scheme": "https", ":authority": "h2.lab.test", ":path": "/"], endStream: true)
        try connection.channel.writeOutbound(HTTP2Frame(streamID: 1, payload: .headers(head)))
        #expect(connection.taken(HTTP2Frames.head(1), of: 1) == nil)
        for _ in 0..<10 {
            #expect(connection.taken(HTTP2Frames.unknown, of: (1 << 14) / 9 - 2) == nil)
            #expect(connection.taken(HTTP2Frames.data(1, "x"), of: 1) == nil)
        }
        _ = try? connection.channel.finish()
    }

    @Test("GOAWAY without an error keeps the connection while it has streams, and closes it when it has none")
    func goAway() throws {
        let connection = try Connection()
        connection.open()
        let head = HTTP2Frame.FramePayload.Headers(
            headers: [":method": "GET", ":scheme": "https", ":authority": "h2.lab.test", ":path": "/"], endStream: true)
        try connection.channel.writeOutbound(HTTP2Frame(streamID: 1, payload: .headers(head)))
        #expect(connection.taken(HTTP2Frames.goAway(0), of: 1) == nil)
        #expect(try connection.channel.readInbound(as: HTTP2Frame.self) != nil)
        #expect(connection.taken(HTTP2Frames.answer(1), of: 1) == 1)
        _ = try? connection.channel.finish()
    }

    @Test("The guard holds back SETTINGS until the initializer has returned")
    func settings() throws {
        let connection = try Connection()
        #expect(connection.taken(HTTP2Frames.settings, of: 1) == nil)
        #expect(try connection.channel.readInbound(as: HTTP2Frame.self) == nil)
        connection.open()
        try connection.result.wait()
        #expect(try connection.channel.readInbound(as: HTTP2Frame.self)?.streamID == .rootStream)
        _ = try? connection.channel.finish()
    }

    @Test("GOAWAY before the initializer has returned ends the connection and isn't passed on")
    func earlyGoAway() throws {
        let connection = try Connection()
        #expect(connection.taken(HTTP2Frames.goAway(0), of: 1) == 1)
        #expect(try connection.channel.readInbound(as: HTTP2Frame.self) == nil)
        connection.initialized.succeed(())
        connection.channel.embeddedEventLoop.run()
        #expect(throws: HTTP2ConnectionError.self) { try connection.result.wait() }
        _ = try? connection.channel.finish()
    }
}
