// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX
import ServerTrustNIO
import TrustSupport

/// The error of a connection that was given up because no request waited for it any more, or because the server is spoken to in another protocol.
/// A request that gets it tries again: nothing was sent.
struct HandshakeAbandoned: Error {
    /// The error that ended the connection; nil for one that was given up without.
    var cause: (any Error)?
}

/// The connections that a request may take until one serves it. Their server controls the count.
struct ConnectionRounds {
    /// Enough for a server that moves between protocols and chains, and for requests before this one that are canceled.
    private var remaining = 16
    /// Of connections that end by themselves.
    private var remainingFailures = 2

    /// - Throws: the error of the last connection if no further one is due.
    mutating func spend(_ abandoned: HandshakeAbandoned) throws {
        remaining -= 1
        if abandoned.cause != nil { remainingFailures -= 1 }
        guard remaining >= 0, remainingFailures >= 0 else {
            throw abandoned.cause ?? HTTPClientError.getConnectionFromPoolTimeout
        }
    }
}

/// A connection on its way to TLS and a verdict, which may be given up before its time is over.
final class Handshake: Sendable {
    let channel: any Channel
    private let state = Locked((isOver: false, isAbandoned: false))

    init(_ channel: any Channel) { self.channel = channel }

    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// It has come to its end, and isn't given up any more.
    func end() { state.withLock { $0.isOver = true } }

    /// Closes the connection, unless it is up by now.
    func abandon() {
        channel.eventLoop.execute { [self] in
            let isGoing = state.withLock { state in
                state.isAbandoned = !state.isOver
                return state.isAbandoned
            }
            guard isGoing else { return }
            if let tls = channel.pipeline.syncOperations.tls {
                tls.close(mode: .all, promise: nil)
            } else {
                channel.close(promise: nil)
            }
        }
    }
}

extension ConnectionFailure {
    /// Whether the server speaks none of the protocols that were offered (RFC 7301 § 3.2).
    var isAboutProtocol: Bool {
        code == .connectionHandshakeAlert && alert == TLSAlert.noApplicationProtocol.code
    }
}
