// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The timestamps of a certificate, verified once, for comparisons with policies apart from an evaluation.
///
/// Not checked: the path, so that the issuer is the caller's word; whether its anchor is public.
package struct TransparencyAudit: Sendable {
    private let evidence: TimestampEvidence
    private let leaf: Certificate
    private let logs: CTLogList

    /// Verifies the timestamps.
    /// - Parameters:
    ///   - leaf: the certificate.
    ///   - issuer: its issuer, whose key embedded timestamps are about.
    ///   - handshake: the lists of handshakes, each with at most ``PKIX/TimestampList/maximumCount`` timestamps.
    ///   - logs: the list of logs.
    package init(of leaf: Certificate, issuer: Certificate, handshake: [TimestampList] = [], logs: CTLogList) {
        self.leaf = leaf
        self.logs = logs
        self.evidence = TimestampEvidence(
            of: leaf, issuer: issuer,
            lists: (leaf.embeddedTimestamps.map { [(.embedded, $0)] } ?? []) + handshake.map { (.handshake, $0) },
            logs: logs)
    }

    /// Compares the timestamps with a policy.
    /// - Parameters:
    ///   - policy: the policy.
    ///   - time: the verify date.
    ///   - ignoringAge: whether the list counts at any age.
    package func finding(_ policy: CTPolicy, at time: Time, ignoringAge: Bool) -> TransparencyFinding {
        policy.finding(evidence, leaf: leaf, list: logs, at: time, ignoringAge: ignoringAge)
    }

    /// Returns the certificate whose key has signed `leaf`, or else one with the issuer's name; nil if there is neither.
    package static func issuer(of leaf: Certificate, among candidates: [Certificate]) -> Certificate? {
        // Every candidate costs a signature at most.
        let named = candidates.filter { $0.subject == leaf.issuer }.prefix(16)
        return named.first { leaf.signatureStatus(by: $0.subjectPublicKeyInfo) == .valid } ?? named.first
    }
}
