// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import Foundation
import FoundationNetworking
import NIOCore
import PKIX

/// The response and the body of one task on their way to `URLSession.AsyncBytes`, whose iterator takes one piece
/// after another.
final class ByteStream: Sendable {
    private struct State {
        var response: Result<URLResponse, any Error>?
        var pieces = PieceQueue()
        /// nil until the task has ended, then its result: success, or the task's error.
        var end: Result<Void, any Error>?
        var awaitsResponse: CheckedContinuation<URLResponse, any Error>?
        var awaitsPiece: CheckedContinuation<Data?, any Error>?
        /// Called with the charge for each piece that the reader takes.
        var acknowledge: (@Sendable (Int) -> Void)?
    }
    private let state = Locked(State())

    // MARK: - From the task

    /// - Parameter acknowledge: called with the charge for each piece that the reader takes.
    func begin(acknowledge: @escaping @Sendable (Int) -> Void) {
        state.withLock { $0.acknowledge = acknowledge }
    }

    func respond(_ response: URLResponse) {
        state.withLock { state in
            state.response = state.response ?? .success(response)
            defer { state.awaitsResponse = nil }
            return state.awaitsResponse
        }?.resume(returning: response)
    }

    /// - Returns: the charge that the stream acknowledges when the bytes are taken, or 0 if a reader was already
    ///   waiting for them.
    @discardableResult
    func add(_ data: Data) -> Int {
        let (waiting, charge) = state.withLock { state in
            guard let waiting = state.awaitsPiece else {
                return (nil as CheckedContinuation<Data?, any Error>?, state.pieces.append(data))
            }
            state.awaitsPiece = nil
            return (waiting, 0)
        }
        waiting?.resume(returning: data)
        return charge
    }

    /// Records that the task has ended. Before a clean end the stream delivers all pieces that were added earlier,
    /// but before an error only the next one.
    func end(_ error: (any Error)?) {
        let (forResponse, forPiece) = state.withLock {
            state -> (CheckedContinuation<URLResponse, any Error>?, CheckedContinuation<Data?, any Error>?) in
            guard state.end == nil else { return (nil, nil) }
            state.end = error.map { .failure($0) } ?? .success(())
            if error != nil { state.pieces.dropAllButFirst() }
            if state.response == nil { state.response = .failure(error ?? URLError(.badServerResponse)) }
            defer { (state.awaitsResponse, state.awaitsPiece) = (nil, nil) }
            return (state.awaitsResponse, state.awaitsPiece)
        }
        forResponse?.resume(throwing: error ?? URLError(.badServerResponse))
        if let error { forPiece?.resume(throwing: error) } else { forPiece?.resume(returning: nil) }
    }

    // MARK: - To the caller

    /// Waits for the head of the response.
    func response() async throws -> URLResponse {
        try await withCheckedThrowingContinuation { continuation in
            let response = state.withLock { state in
                if state.response == nil { state.awaitsResponse = continuation }
                return state.response
            }
            if let response { continuation.resume(with: response) }
        }
    }

    /// Waits for the next piece. Only one caller may wait at a time.
    /// - Returns: the piece, or nil at the end.
    func next() async throws -> Data? {
        try await withCheckedThrowingContinuation { continuation in
            let (found, acknowledge) = state.withLock {
                state -> (Result<Data?, any Error>?, (@Sendable (Int) -> Void)?) in
                if let piece = state.pieces.popFirst() { return (.success(piece), state.acknowledge) }
                if let end = state.end { return (end.map { nil }, nil) }
                // A second caller would wait forever.
                guard state.awaitsPiece == nil else { return (.failure(URLError(.unknown)), nil) }
                state.awaitsPiece = continuation
                return (nil, nil)
            }
            guard let found else { return }
            if case .success(let piece?) = found { acknowledge?(PieceQueue.charge(for: piece)) }
            continuation.resume(with: found)
        }
    }
}

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
