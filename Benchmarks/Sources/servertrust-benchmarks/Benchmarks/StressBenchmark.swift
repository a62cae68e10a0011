// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Synchronization

/// Many threads that share one store and one signature memory. Each asserts every verdict.
struct StressBenchmark: Benchmark {
    let name = "stress"
    let summary = "8 threads on one store, good and bad chains, every verdict asserted"
    var countsInstructions: Bool { false }

    private static let threads = 8

    /// A chain with its expected verdict.
    private struct Item: Sendable {
        var name: String
        var presented: [[UInt8]]
        var host: Hostname
        var time: Time
        /// The expected failure, or nil for a valid chain.
        var expected: TrustFailure.Code?
    }

    func run(_ settings: Settings) async throws -> Section {
        let (items, roots) = try Self.items()
        let anchors = settings.roots.anchors + roots
        // The memory is smaller than the number of entries, so that some are evicted while others are read.
        let memory = SignatureMemory(capacity: 64)
        let validators = [
            PathValidator(anchors: anchors, memory: memory), PathValidator(anchors: anchors, memory: nil),
        ]
        let wrong = Mutex<WrongAnswer?>(nil)
        let done = DispatchGroup()
        let before = Self.residentKilobytes()
        let start = ContinuousClock.now
        let processorStart = ProcessorTime.now()
        for thread in 0..<Self.threads {
            let share = (settings.count + thread) / Self.threads
            done.enter()
            Thread.detachNewThread {
                defer { done.leave() }
                do {
                    for number in 0..<share {
                        // Each thread is at a different item, and one in eight evaluations doesn't use the memory.
                        let item = items[(number + thread * 5) % items.count]
                        try Self.check(item, validators[(number / items.count + thread) % 8 == 0 ? 1 : 0])
                        if number % 4096 == 0, wrong.withLock({ $0 != nil }) { return }
                    }
                } catch {
                    wrong.withLock { $0 = error as? WrongAnswer ?? WrongAnswer(contender: "stress", what: "\(error)") }
                }
            }
        }
        await withCheckedContinuation { continuation in
            done.notify(queue: .global()) { continuation.resume() }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let processorSeconds = (ProcessorTime.now() - processorStart) / 1e9
        let after = Self.residentKilobytes()
        if let wrong = wrong.withLock({ $0 }) { throw wrong }
        return Section(
            benchmark: name, title: "\(summary) (\(items.count) chains; \(anchors.count) anchors)",
            columns: ["value"],
            rows: [
                Section.Row(name: "evaluations", cells: [.number(Double(settings.count), decimals: 0)]),
                Section.Row(name: "threads", cells: [.number(Double(Self.threads), decimals: 0)]),
                Section.Row(name: "seconds", cells: [.number(seconds, decimals: 2)]),
                Section.Row(name: "seconds of all processors", cells: [.number(processorSeconds, decimals: 2)]),
                Section.Row(
                    name: "evaluations a second", cells: [.number(Double(settings.count) / seconds, decimals: 0)]),
                Section.Row(name: "resident before, KB", cells: [.number(before, decimals: 0)]),
                Section.Row(name: "resident after, KB", cells: [.number(after, decimals: 0)]),
                Section.Row(name: "signatures remembered", cells: [.number(Double(memory.count), decimals: 0)]),
            ])
    }

    /// Parses and validates, as a connection would.
    private static func check(_ item: Item, _ validator: PathValidator) throws {
        let chain = try item.presented.map { try Certificate(der: $0) }
        let outcome = validator.validate(chain: chain, host: item.host, at: item.time)
        let found = outcome?.rejection?.headline.code
        guard found == item.expected else {
            throw WrongAnswer(
                contender: "stress, \(item.name)",
                what: "\(found.map { "\($0)" } ?? "valid"), expected \(item.expected.map { "\($0)" } ?? "valid")")
        }
    }

    private static func items() throws -> ([Item], [Certificate]) {
        let host = try Hostname(ServerChain.hostname)
        var items: [Item] = []
        var roots: [Certificate] = []
        func add(
            _ name: String, _ presented: [Certificate], host: Hostname = host, time: Time = TestAuthority.now,
            _ expected: TrustFailure.Code?
        ) {
            items.append(
                Item(name: name, presented: presented.map(\.der), host: host, time: time, expected: expected))
        }
        for kind in KeyKind.allCases where kind != .rsa4096 {
            // A few leaves of each kind, so that they don't all fit into the memory.
            for _ in 0..<(kind == .p256 ? 24 : 4) {
                let chain = try ServerChain(kind)
                roots.append(chain.root)
                add("\(kind.label), good", [chain.leaf, chain.intermediate], nil)
                guard kind == .p256 || kind == .rsa2048 else { continue }
                add("\(kind.label), good, with strangers", [chain.leaf, chain.root, chain.intermediate], nil)
                add(
                    "\(kind.label), wrong host", [chain.leaf, chain.intermediate], host: try Hostname("b.example.net"),
                    .hostMismatch)
                add("\(kind.label), intermediate missing", [chain.leaf], .unknownIssuer)
                let late = TestAuthority.now.advanced(by: .days(365))
                add("\(kind.label), expired", [chain.leaf, chain.intermediate], time: late, .certificateExpired)
                var flipped = chain.leaf.der
                flipped[flipped.count - 1] ^= 1
                items.append(
                    Item(
                        name: "\(kind.label), last bit of the signature flipped",
                        presented: [flipped, chain.intermediate.der], host: host, time: TestAuthority.now,
                        expected: .signatureInvalid))
            }
        }
        let constrained = try TestAuthority.root(
            .authority("Constrained Root").with { $0.excludedDNSNames = ["example.com"] })
        roots.append(constrained.certificate)
        add("name excluded", [try constrained.issue(.leaf(ServerChain.hostname)).certificate], .nameExcluded)
        add(
            "self-signed", [try TestAuthority.selfSigned(.leaf(ServerChain.hostname)).certificate], .selfSignedLeaf)
        return (items, roots)
    }

    /// Returns the process's resident memory in kilobytes, or 0 if the system doesn't report it.
    static func residentKilobytes() -> Double {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
        else { return 0 }
        return Double(line.split(separator: " ").dropFirst().first ?? "") ?? 0
    }
}
