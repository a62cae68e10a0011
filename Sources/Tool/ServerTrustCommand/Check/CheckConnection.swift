// SPDX-License-Identifier: Apache-2.0

import ServerObservation
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO

/// The settings for connecting to servers in `servertrust check`.
struct CheckConnection: Sendable {
    /// The address to connect to instead of each host, or nil to connect to the host itself.
    var address: String?
    /// The port of ``address``. It applies to hosts that the user named, not to targets of redirects.
    var addressPort: Int?
    var timeout: Duration
    /// The minimum TLS version.
    var minimumVersion = ProtocolVersion.tls12
    /// The rule that selects a proxy for each server.
    var proxy = ProxySelection.none
    /// The identity for servers that ask for a client certificate, or nil to send none.
    var identity: ClientIdentity?
    /// The name in SNI, or nil for the host's name.
    var serverName: Hostname?

    /// Returns the probe for an endpoint.
    /// - Parameter isNamed: whether the user named the endpoint. The target of a redirect doesn't receive the client
    ///   certificate.
    func probe(
        of endpoint: ServerEndpoint, isNamed: Bool, _ configuration: ServerTrustConfiguration
    ) throws -> ObservingProbe {
        var probe = TrustProbe(configuration)
        probe.timeout = timeout
        probe.nameLookupTimeout = timeout
        probe.serverName = isNamed ? serverName : nil
        try probe.use(proxy.proxy(for: endpoint), configuration.settings)
        probe.use(endpoint.service, host: endpoint.host)
        if isNamed { probe.identity = identity }
        return ObservingProbe(probe, minimumVersion: minimumVersion)
    }

    /// Returns the port for an endpoint.
    /// - Parameter isNamed: whether the user named the endpoint. ``addressPort`` only applies if so.
    func port(of endpoint: ServerEndpoint, isNamed: Bool) -> Int {
        isNamed ? addressPort ?? endpoint.port : endpoint.port
    }
}
