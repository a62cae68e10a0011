// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustLists

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

    /// Returns the certificate with the issuer's name whose key has signed `leaf`. If none is found, or the signature can't be verified, the
    /// one whose key identifier fits best; nil if none has the name.
    package static func issuer(of leaf: Certificate, among candidates: [Certificate]) -> Certificate? {
        // Timestamps are about a key, so one certificate of each key is enough.
        var keys: Set<[UInt8]> = []
        let named = candidates.filter {
            $0.subject == leaf.issuer && keys.insert($0.subjectPublicKeyInfoSHA256).inserted
        }
        let sorted = named.map { (match: leaf.keyIdentifierMatch($0).rawValue, certificate: $0) }
            .enumerated().sorted { ($0.element.match, $0.offset) < ($1.element.match, $1.offset) }
            .map(\.element.certificate)
        // Every key costs a signature at most.
        let signer = sorted.prefix(maximumKeys).first {
            leaf.signatureStatus(by: $0.subjectPublicKeyInfo) == .valid
        }
        return signer ?? sorted.first
    }

    /// The maximum number of keys that are tried: more than any CA has under one name.
    private static let maximumKeys = 64
}
