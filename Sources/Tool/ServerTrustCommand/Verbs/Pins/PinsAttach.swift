// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustPins

/// `servertrust pins list attach`: adds a signature that was made elsewhere to a list.
struct PinsAttach: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "pins list attach", abstract: "Add a signature that was made elsewhere to a list.")

    @Argument(help: "The list, signed or not; - is standard input.", completion: .file())
    var list: String

    @Option(help: ArgumentHelp("Use this public key of the signer.", valueName: "file"), completion: .file())
    var key: String

    @Option(help: ArgumentHelp("Read the signature, as bytes, from this file.", valueName: "file"), completion: .file())
    var signature: String

    @OptionGroup var delivery: PinListOutput

    func run() throws {
        let document = try PinsInput.list(list, allowsNoSignature: true)
        let key = try PinsInput.publicKey(key)
        let bytes = try InputFile.read(signature)
        let before = try delivery.readPrevious()
        let signed = try CommandFailure.of(
            InputFile.displayName(signature), hint: Self.hint(for: bytes), status: ExitCodes.rejected
        ) { try document.adding(bytes, by: key) }
        try delivery.write(signed, list, after: before, at: .now())
    }

    private static func hint(for signature: [UInt8]) -> String {
        let isText =
            !signature.isEmpty && signature.allSatisfy { (0x21...0x7e).contains($0) || $0 == 0x0a || $0 == 0x0d }
        return isText
            ? "the signature is text, expected bytes; decode base64 with base64 -d, or hexadecimal digits with xxd -r -p"
            : "servertrust pins list prepare writes the bytes to sign, which differ for each key"
    }
}
