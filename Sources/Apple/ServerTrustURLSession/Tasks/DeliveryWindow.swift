// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import PKIX

    /// The charge for the pieces of a body that were read and not yet taken by the delegate. Its limit stands between a fast server and the memory
    /// of a process whose delegate is slow, or whose task is suspended.
    ///
    /// Foundation's `client` takes everything at once and says nothing: it puts each piece into the delegate queue. An operation
    /// behind it in the same queue runs when the delegate has had it. ``PieceQueue`` knows the charge for a piece.
    final class DeliveryWindow: Sendable {
        /// In bytes. Above it no more is read.
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

        /// Removes the charge for bytes that the delegate has taken.
        func acknowledge(_ charge: Int) {
            state.withLock { state in
                state.charge -= charge
                return state.takeWaiting()
            }?.resume()
        }

        /// Nothing will be taken any more.
        func close() {
            state.withLock { state in
                state.isClosed = true
                return state.takeWaiting()
            }?.resume()
        }

        /// Whether more may be read at once.
        var hasCapacity: Bool { state.withLock { $0.hasCapacity } }

        /// Returns when more may be read. For one task at a time.
        /// - Throws: when the task is canceled.
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
