// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The settings that all rows of a run have in common, read once and used by all threads.
struct BatchSettings: Sendable {
    /// The default values for keys that a row doesn't have.
    var defaults = BatchRequest()
    /// The anchors for rows without their own anchors, by purpose, or the reason why a purpose has none. Nil for the
    /// system's.
    var anchors: [ValidationPolicy.Purpose: Result<TrustAnchors, CommandFailure>]?
    /// The settings of all evaluations: intermediates, revocation data with filters, denied certificates, and the
    /// revocation policy. The row adds its own, sets the mode, and its key for an exemption takes precedence.
    var trust = TrustSettings()
    /// The anchors whose short-lived leaves need no revocation evidence, or nil for the default.
    var shortLivedExemption: RevocationPolicy.Anchors?
    /// The list that applies to all anchors, including those of rows, or nil for none.
    var overlay: RootsOverlay?
    /// The log list for rows that ask for the Certificate Transparency check.
    var transparency = BatchTransparency()
    /// Whether the run skips comparing hosts with leaves, for all rows.
    var ignoresHosts = false
    /// The folder with the large values of records, or nil for none.
    var blobs: BlobFolder?
    /// The recorder of the rows' verdicts, or nil to record none.
    var recorder: TrustRecorder?
    /// Whether a row must name its host.
    var needsHosts: Bool { defaults.host == nil && !ignoresHosts }
    /// The columns of JSON lines that aren't requests, or nil for requests.
    var columns: RowColumns?
}
