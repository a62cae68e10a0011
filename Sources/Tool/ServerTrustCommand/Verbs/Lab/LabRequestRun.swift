// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustLab

/// A run of `lab --requests`, which writes chains of the lab's scenarios to standard output.
///
/// Tasks create blocks of lines, and the calling task writes the blocks in order. Only a few blocks per core are in
/// progress at a time, so memory use is constant.
struct LabRequestRun: Sendable {
    /// The number of chains in a block.
    private static let blockSize = 64

    private let count: Int
    private let mix: LabMix
    private let lines: [LabRequestLines]
    private let format: LabRequestFormat
    /// The anchors of all scenarios, each once.
    private let anchors: [Certificate]

    /// Creates the CAs of the scenarios.
    /// - Throws: ``CommandFailure`` if a library can't create a certificate.
    init(
        _ scenarios: [LabScenario], count: Int, seed: UInt64, format: LabRequestFormat, now: Time = .now()
    ) throws(CommandFailure) {
        let series = try CommandFailure.of("the lab's certificates can't be created") {
            try LabChainSeries.all(of: scenarios, at: now)
        }
        self.count = count
        self.mix = LabMix(scenarios, seed: seed)
        self.lines = series.map { LabRequestLines($0, format) }
        self.format = format
        var seen: Set<Certificate> = []
        self.anchors = series.flatMap(\.certificates.anchors).filter { seen.insert($0).inserted }
    }

    /// Writes the anchors to a file, completely or not at all.
    func writeAnchors(to path: String, replacing: Bool) throws(CommandFailure) {
        let pem = anchors.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined()
        try OutputFile.write(Array(pem.utf8), to: path, replacing: replacing)
    }

    /// Writes all chains.
    /// - Throws: ``OutputClosed`` if the reader has closed standard output, ``CommandFailure`` if writing fails.
    func write() async throws {
        try StandardStream.output.write(format.header)
        let blocks = (count + Self.blockSize - 1) / Self.blockSize
        let limit = min(blocks, 4 * ProcessInfo.processInfo.activeProcessorCount)
        try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            var begun = 0
            func begin() {
                let number = begun
                group.addTask { (number, try block(number)) }
                begun += 1
            }
            while begun < limit { begin() }
            var finished: [Int: [UInt8]] = [:]
            for next in 0..<blocks {
                while finished[next] == nil, let (number, bytes) = try await group.next() { finished[number] = bytes }
                guard let bytes = finished.removeValue(forKey: next) else { return }
                if begun < blocks { begin() }
                try StandardStream.output.write(bytes)
            }
        }
    }

    /// Returns the lines of a block.
    private func block(_ number: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for number in (number * Self.blockSize)..<min(count, (number + 1) * Self.blockSize) {
            try Task.checkCancellation()
            try lines[mix.index(of: number)].append(number, to: &bytes)
        }
        return bytes
    }
}
