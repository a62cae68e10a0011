// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinUpdates
import ServerTrust

/// `servertrust pins sign`: a list with its signatures.
struct PinsSign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a list of pins.",
        discussion: """
            The first list; without --next-key its signers go on signing:
            $ servertrust pins sign pins.json --key office.key --key safe.key \\
                  --audience com.example.app --sequence 1 --expires 2027-03-31 \\
                  --output list.json

            The next one; --previous gives audience, signers and the number, is checked
            against, and leads clients on that have missed a change of keys:
            $ servertrust pins sign pins.json --key office.key --previous list.json \\
                  --expires 2027-06-30 --output list.json --force

            Other keys; old and new ones sign:
            $ servertrust pins sign pins.json --key office.key --key new.key \\
                  --previous list.json --next-key new.key.pub --expires 2027-06-30 \\
                  --output list.json --force

            A list that clients refuse is not written. Where keys lie in different
            places each signs in turn: --partial writes what is not complete, and
            --add-to adds a signature to it:
            $ servertrust pins sign --add-to part.json --key safe.key --output list.json

            Exit codes: 0 written; 1 clients refuse it; 2 a file can't be read or
            written.
            """)

    @Argument(help: "Hosts and pins in this program's JSON; - is standard input.", completion: .file())
    var list: String?

    @Option(
        help: ArgumentHelp("A private key that signs. May be repeated.", valueName: "file"), completion: .file())
    var key: [String] = []

    @Option(help: ArgumentHelp("The app that the list is for. (default: as before)", valueName: "name"))
    var audience: String?

    @Option(help: ArgumentHelp("Its number, higher than before. (default: one more)", valueName: "n"))
    var sequence: Int?

    @Option(
        help: ArgumentHelp(
            "The last moment at which it is accepted. (default: none; a new list needs one)", valueName: "time"),
        transform: reading(Time.init(rfc3339:)))
    var expires: Time?

    @Option(
        help: ArgumentHelp("Not accepted before. (default: now)", valueName: "time"),
        transform: reading(Time.init(rfc3339:)))
    var notBefore: Time?

    @Option(
        help: ArgumentHelp(
            "A public key that may sign the next list. May be repeated. (default: as before, else those that sign)",
            valueName: "file"), completion: .file())
    var nextKey: [String] = []

    @Option(help: ArgumentHelp("The number of them that have to sign. (default: as before, else 1)", valueName: "n"))
    var nextThreshold: Int?

    @Option(
        help: ArgumentHelp(
            "A key that no path may hold, as sha256/BASE64, beside those of the list before. May be repeated.",
            valueName: "pin"), transform: reading(SPKIPin.init))
    var deny: [SPKIPin] = []

    @Flag(help: "Leave out the keys that the list before denies.")
    var dropDenied = false

    @Option(
        help: ArgumentHelp("The signed list that is in force. (default: none)", valueName: "file"), completion: .file())
    var previous: String?

    @Option(
        help: ArgumentHelp("A signed list to add signatures to. (default: a new list)", valueName: "file"),
        completion: .file())
    var addTo: String?

    @Flag(help: "The app makes its own rules (PinStore's makeManager): that they can be made is not checked.")
    var ownRules = false

    @Flag(help: "Write the list although signatures are missing.")
    var partial = false

    @Option(help: ArgumentHelp("Where to write. (default: standard output)", valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: "Replace the output file if it is there.")
    var force = false

    func validate() throws {
        guard !key.isEmpty else { throw ValidationError("no key that signs, expected --key FILE") }
        guard (list == nil) != (addTo == nil) else {
            throw ValidationError("expected a list of pins, or --add-to FILE alone")
        }
        guard
            addTo == nil
                || (expires == nil && nextKey.isEmpty && sequence == nil && audience == nil && deny.isEmpty
                    && !dropDenied)
        else {
            throw ValidationError("--add-to adds signatures; what the list says stays")
        }
        guard addTo != nil || expires != nil else { throw ValidationError("no --expires, expected a time") }
        guard addTo != nil || previous != nil || (sequence != nil && audience != nil) else {
            throw ValidationError("expected --previous FILE, or --audience and --sequence for the first list")
        }
    }

    func run() throws {
        var keys: [PinSigningPrivateKey] = []
        for name in key { keys.append(try PinsInput.privateKey(name)) }
        let before = try previous.map { name in (try PinsInput.list(name), name) }
        let now = Time.now()
        let signed =
            if let addTo { try PinsInput.list(addTo).adding(keys) } else { try sign(by: keys, after: before, at: now) }
        let contents = try PinsInput.contents(signed, addTo ?? list ?? "-")
        PinsInput.warnOfSequence(contents)
        do throws(PinListError) {
            // Errors that further signatures can't mend come first.
            let makeManager = PinsInput.makeManager(ownRules: ownRules)
            _ = try contents.manager(makeManager)
            let builtIn =
                if let before { try BuiltInPinList(before.0) } else { BuiltInPinList(precedingFirst: contents) }
            // As clients read it: its size and the number of its rotations count.
            _ = try builtIn.verify(
                SignedPinList(signed.bytes), at: max(now, contents.notBefore), makeManager: makeManager)
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

    private func sign(
        by keys: [PinSigningPrivateKey], after before: (list: SignedPinList, name: String)?, at now: Time
    ) throws -> SignedPinList {
        let old = try before.map { try PinsInput.contents($0.list, $0.name) }
        guard let audience = audience ?? old?.audience, let sequence = sequence ?? old.map({ $0.sequence + 1 }),
            let expires, let list
        else { throw ValidationError("expected --audience, --sequence and --expires") }
        guard expires > max(now, notBefore ?? now) else {
            throw ValidationError("--expires is \(expires), expected a time in the future and after --not-before")
        }
        let pins = try InputFile.read(list)
        // Read as the file that it is first: problems have lines then.
        _ = try PinInput.configuration(pins, list, .json)
        let signers = try nextSigners(keys, old)
        let denied = Set(deny).union(dropDenied ? [] : old?.deniedKeys ?? [])
        let payload: [UInt8]
        do throws(PinListError) {
            payload = try PinList.payload(
                audience: audience, sequence: sequence, issued: now, notBefore: notBefore.map { max($0, now) },
                expires: expires, pins: pins, deniedKeys: denied, signers: signers,
                usesSequenceReserve: old?.isInSequenceReserve ?? false)
        } catch {
            throw CommandFailure("\(InputFile.displayName(list)): \(error)")
        }
        return try SignedPinList.signed(payload, by: keys, rotations: try rotations(before))
    }

    /// Returns the earlier lists that lead clients to the keys of the new one.
    private func rotations(_ before: (list: SignedPinList, name: String)?) throws -> [SignedPinList] {
        guard let before else { return [] }
        do throws(PinListError) {
            return try before.list.rotationsOfSuccessor()
        } catch {
            throw CommandFailure("\(InputFile.displayName(before.name)): \(error)")
        }
    }

    private func nextSigners(_ keys: [PinSigningPrivateKey], _ old: PinList?) throws -> PinSigners {
        var next: [PinSigningKey] = []
        for name in nextKey { next.append(try PinsInput.publicKey(name)) }
        if next.isEmpty { next = old?.signers.keys ?? keys.map(\.publicKey) }
        return try PinsInput.signers(next, nextThreshold ?? old?.signers.threshold ?? 1)
    }

    private static func hint(for code: PinListError.Code) -> String {
        switch code {
        case .unprovenSigners: "sign with the next keys, too (--key), or with --partial now and --add-to later"
        case .belowThreshold, .unknownSigner:
            "sign with the keys that the list before names (--key), or with --partial now and --add-to later"
        case .pinsInvalid: "a PinStore refuses them unless the app makes its rules itself (--own-rules)"
        case .rollback, .sequenceReused: "--sequence has to be higher than that of the list before"
        default: "nothing was written"
        }
    }
}
