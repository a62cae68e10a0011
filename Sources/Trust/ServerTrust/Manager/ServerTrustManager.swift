// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The rules of an app: an evaluator for each host. Create one manager and pass it to all your clients.
///
/// ```swift
/// let manager = try ServerTrustManager(evaluators: [
///     "api.example.com": SPKIPinsTrustEvaluator(pins: […], backup: […]),
///     "*.cdn.example.com": DefaultTrustEvaluator(),
/// ])
/// let verdict = manager.evaluate(Trust(presentedChain: chain, host: host))
/// ```
///
/// The most specific pattern applies (see ``HostPattern``). A host without a rule is refused. To apply default
/// evaluation instead, create the manager with `allHostsMustBeEvaluated: false`.
public final class ServerTrustManager: Sendable {
    /// Dangerous options, which are off by default.
    public struct InsecureOptions: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: Int
        /// Creates options from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Permits rules with a ``DisabledTrustEvaluator``.
        public static let allowsDisabledEvaluators = InsecureOptions(rawValue: 1)
    }

    /// The events of this manager's evaluations.
    public let events = TrustEvents()

    /// The memory of earlier verdicts, or nil to evaluate every connection.
    package let memory: VerdictMemory?

    /// The exceptions that users agreed to earlier. They apply to every trust object that has no exceptions.
    public let exceptions: ExceptionStore?

    /// The observers of changed rules.
    package let changes = RuleChanges()

    /// The current rules. They are replaced as a whole, so that one set of rules decides each verdict.
    private let rules: Locked<RuleSet>
    private let hasEmittedAnchorWarnings = Locked(false)
    private let configurationWarnings = Locked(ConfigurationWarnings())

    /// Creates a manager from patterns and rules.
    /// - Parameters:
    ///   - rules: patterns and their rules, in any order.
    ///   - allHostsMustBeEvaluated: whether to refuse hosts without a rule. If false, default evaluation applies to
    ///     them.
    ///   - exceptions: the exceptions that users agreed to. None by default.
    ///   - memory: the memory of verdicts, or nil to evaluate every connection.
    ///   - insecureOptions: dangerous options. None by default.
    /// - Throws: ``ServerTrustManagerError`` with every problem of the rules.
    public init(
        rules: some Sequence<(HostPattern, HostRule)>, allHostsMustBeEvaluated: Bool = true,
        exceptions: ExceptionStore? = nil, memory: VerdictMemory? = VerdictMemory(),
        insecureOptions: InsecureOptions = []
    ) throws(ServerTrustManagerError) {
        // The initializer reads the rules twice, and a sequence may permit only one pass.
        let rules = Array(rules)
        let disabled =
            insecureOptions.contains(.allowsDisabledEvaluators) ? [] : ServerTrustManagerError.disabled(rules)
        let table: HostTable<HostRule>
        do throws(HostTableError) {
            table = try HostTable(rules)
        } catch {
            throw ServerTrustManagerError(disabled + ServerTrustManagerError.duplicates(rules))
        }
        guard disabled.isEmpty else { throw ServerTrustManagerError(disabled) }
        self.rules = Locked(RuleSet(table, allHostsMustBeEvaluated: allHostsMustBeEvaluated))
        self.exceptions = exceptions
        self.memory = memory
    }

    /// Creates a manager without rules. Default evaluation applies to every host.
    package init() {
        self.rules = Locked(RuleSet(HostTable(), allHostsMustBeEvaluated: false))
        self.exceptions = nil
        self.memory = VerdictMemory()
    }

    /// Creates a manager with the current rules, the exceptions and the memory of another one, without its observers.
    package init(copying other: ServerTrustManager) {
        rules = Locked(other.currentRules)
        exceptions = other.exceptions
        memory = other.memory
    }

    /// Creates a manager that evaluates some hosts with one evaluator and refuses all others.
    /// - Parameter hosts: the patterns of the hosts (see ``HostPattern``).
    convenience init(_ evaluator: any TrustEvaluator, hosts: [String]) throws(ServerTrustManagerError) {
        try self.init(rules: Self.rules(hosts.map { ($0, .enforced(evaluator)) }, []))
    }

    /// Creates a manager that enforces evaluators, from the texts of their hosts' patterns (see ``HostPattern``).
    /// - Parameters:
    ///   - evaluators: patterns and their evaluators.
    ///   - allHostsMustBeEvaluated: whether to refuse hosts without a rule. If false, default evaluation applies to
    ///     them.
    ///   - exceptions: the exceptions that users agreed to. None by default.
    ///   - memory: the memory of verdicts, or nil to evaluate every connection.
    ///   - insecureOptions: dangerous options. None by default.
    /// - Throws: ``ServerTrustManagerError`` with every problem of the patterns and their evaluators.
    public convenience init(
        evaluators: [String: any TrustEvaluator], allHostsMustBeEvaluated: Bool = true,
        exceptions: ExceptionStore? = nil, memory: VerdictMemory? = VerdictMemory(),
        insecureOptions: InsecureOptions = []
    ) throws(ServerTrustManagerError) {
        try self.init(
            rules: evaluators.mapValues { HostRule.enforced($0) }, allHostsMustBeEvaluated: allHostsMustBeEvaluated,
            exceptions: exceptions, memory: memory, insecureOptions: insecureOptions)
    }

    /// Creates a manager from rules and the texts of their hosts' patterns (see ``HostPattern``), with the parameters
    /// of the other initializers.
    /// - Throws: ``ServerTrustManagerError`` with every problem of the patterns and their evaluators.
    public convenience init(
        rules texts: [String: HostRule], allHostsMustBeEvaluated: Bool = true, exceptions: ExceptionStore? = nil,
        memory: VerdictMemory? = VerdictMemory(), insecureOptions: InsecureOptions = []
    ) throws(ServerTrustManagerError) {
        let rules = try Self.rules(texts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, insecureOptions)
        try self.init(
            rules: rules, allHostsMustBeEvaluated: allHostsMustBeEvaluated, exceptions: exceptions, memory: memory,
            insecureOptions: insecureOptions)
    }

    /// Parses the patterns of rules.
    /// - Throws: ``ServerTrustManagerError`` with every problem of the rules, if a text isn't a pattern.
    private static func rules(
        _ texts: [(String, HostRule)], _ insecureOptions: InsecureOptions
    ) throws(ServerTrustManagerError) -> [(HostPattern, HostRule)] {
        var rules: [(HostPattern, HostRule)] = []
        var problems: [ServerTrustManagerError.Problem] = []
        for (text, rule) in texts {
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
            throw ServerTrustManagerError(problems + ServerTrustManagerError.duplicates(rules))
        }
        return rules
    }

    /// Returns the rule of the most specific pattern that matches a host, or nil if no pattern matches.
    public func rule(for host: Hostname) -> HostRule? { currentRules.table.lookup(host)?.value }

    /// The number of rules.
    package var count: Int { currentRules.table.count }

    /// Returns whether a host is refused whatever its certificates: its rule denies it, or it has no rule and needs
    /// one.
    ///
    /// Emits no event. ``ServerTrustConfiguration/denial(of:)`` returns the verdict and emits events for it.
    package func denies(_ host: Hostname) -> Bool { currentRules.denies(host) }

    /// Whether hosts without a rule are refused.
    public var allHostsMustBeEvaluated: Bool { currentRules.allHostsMustBeEvaluated }

    /// The certificates and keys that no path may contain, for every host and rule, in addition to those of a trust
    /// object. Nil until you call ``replaceRules(by:denied:)``.
    package var denied: DeniedList? { currentRules.denied }

    var currentRules: RuleSet { rules.withLock { $0 } }
}

// MARK: - Replacing rules

extension ServerTrustManager {
    /// Replaces the rules with those of another manager, for every client that uses this manager. Each verdict uses
    /// either the old rules or the new rules, never a mixture. Remembered verdicts don't survive the change.
    /// Exceptions, memory and observers stay.
    ///
    /// Clients evaluate their open connections again, and close the connections to servers that the new rules refuse.
    /// They do this in the background. To wait for it, call a client's `reevaluateConnections()`. From this call on, no
    /// request begins on a connection that was evaluated by the old rules only.
    /// - Parameters:
    ///   - other: the manager to copy the rules and the setting for hosts without a rule from. It stays unchanged, and
    ///     its later changes have no effect here.
    ///   - denied: the certificates and keys that no path may contain, for every host, or nil for none. They replace
    ///     the previous list and add to ``TrustSettings/denied``. They are refused with `certificateDenied`. Pass a
    ///     list that still contains the previous entries, because entries that are only in the old list no longer
    ///     apply.
    public func replaceRules(by other: ServerTrustManager, denied: DeniedList?) {
        replaceRules(by: other, denied: denied, transparency: nil)
    }

    /// Replaces the rules like ``replaceRules(by:denied:)``.
    /// - Parameters:
    ///   - transparency: the Certificate Transparency check for every host. A trust object with its own check must pass
    ///     both.
    ///   - filters: the filters of revoked certificates that replace a trust object's. By default, trust objects keep
    ///     their own filters.
    package func replaceRules(
        by other: ServerTrustManager, denied: DeniedList?, transparency: TransparencySettings?,
        filters: [RevocationFilter] = []
    ) {
        let others = other.currentRules
        let replacement = RuleSet(
            others.table, allHostsMustBeEvaluated: others.allHostsMustBeEvaluated, denied: denied,
            transparency: transparency, filters: filters)
        rules.withLock { $0 = replacement }
        changes.emit()
    }
}

// MARK: - Evaluating

extension ServerTrustManager {
    /// Evaluates by the rule for the connection's host (``Trust/host``), and emits events for the verdict.
    ///
    /// The trust object's own settings (policy, anchors, intermediates, date) apply unless the rule replaces them.
    public func evaluate(_ trust: Trust) -> TrustVerdict {
        let rules = currentRules
        let verdict = evaluateSilently(trust, by: rules)
        emit(verdict, on: trust, by: rules)
        return verdict
    }

    /// Evaluates by the rule for the connection's host, and returns the verdict if the server is trusted.
    /// - Throws: ``TrustRefusal`` with the verdict if the server isn't trusted.
    @discardableResult
    public func requireTrust(_ trust: Trust) throws(TrustRefusal) -> TrustVerdict {
        let verdict = evaluate(trust)
        try verdict.requireTrust()
        return verdict
    }

    /// Evaluates by the rule for the connection's host. Emits no event.
    package func evaluateSilently(_ trust: Trust) -> TrustVerdict { evaluateSilently(trust, by: currentRules) }

    /// Evaluates by one set of rules. Emits no event.
    func evaluateSilently(_ trust: Trust, by rules: RuleSet) -> TrustVerdict {
        guard let host = trust.host, let (index, rule) = rules.table.lookup(host) else {
            return rules.denial(of: trust) ?? verdict(on: trust, enforcing: DefaultTrustEvaluator(), rules, rule: -1)
        }
        switch rule.kind {
        case .denied: return trust.denial(.hostDenied, by: rules.table[index].pattern, host.description)
        case .enforced(let evaluator): return verdict(on: trust, enforcing: evaluator, rules, rule: index)
        case .reportOnly(let evaluator): return verdict(on: trust, reporting: evaluator, rules, rule: index)
        }
    }

    /// Returns the verdict by an evaluator, with the lists of the rules and the stored exceptions.
    private func verdict(
        on trust: Trust, enforcing evaluator: any TrustEvaluator, _ rules: RuleSet, rule: Int
    ) -> TrustVerdict {
        let scope = VerdictMemory.Scope(manager: rules.number, rule: rule)
        // A copy of a trust object takes a tenth of the time of a remembered verdict.
        guard rules.changeSettings || exceptions != nil else {
            return verdictFromMemory(on: trust, evaluator, scope)
        }
        // A disabled evaluator needs no path. So a denied key refuses wherever the server presents it, even if another
        // path avoids it.
        if let denied = rules.denied, evaluator.isDisabledEvaluator,
            let entry = trust.presentedChain.entry(ofKeysDeniedBy: denied)
        {
            return trust.denial(.certificateDenied, by: nil, found: entry.value)
        }
        var (trust, evaluator) = (trust, evaluator)
        complete(&trust, &evaluator, by: rules)
        return verdictFromMemory(on: trust, evaluator, scope)
    }

    /// Returns the verdict from the memory, or evaluates.
    private func verdictFromMemory(
        on trust: Trust, _ evaluator: any TrustEvaluator, _ scope: VerdictMemory.Scope
    ) -> TrustVerdict {
        guard let memory, evaluator.isRepeatable else { return evaluator.evaluate(trust) }
        return memory.verdict(on: trust, scope: scope) { evaluator.evaluate(trust) }
    }

    /// Adds the lists of the rules and the stored exceptions to an evaluation.
    private func complete(_ trust: inout Trust, _ evaluator: inout any TrustEvaluator, by rules: RuleSet) {
        trust.settings.denied = .union(trust.settings.denied, rules.denied)
        rules.addFilters(to: &trust)
        if let transparency = rules.transparency, trust.settings.transparency != transparency {
            if trust.settings.transparency == nil {
                trust.settings.transparency = transparency
            } else if !evaluator.isDisabledEvaluator {
                evaluator = CompositeTrustEvaluator(evaluator, TransparencyTrustEvaluator(transparency))
            }
        }
        if trust.applicableExceptions == nil, let exceptions { exceptions.apply(to: &trust) }
    }

    /// Returns an evaluation by one set of rules, for observers.
    private func observed(
        _ verdict: TrustVerdict, _ trust: Trust, _ rules: RuleSet, byDelegate: Bool
    ) -> ObservedEvaluation {
        var trust = trust
        var evaluator: any TrustEvaluator = DefaultTrustEvaluator()
        var pattern: HostPattern?
        if let host = trust.host, let (index, rule) = rules.table.lookup(host) {
            pattern = rules.table[index].pattern
            if case .enforced(let enforced) = rule.kind { evaluator = enforced }
        }
        complete(&trust, &evaluator, by: rules)
        return ObservedEvaluation(
            verdict, of: trust, by: evaluator, rule: pattern, ruleSet: rules.number,
            otherDecisions: (rules.denial(of: trust) == nil ? [] : ["rule"]) + (byDelegate ? ["delegate"] : []))
    }

    /// Returns the verdict of default evaluation, with the failures that the evaluator would have added.
    private func verdict(
        on trust: Trust, reporting evaluator: any TrustEvaluator, _ rules: RuleSet, rule: Int
    ) -> TrustVerdict {
        let wanted = verdict(on: trust, enforcing: evaluator, rules, rule: rule)
        // If the evaluator only checks the path and accepts it, its verdict is the verdict of default evaluation.
        if wanted.isTrusted, evaluator.trustVariants(of: trust) == nil, !evaluator.isDisabledEvaluator { return wanted }
        var decided = verdict(on: trust, enforcing: DefaultTrustEvaluator(), rules, rule: -1)
        // Failures of default evaluation aren't reported for the rule.
        decided.reported += (wanted.failures + wanted.reported).filter {
            !decided.failures.contains($0) && !decided.reported.contains($0)
        }
        if decided.transparency == nil, wanted.path == decided.path {
            decided = decided.adding(transparency: wanted.transparency)
        }
        if wanted.path == decided.path { decided.matchedPin = wanted.matchedPin }
        decided.warnings += wanted.warnings.filter { !decided.warnings.contains($0) }
        if decided.isTrusted {
            decided.revocationGaps = RevocationGap.allCases.filter {
                decided.revocationGaps.contains($0) || wanted.revocationGaps.contains($0)
            }
        }
        return decided
    }

    /// The warnings about configurations with this manager.
    private struct ConfigurationWarnings {
        var known: Set<ServerTrustConfigurationWarning> = []
        /// The warnings that no observer has received yet.
        var pending: [ServerTrustConfigurationWarning] = []
    }

    /// Emits the warnings about a client's configuration, each once per manager. Without an observer, they are emitted
    /// before the first verdict that is observed.
    package func emitConfigurationWarnings(_ warnings: [ServerTrustConfigurationWarning]) {
        let isObserved = !events.isUnobserved
        let due = configurationWarnings.withLock { state in
            for warning in warnings where state.known.insert(warning).inserted { state.pending.append(warning) }
            guard isObserved else { return [ServerTrustConfigurationWarning]() }
            defer { state.pending = [] }
            return state.pending
        }
        for warning in due { events.emit(.configurationWarning(warning)) }
    }

    /// Emits the events of a verdict, and the evaluation to the observers that want it.
    /// - Parameters:
    ///   - trust: the trust object of the last evaluation.
    ///   - rules: the rules that decided.
    ///   - byDelegate: whether a client's delegate changed the verdict.
    func emit(_ verdict: TrustVerdict, on trust: Trust, by rules: RuleSet, byDelegate: Bool = false) {
        guard !events.isUnobserved else { return }
        emitConfigurationWarnings([])
        // The system's own evaluator doesn't use the store that this package reads.
        if trust.settings.anchors.includesSystem, trust.settings.systemEvaluator == nil,
            !hasEmittedAnchorWarnings.withLock({ hasEmitted in
                defer { hasEmitted = true }; return hasEmitted
            })
        {
            for warning in (try? SystemAnchors.shared())?.warnings ?? [] { events.emit(.anchorSkipped(warning)) }
        }
        for event in TrustEvent.events(of: verdict) { events.emit(event) }
        events.emit(verdict) { observed(verdict, trust, rules, byDelegate: byDelegate) }
    }
}
