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
            throw ConnectionFailure(
                error.code == .ended ? .connectionClosed : .connectionHandshakeFailed, host: host, detail: error.detail)
        case nil: throw ConnectionFailure(.connectionClosed, host: host)
        }
    }
}
