// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// The options for lists of denied certificates.
struct DeniedOptions: ParsableArguments {
    @Option(help: .book("check --denied"), completion: .file())
    var denied: [String] = []

    /// Reads the lists. Returns nil if the options name no file.
    /// - Throws: ``CommandFailure`` with file and place if a list can't be parsed.
    func list() throws(CommandFailure) -> DeniedList? {
        var all: DeniedList?
        for file in denied { all = .union(all, try DeniedListInput.read(file).list) }
        return all
    }
}

/// A reader for files of denied certificates that the command line names.
enum DeniedListInput {
    /// Reads a list, and warns about parts that it doesn't know.
    /// - Parameter file: the name; `-` is standard input.
    /// - Returns: the list, and the bytes that it was parsed from.
    /// - Throws: ``CommandFailure`` with file and place if it can't be parsed.
    static func read(_ file: String) throws(CommandFailure) -> (list: DeniedList, bytes: [UInt8]) {
        let bytes = try InputFile.read(file)
        let name = InputFile.displayName(file)
        let hint = "expected OneCRL's JSON (the records in security-state/onecrl), or Chrome's CRLSet"
        let list = try CommandFailure.of(name, hint: hint) { try DeniedList(bytes) }
        for warning in list.warnings { Diagnostics.warn("\(name): \(warning)") }
        return (list, bytes)
    }
}

extension TrustAnchors.Unlisted: ExpressibleByArgument {}

/// The options for a root program's list that applies to the anchors.
struct RootsOverlayOptions: ParsableArguments {
    @Option(help: .book("check --roots-overlay"), completion: .file())
    var rootsOverlay: String?

    @Option(help: .book("check --roots-unlisted"))
    var rootsUnlisted: TrustAnchors.Unlisted?

    func validate() throws {
        try OptionRule.check(.requires(["--roots-overlay": rootsOverlay], for: ["--roots-unlisted": rootsUnlisted]))
    }

    /// Reads the list, by default the one that the environment names. It also applies to anchors from the command line.
    /// Returns nil if neither names a file.
    /// - Throws: ``CommandFailure`` with file and line if it can't be parsed.
    func overlay() throws(CommandFailure) -> RootsOverlay? {
        if let rootsOverlay {
            return RootsOverlay(list: try RootListInput.read(rootsOverlay), unlisted: rootsUnlisted ?? .refuse)
        }
        guard let file = SystemAnchors.overlayFile() else { return nil }
        return try CommandFailure.of(SystemAnchors.overlayVariable, hint: RootListInput.hint) {
            RootsOverlay(list: try RootList(contentsOfFile: file))
        }
    }
}

/// A root program's list that applies to anchors, as requested on the command line.
struct RootsOverlay: Sendable {
    var list: RootList
    var unlisted = TrustAnchors.Unlisted.refuse
}

extension TrustAnchors {
    /// Returns these anchors with a list's conditions applied, or unchanged if the list is nil.
    func applying(_ overlay: RootsOverlay?) -> TrustAnchors {
        guard let overlay else { return self }
        return applying(overlay.list, unlisted: overlay.unlisted)
    }
}

/// A reader for root programs' lists in files that the command line names.
enum RootListInput {
    /// The supported formats of lists, for people.
    static let hint = "expected certdata.txt, root_store.textproto, p11-kit's or OpenSSL's format, or JSON"

    /// Reads a list.
    /// - Parameter file: the name; `-` is standard input. A list from standard input has no date unless its format
    ///   contains one.
    /// - Throws: ``CommandFailure`` with file and line if it can't be parsed.
    static func read(_ file: String) throws(CommandFailure) -> RootList {
        let bytes = file == "-" ? try InputFile.read(file) : nil
        do throws(RootListError) {
            guard let bytes else { return try RootList(contentsOfFile: file) }
            return try RootList(bytes)
        } catch {
            // An error about the format already names the supported formats.
            throw CommandFailure(
                file == "-" ? "standard input: \(error)" : error.description,
                hint: error.description.contains("certdata.txt") ? nil : hint)
        }
    }
}

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
    @Option(name: .customLong("ct-logs"), help: .book("check --ct-logs"), completion: .file())
    var logs: String?

    @Option(name: .customLong("ct-policy"), help: .book("check --ct-policy"))
    var policy: TransparencyPolicyName?

    @Option(name: .customLong("ct"), help: .book("check --ct"))
    var mode: TransparencySettings.Mode?

    @Flag(name: .customLong("ct-any-age"), help: "Accept a log list of any age.")
    var anyAge = false

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
