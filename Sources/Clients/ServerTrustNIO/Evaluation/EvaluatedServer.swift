// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A server that was evaluated while the connection to it was established, with a good or a bad verdict.
///
/// ``ServerTrustTLS`` fires it down the pipeline as a user inbound event. For a trusted server, the event precedes
/// `TLSUserEvent.handshakeCompleted`. For a refused server, it precedes the error.
public struct EvaluatedServer: Sendable, Hashable {
    /// The requested host.
    public let host: Hostname
    /// The certificates that the server sent, leaf first.
    public let presentedChain: PresentedChain
    /// The verdict on the chain. The connection continues if the verdict is trusted.
    public let verdict: TrustVerdict

    /// - Parameters:
    ///   - host: the requested host.
    ///   - presentedChain: the certificates that the server sent.
    ///   - verdict: the result of the evaluation.
    package init(host: Hostname, presentedChain: PresentedChain, verdict: TrustVerdict) {
        self.host = host
        self.presentedChain = presentedChain
        self.verdict = verdict
    }
}
