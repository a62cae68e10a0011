// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustLab
import TrustSupport

/// `servertrust demo`: connects to every server of the lab over TLS.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Start TLS servers that misbehave in known ways, connect to each, report the verdicts.",
        discussion: """
            The servers are those of servertrust lab, on ports of the system's choice. A
            client connects to each over TLS, with the lab's anchors and pins, and sends
            a request only where the verdict allows it. The exit code is 0 only if every
            verdict is the expected one and no byte of a request has reached a server
            that was refused.

            $ servertrust demo
                  server      expected             found
            OK    good        trusted              trusted
                    path: CN=api.lab.test < CN=Lab CA,O=Test < CN=Lab Root,O=Test
            OK    expired     certificateExpired   certificateExpired
                    certificate 0 (leaf) expired 2026-11-17T07:06:40Z, verify date ...
            ...
            """)

    @Option(help: "The format of the report.")
    var format: OutputFormat = .text

    func run() async throws {
        let rows = try await Self.rows()
        switch format {
        case .text: try StandardStream.output.write(Array(table(rows, Palette.forStandardOutput()).utf8))
        case .json: try StandardStream.output.write(json(rows))
        }
        guard rows.allSatisfy(\.agrees) else { throw ExitCodes.rejected }
    }

    /// Connects to all servers at once, with a short timeout as they are on loopback.
    private static func rows() async throws -> [Row] {
        let lab: Lab
        do {
            lab = try await Lab.start()
        } catch {
            throw CommandFailure("the lab can not be started: \(error)")
        }
        let servers = lab.servers.flatMap { [$0, $0.redirectTarget].compactMap(\.self) }
        let rows = await withTaskGroup(of: (Int, Row).self) { group in
            for (index, server) in servers.enumerated() { group.addTask { (index, await Row(server)) } }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        await lab.stop()
        return rows
    }
}

private struct Row: Sendable {
    let name: String
    let summary: String
    let url: String
    let expected: String
    let found: String
    let reason: String
    let agrees: Bool

    /// Connects to a server and compares the outcome with the expected one.
    init(_ server: LabServer) async {
        name = server.scenario.name
        summary = server.scenario.summary
        url = server.url
        expected = server.expected.description
        do {
            let report = try await LabClient(timeout: .seconds(10)).get(server)
            let bytes = server.counts.requestBytes
            found = report.outcome.description
            reason = Self.reason(report, bytes)
            agrees = report.conforms(to: server)
        } catch {
            found = "no connection"
            reason = "\(error)"
            agrees = false
        }
    }

    private static func reason(_ report: LabClient.Report, _ bytes: Int) -> String {
        guard let verdict = report.verdict else { return "the connection ended before a certificate was shown" }
        guard let headline = verdict.headline else {
            let path = verdict.path.map(\.description).joined(separator: " < ")
            return "path: \(path)" + (report.isComplete ? "" : "; no answer: \(report.error ?? "it did not come")")
        }
        return headline.message + (bytes == 0 ? "" : "; \(bytes) bytes of a request had arrived")
    }
}

private func table(_ rows: [Row], _ palette: Palette) -> String {
    let first = (rows.map(\.name.count).max() ?? 0) + 3
    let second = (rows.map(\.expected.count).max() ?? 0) + 3
    var lines = [
        "\(rows.count) TLS servers on \(LoopbackAddress.v4.rawValue), each with the lab's anchors and pins", "",
        palette.bold("      " + "server".padded(to: first) + "expected".padded(to: second) + "found"),
    ]
    for row in rows {
        let mark = row.agrees ? palette.good("OK") + "    " : palette.bad("FAIL") + "  "
        lines.append(mark + row.name.padded(to: first) + row.expected.padded(to: second) + row.found)
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
            json.key("scenario")
            json.string(row.name)
            json.key("summary")
            json.string(row.summary)
            json.key("url")
            json.string(row.url)
            json.key("expected")
            json.string(row.expected)
            json.key("found")
            json.string(row.found)
            json.key("agrees")
            json.boolean(row.agrees)
            json.key("reason")
            json.string(row.reason)
        }
    }
    json.lineFeed()
    return json.bytes
}
