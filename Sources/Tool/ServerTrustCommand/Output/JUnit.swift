// SPDX-License-Identifier: Apache-2.0

import Diagnosis

/// A report for CI systems in Jenkins' schema: `testsuites` > `testsuite` > `testcase`.
struct JUnit {
    /// The outcome of a case.
    enum Outcome {
        case passed
        /// The check failed.
        case failure(type: String, message: String, details: String)
        /// The check couldn't run.
        case error(type: String, message: String, details: String = "")
        /// The check failed, but its failure is accepted.
        case skipped(message: String)
    }

    struct Case {
        var name: String
        /// The group of the case: `servertrust.VERB`.
        var group: String
        var milliseconds = 0
        var outcome = Outcome.passed
        /// Additional output, or nil if there isn't one.
        var output: String?
    }

    var suite: String
    var cases: [Case]

    /// Returns the document in UTF-8, ending with a line feed.
    func xml() -> [UInt8] {
        let failures = cases.count { if case .failure = $0.outcome { true } else { false } }
        let errors = cases.count { if case .error = $0.outcome { true } else { false } }
        let time = Self.seconds(cases.reduce(0) { $0 + $1.milliseconds })
        let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" time=\"\(time)\""
        let skippedCases = cases.count { if case .skipped = $0.outcome { true } else { false } }
        let skipped = skippedCases > 0 ? " skipped=\"\(skippedCases)\"" : ""
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites \(counts)>",
            "  <testsuite name=\(Self.quoted(suite)) \(counts)\(skipped)>",
        ]
        for testCase in cases { lines += Self.lines(testCase) }
        lines += ["  </testsuite>", "</testsuites>", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static func lines(_ testCase: Case) -> [String] {
        let start =
            "    <testcase classname=\(quoted(testCase.group)) name=\(quoted(testCase.name)) "
            + "time=\"\(seconds(testCase.milliseconds))\""
        var inner: [String] = []
        switch testCase.outcome {
        case .passed: break
        case .failure(let type, let message, let details):
            inner.append(
                "      <failure type=\(quoted(type)) message=\(quoted(message))>\(escaped(details))</failure>")
        case .error(let type, let message, let details):
            let start = "      <error type=\(quoted(type)) message=\(quoted(message))"
            inner.append(details.isEmpty ? start + "/>" : start + ">\(escaped(details))</error>")
        case .skipped(let message): inner.append("      <skipped message=\(quoted(message))/>")
        }
        if let output = testCase.output { inner.append("      <system-out>\(escaped(output))</system-out>") }
        return inner.isEmpty ? [start + "/>"] : [start + ">"] + inner + ["    </testcase>"]
    }

    /// Returns `0.042` for 42.
    static func seconds(_ milliseconds: Int) -> String {
        let fraction = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }

    private static func quoted(_ text: String) -> String { "\"\(HTMLText.escaped(text, maximum: .max))\"" }

    /// Returns a text for an element, with its lines. The text may come from a server.
    private static func escaped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { HTMLText.escaped(String($0), maximum: .max) }.joined(separator: "\n")
    }
}
