// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustPins

/// `servertrust pins list`: the verbs for signed lists of pins, which apps update at run time.
struct SignedPins: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "pins list", abstract: "Sign lists of pins, and show and verify signed ones.",
        subcommands: [
            PinsKeygen.self, PinsSign.self, PinsPrepare.self, PinsAttach.self, PinsVerify.self, PinsShow.self,
        ])
}

/// The files that these verbs read.
enum PinsInput {
    /// Reads a signed list.
    /// - Parameter allowsNoSignature: whether the list may have no signature yet.
    static func list(_ name: String, allowsNoSignature: Bool = false) throws(CommandFailure) -> SignedPinList {
        let bytes = try InputFile.read(name)
        return try CommandFailure.of(InputFile.displayName(name)) {
            try SignedPinList(bytes, allowsNoSignature: allowsNoSignature)
        }
    }

    static func contents(_ list: SignedPinList, _ name: String) throws(CommandFailure) -> PinList {
        try CommandFailure.of(InputFile.displayName(name)) { try list.unverifiedList() }
    }

    static func privateKey(_ name: String) throws(CommandFailure) -> PinSigningPrivateKey {
        let text = String(decoding: try InputFile.read(name), as: UTF8.self)
        return try CommandFailure.of(InputFile.displayName(name)) { try PinSigningPrivateKey(pem: text) }
    }

    static func publicKey(_ name: String) throws(CommandFailure) -> PinSigningKey {
        let text = String(decoding: try InputFile.read(name), as: UTF8.self)
        let isPrivate = (try? PinSigningPrivateKey(pem: text)) != nil
        return try CommandFailure.of(
            InputFile.displayName(name),
            hint: isPrivate ? "it is a private key; the public key is next to it, in \(name).pub" : nil
        ) { try PinSigningKey(pem: text) }
    }

    /// Returns the built-in list of an app that only knows these keys. The claims of a list about its keys don't count.
    /// - Parameter audience: the app, or nil for the one that the list is for.
    static func start(
        _ document: SignedPinList, audience: String? = nil, signers: PinSigners, root: PinSigners? = nil
    ) throws(PinListError) -> BuiltInPinList {
        let claimed = try document.unverifiedList()
        return BuiltInPinList(
            audience: audience ?? claimed.audience, configuration: claimed.configuration, signers: signers, root: root,
            issued: Time(secondsSinceEpoch: 0))
    }

    /// Returns the function that makes rules from a list's pins.
    /// - Parameter ownRules: whether the app has its own function. That function isn't known here, so it is assumed to
    ///   succeed. Otherwise, the function is the default of ``PinStore``.
    static func makeManager(ownRules: Bool) -> @Sendable (PinConfiguration) throws -> ServerTrustManager {
        { pins in try ownRules ? ServerTrustManager(evaluators: [:]) : pins.serverTrustManager() }
    }

    /// Warns about a sequence number that leaves few numbers for later lists.
    static func warnOfSequence(_ list: PinList) {
        guard list.isInSequenceReserve else { return }
        Diagnostics.warn(
            "list \(list.sequence) leaves numbers for only \(list.remainingSequences) later lists; after them, clients accept no other list"
        )
    }

    /// Returns the keys in the files, or nil if there are no files.
    static func signers(inFiles names: [String], _ threshold: Int? = nil) throws -> PinSigners? {
        names.isEmpty ? nil : try signers(names.map(publicKey), threshold ?? 1)
    }

    static func signers(_ keys: [PinSigningKey], _ threshold: Int) throws -> PinSigners {
        try checkingUsage { try PinSigners(keys, threshold: threshold) }
    }
}

/// The report of the contents of a list, for people and programs.
enum PinListReport {
    static func text(_ list: PinList, signedBy: [String], isVerified: Bool, _ palette: Palette) -> String {
        func below(_ keys: [String]) -> String { keys.joined(separator: "\n               ") }
        var lines = [
            isVerified
                ? "\(palette.good("OK"))    \(palette.bold(printable(list.audience))) list \(list.sequence)"
                : "unverified: \(palette.bold(printable(list.audience))) list \(list.sequence)",
            "      issued   \(list.issued), valid from \(list.notBefore)",
            "      expires  \(list.expires)",
            "      signed   \(signedBy.isEmpty ? "by no key yet" : below(signedBy.map(printable)))",
            "      next     \(list.signers.threshold) of \(below(list.signers.keys.map(\.description)))",
        ]
        if let root = list.root {
            lines.append("      root     \(root.threshold) of \(below(root.keys.map(\.description)))")
        }
        if let logs = list.logs {
            lines.append(
                "      logs     \(logs.list.versionText)\(logs.list.date), \(counted(logs.list.count, "log"))"
                    + (logs.isReportOnly ? ", report only" : ""))
        }
        for rule in list.configuration.rules {
            lines.append(
                "      \(rule.mode.rawValue) \(rule.hosts.map { printable($0.description) }.joined(separator: ", "))"
                    + (rule.expiry.map { " until \($0.time), then \($0.onExpiry.rawValue)" } ?? ""))
            lines += rule.pins.map {
                "               \($0.value) \($0.scope.rawValue)\($0.role == .backup ? " backup" : "")"
            }
        }
        lines += list.deniedKeys.map(\.description).sorted().map { "      denied   \($0)" }
        if let denied = list.denied {
            lines.append(
                "      denied   \(counted(denied.certificates.count, "entry", plural: "entries")) of "
                    + "\(counted(denied.lists.count, "list")) of certificates")
        }
        if let manifest = list.filters?.manifest {
            lines.append("      filters  \(manifest.files.count) of \(manifest.date)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func json(_ list: PinList, signedBy: [String], isVerified: Bool) -> [UInt8] {
        JSONWriter.answer { json in
            json.member("verified", isVerified)
            json.member("audience", list.audience)
            json.member("sequence", list.sequence)
            json.member("issued", list.issued.description)
            json.member("notBefore", list.notBefore.description)
            json.member("expires", list.expires.description)
            json.member("signedBy", signedBy)
            json.member("nextThreshold", list.signers.threshold)
            json.member("nextKeys", list.signers.keys.map(\.id))
            json.member("rootThreshold", list.root?.threshold ?? 0)
            json.array("rootKeys", of: list.root?.keys ?? []) { $0.string($1.id) }
            json.member("deniedKeys", list.deniedKeys.map(\.description).sorted())
            if let denied = list.denied {
                json.member("deniedLists", denied.lists.count)
                json.member("deniedEntries", denied.certificates.count)
            }
            if let manifest = list.filters?.manifest {
                json.member("filters", manifest.files.count)
                json.member("filtersDate", manifest.date.description)
            }
            if let logs = list.logs {
                json.object("logs", logs.list.write)
                json.member("logsReportOnly", logs.isReportOnly)
            }
            json.objects("rules", of: list.configuration.rules) { json, rule in
                json.member("mode", rule.mode.rawValue)
                json.member("hosts", rule.hosts.map(\.description))
                json.array("pins", of: rule.pins) { $0.string($1.value.description) }
            }
        }
    }

    static func write(
        _ list: PinList, signedBy: [String], isVerified: Bool, _ format: OutputFormat
    ) throws {
        try format.write {
            text(list, signedBy: signedBy, isVerified: isVerified, $0)
        } json: {
            json(list, signedBy: signedBy, isVerified: isVerified)
        }
    }
}
