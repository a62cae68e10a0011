// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import TrustSupport

/// The part of `verify --batch` that concerns timestamps and is the same for all requests.
struct BatchTransparency: Sendable {
    /// The list of logs; nil without `--ct-logs`.
    var logs: CTLogList?
    /// Whether the list counts at any age.
    var ignoresListAge = false

    /// Whether anchors have conditions, so that timestamps date certificates whether or not a request asks for their check.
    var datesCertificates = false

    /// Returns the check that a request asks for, whatever its anchors; nil if it asks for none.
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
    /// The outcome in one word.
    var outcome: String {
        status == .complies ? "complies" : status.isChecked ? "fails" : "notChecked"
    }

    /// Writes the member `ct` of an answer.
    /// - Parameters:
    ///   - shown: the timestamps for which there is room.
    ///   - omitted: the number of the others.
    func write(_ shown: ArraySlice<Timestamp>, omitted: Int, to json: inout JSONWriter) {
        json.object { json in
            json.key("outcome")
            json.string(outcome)
            if status != .complies {
                json.key("code")
                json.string(status.rawValue)
            }
            json.key("scts")
            json.array(of: shown) { $1.write(to: &$0) }
            if omitted > 0 {
                json.key("sctsOmitted")
                json.number(omitted)
            }
        }
    }
}

extension TransparencyFinding.Timestamp {
    /// The operator's name, of a list of logs that has any length.
    private var shownOperator: String? { operatorName?.abridged(toBytes: 256) }

    /// The size in an answer in bytes.
    var batchSize: Int { (shownOperator?.writtenSize ?? 4) + 240 }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("log")
            json.string(logID)
            json.key("operator")
            json.string(shownOperator)
            json.key("state")
            json.string(state)
            json.key("timestamp")
            json.number(digits: String(milliseconds))
            json.key("signature")
            json.string(signature.rawValue)
            json.key("counts")
            json.boolean(reason == nil)
            json.key("reason")
            json.string(reason?.rawValue)
        }
    }
}
