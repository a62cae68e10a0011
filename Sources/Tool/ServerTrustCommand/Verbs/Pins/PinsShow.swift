// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrustPins

/// `servertrust pins list show`: shows the contents of a signed list.
struct PinsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the contents of a signed list, without checking its signatures.",
        discussion: """
            $ servertrust pins list show list.json
            unverified: com.example.app list 5
                  issued   2026-11-21T09:30:00Z, valid from 2026-11-21T09:30:00Z
                  expires  2027-03-31T00:00:00Z
                  signed   kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k
                  ...

            The keys' names are unverified. servertrust pins list verify checks them. show
            also counts the lists that lead from older keys to this one.
            """)

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
