// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A server that was evaluated while a connection to it was being made, with a good or a bad verdict.
///
/// ``ServerTrustTLS`` fires it down the pipeline as a user inbound event, before `TLSUserEvent.handshakeCompleted` of a
/// trusted server and before the error of a refused one.
public struct EvaluatedServer: Sendable, Hashable {
    /// The host that was asked for.
    public let host: Hostname
    /// The certificates that the server sent, leaf first.
    public let presentedChain: PresentedChain
    /// The verdict on the chain; the connection goes on if it is trusted.
    public let verdict: TrustVerdict

    /// - Parameters:
    ///   - host: the host that was asked for.
    ///   - presentedChain: the certificates that the server sent.
    ///   - verdict: the result of the evaluation.
    package init(host: Hostname, presentedChain: PresentedChain, verdict: TrustVerdict) {
        self.host = host
        self.presentedChain = presentedChain
        self.verdict = verdict
    }
}
