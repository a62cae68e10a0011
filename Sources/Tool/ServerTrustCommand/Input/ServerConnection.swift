// SPDX-License-Identifier: Apache-2.0

import ServerObservation
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO

/// The way to servers that arguments name in the place of files, for verbs that show no verdict.
struct ServerConnection: Sendable {
    var address: ConnectAddress
    /// The limit for the look-up of a name, and again from connecting to the certificates.
    var timeout: Duration
    /// The name in the handshake (SNI); nil for the host.
    var serverName: Hostname?
    /// The choice of a proxy for each server.
    var proxy = ProxySelection.none

    /// Observes a server. Nothing but TLS's handshake is sent. The signature of the handshake shows whether the server has the key of the
    /// certificate that it presents.
    /// - Parameters:
    ///   - file: the words for the argument as a file, for the hint that none has its name.
    ///   - configuration: changes the configuration of the evaluation, which has the system's anchors.
    /// - Returns: the report, and the configuration that it was made with.
    /// - Throws: ``CommandFailure`` if there is no verdict.
    func observe(
        _ endpoint: ServerEndpoint, notFile file: String, _ configure: (inout ServerTrustConfiguration) -> Void
    ) async throws -> (server: ObservedServer, configuration: ServerTrustConfiguration) {
        let manager = try ServerTrustManager(
            evaluators: [endpoint.host.description: DefaultTrustEvaluator()], memory: nil)
        var configuration = ServerTrustConfiguration(manager)
        configure(&configuration)
        var probe = TrustProbe(configuration)
        probe.timeout = timeout
        probe.nameLookupTimeout = timeout
        probe.serverName = serverName
        probe.proxy = try proxy.proxy(for: endpoint)
        probe.use(endpoint.service, host: endpoint.host)
        do throws(ConnectionFailure) {
            let server = try await ObservingProbe(probe).probe(
                endpoint.host, port: address.port ?? endpoint.port, connectingTo: address.host)
            return (server, configuration)
        } catch {
            throw CommandFailure(
                "\(endpoint): \(error.detail) [\(error.reportedReason)]",
                hint: error.code == .connectionNameNotResolved
                    ? "there is no file of \(file) either" : error.remedy(for: endpoint))
        }
    }
}
