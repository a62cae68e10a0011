// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import ServerTrust
    import ServerTrustHTTP

    /// The rules for a session's connections.
    struct SessionPolicy: Sendable {
        let trust: ServerTrustConfiguration
        /// Addresses to connect to by host name, in the place of the resolver's.
        let addresses: [String: String]
        /// The proxies that the environment names.
        let proxies: ProxyEnvironment
        /// Whether HTTP/2 is spoken where a server does.
        let usesHTTP2: Bool
        /// The choice of the code of a refused server's error.
        let errorNumbers: ServerTrustErrorNumbers

        /// Creates a policy, and emits the warnings of `trust` as events, each once for its manager.
        init(
            _ trust: ServerTrustConfiguration, addresses: [String: String] = [:], proxies: ProxyEnvironment = .process,
            usesHTTP2: Bool = true, errorNumbers: ServerTrustErrorNumbers = .byMeaning
        ) {
            trust.emitWarnings()
            self.errorNumbers = errorNumbers
            self.trust = trust
            self.addresses = addresses
            self.proxies = proxies
            self.usesHTTP2 = usesHTTP2
        }
    }
#endif
