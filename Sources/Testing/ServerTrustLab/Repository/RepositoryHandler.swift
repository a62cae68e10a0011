// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOCore
import NIOHTTP1
import PKIX
import ServerTrustTesting

/// Answers the requests of one connection to a ``LabRepository``.
final class RepositoryHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// OCSP requests are a few hundred bytes long.
    private static let maximumBody = 64 << 10
    private static let chunkSize = 64 << 10

    private let contents: RepositoryContents
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    /// A delayed response. It is canceled with the connection.
    private var delayed: Scheduled<Void>?

    init(_ contents: RepositoryContents) { self.contents = contents }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let buffer):
            guard body.count + buffer.readableBytes <= Self.maximumBody else { return context.close(promise: nil) }
            body += buffer.readableBytesView
        case .end:
            guard let head else { return }
            self.head = nil
            respond(to: head, context)
        }
    }

    private func respond(to request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        // Resources have no query.
        let path = request.uri.split(separator: "?", maxSplits: 1).first.map(String.init) ?? "/"
        guard let (resource, rest) = contents.find(path) else { return send(.plain(404), to: request, context) }
        guard let body = bytes(of: resource, for: request, rest) else { return send(.plain(405), to: request, context) }
        var response = Response(status: 200, mediaType: resource.mediaType, body: body, maximumAge: resource.maximumAge)
        response.entityTag = resource.entityTag
        if let tag = resource.entityTag, request.headers["if-none-match"].contains(tag) {
            contents.countUnmodified()
            response.status = 304
            response.body = []
            return send(response, to: request, context)
        }
        switch resource.behavior {
        case .normal: break
        case .slow(let pause):
            let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            delayed = context.eventLoop.scheduleTask(in: TimeAmount(pause)) { [response] in
                let (handler, context) = loopBound.value
                handler.send(response, to: request, context)
            }
            return
        case .noResponse: return
        case .connectionClosed: return context.close(promise: nil)
        case .truncated:
            response.isTruncated = true
        case .oversized(let bytes):
            response.body += [UInt8](repeating: 0, count: max(0, bytes - body.count))
        case .otherBytes(let bytes): response.body = bytes
        case .status(let status): response = .plain(status)
        case .redirect(let location):
            response = .plain(302)
            response.location = location
        }
        send(response, to: request, context)
    }

    /// Returns the body of the resource before the resource's behavior changes it, or nil for 405.
    private func bytes(of resource: LabResource, for request: HTTPRequestHead, _ rest: String) -> [UInt8]? {
        switch (resource.content, request.method) {
        case (.fixed(let bytes), .GET), (.fixed(let bytes), .HEAD): return bytes
        case (.ocsp(let responder), .POST): return responder.response(to: body).der
        case (.ocsp(let responder), .GET): return responder.response(to: OCSPPath.decode(rest)).der
        default: return nil
        }
    }

    private struct Response: Sendable {
        var status: Int
        var mediaType: String
        var body: [UInt8]
        var maximumAge: Int?
        var location: String?
        var entityTag: String?
        var isTruncated = false

        static func plain(_ status: Int) -> Response {
            Response(status: status, mediaType: "text/plain", body: Array("\(status)\n".utf8))
        }
    }

    private func send(_ response: Response, to request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var headers = HTTPHeaders([("content-type", response.mediaType), ("content-length", "\(response.body.count)")])
        if let age = response.maximumAge { headers.add(name: "cache-control", value: "max-age=\(age)") }
        if let tag = response.entityTag { headers.add(name: "etag", value: tag) }
        if response.status == 304 { headers.remove(name: "content-length") }
        if let location = response.location { headers.add(name: "location", value: location) }
        let head = HTTPResponseHead(
            version: request.version, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        var rest = request.method == .HEAD ? [] : response.body[...]
        if response.isTruncated { rest = rest.prefix(rest.count / 2) }
        while !rest.isEmpty {
            let chunk = context.channel.allocator.buffer(bytes: rest.prefix(Self.chunkSize))
            context.write(wrapOutboundOut(.body(.byteBuffer(chunk))), promise: nil)
            rest = rest.dropFirst(Self.chunkSize)
        }
        if response.isTruncated {
            let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer())))).whenComplete { _ in
                loopBound.value.close(promise: nil)
            }
        } else {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { delayed?.cancel() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

#endif
