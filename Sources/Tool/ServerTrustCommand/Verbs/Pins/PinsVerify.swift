// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustPins

/// `servertrust pins list verify`: checks a signed list as an app does.
struct PinsVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "pins list verify", abstract: "Check whether an app accepts a signed list.")

    @Argument(help: "The signed list; - is standard input.", completion: .file())
    var file: String

    @Option(help: .book("pins list verify --key"), completion: .file())
    var key: [String] = []

    @Option(help: ArgumentHelp("Require signatures by this many of them. (default: 1)", valueName: "n"))
    var threshold: Int?

    @Option(help: .book("pins list verify --root-key"), completion: .file())
    var rootKey: [String] = []

    @Option(help: ArgumentHelp("Require signatures by this many of them. (default: 1)", valueName: "n"))
    var rootThreshold: Int?

    @Option(help: ArgumentHelp("Expect a list for this app. (default: any, with --key)", valueName: "name"))
    var audience: String?

    @Option(help: .book("pins list verify --floor"), completion: .file())
    var floor: String?

    @Option(help: .book("pins list verify --at"), transform: reading(Time.init(rfc3339:)))
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
        if let (list, name) = floor {
            // An app doesn't start if its own list doesn't pin the hosts that it always pins.
            let contents = try PinsInput.contents(list, name)
            try CommandFailure.of(InputFile.displayName(name)) { try contents.check(alwaysPinned: hosts.alwaysPinned) }
        }
        let document: SignedPinList
        let list: PinList
        do {
            document = try SignedPinList(bytes)
            let start = try start(document, floor?.0, signers, root)
            list = try start.verify(
                document, at: at ?? .now(), makeManager: PinsInput.makeManager(ownRules: ownRules))
            try list.check(alwaysPinned: hosts.alwaysPinned)
        } catch let error as PinListError {
            throw CommandFailure.rejected("\(name): \(error)", hint: hint(for: error))
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
        guard let signers else { throw ValidationError("expected --key FILE or --floor FILE") }
        return try PinsInput.start(document, audience: audience, signers: signers, root: root)
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
}
