// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import PinLint
import ServerTrust

extension SourceLanguage: ExpressibleByArgument {}

/// The options of `servertrust pins convert` for source code, for the kind of keys, and for files to edit in place.
struct ConvertOptions: ParsableArguments {
    @Option(help: .book("pins convert --language"))
    var language: SourceLanguage?

    @Option(help: .book("pins convert --certs"), completion: .file())
    var certs: String?

    @Option(help: .book("pins convert --into"), completion: .file())
    var into: String?

    /// Checks that the options fit the format.
    func validate(for format: PinFormat, hasOutput: Bool) throws {
        if let language {
            let fits: [PinFormat: [SourceLanguage]] = [
                .okHttp: [.kotlin, .java], .trustKit: [.swift, .objectiveC], .reactNative: [.javaScript],
            ]
            guard fits[format]?.contains(language) ?? false else {
                throw ValidationError("--language \(language.rawValue) doesn't belong to --to \(format)")
            }
        }
        let scopes: [PinFormat] = [.ats, .tlsa, .curl, .git, .envoy]
        try OptionRule.check(
            .requires(["--to ats, tlsa, curl, git or envoy": scopes.contains(format)], for: ["--certs": certs]),
            .requires(["--to ats or trustkit": [.ats, .trustKit].contains(format)], for: ["--into": into]),
            .that(into != "-", "--into edits a file in place: - isn't a file"),
            .excludes(["--into": into, "--output": hasOutput]))
    }

    // MARK: Leaves and CAs

    /// Returns a configuration whose pins apply only to leaves or only to CAs. The certificates in the file of
    /// `--certs` determine which.
    /// - Throws: ``CommandFailure`` if the file can't be read, or if it contains no certificate for a pin and the other
    ///   pins are of both kinds.
    func scoped(_ configuration: PinConfiguration) throws -> PinConfiguration {
        guard let certs else { return configuration }
        let result = configuration.scoped(PinKinds(try InputFile.inspect(certs).pinObjects()))
        for pin in result.guessed {
            Diagnostics.warn(
                "\(pin) doesn't match any certificate in \(InputFile.displayName(certs)): treated like the other pins"
            )
        }
        guard result.unclear.isEmpty else {
            throw CommandFailure(
                errors: result.unclear.map { "\($0) doesn't match any certificate in \(InputFile.displayName(certs))" },
                hint: "add its certificate to the --certs file, or its public key if it is a leaf's pin")
        }
        return result.configuration
    }

    // MARK: Editing

    /// Writes the pins into the file that the option names.
    /// - Returns: the whole file with its pins replaced, and what the pins lose.
    func placing(_ configuration: PinConfiguration, as format: PinFormat, into file: String) throws -> WrittenPins {
        let contents = try InputFile.read(file)
        return try CommandFailure.of(hint: "nothing was changed") {
            try PropertyListEdit.placing(configuration, as: format, into: contents, file: InputFile.displayName(file))
        }
    }

    /// Returns the losses for a file whose pins are replaced: the hosts that are no longer pinned.
    func hostsLost(_ placed: WrittenPins, as format: PinFormat, in file: String) throws -> [PinLoss] {
        let name = InputFile.displayName(file)
        guard let before = try? PinConfiguration(importing: try InputFile.read(file), as: format, file: name),
            let after = try? PinConfiguration(importing: placed.bytes, as: format, file: name)
        else { return [] }
        return before.losses(in: after).filter { $0.code == .hostsNotPinned }
    }
}
