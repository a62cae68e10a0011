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
    /// The settings of all evaluations: intermediates, revocation data with filters, denied certificates, the
    /// revocation policy, and the list of logs. A row adds its own certificates and evidence. It sets the modes and the
    /// policy for logs. Its key for an exemption takes precedence.
    var trust = TrustSettings()
    /// The anchors whose short-lived leaves need no revocation evidence, or nil for the default.
    var shortLivedExemption: RevocationPolicy.Anchors?
    /// The list that applies to all anchors, including those of rows, or nil for none.
    var overlay: RootsOverlay?
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

extension TransparencyFinding {
    /// The outcome as one word.
    var outcome: String {
        status == .complies ? "complies" : status.isChecked ? "fails" : "notChecked"
    }

    /// Writes the member `ct` of an answer.
    /// - Parameters:
    ///   - shown: the timestamps that fit into the answer.
    ///   - omitted: the number of timestamps that don't fit.
    func write(_ shown: ArraySlice<Timestamp>, omitted: Int, to json: inout JSONWriter) {
        json.object { json in
            json.member("outcome", outcome)
            if status != .complies {
                json.member("code", status.rawValue)
            }
            json.array("scts", of: shown) { $1.write(to: &$0) }
            if omitted > 0 {
                json.member("sctsOmitted", omitted)
            }
        }
    }
}

extension TransparencyFinding.Timestamp {
    /// The name of the log's operator, cut because a log list doesn't limit its length.
    private var shownOperator: String? { operatorName?.abridged(toBytes: 256) }

    /// The size in bytes that the timestamp takes in an answer.
    var batchSize: Int { (shownOperator?.writtenSize ?? 4) + 240 }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("log", logID)
            json.member("operator", shownOperator)
            json.member("state", state)
            json.key("timestamp")
            json.number(digits: String(milliseconds))
            json.member("signature", signature.rawValue)
            json.member("counts", reason == nil)
            json.member("reason", reason?.rawValue)
        }
    }
}
