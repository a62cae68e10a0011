// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import NIOCore

/// The pieces of a body that wait for their receiver, in order.
///
/// The server chooses the size of a piece, and each piece costs memory and a call in addition to its bytes. So the
/// queue joins small pieces and charges a fixed cost for every other piece.
struct PieceQueue: Sendable {
    /// The size up to which pieces are joined, in bytes. A larger piece isn't changed.
    static let joinedSize = 256 << 10
    /// The charge for a piece in addition to its bytes: its allocation, its place in the queue, and the two
    /// operations that deliver it.
    static let pieceCost = 512

    /// The pieces that no more bytes are added to.
    private var full = CircularBuffer<Data>(initialCapacity: 0)
    /// The last piece. New bytes are appended to it. Empty if the queue is empty.
    private var last = Data()

    var count: Int { full.count + (last.isEmpty ? 0 : 1) }
    var isEmpty: Bool { count == 0 }

    /// The charge for a piece that waits.
    static func charge(for piece: Data) -> Int { piece.count + pieceCost }

    /// Adds a piece at the end.
    /// - Returns: the increase of the charge for the queue.
    mutating func append(_ piece: Data) -> Int {
        guard !piece.isEmpty else { return 0 }
        if !last.isEmpty, last.count + piece.count <= Self.joinedSize {
            last.append(piece)
            return piece.count
        }
        if !last.isEmpty { full.append(last) }
        last = piece
        return Self.charge(for: piece)
    }

    /// Removes and returns the first piece, or returns nil if the queue is empty.
    mutating func popFirst() -> Data? {
        if let piece = full.popFirst() { return piece }
        guard !last.isEmpty else { return nil }
        defer { last = Data() }
        return last
    }

    /// Drops all pieces except the first.
    mutating func dropAllButFirst() {
        let first = popFirst()
        full.removeAll()
        last = first ?? Data()
    }
}
#endif
