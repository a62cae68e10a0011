// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ServerTrust
import ServerTrustPins

/// `servertrust pins list keygen`: creates a key that signs lists.
struct PinsKeygen: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "pins list keygen", abstract: "Create a key that signs lists of pins.")

    enum Algorithm: String, CaseIterable, ExpressibleByArgument {
        case es256
        case ed25519
    }

    @Option(help: "Choose P-256 with ECDSA, or Ed25519.")
    var algorithm = Algorithm.ed25519

    @Option(help: ArgumentHelp("Write the private key to this file, and the public key next to it.", valueName: "file"))
    var out: String

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    func run() throws {
        let key = try PinSigningPrivateKey(algorithm == .es256 ? .es256 : .ed25519)
        let publicFile = out + ".pub"
        for file in [out, publicFile] where FileManager.default.fileExists(atPath: file) {
            throw CommandFailure("\(file) already exists", hint: "name another file: keys are never replaced")
        }
        do throws(CommandFailure) {
            try OutputFile.write(Array(key.pem.utf8), to: out, mode: .secret, replacing: false)
            try OutputFile.write(Array(key.publicKey.pem.utf8), to: publicFile, replacing: false)
        } catch {
            // Another process created the file after the check.
            throw CommandFailure(errors: error.errors, hint: "name another file: keys are never replaced")
        }
        try format.write { palette in
            """
            \(palette.good("OK"))    \(palette.bold(key.publicKey.description))
                  private  \(printable(out))
                  public   \(printable(publicFile))

            """
        } json: {
            JSONWriter.answer { json in
                json.member("kid", key.publicKey.id)
                json.member("algorithm", key.publicKey.algorithm.rawValue)
                json.member("private", out)
                json.member("public", publicFile)
            }
        }
    }
}
