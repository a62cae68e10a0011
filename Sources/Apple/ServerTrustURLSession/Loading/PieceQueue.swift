// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import NIOCore

    /// The pieces of a body that wait for their receiver, in order.
    ///
    /// The server chooses the size of a piece, and each piece costs memory and a call besides its bytes. So the queue joins small pieces, and
    /// charges a fixed cost for each of the others.
    struct PieceQueue: Sendable {
        /// The size up to which pieces are joined, in bytes. A larger piece stays as it came.
        static let joinedSize = 256 << 10
        /// The charge for a piece besides its bytes: its allocation, its place in the queue, and the two operations that deliver it.
        static let pieceCost = 512

        /// Pieces that take no more bytes.
        private var full = CircularBuffer<Data>(initialCapacity: 0)
        /// The last piece. The next bytes are appended to it. Empty in an empty queue.
        private var last = Data()

        var count: Int { full.count + (last.isEmpty ? 0 : 1) }
        var isEmpty: Bool { count == 0 }

        /// The charge for a piece that waits.
        static func charge(for piece: Data) -> Int { piece.count + pieceCost }

        /// Adds a piece at the end.
        /// - Returns: by how much the charge for the queue grew.
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

        /// Removes the first piece; nil if the queue is empty.
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
