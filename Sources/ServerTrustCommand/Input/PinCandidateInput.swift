import Crypto
import Foundation
import PinConfiguration
import ServerTrust

/// What `servertrust pin` takes pins from.
enum PinCandidateInput {
    /// The source that an argument names. Live hosts are another kind of source.
    /// - Throws: ``CommandFailure`` if the file can't be read.
    static func source(_ argument: String) throws(CommandFailure) -> any PinCandidateSource {
        guard argument == "-" || FileManager.default.fileExists(atPath: argument) || !argument.contains("://") else {
            throw CommandFailure(
                "\(argument) is a URL, expected a file",
                hint: "openssl s_client -connect HOST:443 -showcerts </dev/null | servertrust pin -")
        }
        return PinCandidateFile(name: InputFile.displayName(argument), bytes: try InputFile.read(argument))
    }

    /// The objects of all sources; every one that can't be read is told.
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

    /// What is behind the name of a new key's public half.
    static let publicSuffix = ".pub"

    /// A backup: what is in the file, or if there is none a new key that is written to it, its public half beside it.
    /// - Returns: the objects, and whether a key was made.
    static func backup(_ file: String) throws(CommandFailure) -> (objects: [PinSource.Origin], isNew: Bool) {
        var status = stat()
        if file == "-" || lstat(file, &status) == 0 { return (try objects([try source(file)]), false) }
        let key = P256.Signing.PrivateKey()
        guard let info = try? SubjectPublicKeyInfo(der: Array(key.publicKey.derRepresentation)) else {
            throw CommandFailure("the new key can not be read again")
        }
        try OutputFile.write(
            Array((key.pemRepresentation + "\n").utf8), to: file, mode: .secret, replacing: false)
        try OutputFile.write(
            Array(PEM.encode(info.der, label: "PUBLIC KEY").utf8), to: file + publicSuffix, replacing: false)
        return ([.publicKey(info)], true)
    }
}
