// SPDX-License-Identifier: Apache-2.0

/// The columns of `--input csv` and `--input ndjson`: the ones that options name, or else the first usual name that the
/// input contains.
struct RowColumns: Sendable, Equatable, Codable {
    /// The name of the column with the row's name, or nil for the usual names.
    var id: String?
    /// The name of the column with the host, or nil for the usual names.
    var host: String?
    /// The name of the column with the chain, or nil for the usual names.
    var chain: String?

    static let idNames = ["id"]
    static let hostNames = ["host", "hostname", "domain"]
    static let chainNames = ["chain", "pem", "certificates", "certificate"]

    /// The possible names. The first one that the input contains counts.
    var ids: [String] { id.map { [$0] } ?? Self.idNames }
    var hosts: [String] { host.map { [$0] } ?? Self.hostNames }
    var chains: [String] { chain.map { [$0] } ?? Self.chainNames }

    /// All possible names.
    var all: [String] { ids + hosts + chains }

    /// Whether an option names a column.
    var isAnyGiven: Bool { id != nil || host != nil || chain != nil }
}
