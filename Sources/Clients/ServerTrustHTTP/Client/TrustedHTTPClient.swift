// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import HTTPRules
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustNIO

/// An HTTP client that evaluates every server it talks to, by the rules for its host, before a byte of a request goes out.
///
/// ```swift
/// let client = try TrustedHTTPClient(trust: ServerTrustConfiguration(manager))
/// let response = try await client.execute(HTTPClientRequest(url: "https://api.example.com/"), timeout: .seconds(10))
/// let body = try await response.body.collect(upTo: 1 << 20)
/// await client.shutdown()
/// ```
///
/// Inside works async-http-client, with its own requests and responses, its pool, its streaming. Every new connection has its
/// verdict on the validated path, and pins are those of the host in the URL. A refused server throws `TrustRefusal`, with the
/// verdict; a connection that doesn't come to one throws `ConnectionFailure`.
///
/// HTTP/2 with servers that select it, see ``TrustedHTTPConfiguration/httpVersion``.
///
/// The client repeats a request on a new connection if that is safe, unless its body is a stream:
/// * a request that the server didn't process (RFC 9113 § 6.8, § 8.7). It has at most 20 repeats while the server processes other
///   requests on the connections that end, and one otherwise.
/// * an idempotent request (RFC 9110 § 9.2.2) that got no byte of a response on a connection that was used before; once.
///
/// The client evaluates the server of the new connection as any other. It doesn't repeat the request of a refused server. A repeat has the
/// headers of the first request, and is `TrustEvent.requestRepeated(_:)` to observers of the manager.
///
/// Other than in async-http-client: URLs with a user are refused, and `http` is for hosts that are
/// named; redirects never lead from `https` to `http`, and take no credentials along to another origin: neither the headers that are
/// known to be some, nor the client's certificate. As there, a deadline ends with the head of the response; beside it,
/// ``TrustedHTTPConfiguration/bodyTimeout`` limits the body.
///
/// Not checked: certificate transparency and revocation unless the configuration asks for them, as the verdict says.
public final class TrustedHTTPClient: Sendable {
    let configuration: TrustedHTTPConfiguration
    let connections: Connections
    let pools: OriginPools
    /// Makes spans; nil where there is none, or one that does nothing.
    let tracer: RequestTracer?
    /// Whether it is ``shared``, which all parts of a process use.
    let isShared: Bool

    /// - Parameters:
    ///   - trust: how servers are evaluated.
    ///   - configuration: everything else.
    ///   - eventLoopGroup: where connections run; NIO's shared one unless given.
    ///   - logger: gets the pool's messages, and the configuration's warnings; nothing is logged unless given.
    /// - Throws: `ServerTrustContextError` for a TLS configuration that servers could get past, or that names trust roots;
    ///   NIOSSL's errors about it, such as a client's key that doesn't fit its certificate.
    public convenience init(
        trust: ServerTrustConfiguration, configuration: TrustedHTTPConfiguration = TrustedHTTPConfiguration(),
        eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger? = nil
    ) throws {
        for warning in logger == nil ? [] : trust.warnings {
            logger?.warning("\(warning)", metadata: ["code": "\(warning.code)"])
        }
        try self.init(
            source: VerdictSource(trust), configuration: configuration, eventLoopGroup: eventLoopGroup, logger: logger)
    }

    /// - Parameters:
    ///   - source: the source of verdicts.
    ///   - configuration: everything else.
    ///   - eventLoopGroup: where connections run; NIO's shared one unless given.
    ///   - logger: gets the pool's messages; nothing is logged unless given.
    /// - Throws: `ServerTrustContextError` for a TLS configuration that servers could get past, or that names trust roots;
    ///   NIOSSL's errors about it, such as a client's key that doesn't fit its certificate.
    package init(
        source: VerdictSource, configuration: TrustedHTTPConfiguration = TrustedHTTPConfiguration(),
        eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger? = nil,
        isShared: Bool = false
    ) throws {
        self.configuration = configuration
        self.isShared = isShared
        self.tracer = RequestTracer(configuration.tracing)
        self.connections = try Connections(
            source, contexts: TLSContexts(configuration), handshakeTimeout: configuration.effectiveHandshakeTimeout)
        self.pools = OriginPools(
            configuration, connections, group: eventLoopGroup,
            logger: logger ?? Logger(label: "servertrust.http", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    /// Closes every connection, those in the middle of their handshake included. Requests that run fail, and so do later ones.
    /// A client that is released does the same. The ``shared`` client isn't shut down: nothing happens.
    ///
    /// Returns when all sockets are closed, or when the time is over. A server that doesn't answer TLS's `close_notify` holds its connection for
    /// 5 seconds; a TCP connection that isn't there yet may take as long as connecting.
    /// - Parameter timeout: the longest time to wait; 10 seconds unless given. Connections that are left close by themselves later.
    /// - Returns: the number of connections that aren't closed, by host; empty when all are.
    @discardableResult
    public func shutdown(within timeout: Duration = .seconds(10)) async -> [Hostname: Int] {
        guard !isShared else { return connections.remaining }
        return await pools.shutdown(by: .now() + TimeAmount(clamping: timeout))
    }
}

// MARK: - Requests

/// A response, and the server that it is from.
public struct TrustedHTTPResponse: Sendable {
    /// As async-http-client has it; its history has every hop.
    public var response: HTTPClientResponse
    /// The server at the other end of the connection that the response came over, with its verdict; nil for one in the clear.
    public let server: EvaluatedServer?
}

extension TrustedHTTPClient {
    /// Sends a request, and follows redirects as configured.
    /// - Parameters:
    ///   - request: as for `HTTPClient`; without a TLS configuration of its own.
    ///   - deadline: for the head of the response, redirects included.
    ///   - bodyTimeout: the longest time from the head to the end of the body; ``TrustedHTTPConfiguration/bodyTimeout`` unless given.
    ///     Reading a body that takes longer throws `HTTPClientError.deadlineExceeded`.
    ///   - logger: gets the messages about this request; nothing is logged unless given.
    /// - Returns: when the response's head is there; the body comes as it is read.
    /// - Throws: `TrustRefusal` for a server that isn't trusted and for a host that the rules deny, which isn't contacted, `ConnectionFailure` if it didn't come to a verdict,
    ///   ``TrustedHTTPError`` for a URL or a redirect that is refused, otherwise `HTTPClient`'s errors.
    public func execute(
        _ request: HTTPClientRequest, deadline: NIODeadline, bodyTimeout: Duration? = nil, logger: Logger? = nil
    ) async throws -> HTTPClientResponse {
        try await traced(request, ResponseLimits(head: deadline, body: limit(bodyTimeout)), logger).response
    }

    /// Sends a request, and follows redirects as configured; see ``execute(_:deadline:bodyTimeout:logger:)``.
    /// - Parameters:
    ///   - request: as for `HTTPClient`; without a TLS configuration of its own.
    ///   - timeout: for the head of the response, redirects included.
    ///   - bodyTimeout: the longest time from the head to the end of the body; ``TrustedHTTPConfiguration/bodyTimeout`` unless given.
    ///   - logger: gets the messages about this request; nothing is logged unless given.
    public func execute(
        _ request: HTTPClientRequest, timeout: Duration, bodyTimeout: Duration? = nil, logger: Logger? = nil
    ) async throws -> HTTPClientResponse {
        try await execute(
            request, deadline: .now() + TimeAmount(clamping: timeout), bodyTimeout: bodyTimeout, logger: logger)
    }

    /// Sends a request as ``execute(_:deadline:bodyTimeout:logger:)`` does, and returns the server that the response is from.
    public func exchange(
        _ request: HTTPClientRequest, deadline: NIODeadline, bodyTimeout: Duration? = nil, logger: Logger? = nil
    ) async throws -> TrustedHTTPResponse {
        let answer = try await traced(request, ResponseLimits(head: deadline, body: limit(bodyTimeout)), logger)
        return TrustedHTTPResponse(response: answer.response, server: answer.connection.server)
    }

    /// Sends a request as ``execute(_:deadline:bodyTimeout:logger:)`` does.
    /// - Parameters:
    ///   - deadline: for all of it, redirects and the body of the response included.
    ///   - isBodyReplayable: whether a body that is a stream begins anew each time that it is read.
    package func execute(
        _ request: HTTPClientRequest, completeBy deadline: NIODeadline, isBodyReplayable: Bool = false,
        logger: Logger? = nil
    ) async throws -> HTTPClientResponse {
        let limits = ResponseLimits(head: deadline, body: .by(deadline))
        return try await traced(request, limits, logger, isBodyReplayable: isBodyReplayable).response
    }

    private func limit(_ bodyTimeout: Duration?) -> ResponseLimits.Body {
        (bodyTimeout ?? configuration.bodyTimeout).map { .within(TimeAmount(clamping: $0)) } ?? .none
    }

    /// All hops.
    @inline(__always)
    func follow(
        _ request: HTTPClientRequest, _ limits: ResponseLimits, _ logger: Logger?, isBodyReplayable: Bool
    ) async throws -> Answer {
        var request = request
        var hops = RedirectHops(configuration.redirects, from: request.url)
        var history: [HTTPClientRequestResponse] = []
        while true {
            var answer = try await send(
                request, isBodyReplayable: isBodyReplayable, isAnonymous: hops.hasLeftOrigin, deadline: limits.head,
                logger: logger)
            // The request of the caller and the head that the caller gets, not those of the client inside.
            let hop = HTTPClientRequestResponse(
                request: request,
                responseHead: HTTPResponseHead(
                    version: answer.response.version, status: answer.response.status, headers: answer.response.headers))
            if history.isEmpty, answer.response.history.count == 1 {
                // In its place, without another array: most requests have one hop.
                answer.response.history[0] = hop
            } else {
                answer.response.history = history + [hop]
            }
            guard let next = try hops.next(after: request, answer.response) else {
                answer.limitBody(limits.body)
                return answer
            }
            // The rest of a small body is read, so that its connection can be used again. It is part of the way to the last head.
            answer.limitBody(.by(limits.head))
            if let length = answer.response.headers.first(name: "content-length").flatMap({ Int($0) }),
                length <= 1 << 14
            {
                // If that fails the connection is gone, and nothing is lost.
                _ = try? await answer.response.body.collect(upTo: length)
            }
            history = answer.response.history
            request = next
        }
    }

    /// One hop. The time for the body of its response isn't limited: see ``Answer/limitBody(_:)``.
    /// - Parameters:
    ///   - isBodyReplayable: whether a body that is a stream begins anew each time that it is read.
    ///   - address: the address to connect to, in the clear as well; nil for the resolver's, and for `http` only where the
    ///     configuration allows it.
    ///   - isAnonymous: whether the server isn't shown the client's certificate.
    ///   - isPlainAllowed: whether `http` is allowed for every host.
    func send(
        _ request: HTTPClientRequest, isBodyReplayable: Bool = false, to address: IPAddress? = nil,
        isAnonymous: Bool = false,
        insecurelyInTheClear isPlainAllowed: Bool = false, deadline: NIODeadline, logger: Logger?
    ) async throws -> Answer {
        guard request.tlsConfiguration == nil else {
            throw TrustedHTTPError(.requestTLSConfiguration, url: request.url)
        }
        let (prefix, resource) = try Self.parts(of: request.url)
        var inner = request
        tracer?.injectContext(into: &inner.headers)
        if let problem = RequestSyntax.problem(method: inner.method.rawValue, fields: inner.headers) {
            throw TrustedHTTPError(.requestMalformed, url: request.url, detail: problem)
        }
        let pool = try pools.addRequest(
            prefix, in: request.url, at: address, isAnonymous: isAnonymous, insecurelyInTheClear: isPlainAllowed
        ) { key throws(TrustRefusal) in try requireNotDenied(key.origin) }
        if !inner.headers.contains(name: "host") { inner.headers.add(name: "host", value: pool.hostHeader) }
        var response: HTTPClientResponse
        do {
            response = try await answer(
                to: inner, resource, isBodyReplayable: isBodyReplayable, from: pool, deadline: deadline, logger: logger)
            pool.completeRequest()
        } catch {
            // A server that never answers the handshake would keep its connections, and later requests in line for them.
            if pool.abandonRequest() { connections.abandonHandshakes(to: pool.key) }
            throw error
        }
        guard let delivery = connections.deliver(response.headers) else {
            // Every connection tags its responses once it may be used; a response without a tag came over none of ours.
            throw ConnectionFailure(.connectionNotEvaluated, host: pool.key.host)
        }
        response.headers.remove(name: ResponseTaggingHandler.header)
        guard delivery.connection.server != nil || !pool.key.isSecure else {
            throw ConnectionFailure(.connectionNotEvaluated, host: pool.key.host)
        }
        return Answer(response: response, delivery: delivery)
    }

    private static func parts(
        of url: String
    ) throws(TrustedHTTPError) -> (prefix: Substring, resource: Substring) {
        do throws(RequestTargetError) { return try RequestTarget.parts(of: url) } catch {
            throw TrustedHTTPError(unusable: error, url: url)
        }
    }

    /// Asks the rules before anything is sent on a host's behalf, its name to a resolver included, and on connections that are open.
    func requireNotDenied(_ origin: Origin) throws(TrustRefusal) {
        if let verdict = connections.source.denial(of: origin.host, isCleartext: !origin.isSecure) {
            throw TrustRefusal(verdict)
        }
    }

    @inline(__always)
    private func answer(
        to request: HTTPClientRequest, _ resource: Substring, isBodyReplayable: Bool, from pool: OriginPool,
        deadline: NIODeadline, logger: Logger?
    ) async throws -> HTTPClientResponse {
        // Not in the time for connecting: a look-up has its own.
        try await pool.lookUpName(connections, before: deadline)
        var start = NIODeadline.now()
        var rounds = ConnectionRounds()
        var budget = RepeatBudget()
        var isRepeat = false
        while true {
            do {
                return try await pool.execute(request, resource, isRepeat: isRepeat, deadline: deadline, logger: logger)
            } catch let failure as UnansweredRequest {
                guard isBodyReplayable || request.body?.canBeSentAgain ?? true,
                    let reason = budget.spend(on: failure.fate, request.method), !Task.isCancelled, .now() < deadline
                else { throw pool.namingProxy(failure.error, since: start, connections) }
                // The rules may have been replaced since the request was sent. The new connection is evaluated by them.
                try requireNotDenied(pool.key.origin)
                connections.source.reportRepeat(RepeatedRequest(host: pool.key.host, reason: reason))
                isRepeat = true
                try await pool.lookUpName(connections, before: deadline)
                start = .now()
            } catch let error as HTTPClientError
                where error == .connectTimeout && connections.hasSlowHandshake(pool.key, since: start)
            {
                // The pool gave up first; it was waiting for TLS.
                throw ConnectionFailure(.connectionTimedOut, host: pool.key.host)
            } catch let abandoned as HandshakeAbandoned {
                // By those before this one, or for another protocol, so that another try is due. But a pool remembers the error of its last connection,
                // and hands that over as well when it has run out of time.
                try Task.checkCancellation()
                try rounds.spend(abandoned)
                let now = NIODeadline.now()
                guard now < deadline else { throw HTTPClientError.deadlineExceeded }
                guard now < start + configuration.connectTimeout else {
                    guard connections.hasSlowHandshake(pool.key, since: start) else {
                        throw HTTPClientError.getConnectionFromPoolTimeout
                    }
                    throw ConnectionFailure(.connectionTimedOut, host: pool.key.host)
                }
            } catch {
                throw pool.namingProxy(error, since: start, connections)
            }
        }
    }
}

// MARK: - When rules change

extension TrustedHTTPClient {
    /// The source of this client's verdicts.
    package var source: VerdictSource { connections.source }

    /// The number of open connections, with TLS and verdict done.
    package var openConnections: Int { connections.count }

    /// The number of connections whose TLS or verdict isn't done.
    package var handshakesUnderWay: Int { connections.remaining.values.reduce(0, +) - connections.count }

    /// Evaluates by other rules from now on, those of open connections included: see ``reevaluateConnections()``.
    /// - Throws: ``TrustedHTTPError`` for the ``shared`` client, whose rules are the same for all parts of a process.
    @discardableResult
    public func replaceTrust(_ trust: ServerTrustConfiguration) async throws(TrustedHTTPError) -> [EvaluatedServer] {
        guard !isShared else { throw TrustedHTTPError(.clientShared) }
        return await connections.reevaluate(by: VerdictSource(trust))
    }

    /// Evaluates by another source from now on, open connections as well: see ``reevaluateConnections()``.
    @discardableResult
    package func replaceSource(_ source: VerdictSource) async -> [EvaluatedServer] {
        await connections.reevaluate(by: source)
    }

    /// Evaluates the chains of all open connections anew, by the rules as they are now, and closes those that
    /// aren't trusted any more, idle or not. Requests on them fail with `TrustRefusal`.
    ///
    /// All are asked about at once. One without a verdict within ``TrustedHTTPConfiguration/handshakeTimeout`` is closed as well, and
    /// a request on it fails with `ConnectionFailure`.
    ///
    /// To be called when something changed that the rules depend on: pins that are read anew, a certificate that expired, a CRL.
    /// - Returns: the refused servers with their new verdicts, one for each connection closed for its verdict, in no order, when all
    ///   are closed.
    @discardableResult
    public func reevaluateConnections() async -> [EvaluatedServer] { await connections.reevaluate(by: nil) }
}
