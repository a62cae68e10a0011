// SPDX-License-Identifier: Apache-2.0

import ServerObservation
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO

/// The settings for connecting to servers that arguments name instead of files. Only commands that show no verdict use
/// it.
struct ServerConnection: Sendable {
    var address: ConnectAddress
    /// The time limit for the name lookup, and again from connecting to receiving the certificates.
    var timeout: Duration
    /// The server name in the handshake (SNI), or nil for the host.
    var serverName: Hostname?
    /// The minimum TLS version.
    var minimumVersion = ProtocolVersion.tls12
    /// The rule that selects a proxy for each server.
    var proxy = ProxySelection.none
    /// The identity for servers that ask for a client certificate, or nil to send none.
    var identity: ClientIdentity?

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
    /// - Parameter isNamed: whether the user named the endpoint. The port of ``address`` only applies if so.
    func port(of endpoint: ServerEndpoint, isNamed: Bool) -> Int {
        isNamed ? address.port ?? endpoint.port : endpoint.port
    }

    /// Observes a server. It sends only the TLS handshake. The signature of the handshake shows whether the server has
    /// the private key of the certificate that it presents.
    /// - Parameters:
    ///   - file: the words for the argument as a file, for the hint that no file has this name.
    ///   - configuration: a closure that changes the evaluation's configuration, which uses the system's anchors.
    /// - Returns: the report, and the configuration that was used.
    /// - Throws: ``CommandFailure`` if there is no verdict.
    func observe(
        _ endpoint: ServerEndpoint, notFile file: String, _ configure: (inout ServerTrustConfiguration) -> Void
    ) async throws -> (server: ObservedServer, configuration: ServerTrustConfiguration) {
        let manager = try ServerTrustManager(
            evaluators: [endpoint.host.description: DefaultTrustEvaluator()], memory: nil)
        var configuration = ServerTrustConfiguration(manager)
        configure(&configuration)
        let probe = try probe(of: endpoint, isNamed: true, configuration)
        do throws(ConnectionFailure) {
            let server = try await probe.probe(
                endpoint.host, port: port(of: endpoint, isNamed: true), connectingTo: address.host)
            return (server, configuration)
        } catch {
            throw CommandFailure(
                "\(endpoint): \(error.detail) [\(error.reportedReason)]",
                hint: error.code == .connectionNameNotResolved
                    ? "there is no file named \(file) either" : error.remedy(for: endpoint))
        }
    }
}
