// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The file of a run in parts: the seed, the next exchange, and the figures of each client so far.
///
/// The first line has the seed and the next exchange. The other lines have the columns client, exchanges, answers,
/// errors and findings. A tab separates columns.
struct RunState {
    private let seed: UInt64
    private(set) var next = 0
    private let path: String
    private var rows: [String: [Int]] = [:]
    private let start: [String: [Int]]

    /// Reads the file, if there is one.
    /// - Throws: an error if the file can't be read, or has another seed.
    init(_ path: String, seed: UInt64) throws {
        self.path = path
        self.seed = seed
        var rows: [String: [Int]] = [:]
        if let text = try? String(contentsOfFile: path, encoding: .utf8) {
            let lines = text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            guard let first = lines.first, first.count == 2, UInt64(first[0]) == seed, let next = Int(first[1]) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            self.next = next
            for line in lines.dropFirst() { rows[line[0]] = line.dropFirst().compactMap { Int($0) } }
        }
        self.rows = rows
        start = rows
    }

    /// Writes the figures before this run and those of this run.
    mutating func save(next: Int, _ tally: Tally) throws {
        self.next = next
        rows = start
        for (name, figures) in tally.clients {
            let old = start[name, default: [0, 0, 0, 0]]
            rows[name] = zip(old, [figures.exchanges, figures.answers, figures.errors, figures.findings]).map(+)
        }
        let lines = rows.sorted { $0.key < $1.key }.map {
            ([$0.key] + $0.value.map(String.init)).joined(separator: "\t")
        }
        let text = (["\(seed)\t\(next)"] + lines).joined(separator: "\n") + "\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
}
