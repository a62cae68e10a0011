// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustTesting

/// Requires attributes of the certificate: the organization that runs the server, a short validity, a purpose.
@main
struct CertificateAttributes {
    static func main() throws {
        let root = try TestAuthority.root(.authority("Public Root"))
        let issuing = try root.intermediate(.authority("Issuing CA 1"))
        let partner = CertificateTemplate.leaf("partner.example").with { $0.organization = "Partner, Inc." }
        let other = CertificateTemplate.leaf("partner.example").with { $0.organization = "Elsewhere Ltd." }

        // The contents of a certificate are only as reliable as its CA, so require the CA, too.
        let evaluator = try CompositeTrustEvaluator(evaluators: [
            CertificateAuthorityTrustEvaluator(authorities: [issuing.certificate]),
            AttributeTrustEvaluator([
                .organization("Partner, Inc."),
                .maximumValidity(.days(200)),
                .extendedKeyUsage(.serverAuth),
                .custom("one name alone", isRepeatable: true) { $0.leaf.subjectAlternativeNames?.count == 1 },
            ]),
        ])

        for (who, template) in [
            ("partner", partner),
            ("another organization", other),
            ("partner, two years", partner.with { $0.notAfter = TestAuthority.now.advanced(by: .days(730)) }),
            ("partner, two names", partner.with { $0.dnsNames.append("www.partner.example") }),
        ] {
            let leaf = try issuing.issue(template).certificate
            var trust = Trust(presentedChain: [leaf, issuing.certificate], host: try Hostname("partner.example"))
            trust.anchors = .only([root.certificate])
            trust.verifyDate = .at(TestAuthority.now)

            let verdict = evaluator.evaluate(trust)
            print("\(who): \(verdict.headline?.message ?? "trusted")")
        }
    }
}
