// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOSSL
import PKIX
import ServerTrustNIO

/// The settings of a ``TrustedHTTPClient`` except those for evaluation.
///
/// Most are async-http-client's settings with the same names. The configuration leaves out verification and
/// async-http-client's own handling of redirects.
public struct TrustedHTTPConfiguration: Sendable {
    /// The handling of responses with the statuses 301, 302, 303, 307 and 308.
    public struct Redirects: Sendable, Hashable {
        /// The largest number of redirects to follow. With 0, the client returns the response unchanged.
        package var maximum: Int
        /// Whether a URL may occur twice.
        package var allowsCycles: Bool

        /// Returns redirect responses unchanged.
        public static let disallow = Redirects(maximum: 0, allowsCycles: false)
        /// Follows at most 5 redirects, and no URL twice.
        public static let follow = follow(max: 5)
        /// Follows at most `max` redirects, and no URL twice unless you allow cycles.
        public static func follow(max: Int, allowCycles: Bool = false) -> Redirects {
            Redirects(maximum: max, allowsCycles: allowCycles)
        }
    }

    /// The handling of redirects. The client evaluates each hop with the rules for its host, and never goes from
    /// `https` to `http`.
    public var redirects = Redirects.follow

    /// When to send a request again after a temporary failure. The default is `.off`.
    public var retries = Retries.off

    /// Only tests change this property.
    package var retryTimer = RetryTimer()

    /// The store for cookies. The default is nil: the client neither stores nor adds cookies.
    ///
    /// ```swift
    /// configuration.cookies = CookieStore()
    /// ```
    /// The client adds the store's cookies to each request and each redirect, unless the request has its own `Cookie`
    /// field, and stores the cookies of each response. A cookie is only sent to the hosts, paths and schemes that it is
    /// for. Clients may share a store.
    public var cookies: CookieStore?

    /// The async-http-client time limits for connecting, reading and writing. By default, all are nil, which limits
    /// connecting to 10 seconds but doesn't limit reading and writing.
    public var timeout = HTTPClient.Configuration.Timeout()

    /// The longest time from the head of a response to the end of its body. The default is no limit. You can pass a
    /// different limit with each request.
    ///
    /// The deadline of a request ends with the head of its response, and `timeout.read` only limits the time without
    /// data. Without this limit, a server could keep a response open forever by sending a byte now and then.
    public var bodyTimeout: Duration?

    /// The time limit for TLS, including the verdict. The default is 10 seconds. It is never longer than the connect
    /// timeout.
    public var handshakeTimeout = Duration.seconds(10)

    /// The async-http-client connection pool settings. `retryConnectionEstablishment` has no effect, because the client
    /// doesn't retry a refused server.
    public var connectionPool = HTTPClient.Configuration.ConnectionPool()

    /// The async-http-client tracing settings. Each request is a span with the URL of the request, and each hop sends
    /// its context in header fields.
    ///
    /// The default is the process's tracer. If none is set when you create the configuration, nothing is traced.
    public var tracing = HTTPClient.TracingConfiguration()

    /// The async-http-client decompression setting. The default is off. If a decoded body exceeds the limit, reading it
    /// throws ``TrustedHTTPError`` with the code `decompressionLimitExceeded`. The client decodes gzip and deflate.
    public var decompression = HTTPClient.Decompression.disabled

    /// The largest number of requests on a connection, as in async-http-client. The default is no limit.
    public var maximumUsesPerConnection: Int?

    /// The HTTP versions. The default is `.automatic`, as in async-http-client: HTTP/2 with servers that select it.
    /// `.http1Only` allows only HTTP/1.1.
    ///
    /// HTTP/2 needs one extra handshake per host, in which the client learns the server's chain. The client uses HTTP/2
    /// only if NIOSSL also accepts the server, with the anchor of the trusted path as its only root. It uses HTTP/1.1
    /// in all other cases: if exceptions excuse failures, if the anchor isn't self-signed, if the server doesn't send
    /// its intermediates, if the connection uses a Unix socket, or if the server requests a certificate and
    /// `sslContextCallback` is set. The verdict is the same in both cases.
    public var httpVersion = HTTPClient.Configuration.HTTPVersion.automatic

    /// The time without data from the server after which the client sends an HTTP/2 PING (RFC 9113 § 6.7). The default
    /// is nil, which sends none. Values below one second count as one second.
    ///
    /// A ping detects that a server has disappeared, before a request is lost on its connection or while a request
    /// waits for its response. It also keeps a router from forgetting an idle connection. Some servers end connections
    /// with too many pings: gRPC's servers by default allow one every five minutes. A pool closes idle connections after
    /// `connectionPool.idleTimeout`, whether there are pings or not.
    public var http2PingInterval: Duration?

    /// The longest time that the client waits for data after a PING, before it closes the connection. The default is 10
    /// seconds. Requests on the connection fail, or are repeated as after any lost connection.
    public var http2PingTimeout = Duration.seconds(10)

    /// The local address of connections. By default, the system chooses it.
    public var localAddress: String?

    /// The proxy for connections. By default, connections are direct.
    public var proxy = ProxySelection.none

    /// Addresses to connect to instead of the ones that the resolver returns, by host: `["api.example.com":
    /// "127.0.0.1"]`. The client still evaluates the server for the host.
    public var dnsOverride: [String: String] = [:]

    /// Whether an app's delegate takes part in the verdicts. It sees only chains that the server presented, and its
    /// refusal ends the requests that wait. The default is false.
    package var asksDelegate = false

    /// Whether to record the time at which each request is sent, for ``TrustedHTTPResponse/sent``. The default is false.
    package var timesRequests = false

    /// Only tests change this property.
    package var nameLookup = NameLookup.shared

    /// Unix sockets to connect to instead of the resolver's addresses, by host: `["api.internal": "/run/api.sock"]`.
    ///
    /// Connections to them use no proxy. With `https`, the client still evaluates the server for the host. With `http`,
    /// the host has to be in ``insecurelyPlainHosts``.
    ///
    /// The client rejects async-http-client's URLs `http+unix://PATH` and `https+unix://PATH`, because they name no
    /// host to evaluate the server for.
    public var unixSockets: [String: String] = [:]

    /// The TLS settings of every connection: client certificate, cipher suites, versions from 1.2.
    ///
    /// The client replaces their verification (see `TLSConfiguration.prepareForServerTrust()`) and their application
    /// protocols. Creating a client throws if they contain trust roots, which belong in
    /// `ServerTrustConfiguration.anchors`.
    ///
    /// The client sends its certificate to every server that you send a request to and that requests a certificate.
    /// Servers reached through a redirect don't receive it, unless scheme, host and port are still the request's. To
    /// present it to such a server, follow the redirect with a separate request.
    public var tls = TLSConfiguration.clientForServerTrust()

    /// The hosts that you allow over `http`, in the clear: every machine along the way can read and change all data.
    /// Empty by default.
    public var insecurelyPlainHosts: Set<Hostname> = []

    /// Creates a configuration with the defaults.
    public init() {}

    /// The settings of the original `HTTPClient.Configuration` that this configuration doesn't have. They have no
    /// effect.
    ///
    /// Empty if you didn't create the configuration from an `HTTPClient.Configuration`.
    public private(set) var droppedSettings: [DroppedSetting] = []

    /// Creates a configuration from the settings of an `HTTPClient`. The settings that a ``TrustedHTTPClient`` doesn't
    /// have are in ``droppedSettings``.
    ///
    /// The initializer copies timeouts, pool, tracing, decompression, HTTP version, uses per connection, local address,
    /// proxy, `dnsOverride` and TLS. The TLS settings include a callback for TLS secrets (`keyLogCallback`) and a
    /// client certificate.
    /// - Parameters:
    ///   - configuration: the configuration of an `HTTPClient`.
    ///   - redirects: how to handle redirects. `HTTPClient.Configuration` doesn't expose its own setting.
    /// - Throws: ``TrustedHTTPError`` for `certificateVerification: .none`, and if `trustRoots` or
    ///   `additionalTrustRoots` name roots, which belong in `ServerTrustConfiguration.anchors`.
    public init(
        _ configuration: HTTPClient.Configuration, redirects: Redirects
    ) throws(TrustedHTTPError) {
        if let tls = configuration.tlsConfiguration {
            guard tls.certificateVerification != .none else { throw TrustedHTTPError(.tlsVerificationTurnedOff) }
            guard !tls.namesTrustRoots else { throw TrustedHTTPError(.tlsTrustRootsNamed) }
            self.tls = tls
        }
        self.redirects = redirects
        self.timeout = configuration.timeout
        self.connectionPool = configuration.connectionPool
        self.tracing = configuration.tracing
        self.decompression = configuration.decompression
        self.maximumUsesPerConnection = configuration.maximumUsesPerConnection
        self.localAddress = configuration.localAddress
        self.proxy = configuration.proxy.map { .always($0) } ?? .none
        self.dnsOverride = configuration.dnsOverride
        self.httpVersion = configuration.httpVersion
        self.droppedSettings = DroppedSetting.dropped(of: configuration)
    }
}

extension TrustedHTTPConfiguration {
    /// Returns the TLS context for all connections of a client that have the same settings and receive their verdict in
    /// the handshake.
    /// - Parameters:
    ///   - isAnonymous: whether to leave out the client's certificate and key.
    ///   - isExploring: whether to offer HTTP/2 in addition.
    func context(isAnonymous: Bool = false, isExploring: Bool = false) throws -> NIOSSLContext {
        var configuration = try tls(isAnonymous: isAnonymous)
        configuration.applicationProtocols = isExploring ? ["h2", "http/1.1"] : ["http/1.1"]
        if isExploring { configuration.refuseCertificateRequests() }
        return try NIOSSLContext(configuration: configuration)
    }

    private func tls(isAnonymous: Bool) throws -> TLSConfiguration {
        var configuration = tls
        if isAnonymous {
            configuration.certificateChain = []
            configuration.privateKey = nil
            configuration.sslContextCallback = nil
        }
        try configuration.prepareForServerTrust()
        return configuration
    }

    /// Whether the client has a certificate to present, or a callback that may return one.
    var hasIdentity: Bool {
        !tls.certificateChain.isEmpty || tls.privateKey != nil || tls.sslContextCallback != nil
    }

    /// Whether the client offers HTTP/2.
    var hasHTTP2: Bool { httpVersion == .automatic }

    /// Returns the configuration of the inner client for HTTP/2. NIOSSL verifies its servers in addition.
    /// - Parameter root: the only root.
    func http2(root: NIOSSLCertificate, isAnonymous: Bool) throws -> HTTPClient.Configuration {
        var configuration = plain()
        var tls = try tls(isAnonymous: isAnonymous)
        tls.certificateVerification = .fullVerification
        tls.trustRoots = .certificates([root])
        tls.refuseCertificateRequests()
        configuration.tlsConfiguration = tls
        configuration.httpVersion = .automatic
        return configuration
    }

    /// Returns the configuration of the inner client without TLS.
    func plain() -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.tracing.tracer = nil
        configuration.timeout = timeout
        configuration.connectionPool = connectionPool
        // If the pool retried, the client would refuse the same server ten times.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.decompression = decompression
        configuration.httpVersion = .http1Only
        configuration.maximumUsesPerConnection = maximumUsesPerConnection
        configuration.localAddress = localAddress
        return configuration
    }

    /// async-http-client's default is 10 seconds, too.
    var connectTimeout: TimeAmount { timeout.connect ?? .seconds(10) }

    var effectiveHandshakeTimeout: TimeAmount { min(TimeAmount(clamping: handshakeTimeout), connectTimeout) }
}

extension TLSConfiguration {
    /// Ends handshakes in which the server requests a certificate, if a callback would have to answer. NIOSSL calls the
    /// callback for such a request, and a person may have to answer it, so the client asks only on the connection that
    /// it keeps.
    fileprivate mutating func refuseCertificateRequests() {
        guard sslContextCallback != nil else { return }
        sslContextCallback = { _, promise in promise.fail(ClientCertificateRequested()) }
    }
}

/// A setting of an `HTTPClient.Configuration` that ``TrustedHTTPConfiguration`` doesn't have. New versions may add
/// settings.
public struct DroppedSetting: Sendable, Hashable, CustomStringConvertible {
    /// The property name as you write it after the configuration, for example `tlsConfiguration.renegotiationSupport`.
    /// Stable.
    public let name: String

    public var description: String { name }

    /// Returns the settings that a configuration sets and ``TrustedHTTPConfiguration`` doesn't have.
    static func dropped(of configuration: HTTPClient.Configuration) -> [DroppedSetting] {
        let tls = configuration.tlsConfiguration ?? .makeClientConfiguration()
        let settings: KeyValuePairs<String, Bool> = [
            "dnsResolver": configuration.dnsResolver != .system,
            "http1_1ConnectionDebugInitializer": configuration.http1_1ConnectionDebugInitializer != nil,
            "http2ConnectionDebugInitializer": configuration.http2ConnectionDebugInitializer != nil,
            "http2StreamChannelDebugInitializer": configuration.http2StreamChannelDebugInitializer != nil,
            // Multipath TCP.
            "enableMultipath": configuration.enableMultipath,
            // Failing at once when Network.framework would wait for a network.
            "networkFrameworkWaitForConnectivity": !configuration.networkFrameworkWaitForConnectivity,
            // Verification without names or with optional certificates. The client always checks the path and the name,
            // unless a rule says otherwise.
            "tlsConfiguration.certificateVerification": tls.certificateVerification != .fullVerification,
            // TLS versions below 1.2. async-http-client's default allows them, so the default value counts, too.
            "tlsConfiguration.minimumTLSVersion": [.tlsv1, .tlsv11].contains(tls.minimumTLSVersion),
            // A server could use renegotiation to change its certificate after the verdict.
            "tlsConfiguration.renegotiationSupport": tls.renegotiationSupport != .none,
            // ALPN protocols other than HTTP/1.1 and HTTP/2.
            "tlsConfiguration.applicationProtocols":
                tls.applicationProtocols.contains { !["h2", "http/1.1"].contains($0) },
        ]
        return settings.filter(\.value).map { DroppedSetting(name: $0.key) }
    }
}

/// The TLS contexts of the connections whose handshake includes the verdict.
struct TLSContexts: Sendable {
    /// The context that offers HTTP/1.1.
    let usual: NIOSSLContext
    /// The context without a certificate to present.
    let anonymous: NIOSSLContext
    /// The context that also offers HTTP/2.
    let exploring: NIOSSLContext
    let exploringAnonymous: NIOSSLContext

    func context(isAnonymous: Bool, isExploring: Bool) -> NIOSSLContext {
        switch (isAnonymous, isExploring) {
        case (false, false): usual
        case (true, false): anonymous
        case (false, true): exploring
        case (true, true): exploringAnonymous
        }
    }
}

extension TLSContexts {
    /// - Throws: `ServerTrustContextError` and NIOSSL's errors.
    init(_ configuration: TrustedHTTPConfiguration) throws {
        usual = try configuration.context()
        // Contexts take memory, so this code doesn't create a context that equals another one or that no connection
        // would use.
        anonymous = configuration.hasIdentity ? try configuration.context(isAnonymous: true) : usual
        exploring = configuration.hasHTTP2 ? try configuration.context(isExploring: true) : usual
        exploringAnonymous =
            !configuration.hasHTTP2
            ? anonymous
            : configuration.hasIdentity ? try configuration.context(isAnonymous: true, isExploring: true) : exploring
    }
}

#endif
