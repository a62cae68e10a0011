// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinUpdates
import ServerTrust

/// `servertrust pins list attach`: a list with a signature that was made elsewhere.
struct PinsAttach: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Add a signature that was made elsewhere to a list.",
        usage: """
            servertrust pins list attach <list> --key <file> --signature <file>
                   [<options>]
            """,
        discussion: """
            $ servertrust pins list attach part.json --key safe.key.pub \\
                  --signature safe.signature --previous list.json --output next.json

            Sign the bytes of servertrust pins list prepare: 64 bytes for Ed25519; for
            P-256 64 bytes (r and s) or DER. attach refuses signatures by another key or
            over other bytes, and lists that clients refuse. --partial writes a list that
            needs more signatures.

            Exit codes: 0 written; 1 the signature is not the key's, or clients refuse the
            list; 2 a file can't be read or written.
            """)

    @Argument(help: "The list, signed or not; - is standard input.", completion: .file())
    var list: String

    @Option(help: ArgumentHelp("The public key that has signed.", valueName: "file"), completion: .file())
    var key: String

    @Option(help: ArgumentHelp("The signature as bytes.", valueName: "file"), completion: .file())
    var signature: String

    @OptionGroup var delivery: PinListOutput

    func run() throws {
        let document = try PinsInput.list(list, allowsNoSignature: true)
        let key = try PinsInput.publicKey(key)
        let bytes = try InputFile.read(signature)
        let before = try delivery.readPrevious()
        let signed: SignedPinList
        do throws(PinListError) {
            signed = try document.adding(bytes, by: key)
        } catch {
            Diagnostics.error("\(InputFile.displayName(signature)): \(error)")
            Diagnostics.hint(Self.hint(for: bytes))
            throw ExitCodes.rejected
        }
        try delivery.write(signed, list, after: before, at: .now())
    }

    private static func hint(for signature: [UInt8]) -> String {
        let isText =
            !signature.isEmpty && signature.allSatisfy { (0x21...0x7e).contains($0) || $0 == 0x0a || $0 == 0x0d }
        return isText
            ? "it is text, expected bytes: base64 -d makes them of base64, xxd -r -p of hexadecimal digits"
            : "servertrust pins list prepare writes the bytes to sign, different ones for each key"
    }
}
