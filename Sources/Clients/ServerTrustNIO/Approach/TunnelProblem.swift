// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import Foundation
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSOCKS
import PKIX

/// The meaning of an error that occurs before a proxy's tunnel is open.
package struct TunnelProblem: Error {
    /// A human-readable message.
    package let text: String
    package let code: ErrorCode
    /// The values of `Proxy-Authenticate` of a proxy that requires credentials (407). Nil for other problems.
    var challenges: [String]?

    package init(_ text: String, _ code: ErrorCode = .connectionProxyFailed) {
        self.text = text
        self.code = code
    }

    // These messages are the same for all clients.
    package static let wrongAuthorization = TunnelProblem(
        "it requires valid credentials (407)", .connectionProxyAuthorizationRequired)
    static let wrongLogin = TunnelProblem(
        "it refuses the user name and the password", .connectionProxyAuthorizationRequired)
    static let noPasswords = TunnelProblem(
        "it accepts neither a user name with a password nor a client without them",
        .connectionProxyAuthorizationRequired)
    package static let ended = TunnelProblem("it ended the connection")
    package static let silent = TunnelProblem("no answer within the time allowed", .connectionProxyTimedOut)
    package static let noTunnel = TunnelProblem("it doesn't open a tunnel")

    /// - Parameter status: the status of the proxy's response, or nil if it has none.
    package init(_ error: any Error, status: UInt? = nil) {
        switch error {
        case NIOHTTP1ProxyConnectHandler.Error.proxyAuthenticationRequired() as NIOHTTP1ProxyConnectHandler.Error:
            self = .wrongAuthorization
        case NIOHTTP1ProxyConnectHandler.Error.remoteConnectionClosed() as NIOHTTP1ProxyConnectHandler.Error:
            self = .ended
        case NIOHTTP1ProxyConnectHandler.Error.httpProxyHandshakeTimeout() as NIOHTTP1ProxyConnectHandler.Error:
            self = .silent
        case is NIOHTTP1ProxyConnectHandler.Error:
            self = status.map { TunnelProblem("it answers \($0) instead of opening a tunnel") } ?? .noTunnel
        case is HTTPParserError: self.init("it doesn't speak HTTP: \(error)")
        case let error as SOCKSError.ConnectionFailed:
            self.init("it can't open a tunnel: SOCKS reply \(error.reply.value)")
        case is SOCKSError.InvalidAuthenticationSelection, is SOCKSError.NoValidAuthenticationMethod,
            is SOCKSLoginRefused:
            self.init(
                "it requires a user name and a password; expected them in the proxy's settings",
                .connectionProxyAuthorizationRequired)
        case is SOCKSError.InvalidProtocolVersion, is SOCKSError.InvalidReservedByte, is SOCKSError.InvalidAddressType,
            is SOCKSError.UnexpectedRead:
            self.init("it doesn't speak SOCKS 5")
        default:
            self.init(
                ConnectionFailure.text(error),
                isConnectTimeout(error) ? .connectionProxyTimedOut : .connectionProxyFailed)
        }
    }

    /// Whether an error can only come from a SOCKS exchange.
    package static func isSOCKS(_ error: any Error) -> Bool {
        switch error {
        case is SOCKSError.ConnectionFailed, is SOCKSError.InvalidAuthenticationSelection,
            is SOCKSError.NoValidAuthenticationMethod, is SOCKSError.InvalidProtocolVersion,
            is SOCKSError.InvalidReservedByte, is SOCKSError.InvalidAddressType, is SOCKSError.UnexpectedRead,
            is SOCKSError.InvalidClientState, is SOCKSError.InvalidServerState:
            true
        default: false
        }
    }
}

extension ConnectionFailure {
    /// Creates the failure of a proxy that can't be reached or doesn't open a tunnel.
    package init(_ problem: TunnelProblem, of proxy: ConnectionProxy, to host: Hostname, port: Int? = nil) {
        self.init(problem.code, host: host, port: port, exactly: "the proxy \(proxy): \(problem.text)")
        proxyChallenges = problem.challenges
    }
}

extension ConnectionFailure {
    /// Names the proxy if the connection through its tunnel ended before TLS was established. A proxy that intercepts
    /// TLS, or forwards only other traffic, ends connections like that.
    package func naming(_ proxy: ConnectionProxy) -> ConnectionFailure {
        guard code == .connectionClosed else { return self }
        return ConnectionFailure(
            code, host: host, port: port, alert: alert,
            exactly: "the connection through the proxy \(proxy) ended in the TLS handshake; check whether the proxy"
                + " allows TLS to this server")
    }
}

/// Whether a connection received no answer in time.
private func isConnectTimeout(_ error: any Error) -> Bool {
    switch error {
    case ChannelError.connectTimeout: true
    case let error as ConnectionFailure:
        error.code == .connectionNameLookupTimedOut || error.code == .connectionTimedOut
    case let error as NIOConnectionError:
        error.nameLookupFailure.map { isConnectTimeout($0) }
            ?? (!error.connectionErrors.isEmpty && error.connectionErrors.allSatisfy { isConnectTimeout($0.error) })
    case let error as IOError: error.errnoCode == ETIMEDOUT
    default: false
    }
}

#endif
