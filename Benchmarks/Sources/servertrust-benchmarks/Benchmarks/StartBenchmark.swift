// SPDX-License-Identifier: Apache-2.0

import AllocationCounter
import Foundation
import ServerTrustLab

/// The time to the first verdict in a fresh process, and the heap of a client with many rules, compared with
/// async-http-client. Both trust the system's roots and the server's.
struct StartBenchmark: Benchmark {
    let name = "start"
    let summary = "a fresh process with one request, and the heap of a client with 1,000 rules"
    var countsInstructions: Bool { false }

    func run(_ settings: Settings) async throws -> Section {
        let server = try await LocalServer.start()
        let section = try measure(server, settings)
        await server.stop()
        return section
    }

    private func measure(_ server: LabServer, _ settings: Settings) throws -> Section {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("root-\(UUID().uuidString).der")
        try Data(server.certificates.anchors[0].der).write(to: root)
        defer { try? FileManager.default.removeItem(at: root) }
        func process(_ client: FreshProcess.Client, isHTTP2: Bool, rules: Int = 0) -> FreshProcess {
            FreshProcess(client: client, isHTTP2: isHTTP2, rules: rules, url: server.url + "/", root: root.path)
        }
        var section = Section(
            benchmark: name, title: "\(summary) (\(settings.roots.anchors.count) roots)",
            columns: ["total ms", "fastest ms", "to main ms", "client ms", "request ms", "processor ms", "by round"])
        try section.add([("process alone", process(.none, isHTTP2: false))], settings)
        for isHTTP2 in [false, true] {
            let version = isHTTP2 ? "HTTP/2" : "HTTP/1.1"
            try section.add(
                [
                    ("\(version), built-in", process(.builtIn, isHTTP2: isHTTP2)),
                    ("\(version), \(ContenderName.ours)", process(.ours, isHTTP2: isHTTP2)),
                ], settings)
        }
        guard settings.contender == nil, heap_bytes_in_use() > 0 else { return section }
        for client in [FreshProcess.Client.builtIn, .ours] {
            // The heap hardly differs between runs.
            let run = try process(client, isHTTP2: false, rules: 1_000).run()
            let label = client == .ours ? ContenderName.ours : "async-http-client"
            for (what, bytes) in [("made", run.idleHeap), ("after a request", run.usedHeap)] {
                section.claims.append(
                    Section.Claim(what: "heap, \(label), \(what)", value: bytes / 1e6, limit: 2, unit: "MB"))
            }
        }
        return section
    }
}

extension Section {
    /// Runs the processes in turns, and adds a row for each. Claims that the last one is hardly slower than the first.
    fileprivate mutating func add(_ contenders: [(name: String, process: FreshProcess)], _ settings: Settings) throws {
        let chosen = contenders.filter { settings.includes($0.name) }
        guard !chosen.isEmpty else { return }
        var runs = [[FreshProcess.Run]](repeating: [], count: chosen.count)
        for round in 0..<settings.rounds {
            for offset in chosen.indices {
                let index = (round + offset) % chosen.count
                runs[index].append(try chosen[index].process.run())
            }
        }
        func ratio(_ index: Int, _ time: (FreshProcess.Run) -> Double) -> Double {
            zip(runs[index], runs[0]).map { time($0) / time($1) }.quantile(0.5)
        }
        for (index, contender) in chosen.enumerated() {
            func cell(_ time: (FreshProcess.Run) -> Double, _ quantile: Double = 0.5) -> Cell {
                .number(runs[index].map(time).quantile(quantile) / 1e6, decimals: 2)
            }
            rows.append(
                Row(
                    name: contender.name,
                    cells: [
                        cell(\.total), cell(\.total, 0), cell(\.start), cell(\.client), cell(\.request),
                        cell(\.processor), .ratio(ratio(index, \.total)),
                    ]))
        }
        guard chosen.count == 2 else { return }
        let what = chosen[1].name
        claims += [
            Claim(what: "\(what) / built-in", value: ratio(1, \.total), limit: 1.2, unit: "x"),
            Claim(what: "\(what) / built-in, since main", value: ratio(1, \.sinceMain), limit: 1.2, unit: "x"),
            Claim(what: "\(what) / built-in, processor time", value: ratio(1, \.processor), limit: 1.2, unit: "x"),
        ]
    }
}
