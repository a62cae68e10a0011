// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrustPins

/// `servertrust pins list show`: shows the contents of a signed list.
struct PinsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "pins list show", abstract: "Show the contents of a signed list, without checking its signatures.")

    @Argument(help: "The signed list; - is standard input.", completion: .file())
    var file: String

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    func run() throws {
        let document = try PinsInput.list(file, allowsNoSignature: true)
        let list = try PinsInput.contents(document, file)
        try PinListReport.write(list, signedBy: document.claimedSigners, isVerified: false, format)
        if format == .text, !document.rotations.isEmpty {
            let numbers = document.rotations.compactMap { try? $0.unverifiedList().sequence }.map(String.init)
            try StandardStream.output.writeLine("      after    lists \(numbers.joined(separator: ", "))")
        }
    }
}
