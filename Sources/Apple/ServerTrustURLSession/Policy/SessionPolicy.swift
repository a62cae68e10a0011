// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import ServerTrust
import ServerTrustHTTP

/// The rules for a session's connections.
struct SessionPolicy: Sendable {
    let trust: ServerTrustConfiguration
    /// The addresses to connect to, by host name, instead of the resolver's.
    let addresses: [String: String]
    /// The proxies that the environment names.
    let proxies: ProxyEnvironment
    /// Whether HTTP/2 is used with servers that support it.
    let usesHTTP2: Bool
    /// The choice of the error code for a refused server.
    let errorNumbers: ServerTrustErrorNumbers

    /// Creates a policy and emits the warnings of `trust` as events, each once per manager.
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
