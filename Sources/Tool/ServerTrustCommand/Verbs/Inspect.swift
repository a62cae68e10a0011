// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import PKIX
import ServerTrust

/// `servertrust inspect`: shows the contents of certificates and related files.
struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what certificates, keys and CRLs contain.",
        usage: "servertrust inspect <source> ... [<options>]",
        discussion: HelpDetail.discussion(
            """
            A source is a file, a folder, - or a server. Files can be PEM, DER, base64,
            PKCS #7 or PKCS #12, even if editors or terminals damaged them. For a server,
            inspect shows the presented chain. For a verdict, use servertrust check or
            verify. inspect never shows secrets.

            $ servertrust inspect api.example.com
            api.example.com:443: 2 objects
            1  certificate CN=api.example.com
               names     api.example.com, www.example.com
               issuer    CN=Example CA,O=Example,C=US
               validity  expires in 41 days (2027-01-02T10:00:00Z)
               key       EC P-256, signed with RSA with SHA-256
               usage     not a CA; TLS server authentication
               sha256    4f7c...
               pin       sha256/AAAA...
            ...

            $ servertrust inspect chain.pem --long
            Shows every field and extension in words. --short prints one line per object.

            $ servertrust inspect chain.pem --fields notAfter
            2027-01-02T10:00:00Z

            $ servertrust inspect server.pem server.key
            For exactly two sources, inspect also shows their relation. The exit code is 0
            if they belong together: the same certificate or key, a key or request and
            its certificate, a certificate and its CA. --no-compare only shows them.

            $ servertrust inspect damaged.der --format asn1
            Shows offset, depth and length of each value, even inside strings, up to the
            damaged part and after it.

            $ servertrust inspect chain.pem --format html > chain.html
            Writes a page with every field.

            Fields: \(wrapped(ObjectDescription.factNames.joined(separator: ", "), to: 70).joined(separator: "\n"))

            Exit codes: 0 shown; 1 two sources don't belong together, or a server signs
            with a key other than its certificate's; 2 something can't be read or reached,
            even if other parts are shown.
            """))

    @Argument(help: "Files, folders, servers; - is standard input.", completion: .file())
    var sources: [String]

    @Option(help: "Set the report format.")
    var format = InspectFormat.text

    @Flag(help: "Show every field and every extension.")
    var long = false

    @Flag(help: "Print one line per object.")
    var short = false

    @Option(
        help: ArgumentHelp("Show only these fields, separated by commas. (default: all)", valueName: "names"))
    var fields: String?

    @Option(help: ArgumentHelp("Show only this object, numbered from 1. (default: all)", valueName: "number"))
    var object: Int?

    @Flag(help: .wholePage("With --format json, add the DER of each object in base64."))
    var der = false

    @Flag(
        inversion: .prefixedNo,
        help: .wholePage(
            "Compare the first two sources, and exit with 1 if they are unrelated. (default: for exactly two)"))
    var compare: Bool?

    @Option(
        name: .customLong("ct-logs"),
        help: .wholePage("Use this list of logs to show log names with SCTs. (default: none)", valueName: "file"),
        completion: .file())
    var logs: String?

    @OptionGroup(visibility: .wholePage) var passphrases: PassphraseOptions

    @OptionGroup(visibility: .wholePage) var connecting: InspectConnectOptions

    @Option(
        help: .wholePage(
            "Count days from this date. (default: now)", valueName: "time"),
        transform: reading(Time.init(rfc3339:)))
    var time: Time?

    func validate() throws {
        let (isText, isJSON) = (format == .text, format == .json)
        try OptionRule.check(
            .that(!sources.isEmpty, "expected a file, a folder or a server"), .standardInputOnce(sources + [logs]),
            .excludes(["--long": long, "--short": short]),
            .requires(["--format text": isText], for: ["--short": short]),
            .requires(["--format text": isText, "--format json": isJSON], for: ["--fields": fields]),
            .excludes("--fields", fields, ["--long": long, "--short": short]),
            .requires(["--format json": isJSON], for: ["--der": der]),
            .range("--object", object, 1 ... .max),
            .that(compare != true || sources.count >= 2, "--compare requires two sources"))
        _ = try chosenFields()
    }

    private func chosenFields() throws -> [String] {
        guard let fields else { return [] }
        let names = fields.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }.map(String.init)
        guard !names.isEmpty else { throw ValidationError("--fields: expected names, separated by commas") }
        for name in names where !ObjectDescription.factNames.contains(name) {
            let closest = similar(to: name, among: ObjectDescription.factNames)
            throw ValidationError(
                "--fields: unknown field \"\(printable(name))\""
                    + (closest.isEmpty ? "" : "; did you mean \(closest.joined(separator: ", "))?"))
        }
        return names
    }

    /// Returns the names of logs, with operator and state, by their IDs.
    private func logNames() throws(CommandFailure) -> [String: String] {
        guard let logs else { return [:] }
        let list = try LogListInput.read(logs, now: .now())
        return Dictionary(
            list.logs.values.map { log in
                let facts = "\(log.operatorName(at: list.date)), \(log.state.kind.rawValue)"
                return (Base64.encode(log.key.logID), "\(log.description), \(facts)")
            }, uniquingKeysWith: { first, _ in first })
    }

    func run() async throws {
        let session = InspectSession(
            report: InspectReport(
                extent: long ? .long : short ? .short : .usual, fields: try chosenFields(), includesDER: der,
                time: time ?? .now(), logNames: try logNames()),
            format: format, number: object, comparesFirstTwo: compare ?? (sources.count == 2),
            passphrases: passphrases)
        let list = try InspectSource.all(sources, startTLS: connecting.startTLS.starttls)
        try await session.run(list, compared: sources.count == list.count, try InspectProbe(connecting))
    }
}
