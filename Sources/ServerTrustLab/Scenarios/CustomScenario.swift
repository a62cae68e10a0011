// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting

extension LabScenario {
    /// A server whose certificates are the caller's: for hosts and faults that no named scenario has.
    ///
    /// ```swift
    /// let root = try TestAuthority.root(.authority("Team CA"))
    /// let leaf = try root.issue(.leaf("reports.example.com"))
    /// let server = try await LabServer.start(
    ///     .custom(host: "reports.example.com", leaf: leaf, anchors: [root.certificate]), now: TestAuthority.now)
    /// ```
    /// What ``TestAuthority`` issues is valid around ``TestAuthority/now`` unless told otherwise: start the server at that date, or
    /// issue with ``CertificateTemplate/valid(around:)``, which other clients than this package's need.
    ///
    /// It has no revocation data, and nothing is served where the certificates point to.
    /// - Parameters:
    ///   - name: by which scenarios are the same or not; `custom` unless given.
    ///   - host: what the client asks for.
    ///   - leaf: shown first, with its key.
    ///   - others: shown after it, right or wrong.
    ///   - anchors: what the client trusts.
    ///   - evaluator: what the client asks beyond a valid path; nothing unless given.
    ///   - expected: what it has to find; `trusted` unless given.
    public static func custom(
        _ name: String = "custom", host: String, leaf: TestIdentity, others: [Certificate] = [],
        anchors: [Certificate], evaluator: any TrustEvaluator = DefaultTrustEvaluator(),
        expected: LabFinding = .trusted
    ) -> LabScenario {
        LabScenario(name, "certificates of the caller's", expected) { workshop in
            try LabCertificates(
                host: host, chain: [leaf.certificate] + others, key: leaf.key, anchors: anchors, evaluator: evaluator,
                at: workshop.now)
        }
    }
}
