// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinLint
import ServerTrust

/// `servertrust pins make`: prints the pins of certificates, keys and requests, in any format.
struct MakePins: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "pins make", abstract: "Print the pins of servers, certificates, keys and requests.")

    /// The format of printed pins.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text
        case ats
        case trustkit
        case android
        case okhttp
        case curl
        case reactNative = "react-native"
        case git
        case tlsa
        case envoy
        case json
        case swift

        var pinFormat: PinFormat? { PinFormat.named(rawValue) }
    }

    @Argument(
        help: "Servers, or PEM or DER files with certificates, public keys or requests; - is standard input.",
        completion: .file())
    var sources: [String]

    @Option(help: "Set the format of the pins.")
    var format: Format = .text

    @Option(help: .book("pins make --host"), transform: reading(EndpointArgument.host))
    var host: [Hostname] = []

    @Flag(help: "With --host, also pin its subdomains, if the format can.")
    var includeSubdomains = false

    @Option(help: "Pin these keys. (default: what the format can use)")
    var use: PinSelection?

    @Option(help: .book("pins make --with-backup"), completion: .file())
    var withBackup: String?

    @Flag(help: .wholePage("With --format swift, pin whole certificates instead of their keys."))
    var certificates = false

    @OptionGroup var connecting: ConnectOptions

    @OptionGroup(visibility: .wholePage) var proxies: ProxyOptions

    @OptionGroup(visibility: .wholePage) var clear: StartTLSOptions

    @Option(help: .book("pins make --time"), transform: reading(Time.init(rfc3339:)))
    var time: Time?

    func validate() throws {
        let hasAddress = host.contains { if case .ip = $0.kind { true } else { false } }
        try OptionRule.check(
            .that(!sources.isEmpty, "expected a server, or a file with certificates or keys"),
            .standardInputOnce(sources + connecting.anchors + [withBackup]),
            .requires(["--host": host], for: ["--include-subdomains": includeSubdomains]),
            .requires(["--format swift": format == .swift], for: ["--certificates": certificates]),
            .excludes(
                ["--certificates": certificates, "--with-backup": withBackup],
                ", because a backup key has no certificate"),
            .that(!includeSubdomains || !hasAddress, "an IP address has no subdomains"))
    }

    func run() async throws {
        var settings = TrustSettings()
        settings.verifyDate = .at(time ?? .now())
        if let anchors = try connecting.anchorStore() { settings.anchors = TrustAnchors(anchors) }
        let live = LivePinProbe(
            anchors: settings.anchors, verifyDate: settings.verifyDate,
            connection: ServerConnection(
                address: try connecting.address(), timeout: connecting.timeout.duration,
                proxy: try proxies.selection()), startTLS: clear.starttls)
        var inputs: [PinCandidateInput] = []
        for argument in sources {
            inputs.append(try await PinCandidateInput.source(argument, live, connecting.passphrases))
        }
        let objects = try CommandFailure.all(inputs) { try $0.objects.get() }
        // The backup comes last, after all other input has been read, because a newly created key file stays.
        let backup = try withBackup.map { file throws(CommandFailure) in try PinCandidateInput.backup(file) }
        if backup?.isNew == true, let withBackup {
            Diagnostics.hint(
                "a new key was written to \(withBackup): keep it away from the server, and where it can't get lost")
        }
        let candidates = PinCandidates(objects, backups: backup?.objects ?? [], settings: settings)
        for (leaf, why) in candidates.untrusted {
            let message = why.message(on: [], sentIn: PresentedChain([]))
            Diagnostics.warn("no valid path for \(leaf): \(message) [\(why.code)]")
        }
        if format == .text {
            return try StandardStream.output.writeLine(
                PinTableText.lines(candidates, at: trustTime, Palette.forStandardOutput()).joined(separator: "\n"))
        }
        try write(candidates, for: inputs.map(\.host))
    }

    /// Writes the pins in a format for programs.
    /// - Parameter servers: the host of each source, or nil for a source without a single host.
    private func write(_ candidates: PinCandidates, for servers: [Hostname?]) throws {
        let pinFormat = format.pinFormat ?? .json
        let selection = use ?? candidates.defaultSelection(for: pinFormat)
        for candidate in candidates.chosen(selection) where candidate.stability == .rotates {
            Diagnostics.warn(
                "\(candidate.pin) pins a leaf: it changes with the next renewal unless the server keeps its key")
        }
        if withBackup == nil {
            Diagnostics.warn("no backup: if the pinned keys are lost, every user is locked out; see --with-backup")
        }
        if withBackup != nil, !candidates.chosen(selection).contains(where: \.isBackup) {
            Diagnostics.warn("the backup key is for a leaf, but --use issuers leaves it out")
        }
        let hosts = try hosts(candidates, servers)
        let configuration = try CommandFailure.of("nothing to pin", status: ExitCodes.rejected) {
            try candidates.configuration(
                for: hosts, selection, asCertificates: certificates, added: Time(rfc3339Day: trustTime))
        }
        if format == .swift { return try StandardStream.output.write(Array(SwiftPinWriter.source(configuration).utf8)) }
        let written = try CommandFailure.of(status: ExitCodes.rejected) { try configuration.written(as: pinFormat) }
        // New pins lose nothing in a format without their attributes. Only a loss that concerns hosts counts.
        for loss in written.losses where loss.effect != .none && loss.code != .scope {
            Diagnostics.warn(loss.description)
        }
        try StandardStream.output.write(format == .json ? Self.array(written.bytes) : written.bytes)
    }

    /// Returns an indented array with one JSON document, like the `--format json` output of every verb.
    private static func array(_ document: [UInt8]) -> [UInt8] {
        let lines = document.split(separator: UInt8(ascii: "\n")).flatMap { Array("  ".utf8) + $0 + Array("\n".utf8) }
        return Array("[\n".utf8) + lines + Array("]\n".utf8)
    }

    private var trustTime: Time { time ?? .now() }

    private func hosts(_ candidates: PinCandidates, _ servers: [Hostname?]) throws -> [PinnedHosts] {
        guard format != .curl else { return [] }
        guard host.isEmpty else {
            return host.compactMap { name in includeSubdomains ? .host(name, andBelow: .anyDepth) : .only(name) }
        }
        // A server's certificate may name hosts that the user didn't ask for.
        let named = servers.compactMap { $0 }
        guard named.count < servers.count else {
            return named.reduce(into: []) { hosts, name in
                if !hosts.contains(.only(name)) { hosts.append(.only(name)) }
            }
        }
        guard !candidates.hosts.isEmpty else {
            throw CommandFailure("no leaf names the hosts of the pins", hint: "name them with --host")
        }
        return candidates.hosts
    }
}

extension PinSelection: ExpressibleByArgument {}

extension Time {
    /// Creates the first second of the day of a time.
    fileprivate init(rfc3339Day time: Time) {
        let day = time.secondsSinceEpoch - ((time.secondsSinceEpoch % 86_400) + 86_400) % 86_400
        self.init(secondsSinceEpoch: day)
    }
}
