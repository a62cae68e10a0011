// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A host in a report on many hosts. It has one report for each server on the way, such as an address or the target of
/// a redirect.
package struct ReportedHost: Sendable {
    /// The name as the user entered it.
    package var name: String
    /// The reports. The report on the named server comes first.
    package var reports: [TrustReport]
    /// Sentences that concern all reports, such as a difference between addresses.
    var remarks: [String]
    /// Whether a certificate expires within the period that the user set. By default, whether a certificate should have
    /// been renewed.
    var endsSoon: Bool

    /// - Parameters:
    ///   - endsSoon: whether a certificate expires too soon. Pass nil to compare each report's date with the usual date
    ///     of renewal.
    package init(_ name: String, _ reports: [TrustReport], remarks: [String] = [], endsSoon: Bool? = nil) {
        self.name = name
        self.reports = reports
        self.remarks = remarks
        self.endsSoon = endsSoon ?? reports.contains(where: \.isDueForRenewal)
    }

    /// The outcome: that of the most urgent report.
    package var outcome: TrustReport.Outcome {
        if reports.contains(where: { $0.outcome == .rejected }) { return .rejected }
        if reports.isEmpty || reports.contains(where: { $0.outcome == .undecided }) { return .undecided }
        return endsSoon || reports.contains { $0.outcome == .expiring } ? .expiring : .trusted
    }

    /// The first expiry date of a certificate, or nil without certificates.
    var firstEnd: Time? { reports.compactMap(\.firstEnd).min() }

    /// The report that explains the outcome.
    var decisive: TrustReport? {
        reports.first { $0.outcome == .rejected } ?? reports.first { $0.outcome == .undecided } ?? reports.first
    }

    /// The name of the CA that issued the first certificate, or nil without certificates.
    var authority: String? {
        guard let report = reports.first, let leaf = (report.path?.certificates ?? report.presented).first,
            let certificate = report.certificate(at: leaf)
        else { return nil }
        let chain = report.path?.certificates ?? report.presented
        guard chain.count > 1, let issuer = report.certificate(at: chain[1]), issuer.subject == certificate.issuer
        else { return certificate.issuerName }
        return issuer.name
    }
}

extension TrustReport.Outcome {
    /// All outcomes, the most urgent first.
    static let urgent: [TrustReport.Outcome] = [.rejected, .undecided, .expiring, .trusted]

    /// Whether the peer is trusted, even if a certificate expires soon.
    package var isTrusted: Bool { self == .trusted || self == .expiring }

    /// The index in ``urgent``.
    package var rank: Int { Self.urgent.firstIndex(of: self) ?? 0 }
}
