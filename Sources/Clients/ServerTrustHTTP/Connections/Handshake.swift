// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

/// The error of an abandoned connection. Either no request waited for it anymore, or the client uses another protocol
/// with the server.
///
/// A request that receives this error tries again, because nothing was sent.
struct HandshakeAbandoned: Error {
    /// The error that ended the connection, or nil if there was no error.
    var cause: (any Error)?
}

/// The error of an exploring connection whose server is refused, and of the connections that waited for it.
///
/// These connections end one after the other. A request that began before the refusal fails with it. A later request
/// tries again, because a later evaluation may accept the server.
struct ExplorationRefused: Error {
    let refusal: TrustRefusal
    let time = NIODeadline.now()
}

/// The number of connections that a request may try until one serves it. The limit is there because servers control the
/// number.
struct ConnectionRounds {
    /// Enough for a server that switches between protocols and chains, and for earlier requests that are canceled.
    private var remaining = 16
    /// The limit for connections that end by themselves.
    private var remainingFailures = 2

    /// - Throws: the error of the last connection if the request may not try another one.
    mutating func spend(_ abandoned: HandshakeAbandoned) throws {
        remaining -= 1
        if abandoned.cause != nil { remainingFailures -= 1 }
        guard remaining >= 0, remainingFailures >= 0 else {
            throw abandoned.cause ?? HTTPClientError.getConnectionFromPoolTimeout
        }
    }
}

/// A connection that is waiting for a proxy's tunnel, TLS and a verdict. The client can abandon it before it times out.
final class Handshake: Sendable {
    let channel: any Channel
    private let state: Locked<(isApproaching: Bool, isOver: Bool, isAbandoned: Bool)>

    /// - Parameter isApproaching: whether a proxy's tunnel comes first.
    init(_ channel: any Channel, isApproaching: Bool) {
        self.channel = channel
        state = Locked((isApproaching: isApproaching, isOver: false, isAbandoned: false))
    }

    /// Whether a proxy hasn't opened its tunnel yet.
    var isApproaching: Bool { state.withLock { $0.isApproaching } }

    /// Records that the proxy has opened its tunnel.
    func approach() { state.withLock { $0.isApproaching = false } }

    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// Marks the handshake as over. From then on, it can't be abandoned.
    func end() { state.withLock { $0.isOver = true } }

    /// Closes the connection unless it is already established.
    func abandon() {
        channel.eventLoop.execute { [self] in
            let isGoing = state.withLock { state in
                state.isAbandoned = !state.isOver
                return state.isAbandoned
            }
            if isGoing { channel.closeAtOnce() }
        }
    }
}

extension ConnectionFailure {
    /// Whether the server supports none of the protocols that the client offered (RFC 7301 § 3.2).
    var isAboutProtocol: Bool {
        code == .connectionHandshakeAlert && alert == TLSAlert.noApplicationProtocol.code
    }
}

#endif
