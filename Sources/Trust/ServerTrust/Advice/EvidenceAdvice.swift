// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Measures for evidence that doesn't count, by the name of the obstacle.
enum EvidenceAdvice {
    /// The remedies. If a certificate has several obstacles, the first one applies.
    static let remedies = Book(packed: PackedBook.evidence)

    /// Returns the measure for a certificate without a status, or nil if no obstacle has one.
    /// - Parameters:
    ///   - issuer: the issuer in the path.
    package static func text(
        _ obstacles: [RevocationObstacle], for certificate: Certificate, issuer: Certificate?
    ) -> String? {
        guard let entry = remedies.entries.first(where: { obstacles.map(\.name).contains($0.name) }) else { return nil }
        if entry.name == "crlSignerNotFound", let usage = issuer?.keyUsage, !usage.contains(.cRLSign) {
            return
                "Have the CA reissue its own certificate with the cRLSign key usage, or provide an OCSP response. Without cRLSign, the CA's CRLs don't count."
        }
        return entry["remedy"].filling([
            "address": address(of: certificate).map { ", \($0)" } ?? "",
            "date": obstacles.first { $0.name == entry.name }?.date.map { " (\($0))" } ?? "",
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
