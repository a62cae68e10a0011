// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustLists

/// The rules of an app: an evaluator for each host. An app sets up one manager and passes it to its clients.
///
/// ```swift
/// let manager = try ServerTrustManager(evaluators: [
///     "api.example.com": SPKIPinsTrustEvaluator(pins: […], backup: […]),
///     "*.cdn.example.com": DefaultTrustEvaluator(),
/// ])
/// let verdict = manager.evaluate(Trust(presentedChain: chain, host: host))
/// ```
///
/// The most specific pattern applies (see ``HostPattern``). A host without a rule is refused, unless the manager was created with
/// `allHostsMustBeEvaluated: false`; then default evaluation applies.
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

    /// The memory of earlier verdicts; nil to evaluate every connection anew.
    package let memory: VerdictMemory?

    /// The exceptions that users agreed to earlier; they apply to every trust object without exceptions of its own.
    public let exceptions: ExceptionStore?

    /// The current rules; replaced as a whole, so that one set of rules decides each verdict.
    private let rules: Locked<RuleSet>
    private let hasEmittedAnchorWarnings = Locked(false)
    private let configurationWarnings = Locked(ConfigurationWarnings())

    /// Creates a manager of rules by patterns.
    /// - Parameters:
    ///   - rules: patterns and their rules, in any order.
    ///   - allHostsMustBeEvaluated: whether hosts without a rule are refused; otherwise default evaluation applies to them.
    ///   - exceptions: the exceptions that users agreed to; none by default.
    ///   - memory: the memory of verdicts; nil to evaluate every connection anew.
    ///   - insecureOptions: dangerous options; none by default.
    /// - Throws: ``ServerTrustManagerError`` with every problem of the rules.
    public init(
        rules: some Sequence<(HostPattern, HostRule)>, allHostsMustBeEvaluated: Bool = true,
        exceptions: ExceptionStore? = nil, memory: VerdictMemory? = VerdictMemory(),
        insecureOptions: InsecureOptions = []
    ) throws(ServerTrustManagerError) {
        // The rules are read twice, and a sequence may permit one pass only.
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

    /// Creates a manager without rules: default evaluation applies to every host.
    package init() {
        self.rules = Locked(RuleSet(HostTable(), allHostsMustBeEvaluated: false))
        self.exceptions = nil
        self.memory = VerdictMemory()
    }

    /// Creates a manager that evaluates some hosts by one evaluator, and refuses all others.
    /// - Parameter hosts: the patterns of the hosts (see ``HostPattern``).
    convenience init(_ evaluator: any TrustEvaluator, hosts: [String]) throws(ServerTrustManagerError) {
        try self.init(rules: Self.rules(hosts.map { ($0, .enforced(evaluator)) }, []))
    }

    /// Creates a manager of evaluators by the texts of their hosts' patterns (see ``HostPattern``), each enforced.
    /// - Parameters:
    ///   - evaluators: patterns and their evaluators.
    ///   - allHostsMustBeEvaluated: whether hosts without a rule are refused; otherwise default evaluation applies to them.
    ///   - exceptions: the exceptions that users agreed to; none by default.
    ///   - memory: the memory of verdicts; nil to evaluate every connection anew.
    ///   - insecureOptions: dangerous options; none by default.
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

    /// Creates a manager of rules by the texts of their hosts' patterns (see ``HostPattern``), with the parameters of the other
    /// initializers.
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

    /// Returns rules by patterns.
    /// - Throws: ``ServerTrustManagerError`` with every problem of the rules, if a text is no pattern.
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

    /// Returns the rule for a host, by its most specific pattern; nil if it has none.
    public func rule(for host: Hostname) -> HostRule? { currentRules.table.lookup(host)?.value }

    /// The number of rules.
    package var count: Int { currentRules.table.count }

    /// Returns whether a host is refused regardless of its certificates: its rule denies it, or it has no rule and needs one.
    ///
    /// No event is emitted; ``ServerTrustConfiguration/denial(of:)`` returns the verdict and emits one.
    package func denies(_ host: Hostname) -> Bool { currentRules.denies(host) }

    /// Whether hosts without a rule are refused.
    public var allHostsMustBeEvaluated: Bool { currentRules.allHostsMustBeEvaluated }

    /// The certificates and keys that no path may contain, for every host and rule, beside those of a trust object; nil until
    /// ``replaceRules(by:denied:)``.
    package var denied: DeniedList? { currentRules.denied }

    var currentRules: RuleSet { rules.withLock { $0 } }
}

// MARK: - Replacing rules

extension ServerTrustManager {
    /// Replaces the rules by those of another manager, in every client that uses this one. Each verdict is reached by the old rules or by
    /// the new rules, never by a mixture, and no verdict is remembered across the change. Exceptions, memory and observers stay.
    ///
    /// Open connections were evaluated by the old rules: have the clients evaluate them again
    /// (`TrustedHTTPClient.reevaluateConnections()`).
    /// - Parameters:
    ///   - other: the manager whose rules, and whose setting for hosts without a rule, are copied. It stays unchanged, and its later
    ///     changes have no effect here.
    ///   - denied: the certificates and keys that no path may contain, for every host, in place of the previous ones and beside those of
    ///     ``TrustSettings/denied``; nil for none. They are refused with `certificateDenied`. Pass a list that still has the previous
    ///     entries, because entries of the old list alone end with it.
    public func replaceRules(by other: ServerTrustManager, denied: DeniedList?) {
        replaceRules(by: other, denied: denied, transparency: nil)
    }

    /// Replaces the rules as ``replaceRules(by:denied:)``.
    /// - Parameters:
    ///   - transparency: the check of transparency for every host; a trust object with a check of its own has to pass both.
    ///   - filters: the filters of revoked certificates in the place of a trust object's; its own for none, the default.
    package func replaceRules(
        by other: ServerTrustManager, denied: DeniedList?, transparency: TransparencySettings?,
        filters: [RevocationFilter] = []
    ) {
        let others = other.currentRules
        let replacement = RuleSet(
            others.table, allHostsMustBeEvaluated: others.allHostsMustBeEvaluated, denied: denied,
            transparency: transparency, filters: filters)
        rules.withLock { $0 = replacement }
    }
}

// MARK: - Evaluating

extension ServerTrustManager {
    /// Evaluates by the rule for the connection's host (``Trust/host``), and emits the verdict as events.
    ///
    /// The trust object's own settings (policy, anchors, intermediates, date) apply unless the rule replaces them.
    public func evaluate(_ trust: Trust) -> TrustVerdict {
        let verdict = remembered(trust)
        emit(verdict, on: trust)
        return verdict
    }

    /// Evaluates, and returns the verdict on a trusted server.
    /// - Throws: ``TrustRefusal`` with the verdict on a server that is not trusted.
    @discardableResult
    public func requireTrust(_ trust: Trust) throws(TrustRefusal) -> TrustVerdict {
        let verdict = evaluate(trust)
        try verdict.requireTrust()
        return verdict
    }

    /// Returns the verdict from the memory, or evaluates; emits no event.
    package func remembered(_ trust: Trust) -> TrustVerdict { remembered(trust, by: currentRules) }

    /// Returns the verdict by one set of rules from the memory, or evaluates; emits no event.
    func remembered(_ trust: Trust, by rules: RuleSet) -> TrustVerdict {
        if let denial = rules.denial(of: trust) { return denial }
        guard let host = trust.host, let (index, rule) = rules.table.lookup(host) else {
            return remembered(trust, DefaultTrustEvaluator(), rules, rule: -1)
        }
        switch rule.kind {
        // Unreachable: the denial is returned above.
        case .denied: return trust.denial(.hostDenied, by: rules.table[index].pattern, host.description)
        case .enforced(let evaluator): return remembered(trust, evaluator, rules, rule: index)
        case .reportOnly(let evaluator): return remembered(trust, reporting: evaluator, rules, rule: index)
        }
    }

    private func remembered(
        _ trust: Trust, _ evaluator: any TrustEvaluator, _ rules: RuleSet, rule: Int
    ) -> TrustVerdict {
        var evaluator = evaluator
        // A disabled evaluator needs no path: a denied key refuses wherever the server presents it, and whatever path avoids it.
        if evaluator.isDisabledEvaluator, let entry = rules.denied.flatMap(trust.presentedChain.entry(ofKeysDeniedBy:))
        {
            return trust.denial(.certificateDenied, by: nil, found: entry.value)
        }
        var trust = trust
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
        guard let memory, evaluator.isRepeatable else { return evaluator.evaluate(trust) }
        return memory.remembered(trust, scope: .init(manager: rules.number, rule: rule)) {
            evaluator.evaluate(trust)
        }
    }

    /// Returns the verdict of default evaluation, with the failures that the evaluator would have added.
    private func remembered(
        _ trust: Trust, reporting evaluator: any TrustEvaluator, _ rules: RuleSet, rule: Int
    ) -> TrustVerdict {
        let wanted = remembered(trust, evaluator, rules, rule: rule)
        // An evaluator that checks the path alone and accepts it leads to the verdict of default evaluation.
        if wanted.isTrusted, evaluator.trustVariants(of: trust) == nil, !evaluator.isDisabledEvaluator { return wanted }
        var decided = remembered(trust, DefaultTrustEvaluator(), rules, rule: -1)
        // Failures of default evaluation are not reported for the rule.
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
        /// Those that nothing has observed yet.
        var pending: [ServerTrustConfigurationWarning] = []
    }

    /// Emits the warnings about a client's configuration, each once for this manager: at once, or before the first verdict that is
    /// observed.
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

    func emit(_ verdict: TrustVerdict, on trust: Trust) {
        guard !events.isUnobserved else { return }
        emitConfigurationWarnings([])
        // The system's own evaluator doesn't use the store that is read here.
        if trust.settings.anchors.includesSystem, trust.settings.systemEvaluator == nil,
            !hasEmittedAnchorWarnings.withLock({ hasEmitted in
                defer { hasEmitted = true }; return hasEmitted
            })
        {
            for warning in (try? SystemAnchors.shared())?.warnings ?? [] { events.emit(.anchorSkipped(warning)) }
        }
        for event in TrustEvent.events(of: verdict) { events.emit(event) }
    }
}
