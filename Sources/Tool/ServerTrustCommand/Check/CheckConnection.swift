// SPDX-License-Identifier: Apache-2.0

import HandshakeProbe
import ServerObservation
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO

/// The connections to servers by `servertrust check`.
struct CheckConnection: Sendable {
    /// The address to connect to in the place of every host; nil for the host's own.
    var address: String?
    /// The port of ``address``, for hosts that were named and not for those that a redirect names.
    var addressPort: Int?
    var timeout: Duration
    /// The oldest version of TLS.
    var minimumVersion = ProtocolVersion.tls12
    /// The choice of a proxy for each server.
    var proxy = ProxySelection.none
    /// Sent to servers that ask for a client certificate; nil for none.
    var identity: ClientIdentity?
    /// The name in SNI; nil for the host's own.
    var serverName: Hostname?

    /// Returns the probe of an endpoint.
    /// - Parameter isNamed: whether the user named the endpoint. The target of a redirect doesn't learn who the client is.
    func probe(
        of endpoint: ServerEndpoint, isNamed: Bool, _ configuration: ServerTrustConfiguration
    ) throws -> ObservingProbe {
        var probe = TrustProbe(configuration)
        probe.timeout = timeout
        probe.nameLookupTimeout = timeout
        probe.serverName = isNamed ? serverName : nil
        probe.proxy = try proxy.proxy(for: endpoint)
        probe.use(endpoint.service, host: endpoint.host)
        if isNamed { probe.identity = identity }
        return ObservingProbe(probe, minimumVersion: minimumVersion)
    }

    /// Returns the port for an endpoint.
    /// - Parameter isNamed: whether the user named the endpoint; ``addressPort`` counts for those alone.
    func port(of endpoint: ServerEndpoint, isNamed: Bool) -> Int {
        isNamed ? addressPort ?? endpoint.port : endpoint.port
    }
}
