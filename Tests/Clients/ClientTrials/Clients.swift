// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import FoundationNetworking
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustTesting
import ServerTrustURLSession

/// The clients. Each is a column of the table.
enum ClientKind: String, CaseIterable, Sendable {
    case trusted, session, gated, ahc, foundation

    var title: String {
        switch self {
        case .trusted: "`TrustedHTTPClient`"
        case .session: "`URLSession` of ServerTrustURLSession"
        case .gated: "async-http-client with `gate(by:)`"
        case .ahc: "async-http-client"
        case .foundation: "`URLSession` on Linux"
        }
    }

    /// Whether this package makes the client's connections.
    var isOurs: Bool { self == .trusted || self == .session }
}

/// The client settings that a feature needs.
struct Setup: Sendable {
    enum Proxy: Sendable {
        case http(Int, user: String? = nil)
        case https(Int)
        case socks(Int, user: String? = nil)
        /// The proxy from the environment, set up in the client's own way.
        case environment
    }

    var anchors: [Certificate]
    var evaluator: any TrustEvaluator = DefaultTrustEvaluator()
    var revocationData: RevocationData?
    /// Whether the client refuses a leaf without revocation evidence. Ignored by clients that can't do that.
    var requiresRevocation = false
    var proxy: Proxy?
    var identity: TestIdentity?
    /// Addresses by name. Ignored by clients that don't accept them.
    var addresses: [String: String] = [:]
    /// The paths of Unix sockets by name.
    var unixSockets: [String: String] = [:]
    /// The time limit for the head of the response, in seconds.
    var timeout = 10
    /// The time limit from the head to the end of the body, in seconds. Ignored by clients without such a limit.
    var bodyTimeout: Int?
    /// The time limit for connecting, in seconds. Ignored by clients without such a limit.
    var connectTimeout: Int?
    /// Whether the client decodes bodies. Ignored by clients that always decode them.
    var decodes = false
    /// Whether a server is allowed to select HTTP/2. Ignored by clients that can't turn it off.
    var allowsHTTP2 = true
    /// Whether the client keeps cookies. Ignored by clients that always or never do.
    var keepsCookies = false
    /// The number of retries after a temporary failure. Ignored by clients without retries.
    var retries = 0
    /// The interval of HTTP/2 pings, in seconds. Ignored by clients without them.
    var pingInterval: Int?
    /// The maximum number of HTTP/1.1 connections to a server. Ignored by clients that don't accept a number.
    var connections: Int?

    init(_ server: LabServer) { anchors = server.certificates.anchors }
    init(anchors: [Certificate]) { self.anchors = anchors }

    var trust: ServerTrustConfiguration {
        get throws {
            var rules: [String: any TrustEvaluator] = ["localhost": evaluator]
            let names = [AddressFeatures.several, AddressFeatures.international, "127.0.0.1"]
            for host in names + addresses.keys { rules[host] = evaluator }
            var trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: rules, memory: nil))
            trust.anchors = .only(anchors)
            if requiresRevocation {
                trust.revocation = .required
                // A staple never covers an intermediate (RFC 6066 § 8).
                trust.revocation.scope = .leaf
            }
            if let revocationData { trust.revocationData = revocationData }
            return trust
        }
    }

    var tls: TLSConfiguration {
        get throws {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(try anchors.map { try NIOSSLCertificate(bytes: $0.der, format: .der) })
            try addIdentity(to: &tls)
            return tls
        }
    }

    private func addIdentity(to tls: inout TLSConfiguration) throws {
        guard let identity else { return }
        tls.certificateChain = [.certificate(try NIOSSLCertificate(bytes: identity.certificate.der, format: .der))]
        tls.privateKey = .privateKey(
            try NIOSSLPrivateKey(bytes: Array(try identity.key.pemRepresentation().utf8), format: .pem))
    }

    var trustedConfiguration: TrustedHTTPConfiguration {
        get throws {
            var configuration = TrustedHTTPConfiguration()
            configuration.dnsOverride = addresses
            configuration.unixSockets = unixSockets
            configuration.bodyTimeout = bodyTimeout.map { .seconds(Int64($0)) }
            configuration.timeout.connect = connectTimeout.map { .seconds(Int64($0)) }
            if decodes { configuration.decompression = .enabled(limit: .none) }
            if !allowsHTTP2 { configuration.httpVersion = .http1Only }
            if keepsCookies { configuration.cookies = CookieStore() }
            configuration.retries = .upTo(retries)
            if let pingInterval {
                configuration.http2PingInterval = .seconds(Int64(pingInterval))
                configuration.http2PingTimeout = .seconds(1)
            }
            if let connections {
                configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
            }
            try addIdentity(to: &configuration.tls)
            switch proxy {
            case nil: break
            case .environment: configuration.proxy = .environment
            case .https(let port): configuration.proxy = .always(.https(host: "localhost", port: port))
            case .socks(let port, let user?):
                let parts = user.split(separator: ":").map(String.init)
                configuration.proxy = .always(
                    .socks5(host: "127.0.0.1", port: port, user: parts[0], password: parts[1]))
            case let proxy?: configuration.proxy = .always(try Self.clientProxy(proxy))
            }
            return configuration
        }
    }

    var clientConfiguration: HTTPClient.Configuration {
        get throws {
            var configuration = HTTPClient.Configuration(tlsConfiguration: try tls)
            configuration.dnsOverride = addresses
            configuration.timeout.connect = connectTimeout.map { .seconds(Int64($0)) }
            if decodes { configuration.decompression = .enabled(limit: .none) }
            if !allowsHTTP2 { configuration.httpVersion = .http1Only }
            if let connections {
                configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
            }
            if let proxy, case .environment = proxy {
            } else if let proxy {
                configuration.proxy = try Self.clientProxy(proxy)
            }
            return configuration
        }
    }

    private static func clientProxy(_ proxy: Proxy) throws -> HTTPClient.Configuration.Proxy {
        switch proxy {
        case .http(let port, let user?):
            let parts = user.split(separator: ":").map(String.init)
            return .server(
                host: "127.0.0.1", port: port, authorization: .basic(username: parts[0], password: parts[1]))
        case .http(let port, nil): return .server(host: "127.0.0.1", port: port)
        case .socks(let port, nil): return .socksServer(host: "127.0.0.1", port: port)
        case .environment, .https, .socks: throw URLError(.unsupportedURL)
        }
    }

    /// The configuration for both kinds of sessions.
    var sessionConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = TimeInterval(timeout)
        if let bodyTimeout { configuration.timeoutIntervalForResource = TimeInterval(bodyTimeout) }
        switch proxy {
        case .http(let port, let user):
            var entries: [AnyHashable: Any] = ["HTTPSEnable": 1, "HTTPSProxy": "127.0.0.1", "HTTPSPort": port]
            if let parts = user?.split(separator: ":").map(String.init) {
                entries["kCFProxyUsernameKey"] = parts[0]
                entries["kCFProxyPasswordKey"] = parts[1]
            }
            configuration.connectionProxyDictionary = entries
        case .https(let port):
            configuration.connectionProxyDictionary = [
                "HTTPSEnable": 1, "HTTPSProxy": "https://localhost", "HTTPSPort": port,
            ]
        case .socks(let port, let user):
            var entries: [AnyHashable: Any] = ["SOCKSEnable": 1, "SOCKSProxy": "127.0.0.1", "SOCKSPort": port]
            if let parts = user?.split(separator: ":").map(String.init) {
                entries["kCFProxyUsernameKey"] = parts[0]
                entries["kCFProxyPasswordKey"] = parts[1]
            }
            configuration.connectionProxyDictionary = entries
        case .environment, nil: break
        }
        return configuration
    }

    /// Returns a session of this package or of Foundation.
    func session(_ kind: ClientKind, delegate: (any URLSessionDelegate)? = nil) throws -> URLSession {
        guard kind == .session else {
            // With this type, the initializer is Foundation's, not this package's.
            let delegate: (any FoundationNetworking.URLSessionDelegate)? = delegate
            return URLSession(configuration: sessionConfiguration, delegate: delegate, delegateQueue: nil)
        }
        return URLSession(
            configuration: sessionConfiguration.withServerTrust(try trust, connectingTo: addresses), delegate: delegate,
            delegateQueue: nil)
    }
}

/// A response.
struct Reply: Sendable {
    var status: Int
    var text: String
}

extension ClientKind {
    /// Sends one GET over a new connection.
    func get(_ url: String, _ setup: Setup) async throws -> Reply {
        try await LastingClient(self, setup).send(LastingClient.Request(url))
    }

    /// Keeps clients alive. A client that is released before it is shut down ends the process, and a shutdown can take
    /// a long time.
    private static let kept = Locked<[HTTPClient]>([])

    /// Returns a client that lives until the process ends.
    func plainClient(_ setup: Setup) throws -> HTTPClient {
        var configuration = try setup.clientConfiguration
        if self == .gated { try configuration.gate(by: setup.trust) }
        let client = HTTPClient(configuration: configuration)
        Self.kept.withLock { $0.append(client) }
        return client
    }

    func withClient<Result>(_ setup: Setup, _ body: (HTTPClient) async throws -> Result) async throws -> Result {
        try await body(plainClient(setup))
    }
}
