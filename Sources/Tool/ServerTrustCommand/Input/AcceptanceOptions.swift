// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinLint

/// The options that accept findings.
struct AcceptanceOptions: ParsableArguments {
    @Option(
        help: .book("pins lint --ignore"),
        transform: reading { (text: String) throws(FindingSelectorError) in
            try FindingSelector(text, allowsFamily: true)
        })
    var ignore: [FindingSelector] = []

    @Option(help: .book("pins lint --baseline"), completion: .file())
    var baseline: String?

    @Option(help: .book("pins lint --write-baseline"), completion: .file())
    var writeBaseline: String?

    func validate() throws {
        try OptionRule.check(.that(writeBaseline != "-", "--write-baseline needs a file name"))
    }
}
