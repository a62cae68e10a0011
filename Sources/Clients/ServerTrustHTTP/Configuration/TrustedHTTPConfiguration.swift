// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOSSL
import PKIX
import ServerTrustNIO

/// The settings of a ``TrustedHTTPClient`` apart from evaluation: async-http-client's settings under their own names, and a few more.
///
/// Left out: verification, and redirects by async-http-client itself.
public struct TrustedHTTPConfiguration: Sendable {
    /// The handling of the statuses 301, 302, 303, 307 and 308.
    public struct Redirects: Sendable, Hashable {
        /// Most that are followed; 0 for none, and the answer is handed over as it is.
        package var maximum: Int
        /// Whether a URL may come twice.
        package var allowsCycles: Bool

        /// Answers are handed over as they are.
        public static let disallow = Redirects(maximum: 0, allowsCycles: false)
        /// At most 5, none twice.
        public static let follow = follow(max: 5)
        /// At most `max`, none twice unless allowed.
        public static func follow(max: Int, allowCycles: Bool = false) -> Redirects {
            Redirects(maximum: max, allowsCycles: allowCycles)
        }
    }

    /// Each hop is evaluated under its own host's rules, and `https` never leads to `http`.
    public var redirects = Redirects.follow

    /// Of connecting, reading and writing, as async-http-client has them: none set unless given, which is 10 seconds for
    /// connecting and no limit for the others.
    public var timeout = HTTPClient.Configuration.Timeout()

    /// The longest time that the body of a response may take, from its head to its end; no limit unless set. Each request can have its own.
    ///
    /// The deadline of a request ends with the head of its response, and `timeout.read` limits the time without a byte: a server that sends
    /// one now and then keeps a response without this limit open for ever.
    public var bodyTimeout: Duration?

    /// Of TLS, verdict included; 10 seconds unless set, and never longer than connecting may take.
    public var handshakeTimeout = Duration.seconds(10)

    /// As async-http-client has it. `retryConnectionEstablishment` is ignored: a refused server is asked once.
    public var connectionPool = HTTPClient.Configuration.ConnectionPool()

    /// As async-http-client has it: each request is a span with the URL of the request, and its context goes into the fields of each hop. The
    /// process's tracer unless set; nothing is done where none was set up by the time that the configuration is made.
    public var tracing = HTTPClient.TracingConfiguration()

    /// As async-http-client has it; off unless set.
    public var decompression = HTTPClient.Decompression.disabled

    /// As async-http-client has it; no limit unless set.
    public var maximumUsesPerConnection: Int?

    /// `.automatic` for HTTP/2 with servers that select it, as async-http-client has it, and the default; `.http1Only` for HTTP/1.1 alone.
    ///
    /// HTTP/2 takes one more handshake for a host, from which its chain is learned. It is used where NIOSSL verifies the server as well, by
    /// the anchor of the trusted path alone. Otherwise it is HTTP/1.1: when exceptions excuse failures, when the anchor isn't self-signed,
    /// when the server doesn't send its intermediates, over unix sockets, and with `sslContextCallback`. The verdict is the same.
    public var httpVersion = HTTPClient.Configuration.HTTPVersion.automatic

    /// The local address that connections are made from; the system's choice unless set.
    public var localAddress: String?

    /// The proxy that connections are tunnelled through; none unless set.
    public var proxy = ProxySelection.none

    /// Addresses to connect to in the place of the resolver's, by host: `["api.example.com": "127.0.0.1"]`. The server is
    /// held against the host all the same.
    public var dnsOverride: [String: String] = [:]

    /// Changed by tests alone.
    package var nameLookup = NameLookup.shared

    /// Unix sockets to connect to in the place of the resolver's addresses, by host: `["api.internal": "/run/api.sock"]`. No proxy
    /// is used for them. Over `https` the server is held against the host all the same, and over `http` the host has to be among
    /// ``insecurelyPlainHosts``.
    ///
    /// async-http-client's URLs `http+unix://PATH` and `https+unix://PATH` name no host that a server could be held against, and are refused.
    public var unixSockets: [String: String] = [:]

    /// TLS of every connection: client certificate, cipher suites, versions from 1.2. Its verification is
    /// replaced (see `TLSConfiguration.prepareForServerTrust()`), and so are its application protocols. With trust roots of its own
    /// no client can be made: they belong into `ServerTrustConfiguration.anchors`.
    ///
    /// The client certificate is for every server that a request is made to and that asks for it. Servers that a redirect leads to
    /// don't get it, unless scheme, host and port are still the request's. To show it to another one, follow that redirect
    /// with a request of its own.
    public var tls = TLSConfiguration.clientForServerTrust()

    /// Hosts that may be asked over `http`, in the clear, where every machine on the way can read and change everything. None unless
    /// set.
    public var insecurelyPlainHosts: Set<Hostname> = []

    /// Makes a configuration with the defaults.
    public init() {}

    /// The settings of the `HTTPClient.Configuration` that this one was made from which it doesn't have; empty for one that was made
    /// otherwise. They have no effect.
    public private(set) var droppedSettings: [DroppedSetting] = []

    /// The settings of an `HTTPClient`, as far as a ``TrustedHTTPClient`` has them; the others are in ``droppedSettings``.
    ///
    /// Timeouts, pool, tracing, decompression, HTTP version, uses per connection, local address, proxy, `dnsOverride` and TLS are taken over, a
    /// callback for TLS secrets (`keyLogCallback`) and a client certificate included.
    /// - Parameters:
    ///   - configuration: of an `HTTPClient`.
    ///   - redirects: the handling of redirects. `HTTPClient.Configuration` doesn't show its own setting.
    /// - Throws: ``TrustedHTTPError`` for `certificateVerification: .none`, and for `trustRoots` or `additionalTrustRoots` that name
    ///   roots: these belong into `ServerTrustConfiguration.anchors`.
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
    /// For all connections of a client that are alike and have their verdict in the handshake.
    /// - Parameters:
    ///   - isAnonymous: without the client's certificate and key.
    ///   - isExploring: offers HTTP/2 as well.
    func context(isAnonymous: Bool = false, isExploring: Bool = false) throws -> NIOSSLContext {
        var configuration = try tls(isAnonymous: isAnonymous)
        configuration.applicationProtocols = isExploring ? ["h2", "http/1.1"] : ["http/1.1"]
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

    /// Whether there is a certificate to show, or something that may come up with one.
    var hasIdentity: Bool {
        !tls.certificateChain.isEmpty || tls.privateKey != nil || tls.sslContextCallback != nil
    }

    /// Whether HTTP/2 is offered. Not with a callback for TLS contexts, which would be asked twice for the first connection.
    var hasHTTP2: Bool { httpVersion == .automatic && tls.sslContextCallback == nil }

    /// For the client inside that speaks HTTP/2, whose own verification is the second wall.
    /// - Parameter root: its only root.
    func http2(root: NIOSSLCertificate, isAnonymous: Bool) throws -> HTTPClient.Configuration {
        var configuration = plain()
        var tls = try tls(isAnonymous: isAnonymous)
        tls.certificateVerification = .fullVerification
        tls.trustRoots = .certificates([root])
        configuration.tlsConfiguration = tls
        configuration.httpVersion = .automatic
        return configuration
    }

    /// For the client inside, which knows nothing of TLS.
    func plain() -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.tracing.tracer = nil
        configuration.timeout = timeout
        configuration.connectionPool = connectionPool
        // Asked again, a refused server would be refused again, ten times.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.decompression = decompression
        configuration.httpVersion = .http1Only
        configuration.maximumUsesPerConnection = maximumUsesPerConnection
        configuration.localAddress = localAddress
        return configuration
    }

    /// AHC's own default is 10 seconds.
    var connectTimeout: TimeAmount { timeout.connect ?? .seconds(10) }

    var effectiveHandshakeTimeout: TimeAmount { min(TimeAmount(clamping: handshakeTimeout), connectTimeout) }
}
