// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A bounded memory of verdicts. Any number of threads can share it. If an evaluation equals an earlier one, the memory
/// returns the earlier verdict, as long as every date that the verdict depends on permits it.
///
/// Two evaluations are equal if all of the following is equal:
/// - the certificates, byte for byte
/// - the host and the name
/// - the policy and the rule
/// - the anchors (the same store, not one with equal contents) and the intermediates
/// - the exceptions
/// - the staple and the revocation data
///
/// The memory stores only trusted verdicts, and only from evaluators that are ``TrustEvaluator/isRepeatable``. Refusals
/// are evaluated again every time, so that no user stays locked out.
///
/// A remembered verdict differs from a new one only in its ``TrustVerdict/evaluationDate``.
public final class VerdictMemory: Sendable {
    /// The rule of an evaluation, which the trust object doesn't identify: no rule, or a rule of a manager. Each
    /// manager has a unique number, so managers can share a memory.
    struct Scope: Sendable, Hashable {
        let manager: Int
        let rule: Int

        static let none = Scope(manager: 0, rule: 0)

        /// Returns a number for a manager that no other manager has.
        static func nextManager() -> Int {
            lastManager.withLock { last in
                last += 1
                return last
            }
        }

        private static let lastManager = Locked(0)
    }

    private final class Entry: Sendable {
        let trust: Trust
        let scope: Scope
        let verdict: TrustVerdict
        let unchangedFrom: Time
        let unchangedUntil: Time

        init(_ trust: Trust, _ scope: Scope, _ verdict: TrustVerdict, _ unchangedFrom: Time, _ unchangedUntil: Time) {
            self.trust = trust
            self.scope = scope
            self.verdict = verdict
            self.unchangedFrom = unchangedFrom
            self.unchangedUntil = unchangedUntil
        }
    }

    private let memory: BoundedCache<Entry>

    /// The maximum size of a remembered chain with its staple and revocation data, in bytes. Hostile chains can't fill
    /// the memory.
    private static let maximumChainSize = 64 * 1024

    /// Creates a memory.
    /// - Parameter capacity: the maximum number of verdicts, rounded up to a multiple of 64. Use about the number of
    ///   servers that your program connects to.
    public init(capacity: Int = 256) { self.memory = BoundedCache(capacity: capacity) }

    /// The number of verdicts in the memory.
    package var count: Int { memory.count }

    /// Removes every verdict, for example after a change of the system's anchors.
    public func removeAll() { memory.removeAll() }

    /// Returns the remembered verdict of an equal evaluation, or the verdict that the closure returns.
    func verdict(on trust: Trust, scope: Scope, orEvaluate evaluate: () -> TrustVerdict) -> TrustVerdict {
        // The result of a system's evaluator depends on settings that can change unnoticed.
        guard let leaf = trust.presentedChain.leaf, trust.settings.systemEvaluator == nil else { return evaluate() }
        let time = trust.settings.verifyDate.time
        let word = leaf.tableWord &+ Self.hash(trust.host)
        let known = memory.entry(word) { $0.scope == scope && $0.trust.isSameEvaluation(as: trust) }
        if let known, known.unchangedFrom <= time, time <= known.unchangedUntil {
            var verdict = known.verdict
            verdict.evaluationDate = time
            return verdict
        }
        let verdict = evaluate()
        // Whether an exception covers a failure may depend on dates in several ways.
        guard verdict.isTrusted,
            trust.presentedChain.size + trust.settings.revocationData.size <= Self.maximumChainSize,
            verdict.excused.isEmpty,
            verdict.reported.isEmpty, let from = verdict.unchangedFrom,
            let until = verdict.unchangedUntil
        else { return verdict }
        memory.insert(Entry(trust, scope, verdict, from, until), word) {
            $0.scope == scope && $0.trust.isSameEvaluation(as: trust)
        }
        return verdict
    }

    /// Hashes a host with FNV-1a. The memory seeds the place, and compares entries.
    private static func hash(_ host: Hostname?) -> UInt64 {
        guard let host else { return 0 }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        switch host.kind {
        case .dns: for byte in host.dnsBytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        case .ip(let address): for byte in address.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        return hash
    }
}

extension PresentedChain {
    fileprivate var size: Int { others.reduce((leaf?.size ?? 0) + evidenceSize) { $0 + $1.size } }
}

extension Trust {
    /// Returns the remembered verdict of an equal evaluation, or evaluates and remembers the verdict if the memory may
    /// store it.
    func evaluate(rememberingIn memory: VerdictMemory) -> TrustVerdict {
        memory.verdict(on: self, scope: .none) { evaluate() }
    }

    /// Whether the evaluations are equal apart from the verify date and the memory of signatures.
    fileprivate func isSameEvaluation(as other: Trust) -> Bool {
        presentedChain == other.presentedChain && host == other.host && host?.zone == other.host?.zone
            && exemption == other.exemption
            && isFetching == other.isFetching && settings.leadToSameVerdict(as: other.settings)
    }
}
