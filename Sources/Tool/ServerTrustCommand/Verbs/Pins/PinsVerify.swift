// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustPins

/// `servertrust pins list verify`: checks a signed list as an app does.
struct PinsVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check whether an app accepts a signed list.",
        usage: "servertrust pins list verify <file> [<options>]",
        discussion: """
            Checks against keys, or against the list that the app is built with or has in
            force, which also sets the audience and the lowest number:

            $ servertrust pins list verify list.json --key office.key.pub \\
                  --key safe.key.pub --threshold 2 --audience com.example.app
            $ servertrust pins list verify list.json --floor built-in.json
            servertrust: error: list.json: sequence 4, but 5 is in force [rollback]

            Exit codes: 0 accepted; 1 refused; 2 a file can't be read.
            """)

    @Argument(help: "The signed list; - is standard input.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("Accept signatures by this public key. May be repeated.", valueName: "file"),
        completion: .file())
    var key: [String] = []

    @Option(help: ArgumentHelp("Require signatures by this many of them. (default: 1)", valueName: "n"))
    var threshold: Int?

    @Option(
        help: ArgumentHelp(
            "Let this public key change the keys of lists. May be repeated. (default: none, with --key)",
            valueName: "file"), completion: .file())
    var rootKey: [String] = []

    @Option(help: ArgumentHelp("Require signatures by this many of them. (default: 1)", valueName: "n"))
    var rootThreshold: Int?

    @Option(help: ArgumentHelp("Expect a list for this app. (default: any, with --key)", valueName: "name"))
    var audience: String?

    @Option(
        help: ArgumentHelp(
            "Compare with this list, which the app has. Its signatures are not checked. (default: none)",
            valueName: "file"),
        completion: .file())
    var floor: String?

    @Option(
        help: ArgumentHelp("Check for this time. (default: now)", valueName: "time"),
        transform: reading(Time.init(rfc3339:)))
    var at: Time?

    @OptionGroup var hosts: AlwaysPinnedOption

    @Flag(help: "Don't check whether rules can be made, because the app makes its own (PinStore's makeManager).")
    var ownRules = false

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    func validate() throws {
        try OptionRule.check(
            .that(
                key.isEmpty != (floor == nil),
                "expected --key FILE or --floor FILE; without either, any signature would be accepted"),
            .requires(["--key": key], for: ["--threshold": threshold, "--root-key": rootKey]),
            .requires(["--root-key": rootKey], for: ["--root-threshold": rootThreshold]))
    }

    func run() throws {
        let name = InputFile.displayName(file)
        let bytes = try InputFile.read(file)
        let floor = try self.floor.map { name in (try PinsInput.list(name), name) }
        let signers = try PinsInput.signers(inFiles: key, threshold)
        let root = try PinsInput.signers(inFiles: rootKey, rootThreshold)
        if let floor { try checkFloor(floor.0, floor.1) }
        let document: SignedPinList
        let list: PinList
        do {
            document = try SignedPinList(bytes)
            let start = try start(document, floor?.0, signers, root)
            list = try start.verify(
                document, at: at ?? .now(), makeManager: PinsInput.makeManager(ownRules: ownRules))
            try list.check(alwaysPinned: hosts.alwaysPinned)
        } catch let error as PinListError {
            Diagnostics.error("\(name): \(error)")
            if let hint = hint(for: error) { Diagnostics.hint(hint) }
            throw ExitCodes.rejected
        }
        PinsInput.warnOfSequence(list)
        if audience == nil, floor == nil { Diagnostics.warn("the audience was not checked; see --audience") }
        try PinListReport.write(list, signedBy: document.claimedSigners, isVerified: true, format)
    }

    /// Returns the built-in list of an app that has this list or only these signers.
    private func start(
        _ document: SignedPinList, _ floor: SignedPinList?, _ signers: PinSigners?, _ root: PinSigners?
    ) throws -> BuiltInPinList {
        if let floor {
            let start = try BuiltInPinList(floor)
            guard audience == nil || audience == start.audience else {
                throw CommandFailure("the floor is for \(start.audience), expected \(audience ?? "")")
            }
            return start
        }
        let claimed = try document.unverifiedList()
        return BuiltInPinList(
            audience: audience ?? claimed.audience, configuration: claimed.configuration,
            signers: signers ?? claimed.signers, root: root, issued: Time(secondsSinceEpoch: 0))
    }

    private func hint(for error: PinListError) -> String? {
        let isForKeys = !key.isEmpty && rootKey.isEmpty
        return switch error.code {
        case .pinListUnprovenSigners where isForKeys:
            "an app that has the list's root keys accepts the list without these signatures; name the root keys with --root-key"
        case .pinListRootRequired where !key.isEmpty:
            "the list names keys other than those of --key and --root-key, which must be all the keys that the app has"
        case .pinListHostUnpinned: PinListOutput.hint(for: error.code)
        default: nil
        }
    }

    /// Checks that the app's list pins the hosts that the app always pins. Otherwise the app doesn't start.
    private func checkFloor(_ list: SignedPinList, _ name: String) throws(CommandFailure) {
        let contents = try PinsInput.contents(list, name)
        try CommandFailure.of(InputFile.displayName(name)) { try contents.check(alwaysPinned: hosts.alwaysPinned) }
    }
}
