// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinLint
import ServerTrust

/// `servertrust pins convert`: converts pins from one format to another, and warns about each loss.
struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "pins convert", abstract: "Convert a pin file, and list what gets lost.")

    @Argument(help: "The file with pins; - is standard input.", completion: .file())
    var input: String

    @Option(help: "Write in this format.")
    var to: PinFormat

    @Option(help: "Read the file as this format. (default: detected)")
    var from: PinFormat?

    @Option(help: .book("pins convert --output"), completion: .file())
    var output: String?

    @Option(help: .book("pins convert --host"), transform: reading(Hostname.init))
    var host: Hostname?

    @Flag(help: "Write the file even if something is lost.")
    var allowLoss = false

    @Flag(help: .wholePage("Write a binary property list (ats, trustkit, isp)."))
    var binary = false

    @Flag(name: .customLong("as-json"), help: .wholePage("Write TrustKit's dictionary as JSON."))
    var asJSON = false

    @Flag(help: "Replace the output file if it exists.")
    var force = false

    @OptionGroup var more: ConvertOptions

    func validate() throws {
        try more.validate(for: to, hasOutput: output != nil)
        try OptionRule.check(
            .requires(["--to trustkit": to == .trustKit], for: ["--as-json": asJSON]),
            .that(
                !binary || [.ats, .trustKit, .isp].contains(to), "--binary requires --to ats, trustkit or isp"),
            .excludes(["--binary": binary, "--as-json": asJSON]),
            .requires(["--output": output], for: ["--force": force]))
    }

    func run() throws {
        let read = try PinInput.configuration(input, from)
        for problem in read.oddities where [.pinFileNothingPinned, .pinFileMisplacedKey].contains(problem.code) {
            Diagnostics.warn(problem.description)
        }
        let configuration = try more.scoped(read)
        var options = PinWritingOptions()
        options.isBinary = binary
        options.isJSON = asJSON
        options.host = host
        options.language = more.language
        let written: WrittenPins
        do throws(PinWritingError) {
            written = try configuration.written(as: to, options)
        } catch {
            let needsHost = error.code == .pinWritingNeedsHost || (error.code == .pinWritingNothing && host == nil)
            throw CommandFailure.rejected(
                error.description, hint: needsHost ? "set the host of the pins with --host" : nil)
        }
        try checkLosses(written, configuration)
        if let file = more.into {
            let placed = try more.placing(configuration, as: to, into: file)
            try check(hostsLost: try more.hostsLost(placed, as: to, in: file), from: file)
            try OutputFile.replaceContents(of: file, with: placed.bytes)
        } else {
            try OutputFile.deliver(written.bytes, to: output, replacing: force)
        }
    }

    /// Reports hosts that the file pins before the edit, but not after it.
    /// - Throws: ``ExitCodes/rejected`` if there are such hosts, unless losses are allowed.
    private func check(hostsLost losses: [PinLoss], from file: String) throws {
        for loss in losses { Diagnostics.warn("\(InputFile.displayName(file)): \(loss)") }
        guard !losses.isEmpty, !allowLoss else { return }
        throw CommandFailure.rejected(
            "the new pins lack hosts that the file pins; nothing was written",
            hint: "add --allow-loss to write it anyway")
    }

    /// Reports everything that gets lost.
    /// - Throws: ``ExitCodes/rejected`` if anything gets lost, unless losses are allowed.
    private func checkLosses(_ written: WrittenPins, _ configuration: PinConfiguration) throws {
        if to == .chromium {
            Diagnostics.warn(
                "the option pins nothing: Chromium ignores every error for a certificate whose chain has one of these keys; use it only for tests, with --user-data-dir"
            )
        }
        let unknown = configuration.oddities.filter { $0.code == .pinFileNotLiteral }
        for problem in unknown { Diagnostics.warn(problem.description) }
        for loss in written.losses { Diagnostics.warn(loss.description) }
        let count = written.losses.count + unknown.count
        guard count > 0, !allowLoss else { return }
        Diagnostics.error("\(count) loss\(count == 1 ? "" : "es"), nothing written")
        Diagnostics.hint("add --allow-loss to write it anyway")
        if to == .ats, more.certs == nil, configuration.rules.contains(where: { $0.scopes.contains(.anywhere) }) {
            Diagnostics.hint(
                "use --certs to tell pins of leaves from pins of CAs; without it, all are written as pins of CAs"
            )
        }
        throw ExitCodes.rejected
    }
}
