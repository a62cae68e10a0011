// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A chain that an input names, before its certificates are parsed.
struct BatchRow {
    /// The name of the row in its input; nil for none.
    var id: String?
    /// The place of the chain in its line, where a line may have several, such as `http.response`; nil for a line with one.
    var place: String?
    /// The DNS name or IP address that the input gives, not checked yet; nil for an input without hosts, empty where one is missing.
    var host: String?
    /// The presented chain, leaf first.
    var chain: [BatchBytes] = []
    /// The warnings of its answer, such as certificates that were left out.
    var warnings: [String] = []
    /// The failures because of which the row can't be evaluated; empty for one that can.
    var failures: [TrustFailure] = []

    /// Whether another row has the same bytes in its chain, for a host of the same bytes.
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
