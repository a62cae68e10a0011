// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import PKIX
import ServerTrust

/// A trust object under the name of Apple's Security framework. It is a reference to a `Trust` of the module
/// ServerTrust and its last verdict (the result of an evaluation).
///
/// You get one from `protectionSpace.serverTrust` in a server trust challenge, or create one with
/// ``SecTrustCreateWithCertificates(_:_:_:)``. You may call the functions on any thread. A change affects only
/// evaluations that begin after it.
public final class SecTrust: Sendable {
    struct State: Sendable {
        let presentedChain: PresentedChain
        /// The host of the challenge, or nil for an object that a program created.
        let host: Hostname?
        var settings: TrustSettings
        /// The anchors in the first settings.
        let initialAnchors: TrustAnchors
        /// The OCSP responses in the first settings. Others are added to them.
        let initialOCSPResponses: [[UInt8]]
        /// Nil as long as the policy and identity of `settings` apply.
        var policies: [SecPolicy]?
        /// The anchors that the program has set, or nil if it has set none.
        var anchors: [SecCertificate]?
        /// Whether the object's initial anchors are left out.
        var hasCustomAnchorsOnly = false
        /// Nil for the default, which depends on the policies.
        var isNetworkFetchAllowed: Bool?
        /// The number of changes. If it grows during an evaluation, that evaluation doesn't set the verdict.
        var changes = 0
        /// The verdict of the last evaluation since the last change.
        var verdict: TrustVerdict?

        init(_ presentedChain: PresentedChain, host: Hostname?, settings: TrustSettings, policies: [SecPolicy]?) {
            self.presentedChain = presentedChain
            self.host = host
            self.settings = settings
            self.initialAnchors = settings.anchors
            self.initialOCSPResponses = settings.revocationData.ocspResponses
            self.policies = policies
        }
    }

    let state: Locked<State>
    /// The verdict of a client's rules, or nil for an object that a program created.
    private let rulesVerdict: (@Sendable () -> TrustVerdict)?
    /// A secret for the credentials made for this object. Other credentials don't have it.
    package let secret = UUID().uuidString

    private static let source = Locked<(any EvidenceSource)?>(nil)

    /// The source of missing issuers and revocation data for objects created from now on, by default nil.
    ///
    /// Apple's objects fetch by themselves. Here, an object that your program creates fetches only if you set this
    /// source:
    ///
    /// ```swift
    /// SecTrust.evidenceSource = TrustFetchCoordinator(fetcher: HTTPTrustFetcher())
    /// ```
    /// The object of a challenge uses its client's source (`TrustSettings.fetching`).
    public static var evidenceSource: (any EvidenceSource)? {
        get { source.withLock { $0 } }
        set { source.withLock { $0 = newValue } }
    }

    init(presentedChain: PresentedChain, policies: [SecPolicy]) {
        var settings = TrustSettings()
        settings.fetching = Self.evidenceSource
        self.state = Locked(State(presentedChain, host: nil, settings: settings, policies: policies))
        self.rulesVerdict = nil
    }

    /// Creates the trust object for a server trust challenge.
    /// - Parameter verdict: returns the verdict of the client's rules, without network or events.
    package init(challenge trust: Trust, verdict: @escaping @Sendable () -> TrustVerdict) {
        self.state = Locked(
            State(trust.presentedChain, host: trust.host, settings: trust.settings, policies: nil))
        self.rulesVerdict = verdict
    }

    /// The current certificates, host and settings, without the policies. A name in a policy isn't checked.
    var trust: Trust {
        Trust(presentedChain: presentedChain, optionalHost: host, settings: settingsWithoutPolicies)
    }

    /// The verdict of the client's rules for the host, without network or events. For an object that your program
    /// created, this is the verdict of a separate evaluation.
    ///
    /// The session reaches the decisive verdict after the delegate has answered, by the rules at that time. Default
    /// handling reaches the same verdict as this property, unless the client may fetch missing issuers and
    /// revocation data (`TrustSettings.fetching`). It then fetches them first.
    public var verdict: TrustVerdict { rulesVerdict?() ?? lastVerdict }

    /// Changes the state. Earlier results no longer count.
    @discardableResult
    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            state.changes += 1
            state.verdict = nil
            return body(&state)
        }
    }

    /// The current settings for an evaluation with its own host and rules: without the policies' names and
    /// purposes.
    var settingsWithoutPolicies: TrustSettings {
        state.withLock { state in
            var settings = state.settingsWithRevocation
            if state.isNetworkFetchAllowed == false { settings.fetching = nil }
            return settings
        }
    }

    /// The host of the challenge, or nil for an object that a program created.
    private var host: Hostname? { state.withLock { $0.host } }

    /// The certificates as they were presented.
    var presentedChain: PresentedChain { state.withLock { $0.presentedChain } }

    /// The verdict without the exceptions that are set. It isn't stored.
    var verdictWithoutExceptions: TrustVerdict {
        var copy = state.withLock { $0 }
        guard copy.settings.exceptions != nil else { return lastVerdict }
        copy.settings.exceptions = nil
        return SecTrust.combined(copy.requirements.map { $0.evaluate() })
    }

    /// Evaluates without network.
    func evaluate() -> TrustVerdict {
        let (requirements, changes) = state.withLock { ($0.requirements, $0.changes) }
        return keep(SecTrust.combined(requirements.map { $0.evaluate() }), after: changes)
    }

    /// Evaluates, and fetches missing CRLs, OCSP responses and issuers if that is allowed and the client's settings
    /// have a source.
    func evaluateFetching() async -> TrustVerdict {
        let (requirements, changes) = state.withLock { ($0.requirements, $0.changes) }
        var verdicts: [TrustVerdict] = []
        for requirement in requirements { verdicts.append(await requirement.evaluateFetching()) }
        return keep(SecTrust.combined(verdicts), after: changes)
    }

    /// The verdict of the last evaluation. Evaluates first if nothing was evaluated since the last change.
    var lastVerdict: TrustVerdict { state.withLock { $0.verdict } ?? evaluate() }

    private func keep(_ verdict: TrustVerdict, after changes: Int) -> TrustVerdict {
        state.withLock { state in
            if state.changes == changes { state.verdict = verdict }
        }
        return verdict
    }

    /// Returns the first refusal, else an acceptance by exceptions, else the first verdict.
    private static func combined(_ verdicts: [TrustVerdict]) -> TrustVerdict {
        verdicts.first { !$0.isTrusted } ?? verdicts.first { $0.result == .proceed } ?? verdicts[0]
    }
}

extension SecTrust: Hashable {
    public static func == (left: SecTrust, right: SecTrust) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
#endif
