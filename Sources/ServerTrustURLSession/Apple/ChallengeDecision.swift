#if canImport(Security)
    import Foundation
    import PKIX
    import Security
    import ServerTrust

    #if canImport(AppleURLSession)
        import AppleURLSession
    #endif

    /// What a manager makes of a challenge of the system's.
    struct ChallengeDecision {
        let disposition: URLSession.AuthChallengeDisposition
        let credential: URLCredential?
        /// nil for a challenge that is not about a server's trust.
        let verdict: TrustVerdict?

        /// Evaluates on this thread, which may block (`Trust.init(_:host:using:)`): on the session's delegate queue.
        init(_ challenge: URLAuthenticationChallenge, _ manager: ServerTrustManager, _ engine: TrustEngine) {
            let space = challenge.protectionSpace
            guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust else {
                self.init(.performDefaultHandling)
                return
            }
            guard let secTrust = space.serverTrust, let host = try? Hostname(space.host) else {
                // Nothing to evaluate, or no name to find a rule by.
                self.init(.cancelAuthenticationChallenge)
                return
            }
            let verdict = manager.verdict(on: secTrust, host: host, using: engine)
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

    /// Verdicts on refused servers by host, the oldest given up first.
    struct SessionRefusals {
        private static let most = 256
        private var verdicts: [String: TrustVerdict] = [:]
        private var order: [String] = []

        subscript(host: String) -> TrustVerdict? {
            get { verdicts[host] }
            set {
                order.removeAll { $0 == host }
                verdicts[host] = newValue
                guard newValue != nil else { return }
                order.append(host)
                if order.count > Self.most { verdicts[order.removeFirst()] = nil }
            }
        }
    }
#endif
