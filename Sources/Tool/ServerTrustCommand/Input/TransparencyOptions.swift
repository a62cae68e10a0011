// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

extension TransparencySettings.Mode: ExpressibleByArgument {}

/// The named policies of Certificate Transparency.
enum TransparencyPolicyName: String, CaseIterable, ExpressibleByArgument {
    case chrome, mozilla, apple

    var policy: CTPolicy {
        switch self {
        case .chrome: .chrome
        case .mozilla: .mozilla
        case .apple: .apple
        }
    }
}

/// The options for Certificate Transparency.
struct TransparencyOptions: ParsableArguments {
    @Option(
        name: .customLong("ct-logs"),
        help: ArgumentHelp(
            "Check SCTs with this log list (JSON, version 3). (default: not checked)", valueName: "file"),
        completion: .file())
    var logs: String?

    @Option(
        name: .customLong("ct-policy"),
        help: ArgumentHelp("Apply this policy to SCTs. (default: chrome)", valueName: "name"))
    var policy: TransparencyPolicyName?

    @Option(
        name: .customLong("ct"),
        help: ArgumentHelp(
            "Report too few SCTs, or refuse the server for them. (default: report with --ct-logs)",
            valueName: "mode"))
    var mode: TransparencySettings.Mode?

    @Flag(name: .customLong("ct-any-age"), help: "Accept a log list of any age.")
    var anyAge = false

    /// Whether the user gave any of these options.
    var isAnyGiven: Bool { logs != nil || policy != nil || mode != nil || anyAge }

    /// Whether the user gave an option that batch requests state themselves.
    var isPolicyGiven: Bool { policy != nil || mode != nil }

    func validate() throws {
        try OptionRule.check(
            .requires(["--ct-logs": logs], for: ["--ct": mode, "--ct-policy": policy, "--ct-any-age": anyAge]))
    }

    /// Reads the list of logs. Returns nil if the options name no file.
    /// - Parameter now: the current time. A list dated in the future is an error, whatever the verify date.
    /// - Throws: ``CommandFailure`` if the file can't be read or isn't a list of logs.
    func list(now: Time = .now()) throws(CommandFailure) -> CTLogList? {
        guard let logs else { return nil }
        return try LogListInput.read(logs, now: now)
    }

    /// Returns the check that the options request, or nil without `--ct-logs`.
    /// - Parameter now: the current time, not the verify date.
    /// - Throws: ``CommandFailure`` if the list of logs can't be read.
    func settings(now: Time = .now()) throws(CommandFailure) -> TransparencySettings? {
        guard let list = try list(now: now) else { return nil }
        var settings = TransparencySettings(
            logs: list, policy: (policy ?? .chrome).policy, mode: mode ?? .report)
        settings.ignoresListAge = anyAge
        return settings
    }
}

/// A reader for lists of logs in files that the command line names.
enum LogListInput {
    /// Reads a list, and warns about logs that it leaves out.
    /// - Parameters:
    ///   - file: the name; `-` is standard input.
    ///   - now: the current time.
    /// - Throws: ``CommandFailure`` if the file can't be read or isn't a list of logs.
    static func read(_ file: String, now: Time) throws(CommandFailure) -> CTLogList {
        let list = try list(try InputFile.read(file), file, now: now)
        let name = InputFile.displayName(file)
        for warning in list.warnings.prefix(5) { Diagnostics.warn("\(name): left out: \(warning)") }
        if list.warnings.count > 5 { Diagnostics.warn("\(name): left out: \(list.warnings.count - 5) more logs") }
        return list
    }

    /// Parses a list, without warnings about logs that it leaves out.
    /// - Throws: ``CommandFailure`` if the bytes aren't a list of logs.
    static func list(_ bytes: [UInt8], _ file: String, now: Time) throws(CommandFailure) -> CTLogList {
        do throws(CTLogListError) {
            return try CTLogList(json: bytes, now: now)
        } catch {
            // An error about the format already names the expected format.
            let description = "\(error)"
            throw CommandFailure(
                "\(InputFile.displayName(file)): \(description)",
                hint: description.contains("version 3") ? nil : "expected a list of logs in JSON, version 3")
        }
    }
}
