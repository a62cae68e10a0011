// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The report of `servertrust roots logs`, for people and programs.
struct CTLogsReport {
    let list: CTLogList
    /// The name of the list file.
    let file: String

    /// The file, the version, the date, and the number of logs for each state.
    var headline: String {
        let states = CTLogList.State.Kind.allCases.compactMap { kind in
            let count = list.logs.values.count { $0.state.kind == kind }
            return count == 0 ? nil : "\(count) \(kind.rawValue)"
        }
        return (["\(printable(file)): \(list.versionText)\(list.date)", counted(list.count, "log")] + states)
            .joined(separator: ", ")
    }

    /// The logs by operator, both sorted by name.
    private var operators: [(name: String, logs: [CTLogList.Log])] {
        let logs = list.logs.values.sorted {
            ($0.description, Hex.encode($0.key.logID)) < ($1.description, Hex.encode($1.key.logID))
        }
        return Dictionary(grouping: logs) { $0.operatorName(at: .distantFuture) }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// Returns the headline and the logs.
    func text(_ palette: Palette) -> String {
        var lines = [headline]
        for (name, logs) in operators {
            lines += ["", palette.bold(printable(name))]
            for log in logs {
                let indent = String(repeating: " ", count: 13)
                lines.append("  " + log.state.kind.rawValue.padded(to: 11) + printable(log.description))
                let shard = log.shard.map { "ends \($0.start.day) to \($0.end.day), " } ?? ""
                lines.append(
                    indent + shard + (log.isTiled ? "tiled" : "RFC 6962") + ", since \(log.state.since.day)")
                lines.append(indent + palette.faint(Base64.encode(log.key.logID)))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns an array with one object.
    /// - Parameter problems: the problems of the list, or nil if it wasn't checked.
    func json(problems: [String]? = nil) -> [UInt8] {
        JSONWriter.answer { json in
            json.object("list", list.write)
            if let problems { json.member("problems", problems) }
            json.member("leftOut", list.warnings)
            json.objects("logs", of: operators.flatMap(\.logs)) { Self.write($1, &$0) }
        }
    }

    private static func write(_ log: CTLogList.Log, _ json: inout JSONWriter) {
        json.member("log", Base64.encode(log.key.logID))
        json.member("name", log.description)
        json.member("operator", log.operatorName(at: .distantFuture))
        json.member("state", log.state.kind.rawValue)
        json.member("since", log.state.since.description)
        json.member("tiled", log.isTiled)
        json.member("start", log.shard?.start.description)
        json.member("end", log.shard?.end.description)
    }
}

extension Time {
    /// The day in UTC.
    fileprivate var day: Substring { description.prefix { $0 != "T" } }
    /// The last representable second.
    fileprivate static let distantFuture = Time(secondsSinceEpoch: 253_402_300_799)
}
