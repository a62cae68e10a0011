// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import TrustSupport

/// `servertrust explain`: the meaning of failure codes and their remedies.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say what a failure code means, or list them all.",
        usage: """
            servertrust explain <code> ... [--format <format>]
            servertrust explain --list [--format <format>]
            """,
        discussion: """
            Codes are stable: programs may decide on them. Messages are not.

            $ servertrust explain certificateExpired
            certificateExpired (recoverable)
              {subject} expired {expected}, verify date {found}
              Renew it on the server. If the date looks wrong, check this machine's
              clock.
              on Apple: -1201 serverCertificateHasBadDate, -9814 errSSLCertExpired,
              -67818 errSecCertificateExpired
              source: RFC 5280 § 6.1.3 (a)(2)

            $ servertrust explain --list
            pinNotMatched         fatal        {subject} holds none of the pinned ...
            signatureInvalid      fatal        {subject} is not signed by its issu...
            ...
            """)

    @Argument(help: "Names of codes.", completion: .list(FailureCodes.all.map(\.name)))
    var codes: [String] = []

    @Flag(help: "All codes, most specific first.")
    var list = false

    @Option(help: "The format of the report.")
    var format: OutputFormat = .text

    func validate() throws {
        guard list || !codes.isEmpty else { throw ValidationError("expected a code, or --list") }
        guard !list || codes.isEmpty else { throw ValidationError("--list takes no code") }
        let unknown = codes.filter { FailureCodes.named($0) == nil }
        guard unknown.isEmpty else {
            throw ValidationError(
                unknown.map { name in
                    let closest = FailureCodes.closest(to: name)
                    return "unknown code \"\(printable(name))\""
                        + (closest.isEmpty ? "" : "; did you mean \(closest.joined(separator: ", "))?")
                }.joined(separator: "\n"))
        }
    }

    func run() throws {
        let chosen = list ? FailureCodes.all : codes.compactMap(FailureCodes.named)
        switch (format, list) {
        case (.json, _): try StandardStream.output.write(json(chosen))
        case (.text, true): try StandardStream.output.writeLine(table(chosen).joined(separator: "\n"))
        case (.text, false):
            try StandardStream.output.writeLine(chosen.map(page).joined(separator: "\n\n"))
        }
    }

    private func table(_ codes: [TrustFailure.Code]) -> [String] {
        let width = codes.map(\.name.count).max() ?? 0
        return codes.map { $0.name.padded(to: width + 1) + $0.severity.rawValue.padded(to: 12) + $0.message }
    }

    private func page(_ code: TrustFailure.Code) -> String {
        let palette = Palette.forStandardOutput()
        return """
            \(palette.bold(code.name)) (\(code.severity.rawValue))
              \(code.message)
              \(code.explanation)
              \(palette.faint("on Apple: \(apple(code))"))
              \(palette.faint("source: \(code.source)"))
            """
    }

    private func apple(_ code: TrustFailure.Code) -> String {
        let numbers = code.appleErrorNumbers
        return "\(numbers.urlErrorCode) \(numbers.urlErrorName), \(numbers.secureTransportStatus) "
            + "\(numbers.secureTransportName), \(numbers.securityStatus) \(numbers.securityName)"
    }

    private func json(_ codes: [TrustFailure.Code]) -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        json.array(of: codes) { json, code in
            json.object { json in
                json.key("schemaVersion")
                json.number(1)
                json.key("code")
                json.string(code.name)
                json.key("severity")
                json.string(code.severity.rawValue)
                json.key("rank")
                json.number(code.rank)
                json.key("strictOnly")
                json.boolean(code.isStrictOnly)
                json.key("message")
                json.string(code.message)
                json.key("explanation")
                json.string(code.explanation)
                json.key("source")
                json.string(code.source)
                let numbers = code.appleErrorNumbers
                json.key("urlError")
                json.number(numbers.urlErrorCode)
                json.key("urlErrorName")
                json.string(numbers.urlErrorName)
                json.key("secureTransportStatus")
                json.number(Int(numbers.secureTransportStatus))
                json.key("secureTransportName")
                json.string(numbers.secureTransportName)
                json.key("securityStatus")
                json.number(Int(numbers.securityStatus))
                json.key("securityName")
                json.string(numbers.securityName)
            }
        }
        json.lineFeed()
        return json.bytes
    }
}
