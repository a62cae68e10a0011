// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrustNIO

/// The error of a connection that was given up because no request waited for it any more, or because the server is spoken to in another protocol.
/// A request that gets it tries again: nothing was sent.
struct HandshakeAbandoned: Error {}

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
