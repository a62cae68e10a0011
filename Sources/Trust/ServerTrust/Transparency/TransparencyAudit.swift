// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The timestamps of a certificate, verified once, so that you can compare them with policies outside an evaluation.
///
/// Not checked: the path. The caller is responsible for the issuer, and whether its anchor is public isn't checked.
package struct TransparencyAudit: Sendable {
    private let evidence: TimestampEvidence
    private let leaf: Certificate
    private let logs: CTLogList

    /// Verifies the timestamps.
    /// - Parameters:
    ///   - leaf: the certificate.
    ///   - issuer: its issuer. Embedded timestamps cover the issuer's key.
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
    ///   - ignoringAge: whether to accept a list of any age.
    package func finding(_ policy: CTPolicy, at time: Time, ignoringAge: Bool) -> TransparencyFinding {
        policy.finding(evidence, leaf: leaf, list: logs, at: time, ignoringAge: ignoringAge)
    }

    /// Returns the certificate that has the issuer's name and whose key signed `leaf`. If no certificate does, or the
    /// signature can't be verified, returns the certificate whose key identifier fits best, or nil if no certificate
    /// has the name.
    package static func issuer(of leaf: Certificate, among candidates: [Certificate]) -> Certificate? {
        // Timestamps cover a key, so one certificate per key is enough.
        var keys: Set<[UInt8]> = []
        let named = candidates.filter {
            $0.subject == leaf.issuer && keys.insert($0.subjectPublicKeyInfoSHA256).inserted
        }
        let sorted = named.map { (match: leaf.keyIdentifierMatch($0).rawValue, certificate: $0) }
            .enumerated().sorted { ($0.element.match, $0.offset) < ($1.element.match, $1.offset) }
            .map(\.element.certificate)
        // Each key costs at most one signature check.
        let signer = sorted.prefix(maximumKeys).first {
            leaf.signatureStatus(by: $0.subjectPublicKeyInfo) == .valid
        }
        return signer ?? sorted.first
    }

    /// The maximum number of keys to try. No CA has this many under one name.
    private static let maximumKeys = 64
}
