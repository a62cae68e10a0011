// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustNIO

/// An HTTP client that evaluates every server with the rules for its host before it sends any part of a request.
///
/// ```swift
/// let client = try TrustedHTTPClient(trust: ServerTrustConfiguration(manager))
/// let response = try await client.execute(HTTPClientRequest(url: "https://api.example.com/"), timeout: .seconds(10))
/// let body = try await response.body.collect(upTo: 1 << 20)
/// await client.shutdown()
/// ```
///
/// It wraps async-http-client, and uses that library's requests, responses, connection pool and streaming. Each new
/// connection has a verdict on the validated path, and the pins are those of the host in the URL. If a server is
/// refused, the client throws `TrustRefusal` with the verdict. If a connection ends without a verdict, it throws
/// `ConnectionFailure`.
///
/// The client uses HTTP/2 with servers that select it. See ``TrustedHTTPConfiguration/httpVersion``.
///
/// The client repeats a request on a new connection if that is safe, unless its body is a stream:
/// * A request whose connection had ended before the client sent any part. The client repeats it at most three times.
/// * A request that the server didn't process (RFC 9113 § 6.8, § 8.7). The client repeats it at most 20 times while the
///   server processes other requests on the connections that end, otherwise once.
/// * An idempotent request (RFC 9110 § 9.2.2) that received no part of a response on a reused connection. The client
///   repeats it once.
///
/// The client evaluates the server of the new connection like any other. It never repeats a request to a refused
/// server. A repeat has the headers of the first request, and observers of the manager receive
/// `TrustEvent.requestRepeated(_:)`.
///
/// The client differs from async-http-client: it rejects URLs with a user, and uses `http` only for hosts that you
/// name. Redirects never go from `https` to `http`. They never take credentials to another origin: neither the headers
/// that are known to be credentials, nor the client's certificate. As in async-http-client, a deadline ends with the
/// head of the response. In addition, ``TrustedHTTPConfiguration/bodyTimeout`` limits the body.
///
/// Not checked: Certificate Transparency and revocation, unless the configuration asks for them. The verdict shows
/// which checks ran.
public final class TrustedHTTPClient: Sendable {
    let configuration: TrustedHTTPConfiguration
    let connections: Connections
    let pools: OriginPools
    /// Creates spans. Nil if there is no tracer, or if the tracer does nothing.
    let tracer: RequestTracer?
    /// Whether this is the ``shared`` client, which all parts of a process use.
    let isShared: Bool

    /// - Parameters:
    ///   - trust: how to evaluate servers.
    ///   - configuration: all other settings.
    ///   - eventLoopGroup: where connections run. The default is NIO's shared group.
    ///   - logger: receives the pool's messages and the configuration's warnings. By default, nothing is logged.
    /// - Throws: `ServerTrustContextError` if servers could bypass verification with the TLS configuration, or if it
    ///   names trust roots. NIOSSL's errors about the TLS configuration, for example a client key that doesn't match
    ///   its certificate.
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
    ///   - proxySource: the source of the verdicts on proxies. Nil for `source`.
    ///   - configuration: all other settings.
    ///   - eventLoopGroup: where connections run. The default is NIO's shared group.
    ///   - logger: receives the pool's messages. By default, nothing is logged.
    /// - Throws: `ServerTrustContextError` if servers could bypass verification with the TLS configuration, or if it
    ///   names trust roots. NIOSSL's errors about the TLS configuration, for example a client key that doesn't match
    ///   its certificate.
    package init(
        source: VerdictSource, proxySource: VerdictSource? = nil,
        configuration: TrustedHTTPConfiguration = TrustedHTTPConfiguration(),
        eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger? = nil,
        isShared: Bool = false
    ) throws {
        self.configuration = configuration
        self.isShared = isShared
        self.tracer = RequestTracer(configuration.tracing)
        self.connections = try Connections(
            source, proxies: proxySource, contexts: TLSContexts(configuration),
            handshakeTimeout: configuration.effectiveHandshakeTimeout, asksDelegate: configuration.asksDelegate,
            timesRequests: configuration.timesRequests)
        self.pools = OriginPools(
            configuration, connections, group: eventLoopGroup,
            logger: logger ?? Logger(label: "servertrust.http", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    /// Closes all connections, including those that are still in their handshake.
    ///
    /// Requests that are running fail, and so do later ones. Releasing the client has the same effect. Calling this
    /// method on the ``shared`` client does nothing.
    ///
    /// The method returns when all sockets are closed or when the time has passed. A server that doesn't answer TLS's
    /// `close_notify` keeps its connection open for 5 seconds. A TCP connection that isn't established yet may stay
    /// open until the connect timeout.
    /// - Parameter timeout: the longest time to wait. The default is 10 seconds. Connections that are still open after
    ///   it close by themselves later.
    /// - Returns: the number of connections that are still open, by host. Empty if all are closed.
    @discardableResult
    public func shutdown(within timeout: Duration = .seconds(10)) async -> [Hostname: Int] {
        guard !isShared else { return connections.remaining }
        return await pools.shutdown(by: .now() + TimeAmount(clamping: timeout))
    }
}

// MARK: - Requests

extension TrustedHTTPClient {
    /// Sends a request, and follows redirects as configured.
    /// - Parameters:
    ///   - request: an async-http-client request. Don't set its TLS configuration.
    ///   - deadline: the deadline for the head of the response, including redirects.
    ///   - bodyTimeout: the longest time from the head to the end of the body. The default is
    ///     ``TrustedHTTPConfiguration/bodyTimeout``. If a body takes longer, reading it throws
    ///     `HTTPClientError.deadlineExceeded`.
    ///   - logger: receives the messages about this request. By default, nothing is logged.
    /// - Returns: the response, as soon as its head has arrived. The body arrives as you read it.
    /// - Throws: `TrustRefusal` if the server isn't trusted, or if the rules deny the host. In that case, the client
    ///   doesn't contact it. `ConnectionFailure` if a connection ends without a verdict. ``TrustedHTTPError`` if the
    ///   client rejects the URL or a redirect. Otherwise the errors of `HTTPClient`.
    public func execute(
        _ request: HTTPClientRequest, deadline: NIODeadline, bodyTimeout: Duration? = nil, logger: Logger? = nil
    ) async throws -> HTTPClientResponse {
        try await traced(request, ResponseLimits(head: deadline, body: limit(bodyTimeout)), logger).response
    }

    /// Sends a request, and follows redirects as configured. See ``execute(_:deadline:bodyTimeout:logger:)``.
    /// - Parameters:
    ///   - request: an async-http-client request. Don't set its TLS configuration.
    ///   - timeout: the time limit for the head of the response, including redirects.
    ///   - bodyTimeout: the longest time from the head to the end of the body. The default is
    ///     ``TrustedHTTPConfiguration/bodyTimeout``.
    ///   - logger: receives the messages about this request. By default, nothing is logged.
    public func execute(
        _ request: HTTPClientRequest, timeout: Duration, bodyTimeout: Duration? = nil, logger: Logger? = nil
    ) async throws -> HTTPClientResponse {
        try await execute(
            request, deadline: .now() + TimeAmount(clamping: timeout), bodyTimeout: bodyTimeout, logger: logger)
    }

    /// Sends a request as ``execute(_:deadline:bodyTimeout:logger:)`` does, and returns the response with the server
    /// that sent it.
    public func exchange(
        _ request: HTTPClientRequest, deadline: NIODeadline, bodyTimeout: Duration? = nil, logger: Logger? = nil
    ) async throws -> TrustedHTTPResponse {
        try await traced(request, ResponseLimits(head: deadline, body: limit(bodyTimeout)), logger)
    }

    /// Sends a request as ``execute(_:deadline:bodyTimeout:logger:)`` does.
    /// - Parameters:
    ///   - deadline: the deadline for the whole exchange, including redirects and the body of the response.
    ///   - isBodyReplayable: whether a streaming body starts again each time it is read.
    package func exchange(
        _ request: HTTPClientRequest, completeBy deadline: NIODeadline, isBodyReplayable: Bool = false
    ) async throws -> TrustedHTTPResponse {
        let limits = ResponseLimits(head: deadline, body: .by(deadline))
        return try await traced(request, limits, nil, isBodyReplayable: isBodyReplayable)
    }

    func limit(_ bodyTimeout: Duration?) -> ResponseLimits.Body {
        (bodyTimeout ?? configuration.bodyTimeout).map { .within(TimeAmount(clamping: $0)) } ?? .none
    }

    /// Sends a request and follows all hops.
    @inline(__always)
    func follow(
        _ request: HTTPClientRequest, _ limits: ResponseLimits, _ logger: Logger?, isBodyReplayable: Bool
    ) async throws -> TrustedHTTPResponse {
        var request = request
        var hops = RedirectHops(configuration.redirects, from: request.url)
        var history: [HTTPClientRequestResponse] = []
        var retries = RetryBudget(configuration, deadline: limits.head, isBodyReplayable: isBodyReplayable)
        while true {
            // async-http-client can be late for a deadline that has passed, and the server may answer before.
            guard .now() < limits.head else { throw HTTPClientError.deadlineExceeded }
            var answer: TrustedHTTPResponse
            do {
                answer = try await send(
                    withCookies(request), isBodyReplayable: isBodyReplayable, isAnonymous: hops.hasLeftOrigin,
                    deadline: limits.head, logger: logger)
            } catch {
                guard let wait = retries.spend(on: error, of: request) else { throw error }
                logger?.debug("retrying a request", metadata: ["error": "\(error)"])
                try await retries.sleep(wait)
                continue
            }
            configuration.cookies?.store(answer.response.headers["set-cookie"], from: request.url)
            if let wait = retries.spend(on: answer.response, to: request) {
                logger?.debug("retrying a request", metadata: ["status": "\(answer.response.status.code)"])
                // The server must not choose how long this takes.
                await answer.drain(by: min(limits.head, .now() + .seconds(1)))
                try await retries.sleep(wait)
                continue
            }
            // The caller's request and the head that the caller receives, not the request and the head of the inner
            // client.
            let hop = HTTPClientRequestResponse(
                request: request,
                responseHead: HTTPResponseHead(
                    version: answer.response.version, status: answer.response.status, headers: answer.response.headers))
            answer.response.history += history
            answer.response.history.append(hop)
            guard let next = try hops.next(after: request, answer.response) else {
                answer.limitBody(limits.body)
                answer.response.name(configuration.decompression, url: request.url)
                return answer
            }
            // The deadline for the head includes this time.
            await answer.drain(by: limits.head)
            history = answer.response.history
            request = next
        }
    }

    /// Returns the request with the cookies for its URL, unless it has its own.
    private func withCookies(_ request: HTTPClientRequest) -> HTTPClientRequest {
        guard let cookies = configuration.cookies, !request.headers.contains(name: "cookie"),
            let field = cookies.field(for: request.url)
        else { return request }
        var request = request
        request.headers.add(name: "cookie", value: field)
        return request
    }

    /// Sends the request of one hop. The response has no history, and the time for its body isn't limited. See
    /// ``TrustedHTTPResponse/limitBody(_:)``.
    /// - Parameters:
    ///   - isBodyReplayable: whether a streaming body starts again each time it is read.
    ///   - address: the address to connect to, also for `http`. Nil to use the resolver's addresses, with `http` only
    ///     where the configuration allows it.
    ///   - isAnonymous: whether to withhold the client's certificate from the server.
    ///   - isPlainAllowed: whether `http` is allowed for every host.
    func send(
        _ request: HTTPClientRequest, isBodyReplayable: Bool = false, to address: IPAddress? = nil,
        isAnonymous: Bool = false,
        insecurelyInTheClear isPlainAllowed: Bool = false, deadline: NIODeadline, logger: Logger?
    ) async throws -> TrustedHTTPResponse {
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
        let response: HTTPClientResponse
        do {
            response = try await answer(
                to: inner, resource, isBodyReplayable: isBodyReplayable, from: pool, deadline: deadline, logger: logger)
            pool.completeRequest()
        } catch {
            // Otherwise, connections to a server that never answers the handshake would stay open, and later requests
            // would wait for them.
            if pool.abandonRequest() { connections.abandonHandshakes(to: pool.key) }
            guard let malformed = error as? TrustedHTTPError, malformed.code == .responseMalformed else { throw error }
            // The connection knows no URL.
            throw TrustedHTTPError(malformed.code, url: request.url, detail: malformed.detail)
        }
        // Every connection tags its responses as soon as it can be used. A response without a tag came over an unknown
        // connection.
        guard let answer = connections.deliver(consume response), answer.server != nil || !pool.key.isSecure else {
            throw ConnectionFailure(.connectionNotEvaluated, host: pool.key.host)
        }
        return answer
    }

    private static func parts(
        of url: String
    ) throws(TrustedHTTPError) -> (prefix: Substring, resource: Substring) {
        do throws(RequestTargetError) { return try RequestTarget.parts(of: url) } catch {
            throw TrustedHTTPError(unusable: error, url: url)
        }
    }

    /// Throws if the rules deny the host. Called before the client sends anything for the host, including its name to a
    /// resolver, and also before it uses open connections.
    func requireNotDenied(_ origin: Origin) throws(TrustRefusal) {
        try connections.source.requireNotDenied(origin.host, isCleartext: !origin.isSecure)
    }

    @inline(__always)
    private func answer(
        to request: HTTPClientRequest, _ resource: Substring, isBodyReplayable: Bool, from pool: OriginPool,
        deadline: NIODeadline, logger: Logger?
    ) async throws -> HTTPClientResponse {
        // The connect timeout doesn't include the lookup, which has its own limit.
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
                // The rules may have changed since the client sent the request. The client evaluates the new
                // connection's server with the new rules.
                try requireNotDenied(pool.key.origin)
                connections.source.reportRepeat(RepeatedRequest(host: pool.key.host, reason: reason))
                isRepeat = true
                try await pool.lookUpName(connections, before: deadline)
                start = .now()
            } catch let error as HTTPClientError
                where error == .connectTimeout && connections.hasSlowHandshake(pool.key, since: start)
            {
                // The pool was waiting for TLS when its timeout passed.
                throw ConnectionFailure(.connectionTimedOut, host: pool.key.host)
            } catch let refused as ExplorationRefused {
                guard refused.time < start else { throw refused.refusal }
                // The refusal was about earlier requests. Few connections are left that end because of it.
                try Task.checkCancellation()
                guard .now() < deadline else { throw HTTPClientError.deadlineExceeded }
            } catch let abandoned as HandshakeAbandoned {
                // An earlier request abandoned the handshake, or the handshake was for another protocol, so this
                // request tries again. However, a pool remembers the error of its last connection and also throws it
                // when the pool has run out of time.
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

    /// The number of open connections that have completed TLS and have a verdict.
    package var openConnections: Int { connections.count }

    /// Replaces the rules for new connections and for open ones. See ``reevaluateConnections()``.
    /// - Throws: ``TrustedHTTPError`` for the ``shared`` client, because all parts of a process share its rules.
    @discardableResult
    public func replaceTrust(_ trust: ServerTrustConfiguration) async throws(TrustedHTTPError) -> [EvaluatedServer] {
        guard !isShared else { throw TrustedHTTPError(.clientShared) }
        return await connections.reevaluate(by: VerdictSource(trust))
    }

    /// Evaluates the chains of all open connections again with the current rules, and closes the connections whose
    /// servers are no longer trusted.
    ///
    /// It closes idle connections and connections in use. Requests on them fail with `TrustRefusal`.
    ///
    /// All evaluations run at the same time. If a connection has no verdict within
    /// ``TrustedHTTPConfiguration/handshakeTimeout``, the client closes it, too, and a request on it fails with
    /// `ConnectionFailure`.
    ///
    /// This happens by itself when the rules of the configuration's manager change. Call the method to wait for that, or
    /// when something else that the rules depend on has changed: a certificate expired, or there is a new CRL.
    /// - Returns: the refused servers with their new verdicts, in no particular order. There is one entry for each
    ///   connection that the client closed because of its verdict. The method returns when all of these connections are
    ///   closed.
    @discardableResult
    public func reevaluateConnections() async -> [EvaluatedServer] { await connections.reevaluate(by: nil) }
}

extension TrustedHTTPClient {
    /// The client for programs without custom rules. It evaluates every server with the system's anchors and the name
    /// of its host.
    ///
    /// ```swift
    /// let response = try await TrustedHTTPClient.shared.get(url: "https://www.example.com/")
    /// ```
    /// It has the settings of `HTTPClient.shared`: a connect timeout and a read timeout of 90 seconds, 20 redirects,
    /// and decompression. It doesn't read the system's proxies. It has no pins and no denied hosts, you can't replace
    /// its rules, and it never shuts down.
    /// - Throws: NIOSSL's error if it can't create a TLS context.
    public static var shared: TrustedHTTPClient {
        get throws { try sharedClient.get() }
    }
}

private let sharedClient = Result {
    try TrustedHTTPClient(
        source: VerdictSource(.publicWeb),
        configuration: TrustedHTTPConfiguration(.singletonConfiguration, redirects: .follow(max: 20)), isShared: true)
}

#endif
