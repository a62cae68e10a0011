// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A chain from a table, before its certificates are parsed.
struct BatchRow {
    /// The name of the row in its input, or nil for none.
    var id: String?
    /// The DNS name or IP address in the input, not checked yet. Nil for an input without hosts, empty if the row's
    /// host is missing.
    var host: String?
    /// The presented chain, leaf first.
    var chain: [BatchBytes] = []
    /// The failures that prevent the evaluation of the row. Empty if there aren't any.
    var failures: [TrustFailure] = []
}
