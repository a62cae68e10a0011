// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

/// The refusal of the last evaluated server, or the failure to reach one. Nil if that server is trusted.
final class LastRefusal: Sendable {
    private let state = Locked<(refusal: TrustRefusal?, failure: ConnectionFailure?)>((nil, nil))

    var refusal: TrustRefusal? { state.withLock { $0.refusal } }
    /// The failure of the last attempts to connect to several addresses.
    var failure: ConnectionFailure? { state.withLock { $0.failure } }

    /// Records the outcome of a handshake.
    ///
    /// A handshake that ends without a verdict says nothing about trust, so it changes nothing.
    func follow(_ handshake: EventLoopFuture<EvaluatedServer>) {
        handshake.whenComplete { result in
            switch result {
            case .success: self.state.withLock { $0 = (nil, nil) }
            case .failure(let refusal as TrustRefusal): self.note(refusal)
            case .failure: break
            }
        }
    }

    func note(_ refusal: TrustRefusal) { state.withLock { $0 = (refusal, nil) } }

    func note(_ failure: ConnectionFailure?) { state.withLock { $0.failure = failure } }
}
