// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The part of an audit that all rows have in common, read once and used by all threads.
struct BatchSettings: Sendable {
    /// The values of the keys that a row doesn't have.
    var defaults = BatchRequest()
    /// The anchors of rows without anchors of their own, by the purpose of the row, or why there are none for it; nil for the system's.
    var anchors: [ValidationPolicy.Purpose: Result<TrustAnchors, CommandFailure>]?
    /// Further candidates for the paths of all rows.
    var intermediates: [Certificate] = []
    /// The revocation data for all rows, the filters among them.
    var evidence = RevocationData()
    /// The age beyond which evidence vouches for nothing, and the exemptions; of these, a row's own key counts first. The mode is the row's.
    var revocation = RevocationPolicy.off
    /// The anchors whose short-lived leaves need no revocation evidence; nil for the default.
    var shortLivedExemption: RevocationPolicy.Anchors?
    /// The list over all anchors, those of rows included; nil for none.
    var overlay: RootsOverlay?
    /// The certificates that are denied for every row; nil for none.
    var denied: DeniedList?
    /// The list of logs for rows whose timestamps are checked.
    var transparency = BatchTransparency()
    /// Whether no row's host is compared with its leaf.
    var ignoresHosts = false
    /// The columns of lines in JSON that aren't requests; nil for requests.
    var columns: RowColumns?
}
