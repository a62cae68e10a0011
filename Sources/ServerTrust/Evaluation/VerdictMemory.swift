// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A bounded memory of verdicts, shared by any number of threads: the same question gets the same answer, as long as every date it
/// depends on allows.
///
/// A question is the same if it is about the same certificates byte for byte, for the same host, name, policy, anchors (the
/// same store, not an equal one), intermediates, exceptions, staple and revocation data, asked by the same rule. Only trusted verdicts are
/// remembered, and only those of evaluators that are ``TrustEvaluator/isRepeatable``; a refusal is found anew every time, so
/// that nobody stays locked out.
///
/// A remembered verdict differs from a new one in its ``TrustVerdict/evaluationDate`` alone.
public final class VerdictMemory: Sendable {
    /// Whose question it is, as far as the trust object doesn't say: nobody's, or a rule's of a manager. Managers are numbered
    /// and no number is given twice, so that one memory can serve several.
    struct Scope: Sendable, Hashable {
        let manager: Int
        let rule: Int

        static let none = Scope(manager: 0, rule: 0)

        /// A number for a manager, never given before.
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
        let validFrom: Time
        let validUntil: Time

        init(_ trust: Trust, _ scope: Scope, _ verdict: TrustVerdict, _ validFrom: Time, _ validUntil: Time) {
            self.trust = trust
            self.scope = scope
            self.verdict = verdict
            self.validFrom = validFrom
            self.validUntil = validUntil
        }
    }

    private let memory: BoundedCache<Entry>

    /// Presented chains that are larger, in bytes, with staple and revocation data, aren't remembered, so that hostile ones can't fill the memory.
    private static let maximumChainSize = 64 * 1024

    /// - Parameter capacity: how many verdicts are remembered at most, rounded up to a multiple of 64: about the number of servers
    ///   that a program talks to.
    public init(capacity: Int = 256) { self.memory = BoundedCache(capacity: capacity) }

    /// How many verdicts are remembered now.
    public var count: Int { memory.count }

    /// Forgets everything: after a change of the system's anchors, say.
    public func removeAll() { memory.removeAll() }

    /// The verdict that is remembered, or the one that `evaluate` finds.
    func verdict(on trust: Trust, scope: Scope, _ evaluate: () -> TrustVerdict) -> TrustVerdict {
        // What a system's evaluator says depends on settings that change out of sight.
        guard let leaf = trust.presentedChain.leaf, trust.settings.systemEvaluator == nil else { return evaluate() }
        let time = trust.settings.verifyDate.time
        let word = leaf.tableWord &+ Self.hash(trust.host)
        let known = memory.entry(word) { $0.scope == scope && $0.trust.isSameQuestion(as: trust) }
        if let known, known.validFrom <= time, time <= known.validUntil {
            var verdict = known.verdict
            verdict.evaluationDate = time
            return verdict
        }
        let verdict = evaluate()
        // What an exception covers may depend on dates in more ways than one.
        guard verdict.isTrusted,
            trust.presentedChain.size + trust.sizeOfEvidence <= Self.maximumChainSize, verdict.excused.isEmpty,
            verdict.reported.isEmpty, let from = verdict.validFrom,
            let until = verdict.validUntil
        else { return verdict }
        memory.insert(Entry(trust, scope, verdict, from, until), word) {
            $0.scope == scope && $0.trust.isSameQuestion(as: trust)
        }
        return verdict
    }

    /// FNV-1a; the place in the memory is seeded, and entries are compared.
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
    fileprivate var size: Int { others.reduce(leaf?.size ?? 0) { $0 + $1.size } }
}

extension Trust {
    /// Bytes that remembering it would keep alive beside the certificates.
    fileprivate var sizeOfEvidence: Int {
        guard case .given(let staple) = settings.staple else { return settings.revocationData.size }
        return settings.revocationData.size + staple.count
    }

    /// The verdict that is remembered for this question, or a new one, which is remembered if it may be.
    public func evaluate(remembering memory: VerdictMemory) -> TrustVerdict {
        memory.verdict(on: self, scope: .none) { evaluate() }
    }

    /// Whether everything but the verify date and the memory of signatures is the same.
    fileprivate func isSameQuestion(as other: Trust) -> Bool {
        presentedChain == other.presentedChain && host == other.host && exemption == other.exemption
            && settings.leadToSameVerdict(as: other.settings)
    }
}
