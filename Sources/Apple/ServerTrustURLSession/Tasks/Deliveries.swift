// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import Foundation
import FoundationNetworking
import PKIX

/// The events of one task that wait for Foundation, and the rules for their order.
///
/// Foundation puts every piece of a body into the delegate queue, where nothing can overtake it. So a delegate gets
/// one piece at a time, and the other pieces wait here and are joined. An error overtakes them: at most one waiting
/// piece is delivered before it.
struct Deliveries {
    /// The outcome of a task.
    enum End: Sendable {
        /// The task succeeded. For a download task, the value is its file.
        case finished(DownloadFile?)
        case failed(any Error)
    }

    /// The events that Foundation gets in one call of `startLoading`.
    struct Batch: Sendable {
        var response: URLResponse?
        var pieces: [Data] = []
        var end: End?

        /// Whether the task has succeeded.
        var isComplete: Bool { if case .finished = end { true } else { false } }
    }

    /// Whether the pieces go through the delegate queue. Otherwise their receiver takes all of them at once.
    private let waitsForDelegate: Bool
    private var response: URLResponse?
    private var pieces = PieceQueue()
    private var end: End?
    private var hasEnded = false
    /// The number of pieces that Foundation has received but not yet delivered to the delegate.
    private var underWay = 0

    init(waitsForDelegate: Bool) { self.waitsForDelegate = waitsForDelegate }

    // MARK: - From the exchange

    mutating func respond(_ response: URLResponse) {
        guard !hasEnded else { return }
        self.response = response
    }

    /// - Returns: the charge for the window.
    mutating func add(_ piece: Data) -> Int { hasEnded ? 0 : pieces.append(piece) }

    /// Ends the task. Events after the first end are dropped.
    ///
    /// A clean end is delivered after all pieces. An error, for example because the server closed the connection,
    /// is delivered after the next piece, so that a short body is delivered as received.
    mutating func finish(_ end: End) {
        guard !hasEnded else { return }
        hasEnded = true
        self.end = end
        if case .failed = end { pieces.dropAllButFirst() }
    }

    /// Drops everything because the task was canceled.
    mutating func cancel() {
        hasEnded = true
        (response, pieces, end) = (nil, PieceQueue(), nil)
    }

    // MARK: - To Foundation

    /// Whether ``take()`` returns an event.
    var isReady: Bool { response != nil || mayTakePiece || (end != nil && pieces.isEmpty) }

    /// Whether a piece can be delivered. The last piece doesn't wait for the one before it, because the end follows
    /// directly.
    private var mayTakePiece: Bool {
        !pieces.isEmpty && (!waitsForDelegate || underWay == 0 || (end != nil && pieces.count == 1))
    }

    /// Removes and returns the events that Foundation may get now.
    mutating func take() -> Batch {
        var batch = Batch(response: response)
        response = nil
        while mayTakePiece, let piece = pieces.popFirst() {
            batch.pieces.append(piece)
            if waitsForDelegate { underWay += 1 }
        }
        if pieces.isEmpty {
            batch.end = end
            end = nil
        }
        return batch
    }

    /// Records that the delegate has received one piece.
    mutating func delegateTookPiece() { underWay -= 1 }
}

/// The charge for the pieces of a body that were read but that the delegate hasn't taken yet. Its limit protects
/// the memory of a process from a fast server when the delegate is slow or the task is suspended.
///
/// Foundation's `client` accepts everything at once and reports nothing: it puts each piece into the delegate
/// queue. An operation added after a piece to the same queue runs when the delegate has received the piece.
/// ``PieceQueue`` computes the charge for a piece.
final class DeliveryWindow: Sendable {
    /// The limit in bytes. Above it, nothing more is read.
    static let limit = 4 << 20

    private struct State {
        var charge = 0
        var isClosed = false
        var waiting: CheckedContinuation<Void, Never>?

        var hasCapacity: Bool { isClosed || charge <= DeliveryWindow.limit }

        mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
            guard hasCapacity else { return nil }
            defer { waiting = nil }
            return waiting
        }
    }
    private let state = Locked(State())

    /// Adds the charge for bytes that were read.
    func add(_ charge: Int) { state.withLock { $0.charge += charge } }

    /// Subtracts the charge for bytes that the delegate has taken.
    func acknowledge(_ charge: Int) {
        state.withLock { state in
            state.charge -= charge
            return state.takeWaiting()
        }?.resume()
    }

    /// Opens the window for good, because nothing will take the bytes anymore.
    func close() {
        state.withLock { state in
            state.isClosed = true
            return state.takeWaiting()
        }?.resume()
    }

    /// Whether more bytes may be read now.
    var hasCapacity: Bool { state.withLock { $0.hasCapacity } }

    /// Returns when more bytes may be read. Only one task may wait at a time.
    /// - Throws: `CancellationError` if the task is canceled.
    func waitForCapacity() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasCapacity = state.withLock { state in
                    if !state.hasCapacity { state.waiting = continuation }
                    return state.hasCapacity
                }
                if hasCapacity { continuation.resume() }
            }
        } onCancel: {
            close()
        }
        try Task.checkCancellation()
    }
}

#endif
