// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import ServerTrust
import ServerTrustPins

/// The hosts that an app always pins, whatever the list.
struct AlwaysPinnedOption: ParsableArguments {
    @Option(help: .book("pins --always-pinned"), transform: reading(HostPattern.init))
    var alwaysPinned: [HostPattern] = []
}

/// The last step of the verbs that sign. It checks the list as clients do, and writes the file.
struct PinListOutput: ParsableArguments {
    @Option(help: .book("pins list --previous"), completion: .file())
    var previous: String?

    @Flag(help: .book("pins list --own-rules"))
    var ownRules = false

    @OptionGroup(visibility: .wholePage) var hosts: AlwaysPinnedOption

    @Flag(help: .wholePage("Allow one of the last million numbers, which are reserved."))
    var useReserve = false

    @Flag(help: "Write the list even if signatures are missing.")
    var partial = false

    @Option(help: .book("pins list --output"), completion: .file())
    var output: String?

    @Flag(help: "Replace the output file if it exists.")
    var force = false

    /// The list in force, its contents, and its name for errors.
    struct Previous {
        let list: SignedPinList
        let contents: PinList
        let name: String
    }

    /// Reads the list in force, or returns nil if there isn't one.
    func readPrevious() throws(CommandFailure) -> Previous? {
        guard let previous else { return nil }
        let list = try PinsInput.list(previous)
        return Previous(list: list, contents: try PinsInput.contents(list, previous), name: previous)
    }

    /// Writes a list that clients accept. With ``partial``, also writes a list that becomes acceptable with more
    /// signatures.
    /// - Parameters:
    ///   - signed: the list.
    ///   - name: its name for errors.
    ///   - before: the list in force.
    ///   - now: the current time.
    func write(_ signed: SignedPinList, _ name: String, after before: Previous?, at now: Time) throws {
        let contents = try PinsInput.contents(signed, name)
        try checkReserve(contents.sequence, name, after: before?.contents)
        warnOfSequence(contents, after: before?.contents)
        do throws(PinListError) {
            try verify(signed, contents, after: before, at: now)
        } catch {
            guard partial, error.code.isMissingSignatures else {
                throw CommandFailure.rejected("clients would refuse it: \(error)", hint: Self.hint(for: error.code))
            }
            Diagnostics.warn("incomplete, so clients refuse it for now: \(error)")
        }
        try OutputFile.deliver(signed.bytes, to: output, replacing: force)
    }

    private func verify(
        _ signed: SignedPinList, _ contents: PinList, after before: Previous?, at now: Time
    ) throws(PinListError) {
        // First the errors that more signatures can't fix.
        let makeManager = PinsInput.makeManager(ownRules: ownRules)
        _ = try contents.manager(makeManager)
        try contents.check(alwaysPinned: hosts.alwaysPinned)
        let builtIn =
            if let before { try BuiltInPinList(before.list) } else { BuiltInPinList(precedingFirst: contents) }
        // Parsed again as clients do, because its size and number of rotations count.
        _ = try builtIn.verify(
            try SignedPinList(signed.bytes, allowsNoSignature: partial), at: max(now, contents.notBefore),
            makeManager: makeManager)
    }

    /// Refuses one of the last numbers without ``useReserve``, unless the list in force already has one.
    /// - Parameters:
    ///   - sequence: the number of a list.
    ///   - name: the list's name for errors.
    ///   - old: the list in force.
    func checkReserve(_ sequence: Int, _ name: String, after old: PinList?) throws(CommandFailure) {
        guard useReserve || !PinList.isReserved(sequence) || old?.isInSequenceReserve == true else {
            throw CommandFailure(
                "\(InputFile.displayName(name)): sequence \(sequence) is one of the last million numbers, which are reserved",
                hint:
                    "add --use-reserve to sign it anyway; clients then refuse lower numbers, and any list after the last number"
            )
        }
    }

    /// Warns if few numbers are left, and if the list skips many.
    private func warnOfSequence(_ list: PinList, after old: PinList?) {
        PinsInput.warnOfSequence(list)
        guard let old, list.sequence - old.sequence > PinList.maximumUsualStep else { return }
        Diagnostics.warn(
            "list \(list.sequence) follows list \(old.sequence): clients accept it, and then refuse the \(list.sequence - old.sequence - 1) numbers between them"
        )
    }

    /// Returns the remedy for a list that clients refuse.
    static func hint(for code: ErrorCode) -> String {
        Guides.errors[code.name]?.all("hint").first ?? "nothing was written"
    }
}
