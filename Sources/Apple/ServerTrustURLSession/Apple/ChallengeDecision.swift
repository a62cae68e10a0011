// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Foundation
    import PKIX
    import Security
    import ServerTrust

    #if canImport(AppleURLSession)
        import AppleURLSession
    #endif

    /// The answer to a challenge of the system's.
    struct ChallengeDecision {
        let disposition: URLSession.AuthChallengeDisposition
        let credential: URLCredential?
        /// nil for a challenge that is not about a server's trust.
        let verdict: TrustVerdict?

        /// Whether the challenge is about a server's trust, and so the manager's to answer.
        static func isServerTrust(_ challenge: URLAuthenticationChallenge) -> Bool {
            challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
        }

        /// Not a server's trust: the system's to handle.
        static var leftToSystem: ChallengeDecision { ChallengeDecision(.performDefaultHandling) }

        /// Nothing to evaluate, or no name to find a rule by.
        static var unreadable: ChallengeDecision { ChallengeDecision(.cancelAuthenticationChallenge) }

        /// Evaluates on this thread, which may block (`Trust.init(_:host:using:)`): on the session's delegate queue.
        init(_ challenge: URLAuthenticationChallenge, _ trust: ServerTrustConfiguration, _ engine: TrustEngine) {
            guard Self.isServerTrust(challenge) else {
                self = .leftToSystem
                return
            }
            guard let review = ChallengeReview(challenge, trust, engine) else {
                self = .unreadable
                return
            }
            self = review.decision(.defaultHandling)
        }

        fileprivate init(_ verdict: TrustVerdict, _ secTrust: SecTrust) {
            // Never default handling: by the settings of a delegate in the object, the system might decide otherwise.
            if verdict.isTrusted {
                self.init(.useCredential, URLCredential(trust: secTrust), verdict)
            } else {
                self.init(.cancelAuthenticationChallenge, nil, verdict)
            }
        }

        private init(
            _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential? = nil,
            _ verdict: TrustVerdict? = nil
        ) {
            self.disposition = disposition
            self.credential = credential
            self.verdict = verdict
        }
    }

    /// A server trust challenge that was evaluated by the rules before a delegate is called: when the delegate changes the
    /// `SecTrust` (anchors, date, policies, exceptions), the verdicts are there already.
    struct ChallengeReview {
        private let secTrust: SecTrust
        private let manager: ServerTrustManager
        private let review: DelegateReview

        /// Whether the rules refuse the host in any case: then the delegate isn't asked.
        var isDenied: Bool { review.isDenied }

        /// - Returns: nil if there is nothing to evaluate, or no name to find a rule by.
        init?(_ challenge: URLAuthenticationChallenge, _ trust: ServerTrustConfiguration, _ engine: TrustEngine) {
            let space = challenge.protectionSpace
            guard let secTrust = space.serverTrust, let host = try? Hostname(space.host) else { return nil }
            self.secTrust = secTrust
            self.manager = trust.manager
            var object = Trust(secTrust, host: host, using: engine)
            let systemEvaluator = object.systemEvaluator
            object.settings = trust.settings
            object.settings.systemEvaluator = systemEvaluator
            self.review = manager.review(object)
        }

        /// The decision with a delegate's answer. To be called once: it emits the verdict's events.
        func decision(_ answer: DelegateDecision) -> ChallengeDecision {
            ChallengeDecision(manager.evaluate(after: review, delegate: answer), secTrust)
        }
    }

    extension DelegateDecision {
        /// The decision in a delegate's answer to a server trust challenge. `useCredential` without one is default handling.
        ///
        /// Not checked: whether the credential was made with the challenge's trust, which `URLCredential` doesn't show.
        init(_ disposition: URLSession.AuthChallengeDisposition, hasCredential: Bool) {
            self =
                switch disposition {
                case .useCredential: hasCredential ? .accept : .defaultHandling
                case .performDefaultHandling: .defaultHandling
                case .cancelAuthenticationChallenge, .rejectProtectionSpace: .refuse(expected: "the delegate's consent")
                #if !SERVERTRUST_APPLE_STUBS
                    @unknown default: .refuse(expected: "the delegate's consent")
                #endif
                }
        }
    }
#endif
