// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import ServerTrust
import ServerTrustNIO

extension OriginPool {
    /// Returns the error of a request. The error names the proxy if the proxy caused it. It names the server's addresses
    /// if none answered in time.
    ///
    /// async-http-client's errors don't name the proxy, and some don't name the reason. Its error for a timeout doesn't
    /// name the addresses, which it tries side by side (RFC 8305).
    /// - Parameters:
    ///   - start: the time when the client received the request.
    ///   - connections: the client's connections, including those of this pool.
    /// - Returns: a `ConnectionFailure`, or the original error.
    func namingProxy(_ error: any Error, since start: NIODeadline, _ connections: Connections) -> any Error {
        guard let proxy = key.proxy else { return namingAddresses(error, since: start, connections) }
        if let failure = error as? ConnectionFailure { return failure.naming(proxy) }
        guard let problem = proxyProblem(error, since: start, connections) else { return error }
        return ConnectionFailure(problem, of: proxy, to: key.host)
    }

    private func namingAddresses(
        _ error: any Error, since start: NIODeadline, _ connections: Connections
    ) -> any Error {
        // Over HTTP/2, the server may have been silent before its SETTINGS.
        let addresses = addresses.compactMap(\.ipAddress)
        guard error as? HTTPClientError == .connectTimeout, choice.http2 == nil, !addresses.isEmpty,
            !connections.wasConnected(key, since: start)
        else { return error }
        let tried = addresses.prefix(16).joined(separator: ", ") + (addresses.count > 16 ? ", …" : "")
        return ConnectionFailure(
            .connectionTimedOut, host: key.host, port: key.origin.port,
            detail: "no connection within the time allowed to \(tried)")
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
        case is TrustRefusal, is HandshakeAbandoned, is HTTP2Refused, is CancellationError,
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

#endif
