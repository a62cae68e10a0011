// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs every client against servers and proxies on loopback that send random answers, and checks each exchange:
///
/// * The process lives, and the call returns soon after its deadline.
/// * The outcome is an answer with a valid status, or an error of a known type.
/// * A server that the client's pins refuse receives no byte of a request.
/// * The same client then gets a correct answer from the same server.
/// * Descriptors and memory are back after each batch.
///
///     RandomPeers [--seed S] [--from I] [--count N] [--only CLIENT] [--lanes N]
///     RandomPeers --state FILE --until N [--seed S]    runs the exchanges below N that the file doesn't have yet, and
///                                               adds the figures to the file
///     RandomPeers --exchange S:I [--only CLIENT]    prints one exchange, and runs it
///     RandomPeers --self-test                   plants a fault of each kind, and fails unless it finds all of them
///
/// The seed and the number of an exchange decide all bytes above TLS. Exit status: 0 nothing found, 1 a finding,
/// 64 wrong arguments.
@main
struct RandomPeers {
    static func main() async {
        // A write to a closed pipe must not end the process.
        signal(SIGPIPE, SIG_IGN)
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if options.isChild {
                try await Child(options: options).run()
                // Skips the work of `exit`, while threads of some clients are still running.
                _exit(0)
            }
            if options.testsItself { exit(try SelfTest.run() ? 0 : 1) }
            if let index = options.exchange { exit(try await one(options, index) ? 0 : 1) }
            exit(try all(options) ? 0 : 1)
        } catch let problem as Options.Problem {
            fail("\(problem.text)\nclients: \(ClientKind.allCases.map(\.rawValue).joined(separator: " "))", status: 64)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("RandomPeers: error: \(text)\n".utf8))
        exit(status)
    }

    /// Writes a line at once.
    static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    /// Runs one exchange in this process.
    private static func one(_ options: Options, _ index: Int) async throws -> Bool {
        let exchange = try Exchange(seed: options.seed, index: index, only: options.only)
        say(exchange.text)
        let report = await Trial(site: try Site(), fault: options.fault).run(exchange)
        say("outcomes: \(report.kinds.joined(separator: ", "))")
        say("correct requests until an answer: \(report.attempts)")
        for finding in report.findings { say("finding: \(finding.kind): \(finding.text)") }
        return report.findings.isEmpty
    }

    private static func all(_ options: Options) throws -> Bool {
        var options = options
        var state = try options.state.map { try RunState($0, seed: options.seed) }
        if let state {
            options.from = state.next
            options.count = max(0, (options.until ?? state.next + options.count) - state.next)
        }
        let start = ContinuousClock.now
        var families: [String: Int] = [:]
        var parent = Parent(options) { text in
            // Findings that differ only in numbers are listed three times.
            let family = String(text.drop { $0 != " " }.filter { !$0.isHexDigit })
            families[family, default: 0] += 1
            if families[family, default: 0] <= 3 { say("finding: \(text)") }
        }
        try parent.run { next, tally in
            say(
                "… \(tally.exchanges) exchanges, \(tally.findingCount) findings, \((ContinuousClock.now - start) / .seconds(1)) s"
            )
            try state?.save(next: next, tally)
        }
        say(parent.tally.text)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        say(
            "RandomPeers: \(parent.tally.exchanges) exchanges in \(Int(seconds)) s, \(parent.tally.findingCount) findings; seed \(options.seed)"
        )
        return parent.tally.findingCount == 0
    }
}
