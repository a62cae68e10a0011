// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import ServerTrust

/// `servertrust roots logs`: the verbs for lists of Certificate Transparency logs.
struct CTLogs: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "roots logs", abstract: "Show or check a list of Certificate Transparency logs.",
        subcommands: [CTLogsShow.self, CTLogsCheck.self])
}

/// `servertrust roots logs show`: shows the logs by operator.
struct CTLogsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "roots logs show", abstract: "Show a list's logs by operator.")

    @Argument(help: "The list, in JSON, version 3; - is standard input.", completion: .file())
    var list: String

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    func run() throws {
        let logs = try LogListInput.read(list, now: .now())
        let report = CTLogsReport(list: logs, file: InputFile.displayName(list))
        try format.write(text: report.text) { report.json() }
    }
}

/// `servertrust roots logs check`: checks whether a list is fit for transparency checks.
struct CTLogsCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "roots logs check", abstract: "Check a list of logs: signature, age, and logs that can't be used.")

    @Argument(help: "The list, in JSON, version 3; - is standard input.", completion: .file())
    var list: String

    @Option(help: .book("roots logs check --signature"), completion: .file())
    var signature: String?

    @Option(help: .book("roots logs check --key"), completion: .file())
    var key: String?

    @Option(help: .book("roots logs check --time"), transform: reading(Time.init(rfc3339:)))
    var time: Time?

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    func validate() throws {
        try OptionRule.check(
            .requires(["--key": key], for: ["--signature": signature]),
            .requires(["--signature": signature], for: ["--key": key]),
            .standardInputOnce([list, signature, key]))
    }

    func run() throws {
        let bytes = try InputFile.read(list)
        var problems: [String] = []
        if let signature, let key {
            let info = try Self.publicKey(key)
            if !info.isValid(try InputFile.read(signature), over: bytes) {
                problems.append("the signature doesn't match the key and these bytes")
            }
        }
        let logs = try LogListInput.list(bytes, list, now: .now())
        problems += logs.problems(at: time ?? .now())
        let report = CTLogsReport(list: logs, file: InputFile.displayName(list))
        try format.write { palette in
            let mark = problems.isEmpty ? palette.good("OK") + "    " : palette.bad("FAIL") + "  "
            let lines = [mark + report.headline] + problems.map { "      " + printable($0) }
            return lines.joined(separator: "\n") + "\n"
        } json: {
            report.json(problems: problems)
        }
        if !problems.isEmpty { throw ExitCodes.rejected }
    }

    /// Returns the public key in a file.
    /// - Throws: ``CommandFailure`` if the file can't be read, has no public key, or has several.
    private static func publicKey(_ file: String) throws(CommandFailure) -> SubjectPublicKeyInfo {
        let name = InputFile.displayName(file)
        let keys = InspectionReader.read(try InputFile.read(file), name: name).objects.compactMap {
            object -> SubjectPublicKeyInfo? in
            guard case .parsed(.publicKey(let key)) = object.content else { return nil }
            return key
        }
        guard let key = keys.first, keys.count == 1 else {
            throw CommandFailure(
                "\(name): \(keys.count) public keys, expected one",
                hint: "expected a SubjectPublicKeyInfo in PEM (BEGIN PUBLIC KEY) or DER")
        }
        return key
    }
}
