// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting

@testable import Diagnosis

/// Reports on chains of a test CA, as of its date.
enum ReportSamples {
    /// Returns the report on a leaf with changes.
    static func report(
        name: String = "api.example.com", _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> TrustReport {
        let authority = try TestAuthority.root().intermediate()
        let leaf = try authority.issue(CertificateTemplate.leaf("api.example.com").with(change))
        var trust = Trust(
            presentedChain: PresentedChain(authority.chain(leaf)), host: try Hostname("api.example.com"))
        trust.settings.anchors = .only(authority.path.suffix(1).map(\.self))
        trust.settings.verifyDate = .at(TestAuthority.now)
        let verdict = trust.evaluate()
        return TrustReport(verdict, presented: trust.presentedChain, name: name)
    }

    /// Returns the reports on a trusted server, a refused one, and one without a verdict.
    static func three() throws -> [TrustReport] {
        [
            try report(),
            try report(name: "expired.example.com") { $0.notAfter = TestAuthority.now.advanced(by: -86_400) },
            TrustReport(
                undecided: "gone.example.com", problem: "connection refused", code: "refused", at: TestAuthority.now,
                remedy: "start the server"),
        ]
    }
}
