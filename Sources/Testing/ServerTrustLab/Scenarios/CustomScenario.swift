// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust
import ServerTrustTesting

extension LabScenario {
    /// Returns a scenario with your own certificates, for hosts and faults that no named scenario has.
    ///
    /// ```swift
    /// let root = try TestAuthority.root(.authority("Team CA"))
    /// let leaf = try root.issue(.leaf("reports.example.com"))
    /// let server = try await LabServer.start(
    ///     .custom(host: "reports.example.com", leaf: leaf, anchors: [root.certificate]), now: TestAuthority.now)
    /// ```
    /// Certificates from a `TestAuthority` are valid around `TestAuthority.now` by default, so start the server with
    /// that date. If the client reads its own clock, issue the certificates with `CertificateTemplate.valid(around:)`
    /// instead.
    ///
    /// The scenario has no revocation data, and its repository publishes no resources.
    /// - Parameters:
    ///   - name: the name that identifies the scenario in comparisons. The default is `custom`.
    ///   - host: the name that the client verifies.
    ///   - leaf: the first certificate that the server sends, with its key.
    ///   - others: the certificates that the server sends after the leaf. Not checked.
    ///   - anchors: the client's trust anchors.
    ///   - evaluator: the client's evaluator. The default is `DefaultTrustEvaluator`.
    ///   - expected: the outcome that the client has to report. The default is `trusted`.
    public static func custom(
        _ name: String = "custom", host: String, leaf: TestIdentity, others: [Certificate] = [],
        anchors: [Certificate], evaluator: any TrustEvaluator = DefaultTrustEvaluator(),
        expected: LabOutcome = .trusted
    ) -> LabScenario {
        LabScenario(name, "certificates that the caller supplies", expected) { fixture in
            try LabCertificates(
                host: host, chain: [leaf.certificate] + others, key: leaf.key, anchors: anchors,
                client: .enforcing(evaluator), at: fixture.now)
        }
    }
}

#endif
