import ArgumentParser
import ServerTrust
import ServerTrustTesting

/// `servertrust demo`: the engine at work on good and bad chains, without files or network.
struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Make a CA in memory, have it issue good and bad chains, evaluate each.",
        discussion: """
            Each chain is evaluated for api.example.com. The exit code is 0 only if every
            verdict is the expected one.

            $ servertrust demo
                 chain            expected             found
            OK   good, P-256      trusted              trusted
                   path: CN=api.example.com < CN=Demo CA < CN=Demo Root
            OK   expired          certificateExpired   certificateExpired
                   certificate 0 (leaf) expired 2026-11-17T07:06:40Z, verify date ...
            ...
            """)

    @Option(help: "How the answer is written.")
    var format: OutputFormat = .text

    func run() throws {
        let rows = try DemoCase.all().map { demo in
            let (found, reason) = try demo.evaluate()
            return Row(demo: demo, found: found, reason: reason)
        }
        switch format {
        case .text: try StandardStream.output.write(Array(table(rows, Palette.forStandardOutput()).utf8))
        case .json: try StandardStream.output.write(json(rows))
        }
        guard rows.allSatisfy(\.agrees) else { throw ExitCodes.rejected }
    }
}

private struct Row {
    let demo: DemoCase
    let found: DemoCase.Outcome
    let reason: String

    var agrees: Bool { demo.expected == found }
}

private func table(_ rows: [Row], _ palette: Palette) -> String {
    let first = (rows.map(\.demo.name.count).max() ?? 0) + 3
    let second = (rows.map(\.demo.expected.text.count).max() ?? 0) + 3
    var lines = [
        "A private CA, \(rows.count) chains for \(DemoCase.host), verify date \(TestAuthority.now)", "",
        palette.bold("      " + "chain".padded(to: first) + "expected".padded(to: second) + "found"),
    ]
    for row in rows {
        let mark = row.agrees ? palette.good("OK") + "    " : palette.bad("FAIL") + "  "
        lines.append(
            mark + row.demo.name.padded(to: first) + row.demo.expected.text.padded(to: second) + row.found.text)
        lines += wrapped(printable(row.reason), to: 110).map { "        " + palette.faint($0) }
    }
    let wrong = rows.count { !$0.agrees }
    lines += [
        "",
        wrong == 0 ? "all \(rows.count) verdicts as expected" : "\(wrong) of \(rows.count) verdicts not as expected",
    ]
    return lines.joined(separator: "\n") + "\n"
}

private func json(_ rows: [Row]) -> [UInt8] {
    var json = JSONWriter(isIndented: true)
    json.array(of: rows) { json, row in
        json.object { json in
            json.key("schemaVersion")
            json.number(1)
            json.key("chain")
            json.string(row.demo.name)
            json.key("expected")
            json.string(row.demo.expected.text)
            json.key("found")
            json.string(row.found.text)
            json.key("agrees")
            json.boolean(row.agrees)
            json.key("reason")
            json.string(row.reason)
        }
    }
    json.lineFeed()
    return json.bytes
}
