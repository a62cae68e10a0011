// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import ServerTrust

/// The argument of `ct verify --policy`.
enum TransparencyPolicyChoice: String, CaseIterable, ExpressibleByArgument {
    case chrome, mozilla, apple, all

    /// The chosen policies.
    var policies: [CTPolicy] { CTPolicy.named(rawValue).map { [$0] } ?? CTPolicy.all }
}

/// `servertrust ct verify`: compares a certificate's SCTs with policies.
struct CTVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify the SCTs of a chain's leaf, and compare them with policies.",
        discussion: HelpDetail.discussion(
            """
            The files are one chain, leaf first. They must contain the leaf's issuer,
            because embedded SCTs refer to its key. Checks neither the path nor its anchor:
            servertrust verify --ct-logs does that.

            $ servertrust ct verify chain.pem --logs logs.json --policy chrome
            www.example.com, 2026-07-04T00:00:00Z to 2026-08-02T23:59:59Z, 29 days
            ...
            timestamps
              1 embedded   One 2026h2, of One, usable
                           2026-07-04T00:00:01.250Z, signature valid
              2 embedded   Two 2026h2, of Two, retired
                           2026-07-04T00:00:02.000Z, signature valid

            FAIL  chrome   notEnoughSCTs: 1 timestamp counts, 2 are needed
                           2 doesn't count: retired

            Without --any-age, a policy isn't checked if the list is older than it allows.

            Exit codes: 0 every policy is met; 1 one isn't; 2 one wasn't checked, or a
            file can't be read.
            """))

    @Argument(help: "The chain: PEM or DER, leaf first; - is standard input.", completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp("Read the log list (JSON, version 3) from this file.", valueName: "file"),
        completion: .file())
    var logs: String

    @Option(help: ArgumentHelp("Compare with this policy, or with all of them.", valueName: "name"))
    var policy: TransparencyPolicyChoice = .all

    @Option(
        help: ArgumentHelp("Evaluate at this RFC 3339 time or date. (default: now)", valueName: "time"),
        transform: reading(Time.init(rfc3339:)))
    var time: Time?

    @Flag(help: "Accept a log list of any age.")
    var anyAge = false

    @Option(
        help: ArgumentHelp(
            "Add a binary list of SCTs from a TLS handshake. May be repeated. (default: none)",
            valueName: "file"),
        completion: .file())
    var handshake: [String] = []

    @OptionGroup var passphrases: PassphraseOptions

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    func validate() throws {
        try OptionRule.check(
            .standardInputOnce(files + handshake + [logs]),
            .that(handshake.count <= 8, "--handshake accepts at most 8 files"))
    }

    func run() throws {
        let list = try LogListInput.read(logs, now: .now())
        let chain = try CertificateInput.presentedChain(files, passphrases: passphrases).certificates
        guard let leaf = chain.first else { throw CommandFailure("no certificate") }
        guard let issuer = TransparencyAudit.issuer(of: leaf, among: chain) else {
            throw CommandFailure(
                "the files don't contain the leaf's issuer, but verifying SCTs requires the issuer's key",
                hint: "add the certificate of \(leaf.issuer) after the leaf's")
        }
        let lists = try handshake.map(Self.timestamps)
        let audit = TransparencyAudit(of: leaf, issuer: issuer, handshake: lists, logs: list)
        let time = time ?? .now()
        let report = CTVerifyReport(
            leaf: leaf, issuer: issuer, list: list, file: InputFile.displayName(logs), time: time,
            findings: policy.policies.map { audit.finding($0, at: time, ignoringAge: anyAge) })
        try format.write(text: report.text, json: report.json)
        if report.findings.contains(where: { $0.status.isChecked && $0.status != .complies }) {
            throw ExitCodes.rejected
        }
        if report.findings.contains(where: { !$0.status.isChecked }) { throw ExitCodes.couldNotEvaluate }
    }

    private static func timestamps(_ file: String) throws(CommandFailure) -> TimestampList {
        let bytes = try InputFile.read(file)
        return try CommandFailure.of(
            "\(InputFile.displayName(file)): isn't a list of SCTs",
            hint: "expected the contents of TLS extension 18, starting with a two-byte length"
        ) { try TimestampList(tls: bytes) }
    }
}
