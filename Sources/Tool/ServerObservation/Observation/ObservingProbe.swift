// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

/// Inspects a server like ``TrustProbe``, and also observes its handshake with ``HandshakeProbe``.
///
/// The observation shows the version, suite, group, staple and timestamps of any server, even a rejected one, with one
/// connection. It isn't a TLS client, so two rules limit its result:
///
/// * A server is trusted only if it signed this handshake with the key of its leaf. Without that signature, the probe
///   uses TLS over a second connection.
/// * The observation never makes a server fail. The observation may fail, agree on parameters that TLS wouldn't, or
///   receive a request for a client certificate. Then the probe uses TLS, and the result of TLS counts.
///
/// If a TLS handshake ends before the server proves possession of the key, the verdict is never trusted, even if the
/// chain is valid. The verdict covers the handshake, too.
package struct ObservingProbe: Sendable {
    /// The TLS probe. The observation uses its settings, too.
    private var tls: TrustProbe
    /// The minimum TLS version to offer.
    private let minimumVersion: ProtocolVersion

    /// - Parameters:
    ///   - tls: the TLS probe. The observation has the same settings.
    ///   - minimumVersion: the minimum TLS version. The default is TLS 1.2. A server with an older version is observed
    ///     and rejected.
    package init(_ tls: TrustProbe, minimumVersion: ProtocolVersion = .tls12) {
        self.tls = tls
        self.tls.requiresTLS13 = minimumVersion == .tls13
        self.minimumVersion = minimumVersion
    }

    /// Connects to a server and evaluates it. The probe doesn't contact a host that the rules deny. It observes the
    /// server first, but with a request, TLS comes first.
    /// - Parameters:
    ///   - host: the server name to request. The leaf must be valid for it.
    ///   - port: the port. The default is 443.
    ///   - address: the name or IP literal to connect to instead of the host. The host is evaluated all the same.
    ///   - path: the path to request with `GET` if the server is trusted, or nil for no request.
    /// - Throws: `ConnectionFailure` if the server presents no chain that can be evaluated.
    package func probe(
        _ host: Hostname, port: Int = 443, connectingTo address: String? = nil, requesting path: String? = nil
    ) async throws(ConnectionFailure) -> ObservedServer {
        if let report = tls.denial(of: host, port: port) { return ObservedServer(report) }
        if let path { return try await request(path, of: host, port: port, connectingTo: address) }
        let start = NIODeadline.now()
        var observed: ObservedServer?
        var first: ConnectionFailure?
        do throws(ConnectionFailure) {
            let server = try await tls.observe(host, port: port, connectingTo: address, offering: offer(for: host))
            if server.isConclusive { return server }
            observed = server
        } catch {
            // A second attempt can only succeed after a failed handshake.
            guard error.code == .connectionHandshakeFailed || error.code == .connectionClosed else { throw error }
            first = error
        }
        do throws(ConnectionFailure) {
            var server = ObservedServer(
                try await rest(since: start).shakeHands(host, port: port, connectingTo: address))
            server.take(observed)
            server.requireProof()
            server.report.duration = start.elapsed
            return server
        } catch {
            if let observed { return observed.unproven(error) }
            // The observation counts the certificates.
            if let first, first.detail.contains(ConnectionFailure.excessiveSize) { throw first }
            throw await explained(error, host, port: port, connectingTo: address, since: start)
        }
    }

    /// Connects with TLS, and sends a request to a trusted server. If TLS ends before the server proves possession of
    /// its key, observes the server to get that proof.
    private func request(
        _ path: String, of host: Hostname, port: Int, connectingTo address: String?
    ) async throws(ConnectionFailure) -> ObservedServer {
        let start = NIODeadline.now()
        var server: ObservedServer
        do throws(ConnectionFailure) {
            server = ObservedServer(
                try await tls.shakeHands(host, port: port, connectingTo: address, requesting: path))
        } catch {
            throw await explained(error, host, port: port, connectingTo: address, since: start)
        }
        guard server.report.verdict.isTrusted, !server.report.isComplete else { return server }
        do throws(ConnectionFailure) {
            server.take(
                try await rest(since: start).observe(
                    host, port: port, connectingTo: address, offering: offer(for: host)))
        } catch {
            // The first error is more specific.
        }
        server.requireProof()
        return server
    }

    /// Returns the failure of a handshake. If a server found nothing in common with the client, observes the server with an
    /// offer of keys that no usual client offers, and names the key of its certificate.
    private func explained(
        _ error: ConnectionFailure, _ host: Hostname, port: Int, connectingTo address: String?, since start: NIODeadline
    ) async -> ConnectionFailure {
        guard error.alert == TLSAlert.handshakeFailure.code else { return error }
        var offer = offer(for: host)
        offer.isForUnusualKeys = true
        let server = try? await rest(since: start).observe(host, port: port, connectingTo: address, offering: offer)
        guard let report = server?.report, server?.handshake?.signature == .notChecked,
            let failure = report.verdict.failures.first(where: {
                $0.certificate == 0 && [.keyUsesUnsupportedCurve, .keyAlgorithmUnsupported].contains($0.code)
            })
        else { return error }
        let words = failure.message(on: report.verdict.path, sentIn: report.presentedChain)
        var explained = ConnectionFailure(
            error.code, host: host, port: error.port, alert: error.alert,
            exactly:
                "the server refuses the handshake (alert \(TLSAlert.handshakeFailure)), because it has \(ConnectionFailure.unusualKey): \(words)"
        )
        (explained.address, explained.attempts) = (error.address, error.attempts)
        return explained
    }

    /// Returns the probe for a second connection, with the remaining time but at least a quarter of the whole.
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
