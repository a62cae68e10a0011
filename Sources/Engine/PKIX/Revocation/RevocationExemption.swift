// SPDX-License-Identifier: Apache-2.0

/// The reason why a certificate needs no revocation evidence.
///
/// An exemption stands in for missing evidence alone: a status by any evidence at hand comes first, and so does evidence that was not
/// examined because the budget had run out. It is never the status good.
public enum RevocationExemption: String, Sendable, Hashable, CaseIterable, Codable {
    /// The certificate has the extension noRevAvail (RFC 9608 § 2): its issuer publishes no revocation information about it.
    case noRevAvail
    /// The certificate's validity is as short as that of certificates for which the CA/Browser baseline asks for no revocation
    /// information (§ 4.9.7 and the definition of a short-lived certificate).
    case shortLived
}

extension RevocationChecker {
    /// Returns the exemption of a certificate; nil if its status has to be known.
    /// - Parameter obstacles: the reasons why there is no status; an extension that doesn't count is added.
    func exemption(_ target: RevocationTarget, _ obstacles: inout [RevocationObstacle]) -> RevocationExemption? {
        let certificate = target.certificate
        // A responder that doesn't know the certificate is evidence against it.
        guard !obstacles.contains(.ocspUnknown) else { return nil }
        if certificate.hasNoRevAvail {
            if certificate.hasConsistentNoRevAvail { return .noRevAvail }
            obstacles.append(.noRevAvailIgnored)
        }
        guard target.index == 0, !certificate.isCertificateAuthority,
            policy.shortLivedExemption.includes(target.path.anchorFacts?.isPublic ?? false), certificate.isShortLived
        else { return nil }
        return .shortLived
    }
}

extension Certificate {
    /// Whether noRevAvail counts: in certificates of end entities that name no place of revocation information (RFC 9608 § 3).
    fileprivate var hasConsistentNoRevAvail: Bool {
        let extensions = storage.fields.extensions
        let places: [KnownExtension] = [.crlDistributionPoints, .freshestCRL, .authorityInformationAccess]
        return !isCertificateAuthority && !extensions.has(.crlDistributionPoints) && !extensions.has(.freshestCRL)
            && !places.contains(where: extensions.isMalformed)
            && !authorityInformationAccess.contains { $0.method == .ocspAccess }
    }

    fileprivate var isCertificateAuthority: Bool {
        storage.fields.extensions.basicConstraints.isCertificateAuthority
    }

    /// The beginnings of the limits for short-lived certificates, the latest first, and the seconds.
    private static var shortLivedLimits: [(from: Time, seconds: Int64)] {
        [
            (Time(secondsSinceEpoch: 1_773_532_800), 604_800),  // 2026-03-15T00:00:00Z, 7 days
            (Time(secondsSinceEpoch: 1_710_460_800), 864_000),  // 2024-03-15T00:00:00Z, 10 days
        ]
    }

    /// Whether the validity, the last second included, is at most that of a short-lived certificate at the date of notBefore.
    var isShortLived: Bool {
        guard let limit = Self.shortLivedLimits.first(where: { notBefore >= $0.from }) else { return false }
        // Dates of certificates are in the years 0 to 9999; the last second belongs to the period (RFC 5280 § 4.1.2.5).
        return notAfter.secondsSinceEpoch - notBefore.secondsSinceEpoch + 1 <= limit.seconds
    }
}
