// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Hosts to evaluators: the one object that an app sets up and hands to its clients.
///
/// ```swift
/// let manager = try ServerTrustManager(evaluators: [
///     "api.example.com": SPKIPinsTrustEvaluator(pins: […], backup: […]),
///     "*.cdn.example.com": DefaultTrustEvaluator(),
/// ])
/// let verdict = manager.verdict(on: Trust(presentedChain: chain, host: host))
/// ```
///
/// The most specific pattern counts (see ``HostPattern``). A host without a rule is refused, unless the manager was made with
/// `allHostsMustBeEvaluated: false`; then it is evaluated by default, never passed unseen.
public final class ServerTrustManager: Sendable {
    /// What is dangerous and has to be asked for.
    public struct InsecureOptions: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Rules may have a ``DisabledTrustEvaluator``.
        public static let allowsDisabledEvaluators = InsecureOptions(rawValue: 1)
    }

    /// Where what happens is told.
    public let events = TrustEvents()

    /// What was found before; nil to evaluate every connection anew.
    public let memory: VerdictMemory?

    /// What was agreed to beforehand; applied to every trust object that has no exceptions of its own.
    public let exceptions: ExceptionStore?

    /// What is asked of servers; replaced as a whole, so that every verdict is reached by one of them.
    private let rules: Locked<RuleSet>
    private let hasToldAnchors = Locked(false)

    /// - Parameters:
    ///   - rules: patterns with their rules, in any order.
    ///   - allHostsMustBeEvaluated: whether hosts without a rule are refused; else they are evaluated by default.
    ///   - exceptions: what users agreed to; none unless given.
    ///   - memory: where verdicts are remembered; nil to evaluate every connection anew.
    ///   - insecureOptions: what is dangerous and allowed all the same; nothing unless given.
    /// - Throws: ``ServerTrustManagerError`` with everything that is wrong with the rules.
    public init(
        rules: some Sequence<(HostPattern, HostRule)>, allHostsMustBeEvaluated: Bool = true,
        exceptions: ExceptionStore? = nil, memory: VerdictMemory? = VerdictMemory(),
        insecureOptions: InsecureOptions = []
    ) throws(ServerTrustManagerError) {
        // Looked at twice, and a sequence may be there only once.
        let rules = Array(rules)
        let disabled =
            insecureOptions.contains(.allowsDisabledEvaluators) ? [] : ServerTrustManagerError.disabled(rules)
        let table: HostTable<HostRule>
        do throws(HostTableError) {
            table = try HostTable(rules)
        } catch {
            throw ServerTrustManagerError(
                problems: disabled + (error == .tooLarge ? [.tooLarge] : ServerTrustManagerError.duplicates(rules)))
        }
        guard disabled.isEmpty else { throw ServerTrustManagerError(problems: disabled) }
        self.rules = Locked(RuleSet(table, allHostsMustBeEvaluated: allHostsMustBeEvaluated))
        self.exceptions = exceptions
        self.memory = memory
    }

    /// Evaluators by the texts of their hosts' patterns (see ``HostPattern``), each enforced.
    /// - Parameters:
    ///   - evaluators: pattern to evaluator.
    ///   - allHostsMustBeEvaluated: whether hosts without a rule are refused; else they are evaluated by default.
    ///   - exceptions: what users agreed to; none unless given.
    ///   - memory: where verdicts are remembered; nil to evaluate every connection anew.
    ///   - insecureOptions: what is dangerous and allowed all the same; nothing unless given.
    /// - Throws: ``ServerTrustManagerError`` with everything that is wrong with the patterns and their evaluators.
    public convenience init(
        evaluators: [String: any TrustEvaluator], allHostsMustBeEvaluated: Bool = true,
        exceptions: ExceptionStore? = nil, memory: VerdictMemory? = VerdictMemory(),
        insecureOptions: InsecureOptions = []
    ) throws(ServerTrustManagerError) {
        try self.init(
            rules: evaluators.mapValues { HostRule.enforced($0) }, allHostsMustBeEvaluated: allHostsMustBeEvaluated,
            exceptions: exceptions, memory: memory, insecureOptions: insecureOptions)
    }

    /// Rules by the texts of their hosts' patterns (see ``HostPattern``), with the parameters of the other initialisers.
    /// - Throws: ``ServerTrustManagerError`` with everything that is wrong with the patterns and their evaluators.
    public convenience init(
        rules texts: [String: HostRule], allHostsMustBeEvaluated: Bool = true, exceptions: ExceptionStore? = nil,
        memory: VerdictMemory? = VerdictMemory(), insecureOptions: InsecureOptions = []
    ) throws(ServerTrustManagerError) {
        var rules: [(HostPattern, HostRule)] = []
        var problems: [ServerTrustManagerError.Problem] = []
        for (text, rule) in texts.sorted(by: { $0.key < $1.key }) {
            do throws(HostPatternError) {
                rules.append((try HostPattern(text), rule))
            } catch {
                problems.append(.pattern(error))
            }
        }
        if !problems.isEmpty {
            if !insecureOptions.contains(.allowsDisabledEvaluators) {
                problems += ServerTrustManagerError.disabled(rules)
            }
            throw ServerTrustManagerError(problems: problems + ServerTrustManagerError.duplicates(rules))
        }
        try self.init(
            rules: rules, allHostsMustBeEvaluated: allHostsMustBeEvaluated, exceptions: exceptions, memory: memory,
            insecureOptions: insecureOptions)
    }

    /// The rule for a host, by its most specific pattern; nil if it has none.
    public func rule(for host: Hostname) -> HostRule? { currentRules.table.lookup(host)?.value }

    /// How many rules there are.
    public var count: Int { currentRules.table.count }

    /// Whether a host is refused whatever its server presents: its rule denies it, or it has no rule and needs one.
    ///
    /// No event is emitted; `ServerTrustConfiguration.denial(of:)` gives the verdict and emits one.
    public func denies(_ host: Hostname) -> Bool { currentRules.denies(host) }

    /// Whether hosts without a rule are refused.
    public var allHostsMustBeEvaluated: Bool { currentRules.allHostsMustBeEvaluated }

    /// Keys that no path may hold, whatever the host and whatever its rule; none until ``replaceRules(by:deniedKeys:)``.
    public var deniedKeys: Set<SPKIPin> { currentRules.denied?.keys ?? [] }

    var currentRules: RuleSet { rules.withLock { $0 } }
}

// MARK: - Changing what is asked

extension ServerTrustManager {
    /// Judges by the rules of another manager from now on, in every client that has this one. A verdict is reached by the old
    /// rules or by the new ones, never by some of each, and none is remembered across the change. Exceptions, memory and
    /// observers stay.
    ///
    /// Connections that are open already were judged before: have the clients judge them again
    /// (`TrustedHTTPClient.reevaluateConnections()`).
    /// - Parameters:
    ///   - other: whose rules, and whose answer for hosts without one, are taken. It stays as it is, and later changes of it
    ///     aren't followed.
    ///   - deniedKeys: keys that no path may hold, in the place of those before.
    public func replaceRules(by other: ServerTrustManager, deniedKeys: Set<SPKIPin>) {
        let theirs = other.currentRules
        let replacement = RuleSet(
            theirs.table, allHostsMustBeEvaluated: theirs.allHostsMustBeEvaluated, deniedKeys: deniedKeys)
        rules.withLock { $0 = replacement }
    }
}

// MARK: - Evaluating

extension ServerTrustManager {
    /// Evaluates by the rule for the host that the connection goes to (``Trust/host``), and tells what happened.
    ///
    /// The trust object's own settings (policy, anchors, intermediates, date) hold, as far as the rule doesn't replace them.
    public func verdict(on trust: Trust) -> TrustVerdict {
        let verdict = silentVerdict(on: trust)
        emit(verdict, on: trust)
        return verdict
    }

    /// The verdict, which says that the server is to be trusted.
    /// - Throws: ``TrustRefusal`` with the verdict otherwise.
    @discardableResult
    public func evaluate(_ trust: Trust) throws(TrustRefusal) -> TrustVerdict {
        let verdict = verdict(on: trust)
        guard verdict.isTrusted else { throw TrustRefusal(verdict) }
        return verdict
    }

    /// The verdict, without an event.
    package func silentVerdict(on trust: Trust) -> TrustVerdict { silentVerdict(on: trust, by: currentRules) }

    /// The verdict by one set of rules, without an event.
    func silentVerdict(on trust: Trust, by rules: RuleSet) -> TrustVerdict {
        if let denial = rules.denial(of: trust) { return denial }
        guard let host = trust.host, let (index, rule) = rules.table.lookup(host) else {
            return verdict(on: trust, DefaultTrustEvaluator(), rules, rule: -1)
        }
        switch rule.kind {
        // Not reached: that is a denial.
        case .denied: return trust.denied(.hostDenied, by: rules.table[index].pattern, host.description)
        case .enforced(let evaluator): return verdict(on: trust, evaluator, rules, rule: index)
        case .reportOnly(let evaluator): return reportedVerdict(on: trust, evaluator, rules, rule: index)
        }
    }

    private func verdict(
        on trust: Trust, _ evaluator: any TrustEvaluator, _ rules: RuleSet, rule: Int
    ) -> TrustVerdict {
        var evaluator = evaluator
        if let denied = rules.denied {
            if evaluator.isDisabledEvaluator {
                // It has no path that could be looked at: what was presented has to do.
                if let pin = trust.presentedChain.firstKey(of: denied.keys) {
                    return trust.denied(.keyDenied, by: nil, pin.description)
                }
            } else {
                evaluator = CompositeTrustEvaluator(evaluator, denied)
            }
        }
        var trust = trust
        if trust.applicableExceptions == nil, let exceptions { exceptions.apply(to: &trust) }
        guard let memory, evaluator.isRepeatable else { return evaluator.verdict(on: trust) }
        return memory.verdict(on: trust, scope: .init(manager: rules.number, rule: rule)) {
            evaluator.verdict(on: trust)
        }
    }

    /// The default evaluation, with what the evaluator would have refused.
    private func reportedVerdict(
        on trust: Trust, _ evaluator: any TrustEvaluator, _ rules: RuleSet, rule: Int
    ) -> TrustVerdict {
        let wanted = verdict(on: trust, evaluator, rules, rule: rule)
        // An evaluator that only looks at the path and accepts it has found what the default would have found.
        if wanted.isTrusted, evaluator.trustVariants(of: trust) == nil, !evaluator.isDisabledEvaluator { return wanted }
        var decided = verdict(on: trust, DefaultTrustEvaluator(), rules, rule: -1)
        // What is wrong by default is no finding of the rule.
        decided.reported = wanted.failures.filter { !decided.failures.contains($0) }
        if wanted.path == decided.path { decided.matchedPin = wanted.matchedPin }
        decided.warnings += wanted.warnings.filter { !decided.warnings.contains($0) }
        return decided
    }

    func emit(_ verdict: TrustVerdict, on trust: Trust) {
        guard !events.isUnobserved else { return }
        // The system's own evaluator doesn't read the store that is read here.
        if trust.settings.anchors.includesSystem, trust.settings.systemEvaluator == nil,
            !hasToldAnchors.withLock({ told in
                defer { told = true }; return told
            })
        {
            for warning in (try? SystemAnchors.shared())?.warnings ?? [] { events.emit(.anchorSkipped(warning)) }
        }
        for event in TrustEvent.events(of: verdict) { events.emit(event) }
    }
}
