// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust
import ServerTrustTesting

// Revoked certificates, and a certificate that promises a staple. The settings of these scenarios require a revocation
// check and include the CRLs and OCSP responses that the repository publishes.

extension LabScenario {
    /// A leaf that the CRL at its distribution point lists as revoked.
    public static let revokedByCRL = LabScenario(
        "revoked-by-crl", "revoked according to its CA's CRL", .refused(.certificateRevoked), usesRepository: true
    ) { lab in
        let name = "lab-ca.crl"
        let leaf = try lab.intermediate.issue(
            lab.leaf {
                $0.crlDistributionPoints = [TestDistributionPoint(fullName: [.uri("\(lab.repository)/\(name)")])]
            })
        let crl = try lab.crl(lab.intermediate, revoking: leaf.certificate)
        let rootCRL = try lab.crl(lab.root).der
        return try lab.certificates(
            leaf, [lab.intermediate.certificate],
            client: .requiringRevocation(RevocationData(crls: [crl.der, rootCRL])),
            publishedResources: [PublishedResource(name, .crl(crl))]
        ) { leaf in
            RevocationData(crls: [try lab.crl(lab.intermediate, revoking: leaf).der, rootCRL])
        }
    }

    /// A leaf that the OCSP responder at its address reports as revoked.
    public static let revokedByOCSP = LabScenario(
        "revoked-by-ocsp", "revoked according to its CA's OCSP responder", .refused(.certificateRevoked),
        usesRepository: true
    ) { lab in
        let leaf = try lab.intermediate.issue(lab.leaf { $0.ocspResponders = ["\(lab.repository)/ocsp"] })
        let status = TestOCSPResponse.CertificateStatus.revoked(at: lab.revocationTime, reason: .keyCompromise)
        let rootCRL = try lab.crl(lab.root).der
        let now = lab.now
        let evidence: @Sendable (Certificate) throws -> RevocationData = { leaf in
            let response = try lab.intermediate.ocspResponse {
                $0.producedAt = now
                $0.add(leaf, status) {
                    $0.thisUpdate = now.advanced(by: -3600)
                    $0.nextUpdate = now.advanced(by: 7 * 86_400)
                }
            }
            return RevocationData(ocspResponses: [response.der], crls: [rootCRL])
        }
        return try lab.certificates(
            leaf, [lab.intermediate.certificate],
            client: .requiringRevocation(evidence(leaf.certificate)),
            publishedResources: [PublishedResource("ocsp", lab.responder(for: leaf.certificate, status))],
            evidence: evidence)
    }

    /// A leaf that promises an OCSP staple (RFC 7633), from a server that sends none, because NIOSSL's servers can't.
    /// The leaf isn't revoked: the client has CRLs that list no certificate. The client's evaluator assumes that there
    /// is no staple, for transports that don't report staples.
    public static let mustStaple = LabScenario(
        "must-staple", "requires a staple, but the server sends none", .refused(.stapleMissing), usesRepository: true
    ) { lab in
        let leaf = try lab.intermediate.issue(
            lab.leaf {
                $0.mustStaple = true
                $0.ocspResponders = ["\(lab.repository)/ocsp"]
            })
        var client = ScenarioClient.requiringRevocation(
            RevocationData(crls: [try lab.crl(lab.intermediate).der, try lab.crl(lab.root).der]))
        client.rule = .enforced(UnstapledTrustEvaluator())
        return try lab.certificates(
            leaf, [lab.intermediate.certificate], client: client,
            publishedResources: [PublishedResource("ocsp", lab.responder(for: leaf.certificate, .good))])
    }

    /// A valid leaf, for a client that requires a revocation check but has no CRL or OCSP response.
    static let revocationUnknown = LabScenario(
        "revocation-unknown", "no CRL or OCSP response is available", .refused(.revocationUnavailable)
    ) { lab in
        try lab.below(client: .requiringRevocation()) { _ in }
    }
}

/// Refuses a leaf that promises a staple if the transport doesn't report one.
struct UnstapledTrustEvaluator: TrustEvaluator {
    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        guard trust.presentedChain.staple == .unknown, path.leaf.requiresStaple else { return }
        throw TrustFailures(TrustFailure(.stapleMissing, certificate: 0, role: .leaf, found: .text("none")))
    }
}

extension ScenarioFixture {
    fileprivate var revocationTime: Time { now.advanced(by: -86_400) }

    /// Creates a CRL that is valid at the scenario's date.
    fileprivate func crl(_ authority: TestAuthority, revoking certificate: Certificate? = nil) throws -> TestCRL {
        try authority.crl {
            $0.thisUpdate = now.advanced(by: -3600)
            $0.nextUpdate = now.advanced(by: 7 * 86_400)
            if let certificate { $0.revoke(certificate, at: revocationTime, reason: .keyCompromise) }
        }
    }

    /// Creates a responder for the CA that knows only one certificate.
    fileprivate func responder(
        for certificate: Certificate, _ status: TestOCSPResponse.CertificateStatus
    ) -> LabResource {
        let now = now
        return .ocsp(
            TestOCSPResponder(intermediate, now: { now }) { serialNumber in
                serialNumber == certificate.serialNumber.bytes ? status : .unknown
            })
    }
}

#endif
