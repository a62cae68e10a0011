// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PKIX
    import SecurityCompatibility
    import ServerTrust

    /// Evaluates the chains that a server presents on its connections: calls the delegates, and lets the manager decide with their answer.
    /// The rules limit the chains that a delegate may accept (``ServerTrustManager``).
    struct DelegateTrustProvider: Sendable {
        let policy: SessionPolicy
        let waiting: PendingTasks
        /// The server that these connections are to, and the delegate whose they are.
        let server: ConnectionKey

        /// The verdict that the connection gets. The delegates' answer is put into one as well: connections know verdicts only.
        func evaluate(_ presentedChain: PresentedChain, host: Hostname) async -> TrustVerdict {
            // The rules may have changed since the connection was begun, or it was open and is evaluated anew.
            if let denial = policy.trust.denial(of: host) { return denial }
            let decision = await decision(on: SecTrust(presentedChain, host: host, policy.trust), host)
            return await policy.trust.evaluate(presentedChain, host: host, delegate: decision)
        }

        private func decision(on peer: SecTrust, _ host: Hostname) async -> DelegateDecision {
            guard host == server.host, let proxy = waiting.longestWaiting(for: server) else {
                // The task that wanted the connection is gone, and no other has asked for it: there is no delegate to ask.
                return .refuse(expected: "a task that is still there")
            }
            let challenge = URLAuthenticationChallenge(
                protectionSpace: ServerTrustProtectionSpace(
                    peer, host: proxy.url.host ?? host.description, port: server.port),
                proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
                sender: InertChallengeSender())
            return switch await waiting.challengeDelegate(proxy, challenge, about: server) {
            case .use(let credential) where peer.isAccepted(by: credential): .accept
            // Without a credential there is nothing that speaks for the server: as Apple's, by default.
            case .use(nil), .defaultHandling: .defaultHandling
            case .use: .refuse(expected: "a credential made with the trust of this challenge")
            case .cancel, .reject: .refuse(expected: "the delegate's consent")
            }
        }
    }
#endif
