// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import TrustRecords

/// The option for recording verdicts.
struct RecordOptions: ParsableArguments {
    @Option(
        help: .wholePage(
            "Write a record of each verdict to this folder, for verify --batch. (default: none)", valueName: "folder"),
        completion: .directory)
    var record: String?

    /// Returns a recorder of all verdicts, or nil without the option.
    func recorder() -> TrustRecorder? {
        guard let record else { return nil }
        var settings = TrustRecorder.Settings()
        settings.client = "command"
        settings.program = ("servertrust", ToolVersion.current)
        return TrustRecorder(folder: record, recording: .all, settings: settings) { Diagnostics.warn($0) }
    }
}
