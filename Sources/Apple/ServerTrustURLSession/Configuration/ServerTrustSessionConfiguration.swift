// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import ServerTrust
import ServerTrustHTTP

extension URLSessionConfiguration {
    /// Returns a copy of this configuration whose sessions evaluate every connection with `manager`. You don't have
    /// to change anything else:
    ///
    /// ```swift
    /// let session = URLSession(configuration: .default.withServerTrust(manager))
    /// ```
    ///
    /// This configuration doesn't change. You can change settings of the copy afterwards. This package's class
    /// always stays first in `protocolClasses`, and it tries your app's classes before it contacts a server. See
    /// ``withServerTrust(_:errorNumbers:)-(ServerTrustConfiguration,_)`` for the behavior and the limits of such a
    /// session.
    /// - Parameters:
    ///   - manager: hosts and their evaluators.
    ///   - errorNumbers: how to choose the code of the `URLError` for a refused server. The default is
    ///     `.byMeaning`.
    public func withServerTrust(
        _ manager: ServerTrustManager, errorNumbers: ServerTrustErrorNumbers = .byMeaning
    ) -> URLSessionConfiguration {
        withServerTrust(ServerTrustConfiguration(manager), errorNumbers: errorNumbers)
    }

    /// Returns a copy of this configuration whose sessions evaluate every connection with `trust`.
    ///
    /// Data, upload and download tasks use this package's TLS connections instead of libcurl. The session's
    /// delegate receives server trust challenges (`NSURLAuthenticationMethodServerTrust`) in its session-level
    /// method, or in its task-level method if it has no session-level method. Default handling is the evaluation by
    /// `trust`. A delegate can refuse any server. It can accept a server only where `trust` requires just default
    /// evaluation and no failure is fatal (`URLCredential(trust:)`). If the rules deny a host, it is refused before
    /// its name is looked up. This package also handles HTTP Basic and Digest, client certificates, redirects,
    /// cookies, cache and timeouts.
    ///
    /// If an app's class in `protocolClasses`, such as a test's, claims a request of any scheme, it gets that
    /// request. Nothing is evaluated then, because there is no server.
    ///
    /// Unsupported tasks fail with an error that names the reason, and nothing is sent: WebSocket tasks, FTP, and
    /// plain `http`, including redirects to it (`URLError.appTransportSecurityRequiresSecureConnection`).
    ///
    /// This method emits the warnings about `trust` (`ServerTrustConfiguration.warnings`) as events, each once per
    /// manager.
    /// - Parameters:
    ///   - trust: the evaluation of servers. SNI contains the connection's host, even if a rule or
    ///     `TrustSettings.identity` requires the leaf to be valid for another name.
    ///   - errorNumbers: how to choose the code of the `URLError` for a refused server. The default is
    ///     `.byMeaning`.
    public func withServerTrust(
        _ trust: ServerTrustConfiguration, errorNumbers: ServerTrustErrorNumbers = .byMeaning
    ) -> URLSessionConfiguration {
        withServerTrust(SessionPolicy(trust: trust, errorNumbers: errorNumbers))
    }

    /// Returns a copy of this configuration whose sessions evaluate every connection with `trust` and connect to
    /// other addresses than the resolver's. Use it for a lab or a staging server under the name of the real server.
    ///
    /// ```swift
    /// let server = try await LabServer.start(.expired)
    /// let configuration = URLSessionConfiguration.ephemeral.withServerTrust(
    ///     server.certificates.configuration, connectingTo: ["www.lab.test": "127.0.0.1"])
    /// ```
    /// The session still evaluates a server as the host of the URL.
    /// - Parameters:
    ///   - trust: the evaluation of servers.
    ///   - addresses: addresses or names to connect to instead of a host's own, by host.
    ///   - errorNumbers: how to choose the code of the `URLError` for a refused server. The default is
    ///     `.byMeaning`.
    public func withServerTrust(
        _ trust: ServerTrustConfiguration, connectingTo addresses: [String: String],
        errorNumbers: ServerTrustErrorNumbers = .byMeaning
    ) -> URLSessionConfiguration {
        withServerTrust(SessionPolicy(trust: trust, addresses: addresses, errorNumbers: errorNumbers))
    }

    /// Returns the same copy for tests, with an environment that replaces the process's, and with or without
    /// HTTP/2, which uses a different connection.
    func withServerTrust(
        _ trust: ServerTrustConfiguration, connectingTo addresses: [String: String],
        environment: [String: String], usesHTTP2: Bool = false, errorNumbers: ServerTrustErrorNumbers = .byMeaning
    ) -> URLSessionConfiguration {
        let proxies = ProxyEnvironment { environment[$0] }
        return withServerTrust(
            SessionPolicy(
                trust: trust, addresses: addresses, proxies: proxies, usesHTTP2: usesHTTP2, errorNumbers: errorNumbers))
    }

    private func withServerTrust(_ policy: SessionPolicy) -> URLSessionConfiguration {
        policy.trust.emitWarnings()
        let configuration = ServerTrustSessionConfiguration.blank()
        configuration.adopt(self)
        configuration.policy = policy
        return configuration
    }
}

extension URLSession {
    /// Creates a session whose connections `manager` evaluates. The same line compiles on Apple platforms.
    /// - Parameters:
    ///   - configuration: all other settings. The session copies them.
    ///   - manager: the rules for hosts.
    ///   - delegate: asked before the manager decides. The session holds a strong reference until you invalidate
    ///     the session, as `URLSession` does.
    ///   - delegateQueue: the queue for delegate calls. The default is a serial queue that the session creates.
    public convenience init(
        configuration: URLSessionConfiguration, serverTrustManager manager: ServerTrustManager,
        delegate: (any FoundationNetworking.URLSessionDelegate)?, delegateQueue: OperationQueue? = nil
    ) {
        self.init(
            configuration: configuration.withServerTrust(manager), delegate: delegate, delegateQueue: delegateQueue)
    }

    /// Creates a session whose connections `trust` evaluates. The same line compiles on Apple platforms.
    /// - Parameters:
    ///   - configuration: all other settings. The session copies them.
    ///   - trust: the evaluation of servers.
    ///   - delegate: asked before the manager decides. The session holds a strong reference until you invalidate
    ///     the session, as `URLSession` does.
    ///   - delegateQueue: the queue for delegate calls. The default is a serial queue that the session creates.
    public convenience init(
        configuration: URLSessionConfiguration, serverTrust trust: ServerTrustConfiguration,
        delegate: (any FoundationNetworking.URLSessionDelegate)?, delegateQueue: OperationQueue? = nil
    ) {
        self.init(
            configuration: configuration.withServerTrust(trust), delegate: delegate, delegateQueue: delegateQueue)
    }
}

/// A configuration with a policy. `URLSession` makes its own copy of a configuration and returns that same object,
/// so the copy stores the state of one session (connections, credentials). The state is released with the copy.
final class ServerTrustSessionConfiguration: URLSessionConfiguration, TrustedSessionConfiguration,
    BlankConfiguration,
    @unchecked Sendable
{
    // Proof of sendability: `adopt` and `withServerTrust(_:)` write `policy` before the object is shared, and
    // afterwards it is only read. `URLSessionConfiguration`, which is declared sendable, owns the rest.
    fileprivate(set) var policy: SessionPolicy?

    /// The state of the session.
    let state = SessionState()

    /// Foundation's public API no longer has this initializer, but only it can create an instance of a subclass.
    @available(*, deprecated, message: "use blank()")
    required override init() { super.init() }

    override func copy() -> Any { copy(with: nil) }

    override func copy(with zone: NSZone?) -> Any {
        let copy = Self.blank()
        copy.adopt(self)
        return copy
    }

    /// The protocol classes, always with this package's class first. Foundation takes the first class that claims a
    /// request, and its own class would claim it.
    override var protocolClasses: [AnyClass]? {
        get {
            [ServerTrustURLProtocol.self]
                + (super.protocolClasses ?? []).filter { $0 != ServerTrustURLProtocol.self }
        }
        set { super.protocolClasses = newValue }
    }

    var appProtocols: [URLProtocol.Type] {
        (super.protocolClasses ?? []).compactMap { $0 as? URLProtocol.Type }.filter {
            $0 != ServerTrustURLProtocol.self && !Self.nativeProtocols.contains(ObjectIdentifier($0))
                && !String(reflecting: $0).hasPrefix("FoundationNetworking.")
        }
    }

    /// Foundation's own classes, which would send any request to its server without a policy.
    private static let nativeProtocols = Set(
        (URLSessionConfiguration.ephemeral.protocolClasses ?? []).map { ObjectIdentifier($0) })

    /// Copies the settings of another configuration, except two that Foundation has deprecated and that have no
    /// effect here: pipelining and background idling.
    fileprivate func adopt(_ other: URLSessionConfiguration) {
        policy = (other as? ServerTrustSessionConfiguration)?.policy
        identifier = other.identifier
        requestCachePolicy = other.requestCachePolicy
        timeoutIntervalForRequest = other.timeoutIntervalForRequest
        timeoutIntervalForResource = other.timeoutIntervalForResource
        networkServiceType = other.networkServiceType
        allowsCellularAccess = other.allowsCellularAccess
        isDiscretionary = other.isDiscretionary
        connectionProxyDictionary = other.connectionProxyDictionary
        httpShouldSetCookies = other.httpShouldSetCookies
        httpCookieAcceptPolicy = other.httpCookieAcceptPolicy
        httpAdditionalHeaders = other.httpAdditionalHeaders
        httpMaximumConnectionsPerHost = other.httpMaximumConnectionsPerHost
        httpCookieStorage = other.httpCookieStorage
        urlCredentialStorage = other.urlCredentialStorage
        urlCache = other.urlCache
        protocolClasses = other.protocolClasses
    }

    fileprivate static func blank() -> ServerTrustSessionConfiguration { make() }
}

/// Creates an instance without naming the initializer that Foundation has deprecated.
private protocol BlankConfiguration { init() }

extension BlankConfiguration {
    fileprivate static func make() -> Self { Self() }
}
#endif
