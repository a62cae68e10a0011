// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

extension TrustProbe {
    /// Observes the server's part of a handshake with ``HandshakeProbe``, and evaluates the chain. The probe sends only
    /// its ClientHello on this connection.
    func observe(
        _ host: Hostname, port: Int, connectingTo address: String?, offering offer: ProbeOffer
    ) async throws(ConnectionFailure) -> ObservedServer {
        let start = NIODeadline.now()
        do {
            let route = route(to: host, port: port, connectingTo: address)
            let connection = try await open(route) { channel in
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
            let seen = try await connection.observe(offer, host: host)
            let chain = PresentedChain(
                der: seen.certificates, staple: seen.staple.map { .given($0) } ?? .none,
                signedCertificateTimestampList: seen.timestampList)
            let server = try await source.evaluatedServer(
                presenting: chain, for: host, on: connection.channel.eventLoop, by: connection.deadline
            ).get()
            var observed = ObservedServer(server.held(to: seen), port: port, seen)
            observed.report.address = connection.address
            observed.report.attempts = connection.attempts
            observed.report.duration = start.elapsed
            return observed
        } catch {
            throw ConnectionFailure(error, host: host, port: port)
        }
    }
}

extension ProbeConnection<NIOAsyncChannel<ByteBuffer, ByteBuffer>> {
    /// Sends the ClientHello, reads the server's answer, and closes the connection.
    /// - Throws: `ConnectionFailure` if the answer isn't a handshake.
    fileprivate func observe(_ offer: ProbeOffer, host: Hostname) async throws -> HandshakeObservation {
        let result = try await opened.executeThenClose { inbound, outbound in
            let end = scheduleEnd()
            defer { end.cancel() }
            var probe = HandshakeProbe(offer)
            // If the connection has ended, the server's answer contains the reason. A write error doesn't.
            try? await outbound.write(ByteBuffer(bytes: probe.start()))
            do {
                for try await bytes in inbound {
                    let answer = probe.receive(bytes.readableBytesView)
                    if !answer.isEmpty { try? await outbound.write(ByteBuffer(bytes: answer)) }
                    if probe.result != nil { break }
                }
            } catch  where error.isEndOfConnection {
                // A reset means no more than an end.
            }
            probe.end()
            return probe.result
        }
        switch result {
        case .success(let seen): return seen
        case .failure(let error):
            let detail = error.code == .tooLarge ? "\(ConnectionFailure.excessiveSize), \(error.detail)" : error.detail
            throw ConnectionFailure(
                error.code == .ended ? .connectionClosed : .connectionHandshakeFailed, host: host, detail: detail)
        case nil: throw ConnectionFailure(.connectionClosed, host: host)
        }
    }
}

extension ConnectionFailure {
    /// The TLS library's words for a message above its limit.
    package static let excessiveSize = "excessive message size"
    /// The words for the key of a certificate that no usual client can verify.
    package static let unusualKey = "a key that clients don't support"
}

extension EvaluatedServer {
    /// Returns the server with the verdict for an observed handshake. The server is rejected if the signature isn't the
    /// leaf's, the TLS version is no longer in use, or the handshake may not use the key.
    func held(to seen: HandshakeObservation) -> EvaluatedServer {
        var verdict = verdict
        if seen.signature == .invalid {
            verdict = verdict.refused(
                for: TrustFailure(
                    .handshakeSignatureInvalid, certificate: 0, role: .leaf,
                    found: .text(seen.signatureScheme?.description ?? "none")))
        }
        if let version = seen.version, version < .tls12 {
            verdict = verdict.refused(
                for: TrustFailure(
                    .tlsVersionOutdated, expected: .text(ProtocolVersion.tls12.description),
                    found: .text(version.description)))
        }
        verdict = verdict.held(toKeyUsageOf: presentedChain.leaf, in: seen)
        return EvaluatedServer(host: host, presentedChain: presentedChain, verdict: verdict)
    }
}

extension TrustVerdict {
    /// Returns the verdict, rejected if the leaf's key usage doesn't allow the operation that the negotiated suite
    /// needs (RFC 5246 § 7.4.2, RFC 8446 § 4.4.2.2). BoringSSL ends such a handshake with `KEY_USAGE_BIT_INCORRECT`.
    func held(toKeyUsageOf leaf: Certificate?, in seen: HandshakeObservation) -> TrustVerdict {
        guard let usage = leaf?.keyUsage, let exchange = seen.cipherSuite?.keyExchange,
            !failures.contains(where: { $0.code == .keyUsageNotForTLS })
        else { return self }
        let needed: KeyUsage = exchange == .rsa ? .keyEncipherment : .digitalSignature
        guard !usage.contains(needed) else { return self }
        return refused(
            for: TrustFailure(
                .keyUsageNotForTLS, certificate: 0, role: .leaf, expected: .list(needed.names),
                found: .list(usage.names)))
    }
}
