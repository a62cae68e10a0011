// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinFormats
import ServerTrust

/// `servertrust convert`: pins from one format to another, with a warning for each loss.
struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert a file of pins, and name everything that can't be carried over.",
        usage: "servertrust convert <input> --to <format> [<options>]",
        discussion: """
            Formats: ats (Info.plist), trustkit, android (network_security_config.xml),
            okhttp, curl, isp (ISPCertificatePinning), json (this program's own, which
            can say everything the others can).

            Losses in the other format are warnings on standard error, a line each. Then
            nothing is written and the exit code is 1, unless --allow-loss is given.

            $ servertrust convert Info.plist --to okhttp --output pins.kt
            $ servertrust convert network_security_config.xml --to ats
            servertrust: warning: *.*.example.com: pinned before, not pinned any more
                (weaker) [hostsNotPinned]
            servertrust: error: 1 loss, nothing written
            servertrust: hint: --allow-loss writes it all the same

            Exit codes: 0 written; 1 something would be lost, or the format can't hold
            it; 2 a file can't be read or written.
            """)

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
            "The host of the pins, to and from curl, which names none. (default: none)", valueName: "name"),
        transform: reading(Hostname.init))
    var host: Hostname?

    @Flag(help: "Write what can be carried over although something is lost.")
    var allowLoss = false

    @Flag(help: "Write a binary property list (ats, trustkit, isp).")
    var binary = false

    @Flag(name: .customLong("as-json"), help: "Write TrustKit's dictionary as JSON.")
    var asJSON = false

    @Flag(help: "Replace the output file if it is there.")
    var force = false

    func validate() throws {
        guard !asJSON || to == .trustKit else { throw ValidationError("--as-json belongs to --to trustkit") }
        guard !binary || [.ats, .trustKit, .isp].contains(to) else {
            throw ValidationError("--binary belongs to --to ats, trustkit or isp")
        }
        guard !(binary && asJSON) else { throw ValidationError("--binary and --as-json exclude each other") }
        guard output != nil || !force else { throw ValidationError("--force belongs to --output") }
    }

    func run() throws {
        let configuration = try PinInput.configuration(input, from)
        var options = PinWritingOptions()
        options.isBinary = binary
        options.isJSON = asJSON
        options.host = host
        let written: WrittenPins
        do throws(PinWritingError) {
            written = try configuration.written(as: to, options)
        } catch {
            Diagnostics.error(error.description)
            switch error.reason {
            case .severalPolicies,
                .nothingToWrite where host == nil:
                Diagnostics.hint("--host says whose pins are meant")
            case .nothingToWrite, .refused, .notBinary: break
            }
            throw ExitCodes.rejected
        }
        for loss in written.losses { Diagnostics.warn(loss.description) }
        guard written.losses.isEmpty || allowLoss else {
            let count = written.losses.count
            Diagnostics.error("\(count) loss\(count == 1 ? "" : "es"), nothing written")
            Diagnostics.hint("--allow-loss writes it all the same")
            throw ExitCodes.rejected
        }
        if let output {
            try OutputFile.write(written.bytes, to: output, replacing: force)
        } else {
            try StandardStream.output.write(written.bytes)
        }
    }
}
