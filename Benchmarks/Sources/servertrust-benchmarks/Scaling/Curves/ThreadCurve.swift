// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The curve of threads that share one manager.
struct ThreadCurve {
    let roots: SystemRoots
    let rounds: Int

    private static let threads = [1, 2, 4]
    private static let remembered = "verdict remembered"
    private static let seen = "chain seen before"
    private static let verified = "both signatures verified"

    func measure() async throws -> Curve {
        let chain = try ServerChain(.p256)
        let path = PresentedPath(chain, roots)
        let evaluator = try chain.pinningEvaluator()
        func verdict(_ name: String, _ memory: VerdictMemory?, _ signatures: SignatureMemory?) throws -> ManagerVerdict
        {
            let manager = try ManyHosts.manager(evaluator, host: ServerChain.hostname, count: 999, memory: memory)
            return try ManagerVerdict(name, chain, roots, manager, signatures: signatures)
        }
        let contenders: [(any Contender, Curve.Style)] = [
            (try verdict(Self.remembered, VerdictMemory(), SignatureMemory()), .oursSecond),
            (try verdict(Self.seen, nil, SignatureMemory()), .oursThird),
            (try verdict(Self.verified, nil, nil), .ours),
            (CertificatesPath(path), .certificates), (try OpenSSLPath(path), .openSSL),
        ]
        let results = try await Throughput(rounds: rounds).measure(contenders.map(\.0), threads: Self.threads)
        var lines = CurveLines(contenders.map { ($0.0.name, $0.1) })
        for (contender, list) in zip(contenders, results) {
            for (count, result) in zip(Self.threads, list) {
                lines.add(size: Double(count), cost: result.rate, name: contender.0.name)
            }
        }
        return curve(lines.lines, results)
    }

    private func curve(_ lines: [Curve.Line], _ results: [[Throughput.Result]]) -> Curve {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        func factor(_ index: Int, _ position: Int) -> String {
            (results[index][position].rate / results[index][0].rate).formatted(decimals: 2)
        }
        let times = lines.indices.map { index in
            let list = results[index].map { Quantity.time.text($0.processorTime) }
            return "\(lines[index].name) \(list.joined(separator: ", "))"
        }
        return Curve(
            file: "threads", title: "Threads that share one manager", size: .init(label: "threads", quantity: .count),
            cost: .init(label: "verdicts a second, all threads together", quantity: .rate), lines: lines,
            finding: """
                If both signatures are verified, two threads return \(factor(2, 1)) times as many verdicts a second as \
                one, and four threads \(factor(2, 2)) times, on \(processors) processors.
                """,
            growth: """
                **constant** work for each verdict, whatever the number of threads. The meter charges the same for \
                each of 256 validations by 1, 2 and 4 threads that share a validator and a memory of signatures. No \
                counter counts the time that threads wait for each other; the figures below measure it.
                """,
            peers: """
                The manager has 1,000 rules, and pins for the host. swift-certificates and OpenSSL share a store, \
                verify both signatures each time and have no pins.
                """,
            remark: """
                On a chain seen before, two and four threads return \(factor(1, 1)) and \(factor(1, 2)) times as many \
                verdicts as one, and \(factor(0, 1)) and \(factor(0, 2)) times as many remembered verdicts. \
                Median processor time of one verdict with 1, 2 and 4 threads, which grows if threads disturb each other: \
                \(times.joined(separator: "; ")).
                """)
    }
}
