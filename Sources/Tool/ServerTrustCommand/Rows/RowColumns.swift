// SPDX-License-Identifier: Apache-2.0

/// The columns of `--input csv` and `--input ndjson`: those that were named, else the first of the usual names that is there.
struct RowColumns: Sendable, Equatable, Codable {
    /// The name of the column with the row's name; nil for the usual ones.
    var id: String?
    /// The name of the column with the host; nil for the usual ones.
    var host: String?
    /// The name of the column with the chain; nil for the usual ones.
    var chain: String?

    static let idNames = ["id"]
    static let hostNames = ["host", "hostname", "domain"]
    static let chainNames = ["chain", "pem", "certificates", "certificate"]

    /// The possible names, the first one that is there counts.
    var ids: [String] { id.map { [$0] } ?? Self.idNames }
    var hosts: [String] { host.map { [$0] } ?? Self.hostNames }
    var chains: [String] { chain.map { [$0] } ?? Self.chainNames }

    /// Whether any is named.
    var isAnyGiven: Bool { id != nil || host != nil || chain != nil }
}
