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
        verb: "ct verify", abstract: "Verify the SCTs of a chain's leaf, and compare them with policies.")

    @Argument(help: "The chain: PEM or DER, leaf first; - is standard input.", completion: .file())
    var files: [String]

    @Option(help: .book("ct verify --logs"), completion: .file())
    var logs: String

    @Option(help: ArgumentHelp("Compare with this policy, or with all of them.", valueName: "name"))
    var policy: TransparencyPolicyChoice = .all

    @Option(help: .book("ct verify --time"), transform: reading(Time.init(rfc3339:)))
    var time: Time?

    @Flag(help: "Accept a log list of any age.")
    var anyAge = false

    @Option(help: .book("ct verify --handshake"), completion: .file())
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

/// `servertrust ct`: checks timestamps without a path. Hidden, because `verify --ct-logs` also evaluates the path.
struct CT: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "ct", abstract: "Check Certificate Transparency timestamps (SCTs).",
        shouldDisplay: false,
        subcommands: [CTVerify.self])
}
