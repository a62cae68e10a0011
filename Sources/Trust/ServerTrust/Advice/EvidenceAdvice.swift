// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Measures for evidence that doesn't count, by the name of the obstacle.
package enum EvidenceAdvice {
    /// The texts, in the order of preference where a certificate has several obstacles.
    package static let texts: KeyValuePairs = [
        "crlExpired":
            "The CRL's next update has passed{date}: fetch the CA's current CRL, or have the CA create one, and put it in the old one's place. The certificate needs no change.",
        "ocspExpired": "The OCSP response has expired{date}: fetch a newer one. The certificate needs no change.",
        "crlTooOld": "The CRL is older than the limit permits: fetch a newer one, or raise the limit.",
        "ocspTooOld": "The OCSP response is older than the limit permits: fetch a newer one, or raise the limit.",
        "crlNotYetValid":
            "The CRL begins after the date of this evaluation{date}: compare the CA's clock with this machine's, and correct the wrong one.",
        "ocspNotYetValid":
            "The OCSP response begins after the date of this evaluation{date}: compare the responder's clock with this machine's, and correct the wrong one.",
        "crlScopeMismatch":
            "Provide the CRL that the certificate names{address}: the one at hand covers other certificates.",
        "crlSignerNotFound": "Provide a CRL that the certificate's issuer signed.",
        "crlSignatureInvalid":
            "Fetch the CRL again: its signature doesn't verify. If the CA was made again under its name, provide the CRL of the CA that issued the certificate.",
        "ocspResponderNotAuthorized":
            "Fetch a newer OCSP response. If its signer is the same, ask the CA to renew the responder's certificate: it must be valid now, for OCSPSigning, and from the certificate's issuer.",
        "ocspSignatureInvalid": "Fetch the OCSP response again: its signature doesn't verify.",
        "signerNotCurrent":
            "Fetch newer evidence: the certificate of its signer has ended since. If the signer is the same, ask the CA to renew its certificate.",
        "ocspUnknown": "Ask the CA why its responder doesn't know the certificate, or provide a CRL.",
    ]

    /// Returns the measure for a certificate without a status; nil if no obstacle has one.
    /// - Parameters:
    ///   - obstacles: the names of the obstacles.
    ///   - issuer: the issuer in the path.
    ///   - dates: the dates of the evidence, by the name of the obstacle.
    package static func text(
        _ obstacles: [String], for certificate: Certificate, issuer: Certificate?, dates: [String: Time] = [:]
    ) -> String? {
        guard let entry = texts.first(where: { obstacles.contains($0.key) }) else { return nil }
        if entry.key == "crlSignerNotFound", let usage = issuer?.keyUsage, !usage.contains(.cRLSign) {
            return
                "The issuer's certificate lacks the key usage cRLSign, so none of its CRLs counts: have the CA make its certificate again with cRLSign, or provide an OCSP response."
        }
        return entry.value.filling([
            "address": address(of: certificate).map { ", \($0)" } ?? "",
            "date": dates[entry.key].map { " (\($0))" } ?? "",
        ])
    }

    /// Returns the first address of a CRL in a certificate.
    private static func address(of certificate: Certificate) -> String? {
        for case .uniformResourceIdentifier(let uri) in certificate.crlDistributionPoints.prefix(4).flatMap(\.fullName)
        {
            return DistinguishedName.printable(uri.abridged(toBytes: 256))
        }
        return nil
    }
}
