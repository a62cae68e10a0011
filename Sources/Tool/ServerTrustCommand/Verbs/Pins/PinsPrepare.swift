// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Crypto
import ServerTrustPins

/// `servertrust pins list prepare`: writes the bytes that a key elsewhere must sign.
struct PinsPrepare: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "pins list prepare", abstract: "Write the bytes that a key elsewhere must sign.")

    @Argument(help: "The list, signed or not; - is standard input.", completion: .file())
    var list: String

    @Option(help: ArgumentHelp("Write the bytes for this public key.", valueName: "file"), completion: .file())
    var key: String

    @Flag(help: "Write the SHA-256 of the bytes, for a P-256 key that signs a digest.")
    var digest = false

    @Option(help: .book("pins list prepare --output"), completion: .file())
    var output: String?

    @Flag(help: "Replace the output file if it exists.")
    var force = false

    func run() throws {
        let document = try PinsInput.list(list, allowsNoSignature: true)
        // A list that clients can't parse isn't worth signing.
        _ = try PinsInput.contents(document, list)
        let key = try PinsInput.publicKey(key)
        guard !digest || key.algorithm == .es256 else {
            throw CommandFailure(
                "\(self.key): an Ed25519 key signs the bytes themselves, expected a P-256 key with --digest",
                hint: "omit --digest")
        }
        var bytes = document.signingInput(for: key)
        if digest { bytes = Array(SHA256.hash(data: bytes)) }
        try OutputFile.deliver(bytes, to: output, replacing: force)
    }
}
