// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX

/// Metrics in Prometheus's text format 0.0.4, for the textfile collector of its node exporter.
enum PrometheusOutput {
    /// Returns the rows in their order, one per server, because the format forbids two samples with the same
    /// labels. If a server has several results, the worst one counts.
    private static func unique(_ rows: [CheckRow]) -> [CheckRow] {
        var places: [String: Int] = [:]
        var unique: [CheckRow] = []
        for row in rows {
            guard let place = places[row.endpoint.description] else {
                places[row.endpoint.description] = unique.count
                unique.append(row)
                continue
            }
            if row.outcome.rank < unique[place].outcome.rank { unique[place] = row }
        }
        return unique
    }

    /// - Parameter start: the start of the run.
    static func text(_ rows: [CheckRow], start: Time) -> String {
        let rows = unique(rows)
        var text = ""
        func family(
            _ name: String, _ help: String, _ value: (CheckRow) -> String?, labels: (CheckRow) -> String = { _ in "" }
        ) {
            let samples = rows.compactMap { row in
                value(row).map {
                    "servertrust_check_\(name){server=\"\(escaped(row.endpoint.description))\"\(labels(row))} \($0)\n"
                }
            }
            guard !samples.isEmpty else { return }
            text += header(name, help) + samples.joined()
        }
        family("success", "1 if the server is trusted, 0 if it was refused or could not be checked.") {
            $0.outcome.isTrusted ? "1" : "0"
        }
        family(
            "failure", "1, with the code of the most specific failure, error or finding.",
            { row in row.code == nil ? nil : "1" },
            labels: { ",outcome=\"\($0.outcome.rawValue)\",code=\"\(escaped($0.code ?? ""))\"" })
        family("not_after_timestamp_seconds", "The earliest end of validity in the path, in Unix time.") {
            $0.notAfter.map { "\($0.secondsSinceEpoch)" }
        }
        family(
            "remaining_seconds", "The remaining time until then, at the time of the check; negative if it has passed."
        ) {
            $0.daysLeft.map { "\($0.seconds)" }
        }
        family("duration_seconds", "The time from the name lookup to the response.") {
            $0.outcome == .undecided ? nil : JUnit.seconds($0.milliseconds)
        }
        return text + header("run_timestamp_seconds", "The start of the run, in Unix time.")
            + "servertrust_check_run_timestamp_seconds \(start.secondsSinceEpoch)\n"
    }

    private static func header(_ name: String, _ help: String) -> String {
        "# HELP servertrust_check_\(name) \(help)\n# TYPE servertrust_check_\(name) gauge\n"
    }

    /// Returns a label's value on one line, with backslashes and quotation marks escaped as the format requires.
    static func escaped(_ text: String) -> String {
        printable(text).unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            default: String(scalar)
            }
        }.joined()
    }
}
