// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Crypto
import ServerTrustPins

/// `servertrust pins list prepare`: writes the bytes that a key elsewhere must sign.
struct PinsPrepare: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prepare",
        abstract: "Write the bytes that a key elsewhere must sign.",
        usage: "servertrust pins list prepare <list> --key <file> [<options>]",
        discussion: HelpDetail.discussion(
            """
            For keys in a token (PKCS #11) or a key management service. First write a
            list without that signature. servertrust pins list show shows its contents:

            $ servertrust pins list sign pins.json --previous list.json --partial \\
                  --expires 2027-06-30 --output part.json
            $ servertrust pins list prepare part.json --key safe.key.pub --output safe.input

            Ed25519 signs the bytes as they are; P-256 signs their SHA-256. With openssl:
            $ openssl pkeyutl -sign -inkey safe.key -rawin -in safe.input \\
                  -out safe.signature

            With a token, whose P-256 keys sign a digest (--digest):
            $ servertrust pins list prepare part.json --key safe.key.pub --digest \\
                  --output safe.digest
            $ pkcs11-tool --sign --mechanism ECDSA --id 01 --input-file safe.digest \\
                  --output-file safe.signature

            servertrust pins list attach adds the signature. The bytes differ for each key.
            """))

    @Argument(help: "The list, signed or not; - is standard input.", completion: .file())
    var list: String

    @Option(help: ArgumentHelp("Write the bytes for this public key.", valueName: "file"), completion: .file())
    var key: String

    @Flag(help: "Write the SHA-256 of the bytes, for a P-256 key that signs a digest.")
    var digest = false

    @Option(
        help: ArgumentHelp("Write to this file. (default: standard output)", valueName: "file"), completion: .file())
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
        if let output {
            try OutputFile.write(bytes, to: output, replacing: force)
        } else {
            try StandardStream.output.write(bytes)
        }
    }
}
