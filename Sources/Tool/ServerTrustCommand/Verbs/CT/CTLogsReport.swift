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
            ($0.description, $0.key.logID.lexicographicalText) < ($1.description, $1.key.logID.lexicographicalText)
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
        var json = JSONWriter(isIndented: true)
        json.array { json in
            json.object { json in
                json.key("schemaVersion")
                json.number(1)
                json.key("list")
                list.write(&json)
                if let problems {
                    json.key("problems")
                    json.array(of: problems) { json, problem in json.string(problem) }
                }
                json.key("leftOut")
                json.array(of: list.warnings) { json, warning in json.string(warning) }
                json.key("logs")
                json.array(of: operators.flatMap { $0.logs }) { json, log in Self.write(log, &json) }
            }
        }
        json.lineFeed()
        return json.bytes
    }

    private static func write(_ log: CTLogList.Log, _ json: inout JSONWriter) {
        json.object { json in
            json.key("log")
            json.string(Base64.encode(log.key.logID))
            json.key("name")
            json.string(log.description)
            json.key("operator")
            json.string(log.operatorName(at: .distantFuture))
            json.key("state")
            json.string(log.state.kind.rawValue)
            json.key("since")
            json.string(log.state.since.description)
            json.key("tiled")
            json.boolean(log.isTiled)
            json.key("start")
            json.string(log.shard?.start.description)
            json.key("end")
            json.string(log.shard?.end.description)
        }
    }
}

extension [UInt8] {
    /// The bytes in hexadecimal, which sort in the same order.
    fileprivate var lexicographicalText: String { Hex.encode(self) }
}

extension Time {
    /// The day in UTC.
    fileprivate var day: Substring { description.prefix { $0 != "T" } }
    /// The last representable second.
    fileprivate static let distantFuture = Time(secondsSinceEpoch: 253_402_300_799)
}
