// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import ServerTrust

/// `servertrust ca`: a small private CA in a folder.
struct CA: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "ca", abstract: "Run a small private CA in a folder.",
        subcommands: [
            CAInit.self, CAIssue.self, CASign.self, CARevoke.self, CACRL.self, CAOCSP.self, CAList.self,
            CAInstallHints.self,
        ])
}

/// The options of all CA verbs.
struct CAOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Use the CA in this folder.", valueName: "folder"), completion: .directory)
    var folder = "ca"

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    /// Opens the folder, and warns about a key that other users can access.
    func open() throws -> AuthorityFolder {
        let folder = try AuthorityFolder(opening: self.folder)
        if let mode = folder.keyPermissionsOpenToOthers {
            Diagnostics.warn(
                "\(folder.path)/root.key: other users have access to the root's key (mode \(String(mode, radix: 8)), expected 600)"
            )
        }
        return folder
    }

    func warnOfLeftovers(in folder: AuthorityFolder) throws {
        let leftovers = try folder.leftovers()
        for file in leftovers {
            Diagnostics.warn("\(file): left behind by an interrupted run or another root")
        }
        if !leftovers.isEmpty { Diagnostics.hint("don't use these files; delete them, or issue again with --force") }
    }

    /// Writes the answer in the requested format.
    /// - Parameters:
    ///   - title: the first line of the text, after OK.
    ///   - facts: the other lines, each with its label. Lines without a value are left out.
    ///   - members: writes the JSON object.
    func write(
        _ title: (Palette) -> String, _ facts: [(label: String, value: String?)],
        json members: (inout JSONWriter) -> Void
    ) throws {
        try format.write { palette in
            let lines = facts.compactMap { fact in
                fact.value.map { "      \(fact.label.padded(to: 9))\(printable($0))" }
            }
            return (["\(palette.good("OK"))    \(title(palette))"] + lines).map { $0 + "\n" }.joined()
        } json: {
            JSONWriter.answer(members)
        }
    }
}

extension AuthorityFolderError {
    /// The error in the command's words: with a hint, or as a usage error.
    var reported: any Error {
        guard !reason.isOfArgument else { return ValidationError(description) }
        let failures = reason.failures
        return CommandFailure(
            errors: failures.isEmpty
                ? [description] : failures.map { "the certificate would not be trusted: \($0.message)" },
            hint: reason.hint)
    }
}

extension IssuedKeyKind: ExpressibleByArgument {}
extension IssuedRevocationReason: ExpressibleByArgument {}
