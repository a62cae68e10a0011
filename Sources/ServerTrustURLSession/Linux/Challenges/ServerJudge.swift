#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PKIX
    import ServerTrust

    /// Decides on what a server presents on its connections: asks the delegates, and the manager where they leave it to default handling.
    struct ServerJudge: Sendable {
        let policy: SessionPolicy
        let waiting: WaitingTasks
        /// What these connections are to, and whose they are.
        let server: Server

        /// The verdict that the connection gets. A delegate's word is put into one as well: connections know verdicts only.
        func verdict(on presentedChain: PresentedChain, host: Hostname) async -> TrustVerdict {
            let peer = PeerTrust(presentedChain, host: host, policy.trust)
            guard host == server.host, let asker = waiting.longest(for: server) else {
                // Whoever wanted the connection is gone, and nobody else has asked for it: there is no delegate to ask.
                return DelegateRefusal(reason: "a task that is still there").verdict(on: peer.trust)
            }
            let challenge = URLAuthenticationChallenge(
                protectionSpace: ServerTrustProtectionSpace(
                    peer, host: asker.url.host ?? host.description, port: server.port),
                proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
                sender: SilentSender())
            switch await waiting.ask(asker, challenge, about: server) {
            case .use(let credential) where peer.isAccepted(by: credential):
                var verdict = DisabledTrustEvaluator.insecurelyTrustingAnyServer.verdict(on: peer.trust)
                verdict.warnings.append("the session's delegate has accepted the server")
                return verdict
            // Without a credential there is nothing that speaks for the server: as Apple's, by default.
            case .use(nil), .defaultHandling:
                guard policy.trust.resources != nil else { return peer.verdict }
                return await policy.trust.fetchingVerdict(on: presentedChain, host: host)
            case .use:
                return DelegateRefusal(reason: "a credential made with the trust of this challenge")
                    .verdict(on: peer.trust)
            case .cancel, .reject: return DelegateRefusal(reason: "the delegate's consent").verdict(on: peer.trust)
            }
        }

        /// What a delegate has against a server. A server that is wrong in itself is refused for that.
        private struct DelegateRefusal: TrustEvaluator {
            let reason: String

            func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
                throw TrustFailures(TrustFailure(.evaluatorRefused, expected: .text(reason)))
            }
        }
    }
#endif
