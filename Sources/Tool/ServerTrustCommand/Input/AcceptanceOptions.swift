// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinLint

/// The options that accept findings.
struct AcceptanceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Accept the findings of a rule. Add a host to accept only its findings: pins/no-backup:api.example.com. pins/* is a whole family. May be repeated. (default: none)",
            valueName: "id[:host]"),
        transform: reading { (text: String) throws(FindingSelectorError) in
            try FindingSelector(text, allowsFamily: true)
        })
    var ignore: [FindingSelector] = []

    @Option(
        help: ArgumentHelp(
            "Accept the findings that --write-baseline wrote in an earlier run. (default: none)",
            valueName: "file"), completion: .file())
    var baseline: String?

    @Option(
        help: .wholePage(
            "Write the warnings and errors of this run for --baseline. An existing file keeps its reasons, and its entries for files that aren't read and for rules that need servers or other files. (default: none)",
            valueName: "file"), completion: .file())
    var writeBaseline: String?

    func validate() throws {
        try OptionRule.check(.that(writeBaseline != "-", "--write-baseline needs a file name"))
    }
}
