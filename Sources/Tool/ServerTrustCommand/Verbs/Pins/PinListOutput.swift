// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinUpdates
import ServerTrust

/// The last step of the verbs that sign: the check of a list as clients perform it, and the file.
struct PinListOutput: ParsableArguments {
    @Option(
        help: ArgumentHelp("The signed list that is in force. (default: none)", valueName: "file"), completion: .file())
    var previous: String?

    @Flag(
        help: .wholePage("The app makes its own rules (PinStore's makeManager): that they can be made is not checked."))
    var ownRules = false

    @OptionGroup(visibility: .wholePage) var hosts: AlwaysPinnedOption

    @Flag(help: .wholePage("Sign one of the last million numbers, which are reserved."))
    var useReserve = false

    @Flag(help: "Write the list although signatures are missing.")
    var partial = false

    @Option(help: ArgumentHelp("Where to write. (default: standard output)", valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: "Replace the output file if it exists.")
    var force = false

    /// A list that is in force, its contents, and its name for errors.
    struct Previous {
        let list: SignedPinList
        let contents: PinList
        let name: String
    }

    /// Reads the list that is in force; nil for none.
    func readPrevious() throws(CommandFailure) -> Previous? {
        guard let previous else { return nil }
        let list = try PinsInput.list(previous)
        return Previous(list: list, contents: try PinsInput.contents(list, previous), name: previous)
    }

    /// Writes a list that clients accept, or with ``partial`` one that further signatures can make acceptable.
    /// - Parameters:
    ///   - signed: the list.
    ///   - name: its name for errors.
    ///   - before: the list that is in force.
    ///   - now: the time of the clock.
    func write(_ signed: SignedPinList, _ name: String, after before: Previous?, at now: Time) throws {
        let contents = try PinsInput.contents(signed, name)
        try checkReserve(contents.sequence, name, after: before?.contents)
        warnOfSequence(contents, after: before?.contents)
        do throws(PinListError) {
            try verify(signed, contents, after: before, at: now)
        } catch {
            guard partial, error.code.isMissingSignatures else {
                Diagnostics.error("clients would not take it: \(error)")
                Diagnostics.hint(Self.hint(for: error.code))
                throw ExitCodes.rejected
            }
            Diagnostics.warn("not complete, and no client takes it yet: \(error)")
        }
        if let output {
            try OutputFile.write(signed.bytes, to: output, replacing: force)
        } else {
            try StandardStream.output.write(signed.bytes)
        }
    }

    private func verify(
        _ signed: SignedPinList, _ contents: PinList, after before: Previous?, at now: Time
    ) throws(PinListError) {
        // Errors that further signatures can't mend come first.
        let makeManager = PinsInput.makeManager(ownRules: ownRules)
        _ = try contents.manager(makeManager)
        try contents.check(alwaysPinned: hosts.alwaysPinned)
        let builtIn =
            if let before { try BuiltInPinList(before.list) } else { BuiltInPinList(precedingFirst: contents) }
        // As clients read it: its size and the number of its rotations count.
        _ = try builtIn.verify(
            try SignedPinList(signed.bytes, allowsNoSignature: partial), at: max(now, contents.notBefore),
            makeManager: makeManager)
    }

    /// Refuses one of the last numbers without ``useReserve``, unless the list in force has one.
    /// - Parameters:
    ///   - sequence: the number of a list.
    ///   - name: the name of the list for errors.
    ///   - old: the list that is in force.
    func checkReserve(_ sequence: Int, _ name: String, after old: PinList?) throws(CommandFailure) {
        guard useReserve || !PinList.isReserved(sequence) || old?.isInSequenceReserve == true else {
            throw CommandFailure(
                "\(InputFile.displayName(name)): sequence \(sequence) is one of the last million numbers, which are reserved",
                hint: "--use-reserve signs it all the same; clients then take no lower one, and after the last none")
        }
    }

    /// Warns of few numbers that are left, and of many that are left out.
    private func warnOfSequence(_ list: PinList, after old: PinList?) {
        PinsInput.warnOfSequence(list)
        guard let old, list.sequence - old.sequence > PinList.maximumUsualStep else { return }
        Diagnostics.warn(
            "list \(list.sequence) follows list \(old.sequence): clients take it, and then none of the \(list.sequence - old.sequence - 1) numbers between them"
        )
    }

    /// Returns the remedy for a list that clients refuse.
    static func hint(for code: ErrorCode) -> String {
        switch code {
        case .pinListUnprovenSigners:
            "sign with the next keys, too (--key), or with --partial now and --add-to or servertrust pins list attach later"
        case .pinListBelowThreshold, .pinListUnknownSigner:
            "sign with the keys that the list before names (--key), or with --partial now and --add-to or servertrust pins list attach later"
        case .pinListPinsInvalid: "a PinStore refuses them unless the app makes its rules itself (--own-rules)"
        case .pinListRootRequired:
            "other keys need the root keys in force: sign with them (--key), or with --partial now and servertrust pins list attach later"
        case .pinListRootDropped: "root keys are replaced by others, and never by none: see --root-key"
        case .pinListLogsDropped:
            "clients that have logs need some: --ct-logs names them, and --ct-report-only suspends their effect"
        case .pinListDeniedInvalid: "--denied takes OneCRL's JSON and CRLSets"
        case .pinListLogsInvalid: "see servertrust roots logs check"
        case .pinListHostUnpinned:
            "its rule has to be enforced, without an expiry after which its pins end or anchors that need no pin"
        case .pinListRollback, .pinListSequenceReused: "--sequence has to be higher than that of the list before"
        default: "nothing was written"
        }
    }
}
