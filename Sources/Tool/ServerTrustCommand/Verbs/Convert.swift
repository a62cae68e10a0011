// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinFiles
import ServerTrust

/// `servertrust pins convert`: pins from one format to another, with a warning for each loss.
struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert a file of pins, and list what gets lost.",
        usage: "servertrust pins convert <input> --to <format> [<options>]",
        discussion: HelpDetail.discussion(
            """
            Formats: ats (Info.plist), trustkit, android (network_security_config.xml),
            okhttp, react-native, curl, git, tlsa, envoy, chromium, isp
            (ISPCertificatePinning), json (this program's own, which can say everything
            the others can). Pins are also read out of sources in Kotlin, Java, Swift,
            Objective-C and JavaScript; a value there that is no literal is a loss.

            chromium writes --ignore-certificate-errors-spki-list, which pins nothing: it
            makes the browser ignore every error of a certificate with one of the keys.

            pins convert warns about each loss on standard error. It then writes nothing
            and exits with 1, unless you add --allow-loss.

            $ servertrust pins convert Info.plist --to okhttp --output pins.kt
            $ servertrust pins convert network_security_config.xml --to ats
            servertrust: warning: *.*.example.com: pinned before, no longer pinned
                (weaker) [hostsNotPinned]
            servertrust: error: 1 loss, nothing written
            servertrust: hint: --allow-loss writes it all the same

            $ servertrust pins convert pins.kt --to ats --certs chain.pem --into Info.plist
            Replaces the pins in the Info.plist, and changes nothing else.

            Exit codes: 0 written; 1 something would be lost, or the format can't hold
            it; 2 a file can't be read or written.
            """))

    @Argument(help: "The file with pins; - is standard input.", completion: .file())
    var input: String

    @Option(help: "The format to write.")
    var to: PinFormat

    @Option(help: "The format of the file. (default: detected)")
    var from: PinFormat?

    @Option(help: ArgumentHelp("Where to write. (default: standard output)", valueName: "file"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The host of the pins, as curl's format names none. (default: none)", valueName: "name"),
        transform: reading(Hostname.init))
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
        guard !asJSON || to == .trustKit else { throw ValidationError("--as-json belongs to --to trustkit") }
        guard !binary || [.ats, .trustKit, .isp].contains(to) else {
            throw ValidationError("--binary belongs to --to ats, trustkit or isp")
        }
        guard !(binary && asJSON) else { throw ValidationError("--binary and --as-json exclude each other") }
        guard output != nil || !force else { throw ValidationError("--force belongs to --output") }
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
            Diagnostics.error(error.description)
            if error.code == .pinWritingNeedsHost || (error.code == .pinWritingNothing && host == nil) {
                Diagnostics.hint("--host says whose pins are meant")
            }
            throw ExitCodes.rejected
        }
        try checkLosses(written, configuration)
        if let file = more.into {
            let placed = try more.placing(configuration, as: to, into: file)
            try check(hostsLost: try more.hostsLost(placed, as: to, in: file), from: file)
            try OutputFile.replaceContents(of: file, with: placed.bytes)
        } else if let output {
            try OutputFile.write(written.bytes, to: output, replacing: force)
        } else {
            try StandardStream.output.write(written.bytes)
        }
    }

    /// Reports hosts that a file pinned before it is edited, and not afterwards.
    /// - Throws: ``ExitCodes/rejected`` if there is one, unless it is allowed.
    private func check(hostsLost losses: [PinLoss], from file: String) throws {
        for loss in losses { Diagnostics.warn("\(InputFile.displayName(file)): \(loss)") }
        guard !losses.isEmpty, !allowLoss else { return }
        Diagnostics.error("hosts that the file pins are not in the new pins, nothing written")
        Diagnostics.hint("--allow-loss writes it all the same")
        throw ExitCodes.rejected
    }

    /// Reports everything that gets lost.
    /// - Throws: ``ExitCodes/rejected`` if there is anything, unless it is allowed.
    private func checkLosses(_ written: WrittenPins, _ configuration: PinConfiguration) throws {
        if to == .chromium {
            Diagnostics.warn(
                "the option pins nothing: Chromium ignores every error of a certificate whose chain has one of these keys; use it only for tests, beside --user-data-dir"
            )
        }
        let unknown = configuration.oddities.filter { $0.code == .pinFileNotLiteral }
        for problem in unknown { Diagnostics.warn(problem.description) }
        for loss in written.losses { Diagnostics.warn(loss.description) }
        let count = written.losses.count + unknown.count
        guard count > 0, !allowLoss else { return }
        Diagnostics.error("\(count) loss\(count == 1 ? "" : "es"), nothing written")
        Diagnostics.hint("--allow-loss writes it all the same")
        if to == .ats, more.certs == nil, configuration.rules.contains(where: { $0.scopes.contains(.anywhere) }) {
            Diagnostics.hint(
                "--certs says which pins are those of leaves and which of CAs; without it they are written as those of CAs"
            )
        }
        throw ExitCodes.rejected
    }
}
