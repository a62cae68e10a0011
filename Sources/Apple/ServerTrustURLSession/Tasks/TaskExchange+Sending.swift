// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import AsyncHTTPClient
import Foundation
import FoundationNetworking
import NIOCore
import NIOHTTP1
import PKIX
import ServerTrust
import ServerTrustNIO
import SessionDelegates

extension TaskExchange {
    func send(
        _ head: HTTPClientRequest, _ body: RequestBody, to server: ConnectionKey?, _ proxy: DelegateProxy
    ) async throws -> HTTPClientResponse {
        guard let server else {
            throw SessionError.make(.badURL, at: proxy.url, "the URL has no host")
        }
        let transport = transport(to: server)
        inUse.withLock { $0 = transport }
        let state = context.configuration.state
        var request = head
        let declared = head.headers.first(name: "content-length").flatMap(Int64.init)
        request.headers.remove(name: "content-length")
        let expected = body.length ?? declared ?? -1
        let (limits, emit, tells) = (
            limits, emit,
            context.session.foundationDelegate is any FoundationNetworking.URLSessionTaskDelegate
                || server.delegate != nil
        )
        let transaction = metrics?.current
        request.body = try body.clientBody(length: declared) { [metrics] bytes, total in
            limits.recordActivity()
            metrics?.send(total, of: transaction)
            emit(.sent(total, expected: expected))
            if tells { proxy.reportSent(bytes, total: total, expected: expected) }
        }
        limits.recordActivity()
        let ticket = state.waiting.add(proxy, for: server)
        defer { state.waiting.remove(ticket, for: server) }
        do {
            let answer = try await transport.execute(
                request, isBodyReplayable: body.isReplayable, timeout: limits.remaining)
            limits.recordActivity()
            metrics?.respond(answer)
            return answer.response
        } catch {
            if (error as? ConnectionFailure)?.proxyChallenges != nil { throw error }
            throw proxy.recordedFailure ?? SessionError.make(error, at: proxy.url, context.policy.errorNumbers)
        }
    }

    /// Returns the server of a URL together with the task's own delegate, or nil for a URL without a host.
    func server(at url: URL) -> ConnectionKey? {
        let delegate = context.ownDelegate.map { ObjectIdentifier($0) }
        return Origin(url: url.absoluteString).map { ConnectionKey(origin: $0, delegate: delegate) }
    }

    private func transport(to server: ConnectionKey) -> any SessionTransport {
        let (policy, state) = (context.policy, context.configuration.state)
        let proxies = context.proxies.selection
        let hasDelegate = server.delegate != nil || context.session.foundationDelegate != nil
        let connectionsPerHost = context.configuration.httpMaximumConnectionsPerHost
        let timeout = Duration.seconds(max(1, min(context.configuration.timeoutIntervalForRequest, 1e6)))
        return state.transport(to: server, for: context.ownDelegate) { [waiting = state.waiting] credentials in
            let provider =
                hasDelegate ? DelegateTrustProvider(policy: policy, waiting: waiting, server: server) : nil
            return TrustedTransport(
                policy, proxies: proxies, provider: provider, waiting: waiting, server: server,
                credentials: credentials, connectionsPerHost: connectionsPerHost, timeout: timeout)
        }
    }

    func head(
        for request: URLRequest, _ body: RequestBody, keepsCookies: Bool
    ) throws -> HTTPClientRequest {
        guard let url = request.url, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw SessionError.make(.badURL, at: request.url)
        }
        components.user = nil
        components.password = nil
        components.fragment = nil
        guard let text = components.string else { throw SessionError.make(.badURL, at: url) }
        var head = HTTPClientRequest(url: text)
        head.method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        for (name, value) in request.allHTTPHeaderFields ?? [:] where !Self.ours.contains(name.asciiLowercased) {
            // NIO requires ASCII names, so check before NIO gets the name.
            guard RequestSyntax.isToken(name) else { throw SessionError.make(.badURL, at: url) }
            head.headers.add(name: name, value: value)
        }
        if case .stream = body, let length = request.value(forHTTPHeaderField: "Content-Length") {
            head.headers.add(name: "content-length", value: length)
        }
        // The request after a redirect goes to another address, even if a delegate has copied the fields of the
        // first request.
        if !keepsCookies { head.headers.remove(name: "cookie") }
        if !head.headers.contains(name: "cookie"), request.httpShouldHandleCookies,
            let cookies = Cookies(context.configuration)?.header(for: url)
        {
            head.headers.add(name: "cookie", value: cookies)
        }
        // A range of a compressed body can't be decompressed.
        if !head.headers.contains(name: "accept-encoding"), !head.headers.contains(name: "range") {
            head.headers.add(name: "accept-encoding", value: ContentCoding.accepted)
        }
        if !head.headers.contains(name: "accept") { head.headers.add(name: "accept", value: "*/*") }
        for (name, value) in FoundationFields.all where !head.headers.contains(name: name) {
            head.headers.add(name: name, value: value)
        }
        return head
    }

    /// The fields of the connection, not of the request.
    private static let ours: Set<String> = [
        "connection", "content-length", "transfer-encoding", "keep-alive", "upgrade", "te", "trailer",
        "proxy-authorization", "proxy-connection",
    ]

    /// Returns the request's target as it is sent, for Digest (RFC 9112 § 3.2.1).
    static func target(of url: URL) -> String {
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? ""
        return (path.isEmpty ? "/" : path) + (components?.percentEncodedQuery.map { "?" + $0 } ?? "")
    }

    /// Returns the app's request with the configuration's headers. Headers of the request have precedence. Cookies
    /// that Foundation has chosen are removed, because ``head(for:_:keepsCookies:)`` chooses them.
    static func prepared(_ request: URLRequest, _ configuration: URLSessionConfiguration) -> URLRequest {
        var request = request
        if Cookies(configuration)?.haveField(of: request) == true {
            request.setValue(nil, forHTTPHeaderField: "Cookie")
        }
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            guard let name = name as? String, request.value(forHTTPHeaderField: name) == nil else { continue }
            request.setValue("\(value)", forHTTPHeaderField: name)
        }
        return request
    }

    static func url(of request: URLRequest) throws -> URL {
        guard let url = request.url else { throw SessionError.make(.badURL, at: nil) }
        return url
    }

    /// - Throws: an error for every address that isn't https, because there is no server certificate to evaluate.
    static func checkedURL(of request: URLRequest) throws -> URL {
        let url = try url(of: request)
        switch url.scheme?.asciiLowercased {
        case "https": return url
        case "http", "ws": throw SessionError.unsupported(.cleartext, at: url)
        default: throw SessionError.unsupported(.scheme, at: url)
        }
    }

    /// Checks a request's host against the rules: before the cache, before any delegate is called, and before the
    /// name is looked up.
    /// - Throws: an error if the rules deny the host.
    func requireNotDenied(_ request: URLRequest) throws {
        guard let url = request.url, let host = url.host.flatMap({ try? Hostname($0) }),
            let denial = context.policy.trust.denial(of: host)
        else { return }
        throw URLError(refused: denial, at: url, errorNumbers: context.policy.errorNumbers)
    }
}

extension TaskExchange {
    /// Returns the session's cache for a request with these fields and this password.
    func cache(
        for fields: HTTPHeaders, _ password: PasswordCredential?, at url: URL, of server: ConnectionKey?,
        _ scope: DelegateScope
    ) -> ResponseCache? {
        let client = CacheClient(
            fields: fields, password: password.map { [$0.user, $0.password] },
            certificates: server.map { scope.credentials.certificates(for: $0) } ?? [])
        return ResponseCache(context.configuration.urlCache, scope: scope.id, for: client, at: url)
    }

    /// Returns the cached response, if the request's cache policy allows looking for one.
    func cachedAnswer(
        _ cache: ResponseCache?, _ request: URLRequest
    ) throws -> (response: CachedURLResponse, isFresh: Bool)? {
        // The server has to answer a conditional request or a request for a range.
        guard !Self.conditions.contains(where: { request.value(forHTTPHeaderField: $0) != nil }) else { return nil }
        switch request.cachePolicy == .useProtocolCachePolicy
            ? context.configuration.requestCachePolicy : request.cachePolicy
        {
        case .useProtocolCachePolicy: return cache?.lookUp(request)
        case .returnCacheDataElseLoad: return cache?.lookUp(request).map { ($0.response, true) }
        case .returnCacheDataDontLoad:
            guard let found = cache?.lookUp(request) else {
                throw SessionError.make(.resourceUnavailable, at: request.url)
            }
            return (found.response, true)
        case .reloadRevalidatingCacheData: return cache?.lookUp(request).map { ($0.response, false) }
        default: return nil
        }
    }

    private static let conditions = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "Range",
    ]
}

#endif
