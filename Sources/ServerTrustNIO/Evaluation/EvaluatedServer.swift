// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A server that was evaluated while a connection to it was being made, with whatever outcome.
///
/// ``ServerTrustHandler`` fires it down the pipeline as a user inbound event, before `TLSUserEvent.handshakeCompleted` of a
/// trusted server and before the error of a refused one.
public struct EvaluatedServer: Sendable, Hashable {
    /// The host that was asked for.
    public let host: Hostname
    /// What the server sent.
    public let presentedChain: PresentedChain
    /// Whether to go on.
    public let verdict: TrustVerdict

    public init(host: Hostname, presentedChain: PresentedChain, verdict: TrustVerdict) {
        self.host = host
        self.presentedChain = presentedChain
        self.verdict = verdict
    }
}
