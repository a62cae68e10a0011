// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustPins

/// `servertrust pins list`: the verbs for signed lists of pins, which apps update at run time.
struct SignedPins: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Sign lists of pins, and show and verify signed ones.",
        discussion: HelpDetail.discussion(
            """
            An app with a floor of pins and its signers' keys accepts newer lists from any
            source, if the signatures are valid (PinStore).

            $ servertrust pins list keygen --out office.key
            $ servertrust pins list sign pins.json --key office.key \\
                  --audience com.example.app --sequence 1 --expires 2027-03-31 \\
                  --output list.json
            $ servertrust pins list verify list.json --key office.key.pub \\
                  --audience com.example.app
            $ servertrust pins list show list.json

            If a key is in a token or a service, pins list prepare writes the bytes to
            sign, and pins list attach adds the signature.

            A list is one whole document: hosts and pins (in this program's JSON, see
            servertrust pins convert --to json), denied keys, and the next list's signers.
            """),
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
        do throws(PinListError) {
            return try SignedPinList(bytes, allowsNoSignature: allowsNoSignature)
        } catch {
            throw CommandFailure("\(InputFile.displayName(name)): \(error)")
        }
    }

    static func contents(_ list: SignedPinList, _ name: String) throws(CommandFailure) -> PinList {
        do throws(PinListError) {
            return try list.unverifiedList()
        } catch {
            throw CommandFailure("\(InputFile.displayName(name)): \(error)")
        }
    }

    static func privateKey(_ name: String) throws(CommandFailure) -> PinSigningPrivateKey {
        let text = String(decoding: try InputFile.read(name), as: UTF8.self)
        do throws(PinSigningKeyError) {
            return try PinSigningPrivateKey(pem: text)
        } catch {
            throw CommandFailure("\(InputFile.displayName(name)): \(error)")
        }
    }

    static func publicKey(_ name: String) throws(CommandFailure) -> PinSigningKey {
        let text = String(decoding: try InputFile.read(name), as: UTF8.self)
        do throws(PinSigningKeyError) {
            return try PinSigningKey(pem: text)
        } catch {
            throw CommandFailure(
                "\(InputFile.displayName(name)): \(error)",
                hint: (try? PinSigningPrivateKey(pem: text)) == nil
                    ? nil : "it is a private key; the public key is next to it, in \(name).pub")
        }
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

    static func signers(_ keys: [PinSigningKey], _ threshold: Int) throws -> PinSigners {
        do throws(PinSignersError) {
            return try PinSigners(keys, threshold: threshold)
        } catch {
            throw ValidationError(error.description)
        }
    }
}

/// The report of the contents of a list, for people and programs.
enum PinListReport {
    static func text(_ list: PinList, signedBy: [String], isVerified: Bool, _ palette: Palette) -> String {
        let rules = list.configuration.rules
        var lines = [
            isVerified
                ? "\(palette.good("OK"))    \(palette.bold(printable(list.audience))) list \(list.sequence)"
                : "unverified: \(palette.bold(printable(list.audience))) list \(list.sequence)",
            "      issued   \(list.issued), valid from \(list.notBefore)",
            "      expires  \(list.expires)",
            "      signed   \(signedBy.isEmpty ? "by no key yet" : signedBy.map(printable).joined(separator: "\n               "))",
            "      next     \(list.signers.threshold) of \(list.signers.keys.map(\.description).joined(separator: "\n               "))",
        ]
        if let root = list.root {
            lines.append(
                "      root     \(root.threshold) of \(root.keys.map(\.description).joined(separator: "\n               "))"
            )
        }
        if let logs = list.logs {
            lines.append(
                "      logs     \(logs.list.versionText)\(logs.list.date), \(counted(logs.list.count, "log"))"
                    + (logs.isReportOnly ? ", report only" : ""))
        }
        for rule in rules {
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

    static func json(_ json: inout JSONWriter, _ list: PinList, signedBy: [String], isVerified: Bool) {
        json.object { json in
            json.key("schemaVersion")
            json.number(1)
            json.key("verified")
            json.boolean(isVerified)
            json.key("audience")
            json.string(list.audience)
            json.key("sequence")
            json.number(list.sequence)
            json.key("issued")
            json.string(list.issued.description)
            json.key("notBefore")
            json.string(list.notBefore.description)
            json.key("expires")
            json.string(list.expires.description)
            json.key("signedBy")
            json.array(of: signedBy) { $0.string($1) }
            json.key("nextThreshold")
            json.number(list.signers.threshold)
            json.key("nextKeys")
            json.array(of: list.signers.keys) { $0.string($1.id) }
            json.key("rootThreshold")
            json.number(list.root?.threshold ?? 0)
            json.key("rootKeys")
            json.array(of: list.root?.keys ?? []) { $0.string($1.id) }
            json.key("deniedKeys")
            json.array(of: list.deniedKeys.map(\.description).sorted()) { $0.string($1) }
            if let denied = list.denied {
                json.key("deniedLists")
                json.number(denied.lists.count)
                json.key("deniedEntries")
                json.number(denied.certificates.count)
            }
            if let manifest = list.filters?.manifest {
                json.key("filters")
                json.number(manifest.files.count)
                json.key("filtersDate")
                json.string(manifest.date.description)
            }
            if let logs = list.logs {
                json.key("logs")
                logs.list.write(&json)
                json.key("logsReportOnly")
                json.boolean(logs.isReportOnly)
            }
            json.key("rules")
            json.array(of: list.configuration.rules) { json, rule in
                json.object { json in
                    json.key("mode")
                    json.string(rule.mode.rawValue)
                    json.key("hosts")
                    json.array(of: rule.hosts) { $0.string($1.description) }
                    json.key("pins")
                    json.array(of: rule.pins) { $0.string($1.value.description) }
                }
            }
        }
    }

    static func write(
        _ list: PinList, signedBy: [String], isVerified: Bool, _ format: OutputFormat
    ) throws {
        switch format {
        case .text:
            let text = text(list, signedBy: signedBy, isVerified: isVerified, .forStandardOutput())
            try StandardStream.output.write(Array(text.utf8))
        case .json:
            var json = JSONWriter(isIndented: true)
            json.array(of: [list]) { Self.json(&$0, $1, signedBy: signedBy, isVerified: isVerified) }
            json.lineFeed()
            try StandardStream.output.write(json.bytes)
        }
    }
}
