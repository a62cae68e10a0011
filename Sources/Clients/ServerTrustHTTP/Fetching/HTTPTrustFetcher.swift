// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO

/// A fetcher for issuers, OCSP responses and CRLs over HTTP, from URLs in certificates that aren't verified yet.
///
/// Before it connects, the fetcher resolves the name, checks the addresses (``AddressRules``) and connects to exactly
/// the address that it checked. It does this again for each redirect. It refuses addresses that aren't public unless
/// you allow them. It evaluates `https` servers with a separate configuration that fetches nothing, because a URL could
/// otherwise cause an endless loop.
///
/// A proxy resolves names itself, so the fetcher can't check the addresses behind a name. It still checks literal
/// addresses, and refuses names that don't belong to the public DNS (`localhost`, `.local`, `.internal`, names with one
/// label). Only the proxy itself can refuse names that resolve to private addresses. The fetcher requests a tunnel
/// (`CONNECT`) for `http`, too, usually to port 80, and the proxy must allow that.
///
/// Each call is one exchange. The fetcher stores nothing. The caller decides what to request, when to retry and how
/// long to store the results.
public final class HTTPTrustFetcher: TrustFetcher {
    /// The client, or NIOSSL's error if it couldn't create a context. Every request then fails with that error.
    private let client: Result<TrustedHTTPClient, any Error>
    private let rules: AddressRules
    private let proxy: ProxySelection
    private let lookup: AddressLookup
    private let group: any EventLoopGroup

    /// Creates a fetcher that connects directly to public addresses, and evaluates `https` servers with the system's
    /// anchors.
    ///
    /// If NIOSSL can't create a TLS context, every request fails with its error.
    public convenience init() {
        self.init(
            rules: .publicOnly, trust: nil, eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            lookup: AddressLookup())
    }

    /// Creates a fetcher with your rules.
    /// - Parameters:
    ///   - rules: the addresses that the fetcher may connect to. The default is only public ones.
    ///   - trust: how to evaluate `https` servers and `https` proxies. The default is to use the system's anchors.
    ///   - proxy: the choice of a proxy for each server. The default is direct connections.
    ///   - eventLoopGroup: where connections run. The default is NIO's shared group.
    /// - Throws: NIOSSL's error if it can't create a context.
    public convenience init(
        rules: AddressRules = .publicOnly, trust: ServerTrustConfiguration? = nil, proxy: ProxySelection = .none,
        eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws {
        self.init(rules: rules, trust: trust, proxy: proxy, eventLoopGroup: eventLoopGroup, lookup: AddressLookup())
        _ = try client.get()
    }

    init(
        rules: AddressRules, trust: ServerTrustConfiguration?, proxy: ProxySelection = .none,
        eventLoopGroup: any EventLoopGroup, lookup: AddressLookup
    ) {
        self.client = Result { try Self.client(trust: trust, proxy: proxy, eventLoopGroup) }
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
        // Each connection serves one request, so the extra handshake for HTTP/2 would take longer than HTTP/2 saves.
        configuration.httpVersion = .http1Only
        // The fetcher follows redirects itself, because it checks their addresses.
        configuration.redirects = .disallow
        // The servers that certificates name must not learn about the request that caused the fetch.
        configuration.tracing.tracer = nil
        configuration.proxy = proxy
        return try TrustedHTTPClient(trust: trust, configuration: configuration, eventLoopGroup: eventLoopGroup)
    }

    /// Closes the fetcher's connections. Requests that are running fail, and so do later ones. Releasing the fetcher
    /// has the same effect.
    public func shutdown() async { await (try? client.get())?.shutdown() }

    public func fetch(_ request: TrustFetchRequest) async throws(TrustFetchError) -> TrustFetchResponse {
        let deadline = NIODeadline.now() + TimeAmount(clamping: request.timeout)
        var outgoing = HTTPClientRequest(request)
        var redirects = RedirectChain(Self.redirectRules(request), from: request.url)
        while true {
            let url = outgoing.url
            do {
                let response = try await step(&outgoing, request, &redirects, deadline)
                try Task.checkCancellation()
                if let response { return response }
            } catch {
                // After cancellation, every error counts as a cancellation.
                throw Task.isCancelled ? TrustFetchError(.fetchCancelled, url: url) : TrustFetchError(error, url: url)
            }
        }
    }

    /// Allows redirects from `https` to `http`, because CRLs, OCSP responses and certificates are signed, and `http` is
    /// their usual scheme.
    private static func redirectRules(_ request: TrustFetchRequest) -> RedirectRules {
        RedirectRules(maximum: request.maximumRedirects, allowsCycles: true, targets: .anyHTTP)
    }

    /// Performs one hop.
    /// - Parameter outgoing: the request of the hop. After a redirect, the method replaces it by the request of the next
    ///   hop.
    /// - Returns: nil after a redirect.
    private func step(
        _ outgoing: inout HTTPClientRequest, _ request: TrustFetchRequest, _ redirects: inout RedirectChain,
        _ deadline: NIODeadline
    ) async throws -> TrustFetchResponse? {
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
            outgoing = outgoing.following(redirect)
            return nil
        }
        if status == 304, request.validators != nil {
            var unchanged = TrustFetchResponse(body: [], maximumAge: Self.maximumAge(response.headers))
            unchanged.isNotModified = true
            return unchanged
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
        return answer
    }

    /// Returns how long a response may be stored. Zero if it must not be stored, nil if the server doesn't say.
    static func maximumAge(_ headers: HTTPHeaders, now: Time = .now()) -> Duration? {
        let lifetime = FreshnessLifetime(now: now) { headers[$0] }
        return lifetime.forbidsStoring ? .zero : lifetime.seconds.map { .seconds($0) }
    }

    /// The largest number of a host's addresses to try. The name may come from an attacker, who could have this client
    /// connect to many machines.
    private static let mostAddresses = 4

    /// Sends the request to the allowed address that first accepts a connection.
    private func connect(
        _ outgoing: HTTPClientRequest, _ resource: TrustResource.Kind, _ deadline: NIODeadline
    ) async throws -> HTTPClientResponse {
        let client = try client.get()
        let origin = try RequestTarget(outgoing.url).origin
        let host = origin.host
        try client.requireNotDenied(origin)
        var address: IPAddress?
        if try proxy.proxy(origin) == nil {
            let addresses = try await lookup.addresses(of: host, for: resource, before: deadline, on: group.next())
            address = try await firstToAccept(addresses, outgoing.url, host, port: origin.port, before: deadline)
        } else {
            guard rules.allowsThroughProxy(host) else {
                throw TrustFetchError(.fetchForbiddenAddress, url: outgoing.url, detail: "\(host), through a proxy")
            }
        }
        var answer = try await client.send(
            outgoing, to: address, insecurelyInTheClear: true, deadline: deadline, logger: nil)
        answer.limitBody(.by(deadline))
        return answer.response
    }

    /// Returns the allowed address that first accepts a connection. The client connects to one address, so with
    /// several, another connection finds out which one answers first.
    private func firstToAccept(
        _ addresses: [IPAddress], _ url: String, _ host: Hostname, port: Int, before deadline: NIODeadline
    ) async throws -> IPAddress {
        let allowed = addresses.filter { rules.allows($0, for: host) }
        guard !allowed.isEmpty else {
            guard addresses.isEmpty else {
                throw TrustFetchError(
                    .fetchForbiddenAddress, url: url, detail: addresses.map(\.description).joined(separator: ", "))
            }
            throw TrustFetchError(.fetchUnreachable, url: url, detail: "no address")
        }
        if allowed.count == 1 { return allowed[0] }
        let first = try await allowed.alternating.prefix(Self.mostAddresses)
            .map { try SocketAddress(packedIPAddress: ByteBuffer(bytes: $0.bytes), port: 0) }
            .firstToAccept(port: port, within: deadline - .now(), on: group.next())
        guard let address = IPAddress(first), allowed.contains(address) else {
            throw ChannelError.operationUnsupported
        }
        return address
    }
}

extension HTTPClientRequest {
    /// Creates the request of the first hop. It contains nothing about this machine or its user.
    fileprivate init(_ request: TrustFetchRequest) {
        self.init(url: request.url)
        headers.add(name: "user-agent", value: "swift-server-trust")
        // Each connection serves one exchange. An idle connection saves no time, and the server may end it before the
        // next exchange.
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
    /// Creates the error for an error of the transport.
    fileprivate init(_ error: any Error, url: String) {
        let detail = String(describing: error)
        switch error {
        case let error as TrustFetchError: self = error
        case let error as TrustedHTTPError where error.code == .responseMalformed:
            self.init(.fetchProtocolViolation, url: url, detail: error.detail)
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
        // These are errors of DNS, TCP and TLS, and servers that aren't trusted.
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

extension ServerTrustConfiguration {
    /// Returns `publicWeb` with a revocation check that fetches OCSP responses, CRLs and missing intermediates over
    /// HTTP.
    ///
    /// ```swift
    /// let client = try TrustedHTTPClient(trust: .publicWeb(revocation: .required))
    /// ```
    /// It connects directly, and only to public addresses. The configuration caches OCSP responses and CRLs in memory
    /// until they expire. Call this method once and share the configuration, because each call creates a separate cache
    /// and separate connections.
    /// - Parameters:
    ///   - revocation: the policy. `.required` refuses a server whose revocation status is unknown, unless its leaf is
    ///     exempt: short-lived, or without revocation information (RFC 9608).
    ///   - conditions: the list of a root program whose conditions apply to its roots. Nil for no conditions, the
    ///     default.
    public static func publicWeb(
        revocation: RevocationPolicy, conditions: RootList? = nil
    ) -> ServerTrustConfiguration {
        var configuration = conditions.map { .publicWeb(conditions: $0) } ?? publicWeb
        configuration.revocation = revocation
        configuration.fetching = TrustFetchCoordinator(fetcher: HTTPTrustFetcher())
        return configuration
    }
}

#endif
