// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import PKIX

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
