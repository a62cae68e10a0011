// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import ServerTrust

    /// The rules for a session's connections.
    struct SessionPolicy: Sendable {
        let trust: ServerTrustConfiguration
        /// Addresses to connect to by host name, in the place of the resolver's.
        let addresses: [String: String]
        /// The proxies that the environment names.
        let proxies: ProxyEnvironment

        init(
            _ trust: ServerTrustConfiguration, addresses: [String: String] = [:], proxies: ProxyEnvironment = .process
        ) {
            self.trust = trust
            self.addresses = addresses
            self.proxies = proxies
        }
    }
#endif
