// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && (HTTP || Everything)
import Foundation
import PKIX
import Security
import ServerTrust

#if canImport(AppleURLSession)
// The stub module for type-checking on Linux.
import AppleURLSession
#endif

/// A base class for the delegate of a `URLSession`. It answers server trust challenges with a manager, and uses
/// default handling for all other challenges.
///
/// ```swift
/// final class AppDelegate: ServerTrustSessionDelegate { … }
/// let session = URLSession(configuration: .default, delegate: AppDelegate(manager), delegateQueue: nil)
/// ```
///
/// Unless you set another engine, the system validates the path and the manager compares the pins with it
/// (`TrustEngine.system`). If the server is refused, the task fails with -999, as for every canceled challenge on
/// Apple platforms. ``refusal(of:)`` returns the reason. To handle other kinds of challenges, override the
/// challenge methods and call `super` for server trust challenges.
///
/// Type-checked on Linux against stubs, but not run on an Apple system.
open class ServerTrustSessionDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    // Proof of sendability: constant but for the refusals, which are locked. Subclasses are responsible for their
    // own state.
    public var manager: ServerTrustManager { trust.manager }
    public let engine: TrustEngine
    private let trust: ServerTrustConfiguration
    private let refusals = Locked(SessionRefusals())

    /// - Parameters:
    ///   - manager: the rules for hosts.
    ///   - engine: the engine that validates the path. The default is the operating system's.
    public init(_ manager: ServerTrustManager, engine: TrustEngine = .system) {
        self.trust = ServerTrustConfiguration(manager)
        self.engine = engine
        super.init()
    }

    /// - Parameters:
    ///   - trust: the manager, and the settings of each trust object.
    ///   - engine: the engine that validates the path. The default is the operating system's.
    package init(_ trust: ServerTrustConfiguration, engine: TrustEngine = .system) {
        trust.emitWarnings()
        self.trust = trust
        self.engine = engine
        super.init()
    }

    /// Returns the verdict that refused the last connection to a host, or nil if no connection was made or the last
    /// one was trusted. The delegate remembers at most 256 hosts.
    public func refusal(of host: String) -> TrustVerdict? { refusals.withLock { $0[host] } }

    /// Answers a challenge about the connection.
    open func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let decision = decision(on: challenge)
        completionHandler(decision.disposition, decision.credential)
    }

    /// Answers a challenge about the request.
    open func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let decision = decision(on: challenge)
        completionHandler(decision.disposition, decision.credential)
    }

    private func decision(on challenge: URLAuthenticationChallenge) -> ChallengeDecision {
        let decision = ChallengeDecision(challenge, trust, engine)
        note(decision, challenge)
        return decision
    }

    private func note(_ decision: ChallengeDecision, _ challenge: URLAuthenticationChallenge) {
        guard let verdict = decision.verdict else { return }
        let host = challenge.protectionSpace.host
        refusals.withLock { $0[host] = verdict.isTrusted ? nil : verdict }
    }

    /// Answers a server trust challenge with the help of another delegate. `ask` passes the challenge to that
    /// delegate, which may refuse any server. It may accept a server only where the rules leave that to a delegate.
    /// The rules evaluate the server before `ask` is called. If they deny the host, `ask` isn't called. Only the
    /// delegate's first answer counts.
    package func answer(
        _ challenge: URLAuthenticationChallenge,
        asking ask: (
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) -> Void,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let review = ChallengeReview(challenge, trust, engine) else {
            let decision = ChallengeDecision.unreadable
            return completionHandler(decision.disposition, decision.credential)
        }
        let once = OneAnswer { [self] decision in
            let answer = review.decision(decision)
            note(answer, challenge)
            completionHandler(answer.disposition, answer.credential)
        }
        guard !review.isDenied else { return once.give(.defaultHandling) }
        ask { disposition, credential in
            once.give(DelegateDecision(disposition, hasCredential: credential != nil))
        }
    }
}

/// A closure that only accepts the first answer.
private final class OneAnswer: Sendable {
    private let take: Locked<Box?>

    /// Proof of sendability: one caller takes the closure out under the lock and then runs it. Nothing else
    /// references the closure.
    private struct Box: @unchecked Sendable {
        let body: (DelegateDecision) -> Void
    }

    init(_ body: @escaping (DelegateDecision) -> Void) { take = Locked(Box(body: body)) }

    func give(_ decision: DelegateDecision) {
        let box = take.withLock { box in
            defer { box = nil }
            return box
        }
        box?.body(decision)
    }
}
#endif
