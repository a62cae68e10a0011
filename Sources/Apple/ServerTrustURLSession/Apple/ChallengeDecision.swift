// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && (HTTP || Everything)
import Foundation
import PKIX
import Security
import ServerTrust

#if canImport(AppleURLSession)
import AppleURLSession
#endif

/// The answer to a challenge that the system sent.
struct ChallengeDecision {
    let disposition: URLSession.AuthChallengeDisposition
    let credential: URLCredential?
    /// The verdict on the server, or nil if the challenge isn't about a server's trust.
    let verdict: TrustVerdict?

    /// Whether the challenge is about a server's trust, so that the manager answers it.
    static func isServerTrust(_ challenge: URLAuthenticationChallenge) -> Bool {
        challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
    }

    /// The answer to a challenge that isn't about a server's trust: the system handles it.
    static var leftToSystem: ChallengeDecision { ChallengeDecision(.performDefaultHandling) }

    /// The answer if the challenge has no trust object to evaluate, or no host name to find a rule for.
    static var unreadable: ChallengeDecision { ChallengeDecision(.cancelAuthenticationChallenge) }

    /// Evaluates the server on the calling thread, which is on the session's delegate queue. The call may block
    /// (`Trust.init(_:host:using:)`).
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
        // Not default handling: a delegate may have changed settings of the trust object, and the system could then
        // decide otherwise.
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

/// A server trust challenge that the rules evaluate before a delegate is called. If the delegate then changes the
/// `SecTrust` (anchors, date, policies, exceptions), the verdicts don't change.
struct ChallengeReview {
    private let secTrust: SecTrust
    private let manager: ServerTrustManager
    private let review: DelegateReview

    /// Whether the rules refuse the host in any case. The delegate isn't called then.
    var isDenied: Bool { review.isDenied }

    /// - Returns: nil if the challenge has no trust object to evaluate, or no host name to find a rule for.
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

    /// Returns the decision for a delegate's answer. Call this method once: it emits the verdict's events.
    func decision(_ answer: DelegateDecision) -> ChallengeDecision {
        ChallengeDecision(manager.verdict(after: review, delegate: answer), secTrust)
    }
}

extension DelegateDecision {
    /// Creates the decision for a delegate's answer to a server trust challenge. `useCredential` without a
    /// credential counts as default handling.
    ///
    /// Not checked: whether the credential was made with the challenge's trust. `URLCredential` doesn't show that.
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
