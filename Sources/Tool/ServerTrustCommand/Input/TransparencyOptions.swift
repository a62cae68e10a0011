// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

extension TransparencySettings.Mode: ExpressibleByArgument {}

/// The policies of Certificate Transparency with a name.
enum TransparencyPolicyName: String, CaseIterable, ExpressibleByArgument {
    case chrome, mozilla, apple

    /// The policy.
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
            "A list of logs in JSON, version 3: SCTs are checked with it. (default: not checked)", valueName: "file"),
        completion: .file())
    var logs: String?

    @Option(
        name: .customLong("ct-policy"),
        help: ArgumentHelp("The policy for SCTs. (default: chrome)", valueName: "name"))
    var policy: TransparencyPolicyName?

    @Option(
        name: .customLong("ct"),
        help: ArgumentHelp(
            "What to do about too few SCTs: require refuses. (default: report with --ct-logs)",
            valueName: "mode"))
    var mode: TransparencySettings.Mode?

    @Flag(name: .customLong("ct-any-age"), help: "Accept a list of logs of any age.")
    var anyAge = false

    /// Whether any of the options was given.
    var isAnyGiven: Bool { logs != nil || policy != nil || mode != nil || anyAge }

    /// Whether an option was given that a batch's requests state themselves.
    var isPolicyGiven: Bool { policy != nil || mode != nil }

    func validate() throws {
        guard logs != nil || !isAnyGiven else {
            throw ValidationError("--ct, --ct-policy and --ct-any-age go with --ct-logs")
        }
    }

    /// Reads the list of logs; nil if no file was named.
    /// - Parameter now: the time of the clock: a list of the future is an error at any verify date.
    /// - Throws: ``CommandFailure`` if the file can't be read or is no such list.
    func list(now: Time = .now()) throws(CommandFailure) -> CTLogList? {
        guard let logs else { return nil }
        return try LogListInput.read(logs, now: now)
    }

    /// Returns the check that the options ask for; nil without `--ct-logs`.
    /// - Parameter now: the time of the clock, not the verify date.
    /// - Throws: ``CommandFailure`` if the list of logs can't be read.
    func settings(now: Time = .now()) throws(CommandFailure) -> TransparencySettings? {
        guard let list = try list(now: now) else { return nil }
        var settings = TransparencySettings(
            logs: list, policy: (policy ?? .chrome).policy, mode: mode ?? .report)
        settings.ignoresListAge = anyAge
        return settings
    }
}

/// The lists of logs of files that were named on the command line.
enum LogListInput {
    /// Reads a list, and warns of logs that are left out.
    /// - Parameters:
    ///   - file: the name; `-` is standard input.
    ///   - now: the time of the clock.
    /// - Throws: ``CommandFailure`` if the file can't be read or is no such list.
    static func read(_ file: String, now: Time) throws(CommandFailure) -> CTLogList {
        let list = try list(try InputFile.read(file), file, now: now)
        let name = InputFile.displayName(file)
        for warning in list.warnings.prefix(5) { Diagnostics.warn("\(name): left out: \(warning)") }
        if list.warnings.count > 5 { Diagnostics.warn("\(name): left out: \(list.warnings.count - 5) more logs") }
        return list
    }

    /// Reads the bytes of a list, without a warning of logs that are left out.
    /// - Throws: ``CommandFailure`` if they are no such list.
    static func list(_ bytes: [UInt8], _ file: String, now: Time) throws(CommandFailure) -> CTLogList {
        do throws(CTLogListError) {
            return try CTLogList(json: bytes, now: now)
        } catch {
            // An error about the form has the form.
            let description = "\(error)"
            throw CommandFailure(
                "\(InputFile.displayName(file)): \(description)",
                hint: description.contains("version 3") ? nil : "a list of logs is the JSON of version 3")
        }
    }
}
