// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting

// Certificates that their CA has taken back, and one that promises a staple. Clients have to look for it: the scenarios' settings
// require revocation to be checked, and have what the repository serves at hand.

extension LabScenario {
    /// Revoked; the CRL is where the leaf says it is.
    public static let revokedByCRL = LabScenario(
        "revoked-by-crl", "revoked, as its CA's CRL says", .refused(.certificateRevoked), usesRepository: true
    ) { lab in
        let name = "lab-ca.crl"
        let leaf = try lab.intermediate.issue(
            lab.leaf {
                $0.crlDistributionPoints = [TestDistributionPoint(fullName: [.uri("\(lab.repository)/\(name)")])]
            })
        let crl = try lab.crl(lab.intermediate, revoking: leaf.certificate)
        return try lab.certificates(
            leaf, [lab.intermediate.certificate],
            revocation: LabRevocation(
                check: .required, data: RevocationData(crls: [crl.der, try lab.crl(lab.root).der])),
            publications: [LabPublication(name, .crl(crl))])
    }

    /// Revoked; the responder that the leaf names says so.
    public static let revokedByOCSP = LabScenario(
        "revoked-by-ocsp", "revoked, as its CA's OCSP responder says", .refused(.certificateRevoked),
        usesRepository: true
    ) { lab in
        let leaf = try lab.intermediate.issue(lab.leaf { $0.ocspResponders = ["\(lab.repository)/ocsp"] })
        let status = TestOCSPResponse.CertificateStatus.revoked(at: lab.revocationTime, reason: .keyCompromise)
        let now = lab.now
        let response = try lab.intermediate.ocspResponse {
            $0.producedAt = now
            $0.add(leaf.certificate, status) {
                $0.thisUpdate = now.advanced(by: -3600)
                $0.nextUpdate = now.advanced(by: 7 * 86_400)
            }
        }
        return try lab.certificates(
            leaf, [lab.intermediate.certificate],
            revocation: LabRevocation(
                check: .required,
                data: RevocationData(ocspResponses: [response.der], crls: [try lab.crl(lab.root).der])),
            publications: [LabPublication("ocsp", lab.responder(for: leaf.certificate, status))])
    }

    /// The certificate says that an OCSP response comes with the handshake (RFC 7633), and none does: NIOSSL's servers can't send
    /// one. It isn't revoked: CRLs at hand say so.
    public static let mustStaple = LabScenario(
        "must-staple", "promises a staple and sends none", .refused(.stapleMissing), usesRepository: true
    ) { lab in
        let leaf = try lab.intermediate.issue(
            lab.leaf {
                $0.mustStaple = true
                $0.ocspResponders = ["\(lab.repository)/ocsp"]
            })
        return try lab.certificates(
            leaf, [lab.intermediate.certificate],
            revocation: LabRevocation(
                check: .required,
                data: RevocationData(crls: [try lab.crl(lab.intermediate).der, try lab.crl(lab.root).der])),
            publications: [LabPublication("ocsp", lab.responder(for: leaf.certificate, .good))])
    }
}

extension LabWorkshop {
    fileprivate var revocationTime: Time { now.advanced(by: -86_400) }

    /// A CRL that is valid at the scenario's date.
    fileprivate func crl(_ authority: TestAuthority, revoking certificate: Certificate? = nil) throws -> TestCRL {
        try authority.crl {
            $0.thisUpdate = now.advanced(by: -3600)
            $0.nextUpdate = now.advanced(by: 7 * 86_400)
            if let certificate { $0.revoke(certificate, at: revocationTime, reason: .keyCompromise) }
        }
    }

    /// A responder of the CA that knows one certificate.
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
