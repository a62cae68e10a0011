// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOEmbedded
import NIOHTTP2
import Testing

@testable import ServerTrustHTTP

@Suite("Small HTTP/2 DATA frames", .timeLimit(.minutes(10)))
struct HTTP2DataJoinerTests {
    private let joiner = HTTP2DataJoiner()
    private let channel: EmbeddedChannel

    init() { channel = EmbeddedChannel(handler: joiner) }

    /// An outgoing frame: its stream, its bytes and its end flag.
    private struct Joined: Equatable {
        var stream: Int
        var bytes: [UInt8]
        var endStream = false
    }

    private func send(_ bytes: [UInt8], to stream: HTTP2StreamID = 1, endStream: Bool = false) throws {
        let payload = HTTP2Frame.FramePayload.Data(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: endStream)
        channel.pipeline.fireChannelRead(HTTP2Frame(streamID: stream, payload: .data(payload)))
    }

    private func endRead() { channel.pipeline.fireChannelReadComplete() }

    private func wasRead(_ stream: HTTP2StreamID = 1) {
        joiner.streamWasRead(stream)
        channel.embeddedEventLoop.run()
    }

    /// Returns the DATA frames that came out since the last call.
    private func frames() throws -> [Joined] {
        var frames: [Joined] = []
        while let frame = try channel.readInbound(as: HTTP2Frame.self) {
            guard case .data(let payload) = frame.payload, case .byteBuffer(let bytes) = payload.data else { continue }
            frames.append(
                Joined(stream: Int(frame.streamID), bytes: Array(buffer: bytes), endStream: payload.endStream))
        }
        return frames
    }

    @Test("The joiner combines the frames of one read into one frame per stream")
    func oneRead() throws {
        for byte in UInt8(1)...100 {
            try send([byte])
            try send([byte, byte], to: 3)
            try send([], to: 5)
        }
        #expect(try frames().isEmpty)
        endRead()
        #expect(
            try frames() == [
                Joined(stream: 1, bytes: Array(1...100)),
                Joined(stream: 3, bytes: (UInt8(1)...100).flatMap { [$0, $0] }),
            ])
    }

    @Test("Bytes from later reads wait until the request has read the earlier ones")
    func unread() throws {
        try send([0])
        endRead()
        for byte in UInt8(1)...100 {
            try send([byte])
            endRead()
        }
        #expect(try frames() == [Joined(stream: 1, bytes: [0])])
        wasRead()
        #expect(try frames() == [Joined(stream: 1, bytes: Array(1...100))])
        wasRead()
        try send([7])
        endRead()
        #expect(try frames() == [Joined(stream: 1, bytes: [7])])
    }

    @Test("The joiner sends one frame for every 8 KiB on a stream that isn't being read")
    func silentReader() throws {
        for _ in 0..<40_000 {
            try send([1])
            endRead()
        }
        let frames = try frames()
        #expect(frames.count <= 1 + 40_000 / HTTP2DataJoiner.joinedSize)
        #expect(frames.dropFirst().allSatisfy { $0.bytes.count == HTTP2DataJoiner.joinedSize })
    }

    @Test("A large frame passes immediately, after the bytes before it")
    func large() throws {
        let large = [UInt8](repeating: 2, count: HTTP2DataJoiner.joinedSize)
        try send(large)
        #expect(try frames() == [Joined(stream: 1, bytes: large)])
        try send([1])
        endRead()
        #expect(try frames().isEmpty)
        try send(large)
        #expect(try frames() == [Joined(stream: 1, bytes: [1]), Joined(stream: 1, bytes: large)])
    }

    @Test("The end of a stream carries the waiting bytes, and an empty end passes through")
    func end() throws {
        try send([0])
        endRead()
        try send([1])
        try send([2], endStream: true)
        try send([], to: 3, endStream: true)
        #expect(
            try frames() == [
                Joined(stream: 1, bytes: [0]), Joined(stream: 1, bytes: [1, 2], endStream: true),
                Joined(stream: 3, bytes: [], endStream: true),
            ])
        endRead()
        wasRead()
        #expect(try frames().isEmpty)
    }

    @Test("A reset and the end of a stream or connection come after the bytes before them")
    func order() throws {
        for stream in [1, 3, 5] as [HTTP2StreamID] {
            try send([0], to: stream)
            endRead()
            try send([1], to: stream)
        }
        _ = try frames()
        channel.pipeline.fireChannelRead(HTTP2Frame(streamID: 1, payload: .rstStream(.cancel)))
        #expect(try channel.readInbound(as: HTTP2Frame.self).map { $0.isData } == true)
        #expect(try channel.readInbound(as: HTTP2Frame.self).map { $0.isData } == false)
        channel.pipeline.fireUserInboundEventTriggered(StreamClosedEvent(streamID: 3, reason: nil))
        #expect(try frames() == [Joined(stream: 3, bytes: [1])])
        channel.pipeline.fireChannelInactive()
        #expect(try frames() == [Joined(stream: 5, bytes: [1])])
    }

    @Test("The joiner drops window updates for streams and passes on updates for the connection")
    func windowUpdates() throws {
        for stream in [1, .rootStream] as [HTTP2StreamID] {
            channel.pipeline.fireChannelRead(
                HTTP2Frame(streamID: stream, payload: .windowUpdate(windowSizeIncrement: 1)))
        }
        #expect(try channel.readInbound(as: HTTP2Frame.self)?.streamID == .rootStream)
        #expect(try channel.readInbound(as: HTTP2Frame.self) == nil)
    }

    @Test("Frames of any size arrive in order, however the request reads")
    func random() throws {
        for _ in 0..<20 {
            let channel = EmbeddedChannel()
            let joiner = HTTP2DataJoiner()
            try channel.pipeline.syncOperations.addHandler(joiner)
            let body = HTTP2Server.chunks(200_000)
            var rest = body[...]
            var found: [UInt8] = []
            var hasEnded = false
            while !hasEnded {
                if !rest.isEmpty {
                    let bytes = rest.prefix(Int.random(in: 0...(1 << Int.random(in: 0...14))))
                    rest = rest.dropFirst(bytes.count)
                    let payload = HTTP2Frame.FramePayload.Data(
                        data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: rest.isEmpty)
                    channel.pipeline.fireChannelRead(HTTP2Frame(streamID: 1, payload: .data(payload)))
                }
                if Bool.random() { channel.pipeline.fireChannelReadComplete() }
                guard Int.random(in: 0..<3) == 0 else { continue }
                while let frame = try channel.readInbound(as: HTTP2Frame.self) {
                    guard case .data(let payload) = frame.payload, case .byteBuffer(let bytes) = payload.data else {
                        continue
                    }
                    found += bytes.readableBytesView
                    hasEnded = payload.endStream
                }
                joiner.streamWasRead(1)
                channel.embeddedEventLoop.run()
            }
            #expect(found == body)
        }
    }

    @Test("One-byte frames reach a slow reader completely, in order and in few pieces")
    func singleBytes() async throws {
        let scene = try HTTP2Scene()
        let good = scene.good
        try await scene.run({ _ in
            var setup = HTTP2Server.Setup(good)
            setup.answer = { $0 == "/chunks" ? .chunks(20_000) : .text("hello") }
            return setup
        }) { client, server in
            try await client.expect("200 hello", at: scene.url(server))
            let response = try await client.execute(
                HTTPClientRequest(url: scene.url(server, "/chunks")), timeout: .seconds(60))
            // Nothing reads until then.
            #expect(try await eventually { server.record.finished == 1 })
            var pieces: [[UInt8]] = []
            for try await piece in response.body { pieces.append(Array(buffer: piece)) }
            #expect(pieces.flatMap { $0 } == HTTP2Server.chunks(20_000))
            #expect(pieces.count < 2_000)
            #expect(server.record.requests.last?.isHTTP2 == true)
        }
    }
}

extension HTTP2Frame {
    fileprivate var isData: Bool {
        if case .data = payload { true } else { false }
    }
}
