// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinUpdates
import ServerTrust

/// `servertrust pins list sign`: a list with its signatures.
struct PinsSign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a list of pins.",
        usage: "servertrust pins list sign [<list>] [--key <file> ...] [<options>]",
        discussion: HelpDetail.discussion(
            """
            The first list; without --next-key its signers go on signing:
            $ servertrust pins list sign pins.json --key office.key --key safe.key \\
                  --audience com.example.app --sequence 1 --expires 2027-03-31 \\
                  --output list.json

            The next one; --previous gives audience, signers and the number, is checked
            against, and leads clients on that have missed a change of keys:
            $ servertrust pins list sign pins.json --key office.key --previous list.json \\
                  --expires 2027-06-30 --output list.json --force

            Other keys; old and new ones sign:
            $ servertrust pins list sign pins.json --key office.key --key new.key \\
                  --previous list.json --next-key new.key.pub --expires 2027-06-30 \\
                  --output list.json --force

            A list of Certificate Transparency logs goes along (PinStore's transparency);
            --ct-report-only stops clients from refusing anything by it:
            $ servertrust pins list sign pins.json --key office.key --previous list.json \\
                  --expires 2027-06-30 --ct-logs logs.json --output list.json --force

            Root keys alone may name other keys, and are kept apart from the signers':
            $ servertrust pins list sign pins.json --key office.key --key root.key \\
                  --root-key root.key.pub --audience com.example.app --sequence 1 \\
                  --expires 2027-03-31 --output list.json

            A list that clients refuse is not written. Where keys lie in different
            places each signs in turn: --partial writes what is not complete, and
            --add-to adds a signature to it:
            $ servertrust pins list sign --add-to part.json --key safe.key \\
                  --output list.json

            Without --key, --partial writes a list that is signed elsewhere: see
            servertrust pins list prepare.

            Exit codes: 0 written; 1 clients refuse it; 2 a file can't be read or
            written.
            """))

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
        help: .wholePage("Not accepted before. (default: now)", valueName: "time"),
        transform: reading(Time.init(rfc3339:)))
    var notBefore: Time?

    @Option(
        help: ArgumentHelp(
            "A public key that may sign the next list. May be repeated. (default: as before, else those that sign)",
            valueName: "file"), completion: .file())
    var nextKey: [String] = []

    @Option(help: .wholePage("The number of them that have to sign. (default: as before, else 1)", valueName: "n"))
    var nextThreshold: Int?

    @Option(
        help: .wholePage(
            "A public key that alone, or with others, may change the keys of lists. May be repeated. (default: as before, else none)",
            valueName: "file"), completion: .file())
    var rootKey: [String] = []

    @Option(help: .wholePage("The number of them that have to sign. (default: as before, else 1)", valueName: "n"))
    var rootThreshold: Int?

    @Option(
        help: .wholePage(
            "A key that no path may hold, as sha256/BASE64, beside those of the list before. May be repeated.",
            valueName: "pin"), transform: reading(SPKIPin.init))
    var deny: [SPKIPin] = []

    @Option(
        help: .wholePage(
            "A list of certificates that no path may hold: OneCRL's JSON, or a CRLSet. May be repeated. (default: as before, else none)",
            valueName: "file"), completion: .file())
    var denied: [String] = []

    @Flag(help: .wholePage("Leave out the keys and lists of certificates that the list before denies."))
    var dropDenied = false

    @OptionGroup(visibility: .wholePage) var transparency: PinListLogsOptions
    @OptionGroup(visibility: .wholePage) var revocation: PinListFiltersOptions

    @Option(
        help: ArgumentHelp("A signed list to add signatures to. (default: a new list)", valueName: "file"),
        completion: .file())
    var addTo: String?

    @OptionGroup var delivery: PinListOutput

    func validate() throws {
        guard !key.isEmpty || (delivery.partial && addTo == nil) else {
            throw ValidationError(
                "no key that signs, expected --key FILE, or --partial alone for a list that is signed elsewhere")
        }
        guard (list == nil) != (addTo == nil) else {
            throw ValidationError("expected a list of pins, or --add-to FILE alone")
        }
        guard
            addTo == nil
                || (expires == nil && nextKey.isEmpty && rootKey.isEmpty && nextThreshold == nil && rootThreshold == nil
                    && notBefore == nil && sequence == nil && audience == nil
                    && deny.isEmpty && denied.isEmpty && !transparency.isAnyGiven && !revocation.isAnyGiven
                    && !dropDenied)
        else {
            throw ValidationError("--add-to adds signatures; what the list says stays")
        }
        guard addTo != nil || expires != nil else { throw ValidationError("no --expires, expected a time") }
        guard addTo != nil || delivery.previous != nil || (sequence != nil && audience != nil) else {
            throw ValidationError("expected --previous FILE, or --audience and --sequence for the first list")
        }
    }

    func run() throws {
        var keys: [PinSigningPrivateKey] = []
        for name in key { keys.append(try PinsInput.privateKey(name)) }
        let before = try delivery.readPrevious()
        let now = Time.now()
        let signed =
            if let addTo {
                try PinsInput.list(addTo, allowsNoSignature: true).adding(keys)
            } else {
                try sign(by: keys, after: before, at: now)
            }
        try delivery.write(signed, addTo ?? list ?? "-", after: before, at: now)
    }

    private func sign(
        by keys: [PinSigningPrivateKey], after before: PinListOutput.Previous?, at now: Time
    ) throws -> SignedPinList {
        let old = before?.contents
        guard let audience = audience ?? old?.audience, let sequence = sequence ?? old.map({ $0.sequence + 1 }),
            let expires, let list
        else { throw ValidationError("expected --audience, --sequence and --expires") }
        guard expires > max(now, notBefore ?? now) else {
            throw ValidationError("--expires is \(expires), expected a time in the future and after --not-before")
        }
        try delivery.checkReserve(sequence, list, after: old)
        let pins = try InputFile.read(list)
        // Read as the file that it is first: problems have lines then.
        _ = try PinInput.configuration(pins, list, .json)
        let root = try nextRoot(old)
        let signers = try nextSigners(keys, root, old)
        let deniedKeys = Set(deny).union(dropDenied ? [] : old?.deniedKeys ?? [])
        var deniedLists = denied.isEmpty && !dropDenied ? old?.denied?.lists ?? [] : []
        for file in denied { deniedLists.append(try DeniedListInput.read(file).bytes) }
        let logs = try transparency.logs ?? old?.logs?.json
        let filters = try revocation.manifest(after: old)
        var contents = PinListPayload(
            audience: audience, sequence: sequence, issued: now, expires: expires, pins: pins, signers: signers)
        contents.notBefore = notBefore.map { max($0, now) }
        contents.root = root
        contents.deniedKeys = deniedKeys
        contents.deniedLists = deniedLists
        contents.logs = logs
        contents.reportsTransparencyOnly = transparency.ctReportOnly
        contents.filters = filters
        contents.usesSequenceReserve = delivery.useReserve || old?.isInSequenceReserve == true
        let payload: [UInt8]
        do throws(PinListError) { payload = try contents.bytes() } catch {
            throw CommandFailure("\(InputFile.displayName(list)): \(error)")
        }
        return try SignedPinList.signed(payload, by: keys, rotations: try rotations(before))
    }

    /// Returns the earlier lists that lead clients to the keys of the new one.
    private func rotations(_ before: PinListOutput.Previous?) throws -> [SignedPinList] {
        guard let before else { return [] }
        do throws(PinListError) {
            return try before.list.rotationsOfSuccessor()
        } catch {
            throw CommandFailure("\(InputFile.displayName(before.name)): \(error)")
        }
    }

    /// Returns the root keys of the new list; nil for none.
    private func nextRoot(_ old: PinList?) throws -> PinSigners? {
        var root: [PinSigningKey] = []
        for name in rootKey { root.append(try PinsInput.publicKey(name)) }
        if root.isEmpty { root = old?.root?.keys ?? [] }
        guard !root.isEmpty else {
            guard rootThreshold == nil else { throw ValidationError("--root-threshold belongs to --root-key") }
            return nil
        }
        return try PinsInput.signers(root, rootThreshold ?? old?.root?.threshold ?? 1)
    }

    private func nextSigners(
        _ keys: [PinSigningPrivateKey], _ root: PinSigners?, _ old: PinList?
    ) throws -> PinSigners {
        var next: [PinSigningKey] = []
        for name in nextKey { next.append(try PinsInput.publicKey(name)) }
        if next.isEmpty { next = old?.signers.keys ?? keys.map(\.publicKey).filter { root?.keys.contains($0) != true } }
        return try PinsInput.signers(next, nextThreshold ?? old?.signers.threshold ?? 1)
    }
}
