// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustPins

/// `servertrust pins list sign`: signs a list.
struct PinsSign: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "pins list sign", abstract: "Sign a list of pins.")

    @Argument(help: "Hosts and pins in this program's JSON; - is standard input.", completion: .file())
    var list: String?

    @Option(help: .book("pins list sign --key"), completion: .file())
    var key: [String] = []

    @Option(help: ArgumentHelp("Sign for this app. (default: as before)", valueName: "name"))
    var audience: String?

    @Option(help: ArgumentHelp("Use this number, above the last. (default: one more)", valueName: "n"))
    var sequence: Int?

    @Option(help: .book("pins list sign --expires"), transform: reading(Time.init(rfc3339:)))
    var expires: Time?

    @Option(help: .book("pins list sign --not-before"), transform: reading(Time.init(rfc3339:)))
    var notBefore: Time?

    @Option(help: .book("pins list sign --next-key"), completion: .file())
    var nextKey: [String] = []

    @Option(help: .wholePage("Require signatures by this many of them. (default: as before, else 1)", valueName: "n"))
    var nextThreshold: Int?

    @Option(help: .book("pins list sign --root-key"), completion: .file())
    var rootKey: [String] = []

    @Option(help: .wholePage("Require signatures by this many of them. (default: as before, else 1)", valueName: "n"))
    var rootThreshold: Int?

    @Option(help: .book("pins list sign --deny"), transform: reading(SPKIPin.init))
    var deny: [SPKIPin] = []

    @Option(help: .book("pins list sign --denied"), completion: .file())
    var denied: [String] = []

    @Flag(help: .wholePage("Drop the keys and lists of certificates that the previous list denies."))
    var dropDenied = false

    @OptionGroup(visibility: .wholePage) var transparency: PinListLogsOptions
    @OptionGroup(visibility: .wholePage) var revocation: PinListFiltersOptions

    @Option(help: .book("pins list sign --add-to"), completion: .file())
    var addTo: String?

    @OptionGroup var delivery: PinListOutput

    func validate() throws {
        try OptionRule.check(
            .that(
                !key.isEmpty || delivery.partial && addTo == nil,
                "no signing key, expected --key FILE, or only --partial for a list that is signed elsewhere"),
            .that((list == nil) != (addTo == nil), "expected a list of pins, or only --add-to FILE"),
            .excludes(
                "--add-to", addTo,
                [
                    "--expires": expires, "--next-key": nextKey, "--root-key": rootKey,
                    "--next-threshold": nextThreshold, "--root-threshold": rootThreshold, "--not-before": notBefore,
                    "--sequence": sequence, "--audience": audience, "--deny": deny, "--denied": denied,
                    "--ct-logs": transparency.ctLogs, "--ct-report-only": transparency.ctReportOnly,
                    "--filters": revocation.filters, "--drop-filters": revocation.dropFilters,
                    "--drop-denied": dropDenied,
                ], ": it only adds signatures and can't change the list"),
            .that(addTo != nil || expires != nil, "no --expires, expected a time"),
            .that(
                addTo != nil || delivery.previous != nil || sequence != nil && audience != nil,
                "expected --previous FILE, or --audience and --sequence for the first list"))
    }

    func run() throws {
        let keys = try key.map(PinsInput.privateKey)
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
        // Parsed first as a pin file, so that problems have line numbers.
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
        let payload = try CommandFailure.of(InputFile.displayName(list)) { try contents.bytes() }
        // The earlier lists that lead clients to the new list's keys.
        let rotations = try before.map { before in
            try CommandFailure.of(InputFile.displayName(before.name)) { try before.list.rotationsOfSuccessor() }
        }
        return try SignedPinList.signed(payload, by: keys, rotations: rotations ?? [])
    }

    /// Returns the root keys of the new list, or nil if it has none.
    private func nextRoot(_ old: PinList?) throws -> PinSigners? {
        var root = try rootKey.map(PinsInput.publicKey)
        if root.isEmpty { root = old?.root?.keys ?? [] }
        guard !root.isEmpty else {
            guard rootThreshold == nil else { throw ValidationError("--root-threshold requires --root-key") }
            return nil
        }
        return try PinsInput.signers(root, rootThreshold ?? old?.root?.threshold ?? 1)
    }

    private func nextSigners(
        _ keys: [PinSigningPrivateKey], _ root: PinSigners?, _ old: PinList?
    ) throws -> PinSigners {
        var next = try nextKey.map(PinsInput.publicKey)
        if next.isEmpty { next = old?.signers.keys ?? keys.map(\.publicKey).filter { root?.keys.contains($0) != true } }
        return try PinsInput.signers(next, nextThreshold ?? old?.signers.threshold ?? 1)
    }
}
