// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import ServerTrust
import ServerTrustHTTP

/// The rules for a session's connections.
struct SessionPolicy: Sendable {
    let trust: ServerTrustConfiguration
    /// The addresses to connect to, by host name, instead of the resolver's.
    var addresses: [String: String] = [:]
    /// The proxies that the environment names.
    var proxies = ProxyEnvironment.process
    /// Whether HTTP/2 is used with servers that support it.
    var usesHTTP2 = true
    /// The choice of the error code for a refused server.
    let errorNumbers: ServerTrustErrorNumbers
}
#endif
