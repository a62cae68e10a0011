// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import Diagnosis

/// Reproducible mutations of the fuzz target's seeds. `SERVERTRUST_MUTATIONS` sets the number of mutations per seed.
/// The default is 100.
@Suite("Mutated files", .timeLimit(.minutes(30)))
struct MutationTests {
    /// A generator that produces the same numbers in every run (xorshift).
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fuzz/Seeds/FuzzInspection")

    static let seeds = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []

    @Test("The reader terminates and reports at most as many bytes as the file has", arguments: seeds)
    func mutations(_ seed: String) throws {
        let original = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(seed)))
        let count = ProcessInfo.processInfo.environment["SERVERTRUST_MUTATIONS"].flatMap { Int($0) } ?? 100
        var numbers = Numbers(state: 0x9e37_79b9_7f4a_7c15)
        var limits = ReadingLimits()
        limits.iterations = 1_000
        limits.keys = 4
        for _ in 0..<count {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &numbers) { Self.change(&bytes, &numbers) }
            let file = InspectionReader.read(bytes, name: "f", limits: limits) { _ in "p" }
            #expect(!file.objects.isEmpty)
            #expect(file.objects.reduce(0) { $0 + $1.der.count } <= 2 * bytes.count)
            for object in file.objects {
                guard let words = object.problem?.description else { continue }
                #expect(words.utf8.count <= 2_000)
                #expect(words.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f })
            }
            #expect(!file.certificates(for: .anchor(.serverAuth)).isEmpty)
        }
    }

    private static func change(_ bytes: inout [UInt8], _ numbers: inout Numbers) {
        guard !bytes.isEmpty else { return bytes.append(0x30) }
        let index = Int.random(in: 0..<bytes.count, using: &numbers)
        let length = Int.random(in: 1...min(32, bytes.count - index), using: &numbers)
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: bytes[index] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &numbers)
        case 1: bytes[index] = UInt8.random(in: .min ... .max, using: &numbers)
        case 2: bytes.removeSubrange(index..<(index + length))
        case 3:
            bytes.insert(
                contentsOf: bytes[index..<(index + length)], at: Int.random(in: 0...bytes.count, using: &numbers))
        case 4: bytes.removeLast(bytes.count - index)
        default: bytes.append(contentsOf: bytes)
        }
    }
}
