// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Measures for evidence that doesn't count, by the name of the obstacle.
enum EvidenceAdvice {
    /// The texts. If a certificate has several obstacles, the first text applies.
    static let texts: KeyValuePairs = [
        "crlExpired":
            "Replace the CRL with the CA's current one, or have the CA create a new one: its next update has passed{date}. The certificate needs no change.",
        "ocspExpired": "Fetch a newer OCSP response: this one has expired{date}. The certificate needs no change.",
        "crlTooOld": "This CRL is too old: fetch a newer one, or raise the limit.",
        "ocspTooOld": "This OCSP response is too old: fetch a newer one, or raise the limit.",
        "crlNotYetValid":
            "Compare the CA's clock with this machine's, and correct the wrong one. The CRL only becomes valid after the date of this evaluation{date}.",
        "ocspNotYetValid":
            "Compare the responder's clock with this machine's, and correct the wrong one. The OCSP response only becomes valid after the date of this evaluation{date}.",
        "crlScopeMismatch":
            "Provide the CRL that the certificate names{address}. The supplied CRL covers other certificates.",
        "crlSignerNotFound": "Provide a CRL that the certificate's issuer signed.",
        "crlSignatureInvalid":
            "Fetch the CRL again: its signature doesn't verify. If the CA was created again with the same name, provide the CRL of the CA that issued the certificate.",
        "ocspResponderNotAuthorized":
            "Fetch a newer OCSP response. If it has the same signer, ask the CA to renew the responder's certificate. The new one must be valid now, have the OCSPSigning usage, and come from the certificate's issuer.",
        "ocspSignatureInvalid": "Fetch the OCSP response again: its signature doesn't verify.",
        "signerNotCurrent":
            "Fetch newer evidence: the signer's certificate has expired since then. If the newer evidence has the same signer, ask the CA to renew the signer's certificate.",
        "ocspUnknown": "Ask the CA why its responder doesn't know the certificate, or provide a CRL.",
    ]

    /// Returns the measure for a certificate without a status, or nil if no obstacle has one.
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
                "Have the CA reissue its own certificate with the cRLSign key usage, or provide an OCSP response. Without cRLSign, the CA's CRLs don't count."
        }
        return entry.value.filling([
            "address": address(of: certificate).map { ", \($0)" } ?? "",
            "date": dates[entry.key].map { " (\($0))" } ?? "",
        ])
    }

    /// Returns the first CRL address in a certificate.
    private static func address(of certificate: Certificate) -> String? {
        for case .uniformResourceIdentifier(let uri) in certificate.crlDistributionPoints.prefix(4).flatMap(\.fullName)
        {
            return DistinguishedName.printable(uri.abridged(toBytes: 256))
        }
        return nil
    }
}
