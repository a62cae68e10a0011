// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// The option for recording verdicts.
struct RecordOptions: ParsableArguments {
    @Option(help: .book("check --record"), completion: .directory)
    var record: String?

    /// Returns a recorder of all verdicts, or nil without the option.
    /// - Parameter isBatch: whether each row has its own record, without a limit of their size.
    func recorder(isBatch: Bool = false) -> TrustRecorder? {
        guard let record else { return nil }
        var settings = TrustRecorder.Settings()
        if isBatch { (settings.interval, settings.maximumSize) = (.zero, .max) }
        settings.client = "command"
        settings.program = ("servertrust", ToolVersion.current)
        return TrustRecorder(folder: record, recording: .all, settings: settings) { Diagnostics.warn($0) }
    }
}
