// SPDX-License-Identifier: Apache-2.0

import ServerTrustNIO

/// A server's request for a client certificate, for reports.
struct ClientCertificateSummary: Encodable {
    /// The names of the CAs that the server accepts, limited to the first few. Empty if the server names none, nil if
    /// they are unknown.
    let authorities: [String]?
    /// The number of CAs that are left out, or nil for none.
    let authoritiesOmitted: Int?

    /// Creates the summary, or returns nil if the server didn't ask for a client certificate.
    init?(_ report: TrustProbeReport) {
        guard let demand = report.clientCertificateDemand else { return nil }
        authorities = demand.authorityNames(Self.maximumCount, toBytes: 256)
        let omitted = (demand.authorities?.count ?? 0) - Self.maximumCount
        authoritiesOmitted = omitted > 0 ? omitted : nil
    }

    /// The maximum number of names in a report. Servers typically name only a few CAs.
    private static let maximumCount = 16

    /// The lines of a report for people.
    var lines: [String] {
        let label = "  requests".padded(to: 17)
        guard let authorities else { return [label + "a client certificate; the accepted CAs are unknown"] }
        guard !authorities.isEmpty else { return [label + "a client certificate from any CA"] }
        let more = authoritiesOmitted.map { " and \($0) more" } ?? ""
        return [label + "a client certificate issued by " + authorities.map(printable).joined(separator: "; ") + more]
    }
}
