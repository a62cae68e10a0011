// SPDX-License-Identifier: Apache-2.0

import Crypto
import Diagnosis
import Foundation
import PinLint
import ServerTrust

/// A reader for the sources of `servertrust pins make`.
enum PinCandidateInput {
    /// Returns the source that an argument names: a file if it exists, or else a server. A text with a slash but no
    /// scheme is a file.
    /// - Throws: ``CommandFailure`` if the file can't be read, and the errors of ``LivePinProbe/probe(_:namedAs:)``.
    static func source(
        _ argument: String, _ live: LivePinProbe, _ passphrases: PassphraseOptions = .none
    ) async throws -> any PinCandidateSource {
        let isFile = argument == "-" || FileManager.default.fileExists(atPath: argument)
        let isPath = argument.contains("/") && !argument.contains("://")
        guard !isFile, !isPath else { return try file(argument, passphrases) }
        let endpoint: ServerEndpoint
        do throws(ArgumentProblem) { endpoint = try EndpointArgument.endpoint(argument, startTLS: live.startTLS) } catch
        {
            throw CommandFailure("\(argument): no such file, and \(error)")
        }
        return try await live.probe(endpoint, namedAs: argument)
    }

    /// - Throws: ``CommandFailure`` if the file can't be read.
    private static func file(
        _ name: String, _ passphrases: PassphraseOptions
    ) throws(CommandFailure) -> any PinCandidateSource {
        InspectedPinFile(
            file: InspectionReader.read(
                try InputFile.read(name), name: InputFile.displayName(name),
                passphrases: try passphrases.source(for: name)))
    }

    /// Returns the objects of all sources, and reports every object that can't be parsed.
    static func objects(_ sources: [any PinCandidateSource]) throws(CommandFailure) -> [PinSource.Origin] {
        var objects: [PinSource.Origin] = []
        var errors: [String] = []
        for source in sources {
            do throws(PinCandidateSourceError) {
                objects += try source.objects()
            } catch {
                errors += error.reasons
            }
        }
        guard errors.isEmpty else { throw CommandFailure(errors: errors) }
        return objects
    }

    /// Returns the public key of a private key in a file. If the public key's own file exists next to it, both must
    /// match.
    /// - Returns: nil if the file doesn't contain a P-256 private key.
    private static func existingKey(_ file: String) throws(CommandFailure) -> SubjectPublicKeyInfo? {
        let text = String(decoding: try InputFile.read(file), as: UTF8.self)
        guard text.contains("PRIVATE KEY-----"), let key = try? P256.Signing.PrivateKey(pemRepresentation: text),
            let info = try? SubjectPublicKeyInfo(der: Array(key.publicKey.derRepresentation))
        else { return nil }
        var status = stat()
        guard lstat(file + publicSuffix, &status) == 0 else { return info }
        let beside = try objects([try self.file(file + publicSuffix, .none)])
        guard beside.map(\.pin) == [SPKIPin(info)] else {
            throw CommandFailure(
                "\(file + publicSuffix) isn't the public key of \(file)",
                hint: "delete \(file + publicSuffix) if you want to keep the key in \(file)")
        }
        return info
    }

    /// The suffix of the file name for a new public key.
    static let publicSuffix = ".pub"

    /// Reads a backup: the objects in the file. If the file doesn't exist, creates a new key and writes it to the file,
    /// with its public key in a second file next to it.
    ///
    /// If the file contains a P-256 private key from an earlier run, its public key is used. This function never writes
    /// to an existing file.
    /// - Returns: the objects, and whether a key was created.
    static func backup(_ file: String) throws(CommandFailure) -> (objects: [PinSource.Origin], isNew: Bool) {
        var status = stat()
        if file != "-", lstat(file, &status) == 0, let key = try existingKey(file) { return ([.publicKey(key)], false) }
        if file == "-" || lstat(file, &status) == 0 { return (try objects([try self.file(file, .none)]), false) }
        guard lstat(file + publicSuffix, &status) != 0 else {
            throw CommandFailure(
                "\(file + publicSuffix) already exists, but \(file) doesn't",
                hint: "name another file: an existing key is never replaced")
        }
        let key = P256.Signing.PrivateKey()
        guard let info = try? SubjectPublicKeyInfo(der: Array(key.publicKey.derRepresentation)) else {
            throw CommandFailure("the new key can't be parsed")
        }
        try OutputFile.write(
            Array((key.pemRepresentation + "\n").utf8), to: file, mode: .secret, replacing: false)
        try OutputFile.write(
            Array(PEM.encode(info.der, label: "PUBLIC KEY").utf8), to: file + publicSuffix, replacing: false)
        return ([.publicKey(info)], true)
    }
}
