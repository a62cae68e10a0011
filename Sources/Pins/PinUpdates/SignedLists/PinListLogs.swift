// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import TrustSupport

/// The list of Certificate Transparency logs that a signed list of pins carries.
///
/// ```json
/// "logs": {"list": "BASE64URL of the exact bytes", "mode": "app"}
/// ```
/// A client that has taken a list of logs takes no older one, and no list of pins without one. The mode `report` is the switch for
/// emergencies: the check refuses nothing, in place of the app's setting; `app` leaves that.
package struct PinListLogs: Sendable, Hashable {
    /// The bytes of the list of logs.
    package let json: [UInt8]
    /// The list of logs.
    package let list: CTLogList
    /// Whether the check refuses nothing, in place of the app's setting.
    package let isReportOnly: Bool

    /// Reads the list of logs as it was when the list of pins was issued, so that it reads alike on every client.
    /// - Throws: ``PinListError`` for bytes that are no list of logs, for one that is made for breakage, and for one without a log in use.
    init(json: [UInt8], isReportOnly: Bool, issued: Time) throws(PinListError) {
        do throws(CTLogListError) {
            list = try CTLogList(json: json, now: issued)
        } catch {
            throw PinListError(.pinListLogsInvalid, "logs: \(error)")
        }
        guard list.isFitForUse else {
            throw PinListError(.pinListLogsInvalid, "logs: no log is in use, or a private key of one is public")
        }
        self.json = json
        self.isReportOnly = isReportOnly
    }

    init(_ json: SignedJSON, issued: Time) throws(PinListError) {
        let members = try json.members(["list", "mode"], optional: nil, code: .pinListInvalid)
        let text = try members.string("list")
        guard text.utf8.count <= CTLogList.maximumSize / 3 * 4 + 4 else {
            throw PinListError(.pinListTooLarge, "a list of logs over \(CTLogList.maximumSize) bytes")
        }
        guard let bytes = Base64URL.decode(text) else {
            throw PinListError(.pinListInvalid, "\(json.context): list is not base64url")
        }
        let mode = ExactText(try members.string("mode"))
        guard mode == ExactText("app") || mode == ExactText("report") else {
            throw PinListError(.pinListInvalid, "\(json.context): mode is neither app nor report")
        }
        try self.init(json: bytes, isReportOnly: mode == ExactText("report"), issued: issued)
    }

    /// The member of a payload.
    var member: String {
        #"{"list":"\#(Base64URL.encode(json))","mode":"\#(isReportOnly ? "report" : "app")"}"#
    }

    /// Checks that these logs may come after others.
    func check(after inForce: PinListLogs?) throws(PinListError) {
        guard let inForce, list.date < inForce.list.date else { return }
        throw PinListError(
            .pinListRollback, "logs of \(list.date), and those of \(inForce.list.date) are in force", at: "logs",
            expected: .time(inForce.list.date), found: .time(list.date))
    }
}

extension TransparencySettings {
    /// Returns the app's settings with the logs of a signed list.
    /// - Parameter logs: the logs; nil if none are in force.
    func with(_ logs: PinListLogs?) -> TransparencySettings {
        guard let logs else { return self }
        var settings = self
        settings.logs = logs.list
        if logs.isReportOnly { settings.mode = .report }
        return settings
    }
}
