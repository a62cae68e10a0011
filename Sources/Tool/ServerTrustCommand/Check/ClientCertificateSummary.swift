// SPDX-License-Identifier: Apache-2.0

import ServerTrustNIO

/// A server's request for a client certificate, for reports.
struct ClientCertificateSummary: Encodable {
    /// The first names of the CAs that the server accepts certificates of; empty if it names none, nil if they aren't known.
    let authorities: [String]?
    /// The number of CAs beyond those; nil for none.
    let authoritiesOmitted: Int?

    /// nil if the server asked for none.
    init?(_ report: TrustProbeReport) {
        guard let demand = report.clientCertificateDemand else { return nil }
        authorities = demand.authorityNames(Self.maximumCount, toBytes: 256)
        let omitted = (demand.authorities?.count ?? 0) - Self.maximumCount
        authoritiesOmitted = omitted > 0 ? omitted : nil
    }

    /// The maximum number of names in a report; servers of one organization name a few.
    private static let maximumCount = 16

    /// The lines of a report for people.
    var lines: [String] {
        let label = "  requests".padded(to: 17)
        guard let authorities else { return [label + "a certificate of the client, of CAs that aren't known"] }
        guard !authorities.isEmpty else { return [label + "a certificate of the client, of any CA"] }
        let more = authoritiesOmitted.map { " and \($0) more" } ?? ""
        return [label + "a certificate of the client, of " + authorities.map(printable).joined(separator: "; ") + more]
    }
}
