// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustPins

/// The options for filters of revoked certificates in a signed list.
struct PinListFiltersOptions: ParsableArguments {
    @Option(help: .book("pins list sign --filters"), completion: .file())
    var filters: String?

    @Flag(help: "Drop the filters of the previous list.")
    var dropFilters = false

    func validate() throws {
        try OptionRule.check(.excludes(["--filters": filters, "--drop-filters": dropFilters]))
    }

    /// Returns the bytes of the manifest, or nil if there isn't one.
    /// - Parameter old: the previous list.
    func manifest(after old: PinList?) throws(CommandFailure) -> [UInt8]? {
        guard let filters else { return dropFilters ? nil : old?.filters?.manifest.json }
        if (try? FileStatus(ofFile: filters + "/."))?.isFolder == true {
            return try CommandFailure.of { try RevocationFilterFolder(contentsOfFolder: filters).manifest.json }
        }
        let bytes = try InputFile.read(filters)
        return try CommandFailure.of {
            try RevocationFilterManifest(bytes, name: InputFile.displayName(filters)).json
        }
    }
}

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
