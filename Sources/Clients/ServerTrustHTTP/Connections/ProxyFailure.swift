// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import ServerTrust
import ServerTrustNIO

extension OriginPool {
    /// The error of a request, as the proxy's if it is the proxy's: async-http-client's errors name neither the proxy nor, in part, the reason.
    /// - Parameters:
    ///   - start: the time at which the request was handed over.
    ///   - connections: those of this pool, among others.
    /// - Returns: a `ConnectionFailure` with the code of a proxy, or the error that was given.
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
        // Not for TLS: that has its own error. Over HTTP/2 it may be the server that is silent, before its SETTINGS.
        case HTTPClientError.connectTimeout as HTTPClientError: return choice.http2 == nil ? .silent : nil
        // The only TCP connections are to the proxy.
        case is NIOConnectionError: return TunnelProblem(error)
        case _ where TunnelProblem.isSOCKS(error): return TunnelProblem(error)
        case HTTPClientError.remoteConnectionClosed as HTTPClientError: break
        // Own errors, and those of requests that had no connection.
        case is ConnectionFailure, is TrustRefusal, is HandshakeAbandoned, is HTTP2Refused, is CancellationError,
            is HTTPClientError, is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            return nil
        // A reset, and the nameless error of a SOCKS proxy that ends the connection.
        default: break
        }
        // Of a tunnel that is open, these are the server's. Over HTTP/2 they may come from the time between tunnel and SETTINGS.
        guard choice.http2 == nil, !connections.wasConnected(key, since: start) else { return nil }
        return error is IOError ? TunnelProblem(error) : .ended
    }
}
