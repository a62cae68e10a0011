// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The Certificate Transparency settings of `verify --batch` that are the same for all requests.
struct BatchTransparency: Sendable {
    /// The log list, or nil without `--ct-logs`.
    var logs: CTLogList?
    /// Whether the run uses a log list of any age.
    var ignoresListAge = false

    /// Whether anchors have conditions. If so, timestamps date certificates even if a request doesn't ask for their
    /// check.
    var datesCertificates = false

    /// Returns the check that a request asks for, whatever its anchors, or nil if it asks for none.
    func settings(_ request: BatchRequest.Transparency?) -> TransparencySettings? {
        let dating = datesCertificates && logs != nil ? BatchRequest.Transparency(policy: .mozilla) : nil
        guard let request = request ?? dating else { return nil }
        var settings = TransparencySettings(logs: logs, policy: request.policy, mode: request.mode)
        settings.includesPrivateAnchors = true
        settings.ignoresListAge = ignoresListAge
        return settings
    }
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
