// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import PKIX
import SecurityCompatibility
import ServerTrust

/// The evaluation of the chains that a server presents on its connections. It calls the delegates and passes their
/// answer to the manager, which decides. The rules limit which chains a delegate may accept
/// (``ServerTrustManager``).
struct DelegateTrustProvider: Sendable {
    let policy: SessionPolicy
    let waiting: PendingTasks
    /// The server of these connections, and the delegate that they belong to.
    let server: ConnectionKey

    /// Returns the verdict for the connection. It also contains the delegates' answer, because connections only
    /// know verdicts.
    func evaluate(_ presentedChain: PresentedChain, host: Hostname) async -> TrustVerdict {
        // The rules may have changed since the connection was started, or an open connection is being evaluated
        // again.
        if let denial = policy.trust.denial(of: host) { return denial }
        let decision = await decision(on: SecTrust(presentedChain, host: host, policy.trust), host)
        return await policy.trust.evaluateAfterDelegate(presentedChain, host: host, decision)
    }

    private func decision(on peer: SecTrust, _ host: Hostname) async -> DelegateDecision {
        guard host == server.host, let proxy = waiting.longestWaiting(for: server) else {
            // The task that wanted the connection has ended, and no other task waits for it, so there is no
            // delegate to call.
            return .refuse(expected: "a task that is still there")
        }
        let challenge = URLAuthenticationChallenge(
            protectionSpace: ServerTrustProtectionSpace(
                peer, host: proxy.url.host ?? host.description, port: server.port),
            proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: InertChallengeSender())
        return switch await waiting.challengeDelegate(proxy, challenge, about: server) {
        case .use(let credential) where peer.isAccepted(by: credential): .accept
        // Without a credential, the answer doesn't accept the server. Apple's sessions use default handling then,
        // too.
        case .use(nil), .defaultHandling: .defaultHandling
        case .use: .refuse(expected: "a credential made with the trust of this challenge")
        case .cancel, .reject: .refuse(expected: "the delegate's consent")
        }
    }
}
#endif
