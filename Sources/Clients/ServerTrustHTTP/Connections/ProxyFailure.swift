// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import ServerTrust
import ServerTrustNIO

extension OriginPool {
    /// Returns the error of a request. The error names the proxy if the proxy caused it.
    ///
    /// async-http-client's errors don't name the proxy, and some don't name the reason.
    /// - Parameters:
    ///   - start: the time when the client received the request.
    ///   - connections: the client's connections, including those of this pool.
    /// - Returns: a `ConnectionFailure` with a proxy's code, or the original error.
    func namingProxy(_ error: any Error, since start: NIODeadline, _ connections: Connections) -> any Error {
        guard let proxy = key.proxy, let problem = proxyProblem(error, since: start, connections) else { return error }
        return ConnectionFailure(problem, of: ConnectionProxy(proxy), to: key.host)
    }

    private func proxyProblem(
        _ error: any Error, since start: NIODeadline, _ connections: Connections
    ) -> TunnelProblem? {
        switch error {
        case HTTPClientError.proxyAuthenticationRequired as HTTPClientError: return .wrongAuthorization
        case HTTPClientError.invalidProxyResponse as HTTPClientError: return .noTunnel
        case HTTPClientError.httpProxyHandshakeTimeout as HTTPClientError,
            HTTPClientError.socksHandshakeTimeout as HTTPClientError:
            return .silent
        // This isn't about TLS, which has a separate error. Over HTTP/2, the server itself may be silent before its
        // SETTINGS.
        case HTTPClientError.connectTimeout as HTTPClientError: return choice.http2 == nil ? .silent : nil
        // All TCP connections go to the proxy.
        case is NIOConnectionError: return TunnelProblem(error)
        case _ where TunnelProblem.isSOCKS(error): return TunnelProblem(error)
        case HTTPClientError.remoteConnectionClosed as HTTPClientError: break
        // These are our own errors, and the errors of requests without a connection.
        case is ConnectionFailure, is TrustRefusal, is HandshakeAbandoned, is HTTP2Refused, is CancellationError,
            is HTTPClientError, is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            return nil
        // This is a reset, or the unspecific error of a SOCKS proxy that ends the connection.
        default: break
        }
        // If the tunnel is open, these errors are the server's. Over HTTP/2, they may come from the time between tunnel
        // and SETTINGS.
        guard choice.http2 == nil, !connections.wasConnected(key, since: start) else { return nil }
        return error is IOError ? TunnelProblem(error) : .ended
    }
}
