// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A chain from the input, before its certificates are parsed.
struct BatchRow {
    /// The name of the row in its input, or nil for none.
    var id: String?
    /// The place of the chain in its line, such as `http.response`, because a line may contain several chains. Nil for
    /// a line with one chain.
    var place: String?
    /// The DNS name or IP address in the input, not checked yet. Nil for an input without hosts, empty if the row's
    /// host is missing.
    var host: String?
    /// The presented chain, leaf first.
    var chain: [BatchBytes] = []
    /// The warnings for the answer, such as certificates that were left out.
    var warnings: [String] = []
    /// The failures that prevent the evaluation of the row. Empty if there aren't any.
    var failures: [TrustFailure] = []

    /// Whether another row has the same bytes in its chain and the same bytes in its host.
    func isSame(as other: BatchRow) -> Bool {
        let isSameHost =
            switch (host, other.host) {
            case (let left?, let right?): left.hasSameBytes(as: right)
            case (nil, nil): true
            case (nil, _?), (_?, nil): false
            }
        return isSameHost && chain == other.chain
    }
}
