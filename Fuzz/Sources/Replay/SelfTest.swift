// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Planted findings, which this program must notice.
enum SelfTest {
    private static let limits = FuzzTarget.Limits(milliseconds: 5_000, megabytes: 512, seconds: 60)
    private static let good = (0..<4).map { [UInt8](repeating: UInt8($0), count: 40) }
    private static let planted = Array("planted".utf8)
    /// SEQUENCE { INTEGER 1, SEQUENCE { INTEGER 2 }, OCTET STRING }.
    private static let der: [UInt8] = [0x30, 0x0c, 2, 1, 1, 0x30, 3, 2, 1, 2, 4, 2, 0xaa, 0xbb]

    /// Targets without folders. Their names can't be module names.
    static let targets: [FuzzTarget] = [
        FuzzTarget("self-test-good", mutations: 20_000, limits: limits, inputs: good) { _, _ in 0 },
        FuzzTarget("self-test-file", mutations: 0, limits: limits, inputs: good + [planted] + good) { start, count in
            if bytes(start, count) == planted { fatalError("planted in a file") }
            return 0
        },
        // Only a mutation reaches this.
        FuzzTarget("self-test-mutation", mutations: 20_000, limits: limits, inputs: good) { start, count in
            let bytes = bytes(start, count)
            if bytes.count > 44, bytes.contains(0x80) { fatalError("planted in a mutation") }
            return 0
        },
        // Only a mutation that rewrites the length of the outer element reaches this.
        FuzzTarget("self-test-element", mutations: 20_000, limits: limits, inputs: [der]) { start, count in
            let bytes = bytes(start, count)
            if let tree = DERTree(bytes), tree.elements[0].start == 0, tree.elements[0].end == bytes.count,
                tree.elements.filter({ $0.parent == 0 }).count == 5
            {
                fatalError("planted in an element")
            }
            return 0
        },
        FuzzTarget("self-test-trap", mutations: 0, limits: limits, inputs: [planted]) { start, count in
            CInt(bytes(start, count)[count])
        },
        FuzzTarget("self-test-exit", mutations: 0, limits: limits, inputs: [planted]) { _, _ in exit(0) },
        FuzzTarget(
            "self-test-hang", mutations: 0, limits: .init(milliseconds: 5_000, megabytes: 512, seconds: 2),
            inputs: good + [planted]
        ) { start, count in
            while bytes(start, count) == planted { usleep(10_000) }
            return 0
        },
        FuzzTarget(
            "self-test-slow", mutations: 0, limits: .init(milliseconds: 100, megabytes: 512, seconds: 60),
            inputs: good + [planted]
        ) { start, count in
            let time = Platform.processorNanoseconds()
            while bytes(start, count) == planted, Platform.processorNanoseconds() - time < 200_000_000 {}
            return 0
        },
        FuzzTarget(
            "self-test-memory", mutations: 0, limits: .init(milliseconds: 5_000, megabytes: 64, seconds: 60),
            inputs: good + [planted]
        ) { start, count in
            guard bytes(start, count) == planted else { return 0 }
            let much = [UInt8](repeating: UInt8(count), count: 128 << 20)
            return CInt(much[much.count / 2] & 1)
        },
        FuzzTarget("self-test-empty", mutations: 100, limits: limits, inputs: []) { _, _ in 0 },
    ]

    /// The kind of each target's outcome, and its input unless a mutation creates the input.
    private static let expected: [String: (kind: Outcome.Kind, input: [UInt8]?)] = [
        "self-test-good": (.passed, nil),
        "self-test-file": (.crash, planted),
        "self-test-mutation": (.crash, nil),
        "self-test-element": (.crash, nil),
        "self-test-trap": (.crash, planted),
        "self-test-exit": (.crash, planted),
        "self-test-hang": (.hang, planted),
        "self-test-slow": (.tooSlow, planted),
        "self-test-memory": (.tooLarge, planted),
        "self-test-empty": (.noInputs, nil),
    ]

    /// Returns a line for each unexpected result.
    static func run(jobs: Int) throws -> [String] {
        var problems: [String] = []
        func expect(_ condition: Bool, _ text: String) { if !condition { problems.append(text) } }
        let outcomes = try Supervisor(jobs: jobs).run(targets)
        expect(outcomes.count == targets.count, "\(outcomes.count) outcomes for \(targets.count) targets")
        for outcome in outcomes {
            let name = outcome.target.name
            guard let (kind, input) = expected[name] else {
                problems.append("\(name): no expectation")
                continue
            }
            expect(outcome.kind == kind, "\(name): \(outcome.kind), expected \(kind): \(outcome.reason)")
            let hasFinding = kind != .passed && kind != .noInputs
            expect((outcome.finding != nil) == hasFinding, "\(name): finding \(outcome.finding != nil)")
            if let input { expect(outcome.finding?.bytes == input, "\(name): the finding is another input") }
        }
        try expectSameInputs(outcomes, expect)
        expectMessage(outcomes, expect)
        expectWords(expect)
        return problems
    }

    /// Checks that the same seed produces the same inputs, and another seed different ones.
    private static func expectSameInputs(_ outcomes: [Outcome], _ expect: (Bool, String) -> Void) throws {
        let mutated = targets.filter {
            ["self-test-good", "self-test-mutation", "self-test-element"].contains($0.name)
        }
        for seed: UInt64 in [1, 2] {
            for outcome in try Supervisor(jobs: 1, seed: seed).run(mutated) {
                let first = outcomes.first { $0.target.name == outcome.target.name }
                let isSame =
                    first?.checksum == outcome.checksum && first?.finished == outcome.finished
                    && first?.finding?.bytes == outcome.finding?.bytes
                expect(isSame == (seed == 1), "\(outcome.target.name): the inputs of seed 1 and \(seed)")
                if outcome.kind == .crash {
                    expect(outcome.finding?.isMutated == true, "\(outcome.target.name): not found in a mutation")
                }
            }
        }
        let good = outcomes.first { $0.target.name == "self-test-good" }
        expect(good?.finished == 20_004, "self-test-good: \(good?.finished ?? 0) inputs, expected 20004")
    }

    /// Checks that the report contains the message of a finding.
    private static func expectMessage(_ outcomes: [Outcome], _ expect: (Bool, String) -> Void) {
        let file = outcomes.first { $0.target.name == "self-test-file" }
        expect(file?.output.contains { $0.contains("planted in a file") } == true, "self-test-file: no message")
    }

    private static func expectWords(_ expect: (Bool, String) -> Void) {
        let text = #"""
            # Comment

            "plain"
            name="\x30\"\\"
            """#
        let words = try? TargetInputs.words(text, file: "text")
        expect(words == [Array("plain".utf8), [0x30, 0x22, 0x5c]], "dictionary: \(words ?? [])")
        expect((try? TargetInputs.words(#""\q""#, file: "text")) == nil, "dictionary: a wrong escape was read")
    }

    private static func bytes(_ start: UnsafeRawPointer?, _ count: Int) -> [UInt8] {
        [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}
