// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The list of Certificate Transparency logs that a signed pin list contains.
///
/// ```json
/// "logs": {"list": "BASE64URL of the exact bytes", "mode": "app"}
/// ```
/// After a client has accepted a list of logs, it accepts neither an older list of logs nor a pin list without logs.
/// The `report` mode is an emergency switch: it overrides the app's setting so that the check refuses nothing. With
/// `app`, the app's setting applies.
package struct PinListLogs: Sendable, Hashable {
    /// The bytes of the list of logs.
    package let json: [UInt8]
    /// The list of logs.
    package let list: CTLogList
    /// Whether the check refuses nothing, regardless of the app's setting.
    package let isReportOnly: Bool

    /// Reads the list of logs as it was when the pin list was issued, so that every client reads it the same way.
    /// - Throws: ``PinListError`` for bytes that aren't a list of logs, for a list made for breakage, and for a list
    ///   without a log in use.
    init(json: [UInt8], isReportOnly: Bool, issued: Time) throws(PinListError) {
        do throws(CTLogListError) {
            list = try CTLogList(json: json, now: issued)
        } catch {
            throw PinListError(.pinListLogsInvalid, "logs: \(error)")
        }
        guard list.isFitForUse else {
            throw PinListError(.pinListLogsInvalid, "logs: no log is in use, or the private key of a log is public")
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

    /// The payload's member.
    var member: String {
        #"{"list":"\#(Base64URL.encode(json))","mode":"\#(isReportOnly ? "report" : "app")"}"#
    }

    /// Checks that these logs may replace others.
    func check(after inForce: PinListLogs?) throws(PinListError) {
        guard let inForce, list.date < inForce.list.date else { return }
        throw PinListError(
            .pinListRollback, "logs dated \(list.date), but logs dated \(inForce.list.date) are in force", at: "logs",
            expected: .time(inForce.list.date), found: .time(list.date))
    }
}

extension TransparencySettings {
    /// Returns the app's settings with the logs of a signed list.
    /// - Parameter logs: the logs, or nil if none are in force.
    func with(_ logs: PinListLogs?) -> TransparencySettings {
        guard let logs else { return self }
        var settings = self
        settings.logs = logs.list
        if logs.isReportOnly { settings.mode = .report }
        return settings
    }
}
