// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinUpdates
import ServerTrust

/// `servertrust pins list verify`: the check of a signed list as an app does it.
struct PinsVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check whether an app accepts a signed list.",
        usage: "servertrust pins list verify <file> [<options>]",
        discussion: """
            Against keys, or against the list that the app is built with or has in force,
            which also says the audience and the lowest number:

            $ servertrust pins list verify list.json --key office.key.pub \\
                  --key safe.key.pub --threshold 2 --audience com.example.app
            $ servertrust pins list verify list.json --floor built-in.json
            servertrust: error: list.json: sequence 4, but 5 is in force [rollback]

            Exit codes: 0 accepted; 1 refused; 2 a file can't be read.
            """)

    @Argument(help: "The signed list; - is standard input.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("A public key that may sign. May be repeated.", valueName: "file"), completion: .file())
    var key: [String] = []

    @Option(help: ArgumentHelp("The number of them that have to sign. (default: 1)", valueName: "n"))
    var threshold: Int?

    @Option(
        help: ArgumentHelp(
            "A public key that may change the keys of lists. May be repeated. (default: none, with --key)",
            valueName: "file"), completion: .file())
    var rootKey: [String] = []

    @Option(help: ArgumentHelp("The number of them that have to sign. (default: 1)", valueName: "n"))
    var rootThreshold: Int?

    @Option(help: ArgumentHelp("The app. (default: any, with --key)", valueName: "name"))
    var audience: String?

    @Option(
        help: ArgumentHelp(
            "The list that the app has; its signatures are not checked. (default: none)", valueName: "file"),
        completion: .file())
    var floor: String?

    @Option(
        help: ArgumentHelp("The date of the check. (default: now)", valueName: "time"),
        transform: reading(Time.init(rfc3339:)))
    var at: Time?

    @OptionGroup var hosts: AlwaysPinnedOption

    @Flag(help: "The app makes its own rules (PinStore's makeManager): that they can be made is not checked.")
    var ownRules = false

    @Option(help: "The format of the report.")
    var format: OutputFormat = .text

    func validate() throws {
        guard key.isEmpty != (floor == nil) else {
            throw ValidationError("expected --key FILE, or --floor FILE: without either, any signature would do")
        }
        guard floor == nil || threshold == nil else { throw ValidationError("--threshold belongs to --key") }
        guard floor == nil || rootKey.isEmpty else { throw ValidationError("--root-key belongs to --key") }
        guard rootThreshold == nil || !rootKey.isEmpty else {
            throw ValidationError("--root-threshold belongs to --root-key")
        }
    }

    func run() throws {
        let name = InputFile.displayName(file)
        let bytes = try InputFile.read(file)
        let floor = try self.floor.map { name in (try PinsInput.list(name), name) }
        let signers = try Self.signers(key, threshold)
        let root = try Self.signers(rootKey, rootThreshold)
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
        if audience == nil, floor == nil { Diagnostics.warn("the audience was not asked; see --audience") }
        try PinListReport.write(list, signedBy: document.claimedSigners, isVerified: true, format)
    }

    /// Returns the built-in list of an app with this list, or with these signers alone.
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
            "an app that has the root keys of the list takes it without their signatures: --root-key names them"
        case .pinListRootRequired where !key.isEmpty:
            "the list names other keys than --key and --root-key do, which stand for all that the app has"
        case .pinListHostUnpinned: PinListOutput.hint(for: error.code)
        default: nil
        }
    }

    /// Checks that the list that the app has pins the hosts that it always pins; otherwise the app doesn't start.
    private func checkFloor(_ list: SignedPinList, _ name: String) throws(CommandFailure) {
        let contents = try PinsInput.contents(list, name)
        do throws(PinListError) {
            try contents.check(alwaysPinned: hosts.alwaysPinned)
        } catch {
            throw CommandFailure("\(InputFile.displayName(name)): \(error)")
        }
    }

    /// Returns the keys of files; nil for no file.
    private static func signers(_ names: [String], _ threshold: Int?) throws -> PinSigners? {
        var keys: [PinSigningKey] = []
        for name in names { keys.append(try PinsInput.publicKey(name)) }
        return keys.isEmpty ? nil : try PinsInput.signers(keys, threshold ?? 1)
    }
}
