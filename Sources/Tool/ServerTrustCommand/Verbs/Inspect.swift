// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import PKIX
import ServerTrust

/// `servertrust inspect`: shows the contents of certificates and related files.
struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "inspect", abstract: "Show what certificates, keys and CRLs contain.",
        // Only whole pages show the names, and describing an object of each kind takes time at every start.
        filling: HelpDetail.isWhole
            ? ["fields": wrapped(ObjectDescription.factNames.joined(separator: ", "), to: 70).joined(separator: "\n")]
            : [:])

    @Argument(help: "Files, folders, servers; - is standard input.", completion: .file())
    var sources: [String]

    @Option(help: "Set the report format.")
    var format = InspectFormat.text

    @Flag(help: "Show every field and every extension.")
    var long = false

    @Flag(help: "Print one line per object.")
    var short = false

    @Option(help: .book("inspect --fields"))
    var fields: String?

    @Option(help: ArgumentHelp("Show only this object, numbered from 1. (default: all)", valueName: "number"))
    var object: Int?

    @Flag(help: .wholePage("With --format json, add the DER of each object in base64."))
    var der = false

    @Flag(inversion: .prefixedNo, help: .book("inspect --compare"))
    var compare: Bool?

    @Option(name: .customLong("ct-logs"), help: .book("inspect --ct-logs"), completion: .file())
    var logs: String?

    @OptionGroup(visibility: .wholePage) var passphrases: PassphraseOptions

    @OptionGroup(visibility: .wholePage) var connecting: InspectConnectOptions

    @Option(help: .book("inspect --time"), transform: reading(Time.init(rfc3339:)))
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
