// SPDX-License-Identifier: Apache-2.0

/// The reason why a certificate needs no revocation evidence.
///
/// An exemption only replaces missing evidence. Any status from available evidence takes precedence. If the budget runs
/// out before all evidence is examined, no exemption applies. An exemption is never the good status.
public enum RevocationExemption: String, Sendable, Hashable, CaseIterable, Codable {
    /// The certificate has the extension noRevAvail (RFC 9608 § 2), which states that its issuer publishes no
    /// revocation information about it.
    case noRevAvail
    /// The certificate's validity is so short that the CA/Browser baseline doesn't require revocation information (§
    /// 4.9.7 and the definition of a short-lived certificate).
    case shortLived
}

extension RevocationChecker {
    /// Returns the exemption of a certificate, or nil if it needs a status.
    /// - Parameter obstacles: the reasons why there is no status. The function adds an obstacle for a noRevAvail
    ///   extension that doesn't count.
    func exemption(_ target: RevocationTarget, _ obstacles: inout [RevocationObstacle]) -> RevocationExemption? {
        let certificate = target.certificate
        // The status unknown from a responder is evidence against the certificate.
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
    /// Whether noRevAvail counts. It counts only in end-entity certificates that don't name a location of revocation
    /// information (RFC 9608 § 3).
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

    /// The start dates of the limits for short-lived certificates, the latest first, with the limits in seconds.
    private static var shortLivedLimits: [(from: Time, seconds: Int64)] {
        [
            (Time(secondsSinceEpoch: 1_773_532_800), 604_800),  // 2026-03-15T00:00:00Z, 7 days
            (Time(secondsSinceEpoch: 1_710_460_800), 864_000),  // 2024-03-15T00:00:00Z, 10 days
        ]
    }

    /// Whether the validity period, including the last second, is at most the limit for short-lived certificates at the
    /// date of notBefore.
    var isShortLived: Bool {
        guard let limit = Self.shortLivedLimits.first(where: { notBefore >= $0.from }) else { return false }
        // Dates of certificates are in the years 0 to 9999. The last second belongs to the validity period (RFC 5280 §
        // 4.1.2.5).
        return notAfter.secondsSinceEpoch - notBefore.secondsSinceEpoch + 1 <= limit.seconds
    }
}
