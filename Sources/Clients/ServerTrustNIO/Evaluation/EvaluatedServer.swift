// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import PKIX
import ServerTrust

/// A server that was evaluated while the connection to it was established, with a good or a bad verdict.
///
/// ``ServerTrustTLS`` fires it down the pipeline as a user inbound event. For a trusted server, the event precedes
/// `TLSUserEvent.handshakeCompleted`. For a refused server, it precedes the error. If the rules change during the
/// handshake, there is another event with the verdict by the new rules.
public struct EvaluatedServer: Sendable, Hashable {
    /// The requested host.
    public let host: Hostname
    /// The certificates that the server sent, leaf first.
    public let presentedChain: PresentedChain
    /// The verdict on the chain. The connection continues if the verdict is trusted.
    public let verdict: TrustVerdict
    /// The rules that the verdict depends on. Nil for a verdict that no connection depends on.
    package let revision: TrustRevision?

    /// - Parameters:
    ///   - host: the requested host.
    ///   - presentedChain: the certificates that the server sent.
    ///   - verdict: the result of the evaluation.
    ///   - revision: the revision of the source before the evaluation.
    package init(
        host: Hostname, presentedChain: PresentedChain, verdict: TrustVerdict, revision: TrustRevision? = nil
    ) {
        self.host = host
        self.presentedChain = presentedChain
        self.verdict = verdict
        self.revision = revision
    }
}

#endif
