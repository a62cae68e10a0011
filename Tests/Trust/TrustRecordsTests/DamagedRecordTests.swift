// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Deterministic random numbers.
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}

@Suite("Damaged records") struct DamagedRecordTests {
    /// The lines of a trusted and of a refused server, and a line with every key.
    private static func lines() async throws -> [[UInt8]] {
        let scene = try TrustScene()
        let (records, _) = try await records { recorder in
            let manager = try ServerTrustManager(scene.host, .enforced(DefaultTrustEvaluator()), recorder)
            _ = (manager.evaluate(scene.trust()), manager.evaluate(scene.trust { $0.anchors = .only([]) }))
        }
        return try records.map(\.line) + [TrustRecordTests.full().line]
    }

    @Test("A damaged line is refused, or is a record that survives writing and evaluating", arguments: 0..<4)
    func damaged(seed: Int) async throws {
        var numbers = Numbers(state: UInt64(seed) &+ 7)
        let lines = try await Self.lines()
        let pieces = [
            "null", "\"", "{", "}", "[", "]", ",", "-1", "1e999", "\\u0000", "\"record\":1,", "\"host\":", "\u{0}",
            "\u{1F511}",
        ].map { Array($0.utf8) }
        var (read, evaluated) = (0, 0)
        for _ in 0..<1500 {
            var line = lines[Int.random(in: 0..<lines.count, using: &numbers)]
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let place = Int.random(in: 0..<line.count, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: line[place] = UInt8.random(in: 0...255, using: &numbers)
                case 1: line.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &numbers)], at: place)
                case 2: line.removeSubrange(place..<min(line.count, place + Int.random(in: 1...40, using: &numbers)))
                default: line.removeLast(min(line.count - 1, Int.random(in: 1...400, using: &numbers)))
                }
                if line.isEmpty { line = [0x7b] }
            }
            guard let record = try? TrustRecord(line: line, blobs: nil) else { continue }
            read += 1
            var values: [String: [UInt8]] = [:]
            let written = record.line { values[$1] = $0 }
            if values.isEmpty { #expect(try TrustRecord(line: written, blobs: nil) == record) }
            var replay = RecordReplay(memory: nil)
            guard let verdict = try? replay.evaluate(record) else { continue }
            evaluated += 1
            // No damage makes a path to anchors that the record doesn't have.
            #expect(!verdict.isTrusted || record.anchors?.contains(verdict.path.last?.der ?? []) == true)
        }
        #expect(read > 30)
        #expect(evaluated > 20)
    }

    @Test("A record without anchors uses the machine's, and conditions then are an error")
    func systemAnchors() throws {
        let scene = try TrustScene()
        var record = TrustRecord(
            time: TestAuthority.now, recorded: .init(isTrusted: true, result: .unspecified, codes: [], path: []))
        record.chain = scene.chain.map(\.der)
        var replay = RecordReplay(memory: nil)
        #expect(try replay.evaluate(record).isTrusted == false)
        record.conditions = [[]]
        #expect(throws: TrustRecordError.self) { try replay.evaluate(record) }
    }

    @Test(
        "A list that can't be read makes the record unreadable", arguments: ["denied", "conditions", "filters", "logs"])
    func lists(_ kind: String) throws {
        let scene = try TrustScene()
        var record = TrustRecord(
            time: TestAuthority.now, recorded: .init(isTrusted: true, result: .unspecified, codes: [], path: []))
        record.chain = scene.chain.map(\.der)
        record.anchors = [scene.root.certificate.der]
        record.host = .name(scene.host)
        var replay = RecordReplay(memory: nil)
        #expect(try replay.evaluate(record).isTrusted)
        record.transparency = .init(policy: "apple", mode: .report)
        switch kind {
        case "denied": record.denied = [Array("{}".utf8)]
        case "conditions": record.conditions = [Array("{}".utf8)]
        case "filters": record.filters = [[1, 2, 3]]
        default: record.logs = Array("{}".utf8)
        }
        #expect(throws: TrustRecordError.self) { try replay.evaluate(record) }
    }
}
