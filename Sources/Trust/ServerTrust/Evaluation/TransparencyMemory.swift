// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A bounded memory of verified timestamps. Any number of threads can share it.
///
/// The memory compares everything that the result depends on, the leaf and the issuer's key byte for byte. So a hash
/// collision can lose an entry, but never return a wrong one. Only results for leaves of trusted paths are stored, so a
/// sender of junk can't evict useful entries.
final class TransparencyMemory: Sendable {
    /// The timestamps of a leaf for an issuer's key, and a policy's finding for an interval of dates.
    final class Entry: Sendable {
        let subject: Subject
        let evidence: TimestampEvidence
        let finding: TransparencyFinding
        /// The interval of verify dates in which ``finding`` is the same. A bound is nil if there isn't one.
        let from: Time?
        let until: Time?

        init(
            _ subject: Subject, _ evidence: TimestampEvidence, _ finding: TransparencyFinding, from: Time?, until: Time?
        ) {
            self.subject = subject
            self.evidence = evidence
            self.finding = finding
            self.from = from
            self.until = until
        }

        /// Whether the finding applies to a date.
        func holds(at time: Time) -> Bool { (from.map { $0 <= time } ?? true) && (until.map { time <= $0 } ?? true) }
    }

    /// Everything that a finding depends on, apart from the date.
    struct Subject: Sendable {
        let leaf: Certificate
        let issuer: Certificate
        let handshake: TimestampList?
        let ocsp: TimestampList?
        let logs: CTLogList
        let policy: CTPolicy
        let ignoresListAge: Bool

        func isSame(as other: Subject) -> Bool {
            leaf == other.leaf && issuer.hasSameKey(as: other.issuer) && handshake == other.handshake
                && ocsp == other.ocsp && logs == other.logs && logs.count == other.logs.count && policy == other.policy
                && ignoresListAge == other.ignoresListAge
        }

        /// The number of bytes that an entry keeps alive, not counting the list of logs and the policy.
        var size: Int { leaf.size + issuer.size + (handshake?.size ?? 0) + (ocsp?.size ?? 0) }
    }

    static let shared = TransparencyMemory()

    /// The maximum size of a remembered subject, in bytes. Hostile subjects can't fill the memory with megabytes.
    private static let maximumSize = 32 * 1024

    private let memory: BoundedCache<Entry>

    init(capacity: Int = 256) { self.memory = BoundedCache(capacity: capacity) }

    /// The current number of entries.
    var count: Int { memory.count }

    /// Removes all entries.
    func removeAll() { memory.removeAll() }

    /// Returns the entry for a subject, or nil if there isn't one.
    func entry(for subject: Subject) -> Entry? {
        memory.entry(subject.leaf.tableWord) { $0.subject.isSame(as: subject) }
    }

    func remember(_ entry: Entry) {
        guard entry.subject.size <= Self.maximumSize else { return }
        memory.insert(entry, entry.subject.leaf.tableWord) { $0.subject.isSame(as: entry.subject) }
    }
}

extension TimestampList {
    fileprivate var size: Int {
        timestamps.reduce(0) { $0 + 192 + $1.extensions.count }
    }
}
