// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
    import Foundation
    import PKIX
    import ServerTrust

    /// A trust object under the name of Apple's Security framework: a reference to a `Trust` of the module ServerTrust and its last verdict.
    ///
    /// `protectionSpace.serverTrust` has one in a server trust challenge, and ``SecTrustCreateWithCertificates(_:_:_:)`` creates one. The
    /// functions may be called on any thread; a change by one of them is for the evaluations that begin afterwards.
    public final class SecTrust: Sendable {
        struct State: Sendable {
            let presentedChain: PresentedChain
            /// The host of the challenge; nil for an object that a program created.
            let host: Hostname?
            var settings: TrustSettings
            /// The anchors of the first settings.
            let initialAnchors: TrustAnchors
            /// The OCSP responses of the first settings, to which others are added.
            let initialOCSPResponses: [[UInt8]]
            /// nil as long as the policy and identity of `settings` count.
            var policies: [SecPolicy]?
            /// The anchors that were set; nil if none were.
            var anchors: [SecCertificate]?
            /// Whether the anchors that the object had at first are left out.
            var hasCustomAnchorsOnly = false
            /// nil for the default, which follows from the policies.
            var isNetworkFetchAllowed: Bool?
            /// The number of changes, so that an evaluation that began before a change doesn't set the verdict.
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
        /// The verdict of a client's rules; nil for an object that a program created.
        private let rulesVerdict: (@Sendable () -> TrustVerdict)?
        /// Known to the credentials that are made for this object alone.
        package let secret = UUID().uuidString

        private static let source = Locked<(any EvidenceSource)?>(nil)

        /// The source of missing issuers and revocation data for objects that are created from now on; nil by default.
        ///
        /// Apple's objects fetch by themselves. Here an object that a program creates fetches nothing without this source:
        ///
        /// ```swift
        /// SecTrust.evidenceSource = TrustFetchCoordinator(fetcher: HTTPTrustFetcher())
        /// ```
        /// The object of a challenge has the source of its client (`TrustSettings.fetching`).
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

        /// Creates the trust object of a server trust challenge.
        /// - Parameter verdict: the verdict of the client's rules, without network and without an event.
        package init(challenge trust: Trust, verdict: @escaping @Sendable () -> TrustVerdict) {
            self.state = Locked(
                State(trust.presentedChain, host: trust.host, settings: trust.settings, policies: nil))
            self.rulesVerdict = verdict
        }

        /// The certificates, host and settings of the moment, without the policies: a name that a policy has isn't checked by it.
        package var trust: Trust {
            Trust(presentedChain: presentedChain, optionalHost: host, settings: settingsWithoutPolicies)
        }

        /// The verdict of the client's rules for the host, without network; no event is emitted for it. For an object that a program
        /// created, the verdict of its own evaluation.
        ///
        /// The verdict that counts is reached after the delegate has answered, by the rules as they are then. Default handling finds the
        /// same, unless the client may fetch missing issuers and revocation data (`TrustSettings.fetching`): then it fetches them first.
        public var verdict: TrustVerdict { rulesVerdict?() ?? lastVerdict }

        /// Changes the state; earlier results no longer count.
        @discardableResult
        func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
            state.withLock { state in
                state.changes += 1
                state.verdict = nil
                return body(&state)
            }
        }

        /// The settings of the moment for an evaluation by a host and rules of its own: without the policies' names and purposes.
        var settingsWithoutPolicies: TrustSettings {
            state.withLock { state in
                var settings = state.settingsWithRevocation
                if state.isNetworkFetchAllowed == false { settings.fetching = nil }
                return settings
            }
        }

        /// The host of the challenge; nil for an object that a program created.
        private var host: Hostname? { state.withLock { $0.host } }

        /// The certificates as they were presented.
        var presentedChain: PresentedChain { state.withLock { $0.presentedChain } }

        /// The verdict without the exceptions that are set, which isn't kept.
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

        /// Evaluates, and fetches missing evidence if that is allowed and the client's settings have a source of it.
        func evaluateFetching() async -> TrustVerdict {
            let (requirements, changes) = state.withLock { ($0.requirements, $0.changes) }
            var verdicts: [TrustVerdict] = []
            for requirement in requirements { verdicts.append(await requirement.evaluateFetching()) }
            return keep(SecTrust.combined(verdicts), after: changes)
        }

        /// The verdict of the last evaluation; evaluates if there was none since the last change.
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
