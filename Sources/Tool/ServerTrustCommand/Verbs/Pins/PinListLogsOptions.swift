// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options for Certificate Transparency logs in a signed list.
struct PinListLogsOptions: ParsableArguments {
    @Option(help: .book("pins list sign --ct-logs"), completion: .file())
    var ctLogs: String?

    @Flag(help: "Stop clients from refusing servers over transparency, whatever the app's settings.")
    var ctReportOnly = false

    /// The bytes of the list of logs, or nil if none was named.
    var logs: [UInt8]? {
        get throws(CommandFailure) {
            guard let ctLogs else { return nil }
            let bytes = try InputFile.read(ctLogs)
            // With the file's name, so that problems contain it.
            let list = try LogListInput.list(bytes, ctLogs, now: .now())
            for problem in list.problems(at: .now()) {
                Diagnostics.warn("\(InputFile.displayName(ctLogs)): \(problem)")
            }
            return bytes
        }
    }
}
