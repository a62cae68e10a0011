// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ServerTrustURLSession

@Suite("A body's waiting pieces")
struct PieceQueueTests {
    /// Bytes whose values reveal a piece at the wrong position.
    private static let source = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    /// Returns the source in pieces of random sizes: many small ones, and some larger than a joined piece.
    private static func pieces() -> [Data] {
        var rest = source[...]
        var pieces: [Data] = []
        while !rest.isEmpty {
            let size = Int.random(in: 0...(1 << Int.random(in: 0...19)))
            pieces.append(Data(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return pieces
    }

    @Test("Pieces of any size come out in order, and no two neighbors would fit into one piece")
    func joined() {
        for _ in 0..<20 {
            let pieces = Self.pieces()
            var queue = PieceQueue()
            var charge = 0
            for piece in pieces { charge += queue.append(piece) }
            var found: [Data] = []
            while let piece = queue.popFirst() { found.append(piece) }
            #expect(found.reduce(into: Data()) { $0.append($1) } == Self.source)
            #expect(
                zip(found, found.dropFirst()).allSatisfy { $0.count + $1.count > PieceQueue.joinedSize },
                "\(pieces.map(\.count))")
            #expect(charge == found.reduce(0) { $0 + PieceQueue.charge(for: $1) })
            #expect(queue.isEmpty && queue.count == 0)
        }
    }

    @Test("Pieces that are taken while others arrive come out in order, and their charges add up")
    func interleaved() {
        for _ in 0..<20 {
            var queue = PieceQueue()
            var found = Data()
            var charge = 0
            func take() {
                guard let piece = queue.popFirst() else { return }
                found.append(piece)
                charge -= PieceQueue.charge(for: piece)
            }
            for piece in Self.pieces() {
                charge += queue.append(piece)
                if Int.random(in: 0..<4) == 0 { take() }
            }
            while !queue.isEmpty { take() }
            #expect(found == Self.source)
            #expect(charge == 0)
        }
    }

    @Test("Single bytes form one piece, which is charged once")
    func singleBytes() {
        var queue = PieceQueue()
        let charge = (0..<20_000).reduce(0) { charge, _ in charge + queue.append(Data([1])) }
        #expect(charge == 20_000 + PieceQueue.pieceCost)
        #expect(queue.count == 1)
    }

    @Test("The queue keeps the first of several pieces when it drops the others")
    func dropped() {
        var queue = PieceQueue()
        queue.dropAllButFirst()
        #expect(queue.isEmpty)
        for byte in UInt8(1)...3 { _ = queue.append(Data(repeating: byte, count: PieceQueue.joinedSize)) }
        queue.dropAllButFirst()
        #expect(queue.count == 1)
        queue.dropAllButFirst()
        #expect(queue.popFirst() == Data(repeating: 1, count: PieceQueue.joinedSize))
        #expect(queue.popFirst() == nil)
    }
}
