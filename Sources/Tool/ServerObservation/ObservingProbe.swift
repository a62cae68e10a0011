// SPDX-License-Identifier: Apache-2.0

import HandshakeProbe
import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

/// Inspects a server as ``TrustProbe`` does, and observes its handshake by ``HandshakeProbe``.
///
/// The observation shows version, suite, group, staple and timestamps of any server, refused ones too, by one connection. It isn't a TLS
/// client, so two rules bind its result:
///
/// * A server is trusted only if it signed this handshake by the key of its leaf. Without that signature the probe asks TLS, by a second
///   connection.
/// * No server fails because of the observation. TLS is asked, and its result is the result, where the observation fails, agrees on
///   something that TLS wouldn't, or meets a request for a client certificate.
///
/// A handshake of TLS that ends before the key is proven leaves no trusted verdict, even if the chain is valid. So the verdict is
/// about the handshake too.
package struct ObservingProbe: Sendable {
    /// The probe by TLS. Its settings are those of the observation too.
    private var tls: TrustProbe
    /// The oldest version that is offered.
    private let minimumVersion: ProtocolVersion

    /// - Parameters:
    ///   - tls: the probe by TLS. The observation has the same settings.
    ///   - minimumVersion: the oldest version; TLS 1.2 unless given. A server of an older version is observed, and refused.
    package init(_ tls: TrustProbe, minimumVersion: ProtocolVersion = .tls12) {
        self.tls = tls
        self.tls.requiresTLS13 = minimumVersion == .tls13
        self.minimumVersion = minimumVersion
    }

    /// Connects and evaluates. A host that the rules deny isn't contacted. A server is observed first; with a request, TLS comes first.
    /// - Parameters:
    ///   - host: the name to ask for. The leaf has to have it.
    ///   - port: 443 unless given.
    ///   - address: where to connect to instead of the host: a name or an IP literal. The host is evaluated all the same.
    ///   - path: asked for with `GET` if the server is trusted; nil for no request.
    /// - Throws: `ConnectionFailure` if the server presents no chain that can be evaluated.
    package func probe(
        _ host: Hostname, port: Int = 443, connectingTo address: String? = nil, requesting path: String? = nil
    ) async throws(ConnectionFailure) -> ObservedServer {
        if let report = tls.denial(of: host, port: port) { return ObservedServer(report) }
        if let path { return try await request(path, of: host, port: port, connectingTo: address) }
        let start = NIODeadline.now()
        var observed: ObservedServer?
        do throws(ConnectionFailure) {
            let server = try await tls.observe(host, port: port, connectingTo: address, offering: offer(for: host))
            if server.isConclusive { return server }
            observed = server
        } catch {
            // Only a handshake can go better the second time.
            guard error.code == .connectionHandshakeFailed || error.code == .connectionClosed else { throw error }
        }
        do throws(ConnectionFailure) {
            var server = ObservedServer(
                try await rest(since: start).shakeHands(host, port: port, connectingTo: address))
            server.take(observed)
            server.requireProof()
            server.report.duration = start.elapsed
            return server
        } catch {
            guard let observed else { throw error }
            return observed.unproven(error)
        }
    }

    /// Asks TLS, and sends a request to a trusted server. Where TLS ends before the proof of the key, the server is observed for that proof.
    private func request(
        _ path: String, of host: Hostname, port: Int, connectingTo address: String?
    ) async throws(ConnectionFailure) -> ObservedServer {
        let start = NIODeadline.now()
        var server = ObservedServer(
            try await tls.shakeHands(host, port: port, connectingTo: address, requesting: path))
        guard server.report.verdict.isTrusted, !server.report.isComplete else { return server }
        do throws(ConnectionFailure) {
            server.take(
                try await rest(since: start).observe(
                    host, port: port, connectingTo: address, offering: offer(for: host)))
        } catch {
            // The first error says more.
        }
        server.requireProof()
        return server
    }

    /// Returns the probe for a second connection, with the rest of the time and at least a quarter of it.
    private func rest(since start: NIODeadline) -> TrustProbe {
        var probe = tls
        probe.timeout = max(tls.timeout - start.elapsed, tls.timeout / 4)
        return probe
    }

    private func offer(for host: Hostname) -> ProbeOffer {
        ProbeOffer(
            serverName: (tls.serverName ?? host).serverName, applicationProtocols: tls.applicationProtocols,
            minimumVersion: minimumVersion)
    }
}
