// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import ServerTrustHTTP

@Suite("Errors for requests whose HTTP/1.1 connection ends")
struct UnansweredRequestTests {
    private let channel = EmbeddedChannel()
    private let wire = Wire()
    private let errors = Errors()

    init() throws {
        let watch = ResponseWatch()
        try channel.pipeline.syncOperations.addHandlers([
            wire, watch, ByteToMessageHandler(HTTPResponseDecoder(informationalResponseStrategy: .forward)),
            ResponseTaggingHandler(Connection(id: 1, server: nil, channel: channel), watch), errors,
        ])
        channel.pipeline.fireChannelActive()
    }

    /// Sends a request and returns the future of its last write.
    private func send() -> EventLoopFuture<Void> {
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        return channel.write(HTTPClientRequestPart.end(nil))
    }

    private func serve() throws {
        try send().wait()
        try channel.writeInbound(ByteBuffer(string: "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"))
    }

    private func fate(_ error: (any Error)?) -> UnansweredRequest.Fate? { (error as? UnansweredRequest)?.fate }

    static let losses: [any Error] = [
        ChannelError.ioOnClosedChannel, ChannelError.eof, IOError(errnoCode: 32, reason: "write"),
    ]

    @Test("A failed write on a reused connection means that the request is lost", arguments: losses)
    func lostWrite(loss: any Error) throws {
        try serve()
        wire.error = loss
        #expect(fate(failure(of: send())) == .lost)
    }

    @Test("A failed write on a new connection doesn't count as an unsent request")
    func firstWrite() throws {
        wire.error = ChannelError.ioOnClosedChannel
        #expect(failure(of: send()) as? HTTPClientError == .remoteConnectionClosed)
    }

    @Test("An error on a new connection doesn't count as an unsent request")
    func firstError() throws {
        try send().wait()
        channel.pipeline.fireErrorCaught(ChannelError.ioOnClosedChannel)
        #expect(errors.caught.map { $0 as? HTTPClientError } == [.remoteConnectionClosed])
    }

    @Test("A write that fails after the first byte of the response has its own error")
    func answeredWrite() throws {
        try serve()
        try send().wait()
        try channel.writeInbound(ByteBuffer(string: "H"))
        wire.error = ChannelError.ioOnClosedChannel
        let end = channel.write(HTTPClientRequestPart.end(nil))
        #expect(failure(of: end) as? HTTPClientError == .remoteConnectionClosed)
    }

    @Test("The end of a reused connection loses the request on it")
    func lost() throws {
        try serve()
        try send().wait()
        channel.pipeline.fireChannelInactive()
        #expect(errors.caught.map { fate($0) } == [.lost])
    }

    @Test("The end of an idle connection loses no request")
    func idle() throws {
        try serve()
        channel.pipeline.fireChannelInactive()
        #expect(errors.caught.isEmpty)
    }

    @Test("The end of a new connection loses no request that the client could retry")
    func new() throws {
        try send().wait()
        channel.pipeline.fireChannelInactive()
        #expect(errors.caught.isEmpty)
    }

    @Test("An interim response counts as a response")
    func interim() throws {
        try serve()
        try send().wait()
        try channel.writeInbound(ByteBuffer(string: "HTTP/1.1 103 Early Hints\r\n\r\n"))
        channel.pipeline.fireErrorCaught(IOError(errnoCode: 104, reason: "read"))
        #expect(errors.caught.count == 1 && errors.caught.allSatisfy { $0 is IOError })
    }

    @Test("An error unrelated to the end of the connection stays unchanged")
    func other() throws {
        try serve()
        try send().wait()
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        #expect(errors.caught.map { $0 as? HTTPParserError } == [.invalidHeaderToken])
    }

    @Test("Bytes that don't begin a response belong to the one before, so the request on a reused connection is lost")
    func leftOver() throws {
        try serve()
        try send().wait()
        try channel.writeInbound(ByteBuffer(string: "rest"))
        #expect(errors.caught.map { fate($0) } == [.lost])
    }

    @Test("Bytes that don't begin a response on a new connection don't count as a lost request")
    func noResponse() throws {
        try send().wait()
        try channel.writeInbound(ByteBuffer(string: "rest"))
        #expect(errors.caught.map { $0 as? HTTPParserError } == [.invalidConstant])
    }

    private func failure(of future: EventLoopFuture<Void>) -> (any Error)? {
        do {
            try future.wait()
            return nil
        } catch { return error }
    }

    /// Accepts the writes or fails them.
    private final class Wire: ChannelOutboundHandler {
        typealias OutboundIn = HTTPClientRequestPart

        var error: (any Error)?

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if let error { promise?.fail(error) } else { promise?.succeed(()) }
        }
    }

    private final class Errors: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart

        private(set) var caught: [any Error] = []

        func errorCaught(context: ChannelHandlerContext, error: any Error) { caught.append(error) }
    }
}
