// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis

/// The options for the passphrases of PKCS #12 and encrypted keys. No option takes the passphrase itself, because other
/// users of the machine can see the command line.
struct PassphraseOptions: ParsableArguments {
    @Option(help: .book("verify --password-file"), completion: .file())
    var passwordFile: String?

    /// No password file: the program asks on a terminal.
    static let none: PassphraseOptions = {
        var options = PassphraseOptions()
        options.passwordFile = nil
        return options
    }()

    func validate() throws {
        try OptionRule.check(
            .that(passwordFile != "-", "--password-file takes a file: standard input is for certificates"))
    }

    /// Returns the source of passphrases for a file: the first line of the password file, or else the terminal for PKCS
    /// #12. Without a terminal, there is no passphrase.
    /// - Throws: ``CommandFailure`` if the password file can't be read.
    func source(for file: String) throws(CommandFailure) -> PassphraseSource {
        if let passwordFile {
            let passphrase = try Self.firstLine(of: passwordFile)
            return { _ in passphrase }
        }
        return { kind in
            guard kind == .pkcs12 else { return nil }
            return TerminalPrompt.secret("password of \(printable(InputFile.displayName(file))): ")
        }
    }

    private static func firstLine(of file: String) throws(CommandFailure) -> String {
        let bytes = try InputFile.read(file)
        let line = bytes.prefix { $0 != 0x0a && $0 != 0x0d }
        guard line.count <= 4_096, let text = String(validating: line, as: UTF8.self) else {
            throw CommandFailure(
                "\(InputFile.displayName(file)): contains no password, expected a line of text of at most 4096 bytes")
        }
        return text
    }
}
