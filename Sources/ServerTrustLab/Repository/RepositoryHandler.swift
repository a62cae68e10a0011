// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import PKIX
import ServerTrustTesting

/// Answers the requests of one connection to a ``LabRepository``.
final class Librarian: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// OCSP requests have a few hundred bytes.
    private static let maximumBody = 64 << 10
    private static let chunkSize = 64 << 10

    private let shelf: LabShelf
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    /// The answer that waits for its time; it must not outlive the connection.
    private var later: Scheduled<Void>?

    init(_ shelf: LabShelf) { self.shelf = shelf }

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
            answer(head, context)
        }
    }

    private func answer(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        // Without the query, which nothing here has.
        let path = request.uri.split(separator: "?", maxSplits: 1).first.map(String.init) ?? "/"
        guard let (resource, rest) = shelf.find(path) else { return send(.plain(404), to: request, context) }
        guard let body = bytes(of: resource, for: request, rest) else { return send(.plain(405), to: request, context) }
        var answer = Answer(status: 200, mediaType: resource.mediaType, body: body, maximumAge: resource.maximumAge)
        switch resource.conduct {
        case .honest: break
        case .slow(let pause):
            let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            later = context.eventLoop.scheduleTask(in: pause) { [answer] in
                let (handler, context) = loopBound.value
                handler.send(answer, to: request, context)
            }
            return
        case .silent: return
        case .dead: return context.close(promise: nil)
        case .truncated:
            answer.isTruncated = true
        case .oversized(let bytes):
            answer.body += [UInt8](repeating: 0, count: max(0, bytes - body.count))
        case .wrong(let bytes): answer.body = bytes
        case .status(let status): answer = .plain(status)
        case .redirect(let location):
            answer = .plain(302)
            answer.location = location
        }
        send(answer, to: request, context)
    }

    /// The honest body; nil if the method is not for this resource.
    private func bytes(of resource: LabResource, for request: HTTPRequestHead, _ rest: String) -> [UInt8]? {
        switch (resource.content, request.method) {
        case (.fixed(let bytes), .GET), (.fixed(let bytes), .HEAD): return bytes
        case (.ocsp(let responder), .POST): return responder.response(to: body).der
        case (.ocsp(let responder), .GET): return responder.response(to: OCSPPath.decode(rest)).der
        default: return nil
        }
    }

    /// What goes out.
    private struct Answer: Sendable {
        var status: Int
        var mediaType: String
        var body: [UInt8]
        var maximumAge: Int?
        var location: String?
        var isTruncated = false

        static func plain(_ status: Int) -> Answer {
            Answer(status: status, mediaType: "text/plain", body: Array("\(status)\n".utf8))
        }
    }

    private func send(_ answer: Answer, to request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var headers = HTTPHeaders([("content-type", answer.mediaType), ("content-length", "\(answer.body.count)")])
        if let age = answer.maximumAge { headers.add(name: "cache-control", value: "max-age=\(age)") }
        if let location = answer.location { headers.add(name: "location", value: location) }
        let head = HTTPResponseHead(
            version: request.version, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        var rest = request.method == .HEAD ? [] : answer.body[...]
        if answer.isTruncated { rest = rest.prefix(rest.count / 2) }
        while !rest.isEmpty {
            let chunk = context.channel.allocator.buffer(bytes: rest.prefix(Self.chunkSize))
            context.write(wrapOutboundOut(.body(.byteBuffer(chunk))), promise: nil)
            rest = rest.dropFirst(Self.chunkSize)
        }
        if answer.isTruncated {
            let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer())))).whenComplete { _ in
                loopBound.value.close(promise: nil)
            }
        } else {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { later?.cancel() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
