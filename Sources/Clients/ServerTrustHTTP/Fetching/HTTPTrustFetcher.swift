// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import HTTPRules
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustFetching
import ServerTrustNIO
import TrustSupport

/// Fetches issuers, OCSP responses and CRLs over HTTP, from URLs of certificates that aren't verified yet.
///
/// Before it connects it asks the resolver, checks the addresses (``AddressRules``) and connects to the very address that it
/// checked; each redirect anew. Addresses that aren't public are refused unless the app has allowed it. Servers over `https` are evaluated
/// by a configuration of its own, which fetches nothing: else an address could lead round in a circle.
///
/// Through a proxy, which resolves names itself, the addresses behind a name can't be checked: literal addresses are, and names that don't
/// belong to the public DNS (`localhost`, `.local`, `.internal`, names of one label) are refused. Names that lead to private addresses are
/// the proxy's to refuse. It is asked for a tunnel (`CONNECT`) for `http` as well, on port 80 as a rule, and has to allow that.
///
/// One exchange at a time and no memory: the caller decides on requests, retries and lifetimes.
public final class HTTPTrustFetcher: TrustFetcher {
    /// A failure of NIOSSL to make a context otherwise, with which every request fails.
    private let client: Result<TrustedHTTPClient, any Error>
    private let rules: AddressRules
    private let proxy: ProxySelection
    private let lookup: AddressLookup
    private let group: any EventLoopGroup

    /// Creates a fetcher that connects directly to public addresses, and evaluates servers over `https` against the system's anchors.
    ///
    /// If NIOSSL can't make a TLS context, every request fails with its error.
    public convenience init() {
        self.init(
            Result { try Self.client(trust: nil, proxy: .none, MultiThreadedEventLoopGroup.singleton) },
            rules: .publicOnly, proxy: .none, eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            lookup: AddressLookup())
    }

    /// Creates a fetcher with rules of the app.
    /// - Parameters:
    ///   - rules: which addresses may be connected to; public ones alone unless given.
    ///   - trust: how servers over `https` are evaluated; by default, against the system's anchors, unless given.
    ///   - proxy: the choice of a proxy for each server; direct connections unless given.
    ///   - eventLoopGroup: where connections run; NIO's shared one unless given.
    /// - Throws: NIOSSL's error when it can't make a context.
    public convenience init(
        rules: AddressRules = .publicOnly, trust: ServerTrustConfiguration? = nil, proxy: ProxySelection = .none,
        eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws {
        try self.init(
            rules: rules, trust: trust, proxy: proxy, eventLoopGroup: eventLoopGroup, lookup: AddressLookup())
    }

    convenience init(
        rules: AddressRules, trust: ServerTrustConfiguration?, proxy: ProxySelection = .none,
        eventLoopGroup: any EventLoopGroup, lookup: AddressLookup
    ) throws {
        self.init(
            .success(try Self.client(trust: trust, proxy: proxy, eventLoopGroup)), rules: rules, proxy: proxy,
            eventLoopGroup: eventLoopGroup, lookup: lookup)
    }

    private init(
        _ client: Result<TrustedHTTPClient, any Error>, rules: AddressRules, proxy: ProxySelection,
        eventLoopGroup: any EventLoopGroup, lookup: AddressLookup
    ) {
        self.client = client
        self.rules = rules
        self.proxy = proxy
        self.lookup = lookup
        self.group = eventLoopGroup
    }

    private static func client(
        trust: ServerTrustConfiguration?, proxy: ProxySelection, _ eventLoopGroup: any EventLoopGroup
    ) throws -> TrustedHTTPClient {
        let trust = trust ?? .publicWeb
        var configuration = TrustedHTTPConfiguration()
        // One request each: another handshake would take longer than HTTP/2 saves.
        configuration.httpVersion = .http1Only
        // Followed here, where addresses are checked.
        configuration.redirects = .disallow
        // Servers that certificates name learn nothing of the request that led to them.
        configuration.tracing.tracer = nil
        configuration.proxy = proxy
        return try TrustedHTTPClient(trust: trust, configuration: configuration, eventLoopGroup: eventLoopGroup)
    }

    /// Ends its connections. Requests that run fail, and so do later ones. A fetcher that is released does the
    /// same.
    public func shutdown() async { await (try? client.get())?.shutdown() }

    public func fetch(_ request: TrustFetchRequest) async throws(TrustFetchError) -> TrustFetchResponse {
        let deadline = NIODeadline.now() + TimeAmount(clamping: request.timeout)
        var outgoing = HTTPClientRequest(request)
        var redirects = RedirectChain(Self.redirectRules(request), from: request.url)
        while true {
            let url = outgoing.url
            let result: Result<Step, any Error>
            do {
                result = .success(try await step(outgoing, request, &redirects, deadline))
            } catch {
                result = .failure(error)
            }
            // After cancellation every error counts as that.
            guard !Task.isCancelled else { throw TrustFetchError(.fetchCancelled, url: url) }
            switch result {
            case .success(.done(let response)): return response
            case .success(.redirect(let next)): outgoing = next
            case .failure(let error): throw TrustFetchError(error, url: url)
            }
        }
    }

    /// From `https` to `http` as well: CRLs, OCSP responses and certificates are signed, and `http` is their usual scheme.
    private static func redirectRules(_ request: TrustFetchRequest) -> RedirectRules {
        RedirectRules(maximum: request.maximumRedirects, allowsCycles: true, targets: .anyHTTP)
    }

    private enum Step {
        case done(TrustFetchResponse)
        case redirect(HTTPClientRequest)
    }

    /// One hop.
    private func step(
        _ outgoing: HTTPClientRequest, _ request: TrustFetchRequest, _ redirects: inout RedirectChain,
        _ deadline: NIODeadline
    ) async throws -> Step {
        let response = try await connect(outgoing, request.resource, deadline)
        let status = Int(response.status.code)
        if Redirect.isRedirect(status) {
            guard
                let redirect = try redirects.next(
                    status: status, location: response.headers.first(name: "location"), from: outgoing.url,
                    method: outgoing.method.rawValue)
            else {
                throw TrustFetchError(.fetchProtocolViolation, url: outgoing.url, detail: "\(status) without location")
            }
            var next = outgoing
            next.url = redirect.url
            next.method = HTTPMethod(rawValue: redirect.method)
            if redirect.dropsBody { next.body = nil }
            for name in redirect.removedFields { next.headers.remove(name: name) }
            return .redirect(next)
        }
        if status == 304, request.validators != nil {
            var unchanged = TrustFetchResponse(body: [], maximumAge: Self.maximumAge(response.headers))
            unchanged.isNotModified = true
            return .done(unchanged)
        }
        guard status == 200 else { throw TrustFetchError(.fetchStatus, url: outgoing.url, detail: "\(status)") }
        let promised = response.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        guard promised <= request.maximumBytes else {
            throw TrustFetchError(
                .fetchTooLarge, url: outgoing.url, detail: "\(promised) bytes, at most \(request.maximumBytes)")
        }
        var body: [UInt8] = []
        for try await chunk in response.body {
            guard body.count + chunk.readableBytes <= request.maximumBytes else {
                throw TrustFetchError(
                    .fetchTooLarge, url: outgoing.url, detail: "more than \(request.maximumBytes) bytes")
            }
            body += chunk.readableBytesView
        }
        var answer = TrustFetchResponse(body: body, maximumAge: Self.maximumAge(response.headers))
        answer.validators = TrustResourceValidators(
            entityTag: response.headers.first(name: "etag"), modified: response.headers.first(name: "last-modified"))
        return .done(answer)
    }

    /// The time for which a response may be kept; zero for one that must not be, nil if the server doesn't say.
    static func maximumAge(_ headers: HTTPHeaders, now: Time = .now()) -> Duration? {
        let lifetime = FreshnessLifetime(now: now) { headers[$0] }
        return lifetime.forbidsStoring ? .zero : lifetime.seconds.map { .seconds($0) }
    }

    /// Most addresses of a host that are tried.
    private static let mostAddresses = 4

    /// Asks at the first address that can be reached, of those that are allowed.
    private func connect(
        _ outgoing: HTTPClientRequest, _ resource: TrustResource.Kind, _ deadline: NIODeadline
    ) async throws -> HTTPClientResponse {
        let client = try client.get()
        let origin = try RequestTarget(outgoing.url).origin
        let host = origin.host
        try client.requireNotDenied(origin)
        guard try proxy.proxy(origin) == nil else {
            guard rules.allowsThroughProxy(host) else {
                throw TrustFetchError(.fetchForbiddenAddress, url: outgoing.url, detail: "\(host), through a proxy")
            }
            let answer = try await client.send(outgoing, insecurelyInTheClear: true, deadline: deadline, logger: nil)
            answer.limitBody(.by(deadline))
            return answer.response
        }
        let addresses = try await lookup.addresses(of: host, for: resource, before: deadline, on: group.next())
        let allowed = addresses.filter { rules.allows($0, for: host) }
        guard !allowed.isEmpty else {
            guard addresses.isEmpty else {
                throw TrustFetchError(
                    .fetchForbiddenAddress, url: outgoing.url,
                    detail: addresses.map(\.description).joined(separator: ", "))
            }
            throw TrustFetchError(.fetchUnreachable, url: outgoing.url, detail: "no address")
        }
        var failure: (any Error)?
        for address in allowed.prefix(Self.mostAddresses) {
            do {
                let answer = try await client.send(outgoing, to: address, deadline: deadline, logger: nil)
                answer.limitBody(.by(deadline))
                return answer.response
            } catch  where error is IOError || error is NIOConnectionError {
                failure = error
            }
        }
        throw failure ?? TrustFetchError(.fetchUnreachable, url: outgoing.url)
    }
}

extension HTTPClientRequest {
    /// The first hop. Nothing about this machine or its user goes along.
    fileprivate init(_ request: TrustFetchRequest) {
        self.init(url: request.url)
        headers.add(name: "user-agent", value: "swift-server-trust")
        // One exchange for each: nothing is gained by waiting for the next, and the server may end it meanwhile.
        headers.add(name: "connection", value: "close")
        switch request.resource {
        case .ocsp: headers.add(name: "accept", value: "application/ocsp-response")
        case .crl: headers.add(name: "accept", value: "application/pkix-crl")
        case .issuer: headers.add(name: "accept", value: "application/pkix-cert, application/pkcs7-mime")
        }
        if let tag = request.validators?.entityTag { headers.add(name: "if-none-match", value: tag) }
        if let date = request.validators?.modified { headers.add(name: "if-modified-since", value: date) }
        guard let bytes = request.body else { return }
        method = .POST
        headers.add(name: "content-type", value: "application/ocsp-request")
        body = .bytes(ByteBuffer(bytes: bytes))
    }
}

extension TrustFetchError {
    /// The error for one of the transport's.
    fileprivate init(_ error: any Error, url: String) {
        let detail = String(describing: error)
        switch error {
        case let error as TrustFetchError: self = error
        case let error as TrustedHTTPError:
            self.init(
                error.code == .clientShutDown ? .fetchCancelled : .fetchUnsupportedAddress, url: url, detail: detail)
        case let error as RequestTargetError:
            self.init(.fetchUnsupportedAddress, url: url, detail: error.description(for: url))
        case let error as RedirectError: self.init(error, after: url)
        case is CancellationError, HTTPClientError.cancelled as HTTPClientError: self.init(.fetchCancelled, url: url)
        case let error as ConnectionFailure where error.code == .connectionNameLookupTimedOut:
            self.init(.fetchTimedOut, url: url, detail: "resolver")
        case let error as HTTPClientError where error.isTimeout: self.init(.fetchTimedOut, url: url, detail: detail)
        case let error as ConnectionFailure
        where error.code == .connectionTimedOut || error.code == .connectionProxyTimedOut:
            self.init(.fetchTimedOut, url: url, detail: detail)
        case is HTTPClientError, is HTTPParserError: self.init(.fetchProtocolViolation, url: url, detail: detail)
        // DNS, TCP, TLS, and servers that aren't trusted.
        default: self.init(.fetchUnreachable, url: url, detail: detail)
        }
    }
}

extension TrustFetchError {
    fileprivate init(_ error: RedirectError, after url: String) {
        switch error {
        case .malformedLocation(let location):
            self.init(.fetchProtocolViolation, url: url, detail: "location \(withoutUserInformation(location))")
        case .unusableTarget(let target, let error):
            self.init(.fetchUnsupportedAddress, url: target, detail: error.description(for: target))
        case .leavesTLS(let target): self.init(.fetchUnsupportedAddress, url: target)
        case .tooMany(let target), .cycle(let target): self.init(.fetchTooManyRedirects, url: target)
        }
    }
}

extension HTTPClientError {
    fileprivate var isTimeout: Bool {
        self == .deadlineExceeded || self == .connectTimeout || self == .readTimeout || self == .writeTimeout
            || self == .getConnectionFromPoolTimeout
    }
}
