// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO

/// A connection of a gated client. It is the last handler of an HTTP/2 connection, where the streams find it. Use it on
/// the event loop.
final class GatedConnection: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let channel: any Channel
    /// Nil until the server is trusted.
    private var verdict: CurrentVerdict?
    /// The end of each request that may be running, by the identity of its handler.
    private var ends: [ObjectIdentifier: (any Error) -> Void] = [:]

    private init(_ channel: any Channel) { self.channel = channel }

    /// Guards the responses of an HTTP/1.1 connection.
    static func http1(_ channel: any Channel) throws -> GatedConnection {
        let connection = GatedConnection(channel)
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        let watch = ResponseWatch()
        let responses = HTTP1ResponseGuard(watch) {
            connection.problemBeforeRequest()
        } problemOfHead: { head in
            problem(redirect: Int(head.status.code), to: head.headers.first(name: "location"))
        }
        try pipeline.addHandler(watch, position: .before(decoder))
        try pipeline.addHandler(responses, position: .after(decoder))
        connection.ends[ObjectIdentifier(responses)] = { [weak responses] in responses?.fail(with: $0) }
        return connection
    }

    /// Adds itself to an HTTP/2 connection. ``prepareStream(_:)`` then guards the responses.
    static func http2(_ channel: any Channel) throws -> GatedConnection {
        let connection = GatedConnection(channel)
        try channel.pipeline.syncOperations.addHandler(connection)
        return connection
    }

    /// Guards the response of an HTTP/2 stream.
    static func prepareStream(_ stream: any Channel) -> EventLoopFuture<Void> {
        stream.eventLoop.makeCompletedFuture {
            do {
                guard
                    let connection = try? stream.parent?.pipeline.syncOperations.handler(type: GatedConnection.self)
                else { throw HTTPClientError.remoteConnectionClosed }
                let responses = HTTP2ResponseGuard {
                    connection.problemBeforeRequest()
                } problemOfHead: { head in
                    problem(
                        redirect: head.first(name: ":status").flatMap { Int($0) } ?? 0,
                        to: head.first(name: "location"))
                }
                try stream.pipeline.syncOperations.addHandler(responses, position: .first)
                let id = ObjectIdentifier(responses)
                connection.ends[id] = { responses.fail(with: $0) }
                stream.closeFuture.assumeIsolated().whenComplete { _ in connection.ends[id] = nil }
            } catch {
                try? stream.pipeline.syncOperations.addHandler(UnusedStreamEnd(), position: .first)
                throw error
            }
        }
    }

    /// Returns the problem with a redirect that async-http-client must not follow: to a host or a port that don't exist.
    /// It ends the process for a SOCKS request with a name of more than 255 bytes.
    private static func problem(redirect status: Int, to location: String?) -> TrustedHTTPError? {
        // These are the statuses that async-http-client follows. It treats references without a host as relative.
        guard [301, 302, 303, 304, 305, 307, 308].contains(status), let location else { return nil }
        let target = location.hasPrefix("//") ? "https:\(location)" : location
        guard let scheme = ["https://", "http://"].first(where: { target.lowercased().hasPrefix($0) }) else {
            return nil
        }
        let authority = target.dropFirst(scheme.count)
        let end = authority.firstIndex { "/?#\\".contains($0) } ?? authority.endIndex
        do throws(RequestTargetError) { _ = try Origin(target[..<end], ignoresUserInformation: true) } catch {
            return TrustedHTTPError(.redirectMalformed, detail: error.description(for: location))
        }
        return nil
    }

    private func problemBeforeRequest() -> (any Error)? {
        guard let verdict else { return HTTPClientError.remoteConnectionClosed }
        guard let problem = verdict.problemBeforeRequest() else { return nil }
        let error = (problem as? UnansweredRequest)?.error ?? problem
        // The next request makes another connection.
        end(with: error)
        return error
    }

    /// Admits requests to a trusted server, and lists the connection, so that later rules can close it.
    func admit(_ server: EvaluatedServer, _ source: VerdictSource, _ open: OpenServers) {
        let verdict = CurrentVerdict(server) { source }
        self.verdict = verdict
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        open.add(
            server, of: channel, id: ObjectIdentifier(self), renew: { verdict.renew($0) },
            end: { [eventLoop = channel.eventLoop] error in eventLoop.execute { bound.value.end(with: error) } })
    }

    /// Closes the connection. The requests on it fail with this error.
    func end(with error: any Error) {
        channel.eventLoop.assumeIsolated().execute { [self] in
            let ends = ends
            self.ends = [:]
            for end in ends.values { end(error) }
            channel.closeAtOnce()
        }
    }
}

#endif
