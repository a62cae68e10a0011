// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import ServerTrust
    import ServerTrustHTTP

    extension URLSessionConfiguration {
        /// This configuration, with every connection of its sessions evaluated by `manager`. Nothing else has to change:
        ///
        /// ```swift
        /// let session = URLSession(configuration: .default.withServerTrust(manager))
        /// ```
        ///
        /// A copy: this one stays as it is. Settings may be changed afterwards; `protocolClasses` keeps this package's class
        /// first in any case, and that class asks those of the app before it asks a server. See ``withServerTrust(_:errorNumbers:)-(ServerTrustConfiguration,_)`` for the behavior and the limits of such a session.
        /// - Parameters:
        ///   - manager: hosts and their evaluators.
        ///   - errorNumbers: the choice of the code of a refused server's `URLError`; by meaning unless given.
        public func withServerTrust(
            _ manager: ServerTrustManager, errorNumbers: ServerTrustErrorNumbers = .byMeaning
        ) -> URLSessionConfiguration {
            withServerTrust(ServerTrustConfiguration(manager), errorNumbers: errorNumbers)
        }

        /// This configuration, with every connection of its sessions evaluated by `trust`.
        ///
        /// Data, upload and download tasks go over TLS of this package's own, not over libcurl. The session's delegate is asked
        /// (`NSURLAuthenticationMethodServerTrust`): its session-level method, and its task-level one if there is no such method; default handling is the evaluation by `trust`. A delegate can
        /// refuse any server, and accept one only where default evaluation is all that `trust` asks for and nothing fatal is wrong
        /// (`URLCredential(trust:)`). A host that the rules deny is refused before its name is looked up. HTTP Basic and
        /// Digest, client certificates, redirects, cookies, cache and timeouts are done here as well.
        ///
        /// A protocol class of the app's own in `protocolClasses`, such as a test's, gets the requests that it claims, of any scheme. Nothing is evaluated
        /// then: there is no server.
        ///
        /// Unsupported tasks fail with an error that names the reason, and nothing is sent: web sockets, FTP, and plain `http` (`URLError.appTransportSecurityRequiresSecureConnection`), redirects to it included.
        ///
        /// The dangers of `trust` (`ServerTrustConfiguration.warnings`) are emitted as events, each once for its manager.
        /// - Parameters:
        ///   - trust: the evaluation of servers. SNI has the connection's host, also where a rule or `TrustSettings.identity` has another
        ///     name that the leaf has to be valid for.
        ///   - errorNumbers: the choice of the code of a refused server's `URLError`; by meaning unless given.
        public func withServerTrust(
            _ trust: ServerTrustConfiguration, errorNumbers: ServerTrustErrorNumbers = .byMeaning
        ) -> URLSessionConfiguration {
            withServerTrust(SessionPolicy(trust, errorNumbers: errorNumbers))
        }

        /// This configuration, with every connection of its sessions evaluated by `trust`, to other addresses than the resolver's: a lab or a
        /// staging server under the name of the real one.
        ///
        /// ```swift
        /// let server = try await LabServer.start(.expired)
        /// let configuration = URLSessionConfiguration.ephemeral.withServerTrust(
        ///     server.certificates.configuration, connectingTo: ["www.lab.test": "127.0.0.1"])
        /// ```
        /// A server is evaluated as the host of the URL all the same.
        /// - Parameters:
        ///   - trust: the evaluation of servers.
        ///   - addresses: addresses or names to connect to in the place of a host's own, by host.
        ///   - errorNumbers: the choice of the code of a refused server's `URLError`; by meaning unless given.
        public func withServerTrust(
            _ trust: ServerTrustConfiguration, connectingTo addresses: [String: String],
            errorNumbers: ServerTrustErrorNumbers = .byMeaning
        ) -> URLSessionConfiguration {
            withServerTrust(SessionPolicy(trust, addresses: addresses, errorNumbers: errorNumbers))
        }

        /// As above, with an environment that stands for the process's, and with or without HTTP/2, which takes another connection: for tests.
        package func withServerTrust(
            _ trust: ServerTrustConfiguration, connectingTo addresses: [String: String],
            environment: [String: String], usesHTTP2: Bool = false, errorNumbers: ServerTrustErrorNumbers = .byMeaning
        ) -> URLSessionConfiguration {
            let proxies = ProxyEnvironment { environment[$0] }
            return withServerTrust(
                SessionPolicy(
                    trust, addresses: addresses, proxies: proxies, usesHTTP2: usesHTTP2, errorNumbers: errorNumbers))
        }

        private func withServerTrust(_ policy: SessionPolicy) -> URLSessionConfiguration {
            let configuration = ServerTrustSessionConfiguration.blank()
            configuration.adopt(self)
            configuration.policy = policy
            return configuration
        }
    }

    extension URLSession {
        /// A session whose connections are evaluated by `manager`. The same line compiles on Apple platforms.
        /// - Parameters:
        ///   - configuration: everything else; copied.
        ///   - manager: the rules for hosts.
        ///   - delegate: asked before the manager decides; held strongly until the session is invalidated, as `URLSession` does.
        ///   - delegateQueue: where the delegate is called; a serial queue of the session's own unless given.
        public convenience init(
            configuration: URLSessionConfiguration, serverTrustManager manager: ServerTrustManager,
            delegate: (any FoundationNetworking.URLSessionDelegate)?, delegateQueue: OperationQueue? = nil
        ) {
            self.init(
                configuration: configuration.withServerTrust(manager), delegate: delegate, delegateQueue: delegateQueue)
        }

        /// A session whose connections are evaluated by `trust`. The same line compiles on Apple platforms.
        /// - Parameters:
        ///   - configuration: everything else; copied.
        ///   - trust: the evaluation of servers.
        ///   - delegate: asked before the manager decides; held strongly until the session is invalidated, as `URLSession` does.
        ///   - delegateQueue: where the delegate is called; a serial queue of the session's own unless given.
        public convenience init(
            configuration: URLSessionConfiguration, serverTrust trust: ServerTrustConfiguration,
            delegate: (any FoundationNetworking.URLSessionDelegate)?, delegateQueue: OperationQueue? = nil
        ) {
            self.init(
                configuration: configuration.withServerTrust(trust), delegate: delegate, delegateQueue: delegateQueue)
        }
    }

    /// A configuration that carries a policy. `URLSession` keeps a copy for itself alone and hands that very object out, so the state
    /// of one session (connections, credentials) hangs on the copy, and goes with it.
    final class ServerTrustSessionConfiguration: URLSessionConfiguration, TrustedSessionConfiguration,
        BlankConfiguration,
        @unchecked Sendable
    {
        // Proof of sendability: `policy` is written by `adopt` and by `withServerTrust(_:)` before the object is shared, and
        // only read afterwards; the rest is `URLSessionConfiguration`'s, which is declared sendable.
        fileprivate(set) var policy: SessionPolicy?

        /// The session's own state.
        let state = SessionState()

        /// Not public API of Foundation's any more, and the only way to a subclass's instance.
        @available(*, deprecated, message: "use blank()")
        required override init() { super.init() }

        override func copy() -> Any { copy(with: nil) }

        override func copy(with zone: NSZone?) -> Any {
            let copy = Self.blank()
            copy.adopt(self)
            return copy
        }

        /// This package's class first in any case: Foundation takes the first class that says yes, and its own would say yes.
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

        /// Foundation's own, which would take any request to its server, under no policy.
        private static let nativeProtocols = Set(
            (URLSessionConfiguration.ephemeral.protocolClasses ?? []).map { ObjectIdentifier($0) })

        /// Two settings are left behind that Foundation has deprecated, and that have no meaning here: pipelining and background idling.
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

    /// Makes an instance without naming the initializer that Foundation has deprecated.
    private protocol BlankConfiguration { init() }

    extension BlankConfiguration {
        fileprivate static func make() -> Self { Self() }
    }
#endif
