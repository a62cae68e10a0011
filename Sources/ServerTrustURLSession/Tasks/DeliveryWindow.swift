// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import PKIX

    /// How much of a body has been read and not been taken by the delegate: what stands between a fast server and the memory of a
    /// process whose delegate is slow, or whose task is suspended.
    ///
    /// Foundation's `client` takes everything at once and says nothing: it puts each piece into the delegate queue. An operation
    /// behind it in the same queue runs when the delegate has had it.
    final class Backlog: Sendable {
        /// In bytes. Above it no more is read.
        static let limit = 4 << 20

        private struct State {
            var bytes = 0
            var isClosed = false
            var waiting: CheckedContinuation<Void, Never>?

            var isRoom: Bool { isClosed || bytes <= Backlog.limit }

            mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
                guard isRoom else { return nil }
                defer { waiting = nil }
                return waiting
            }
        }
        private let state = Locked(State())

        /// That many bytes were read.
        func add(_ bytes: Int) { state.withLock { $0.bytes += bytes } }

        /// That many bytes were taken.
        func take(_ bytes: Int) {
            state.withLock { state in
                state.bytes -= bytes
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
        var isRoom: Bool { state.withLock { $0.isRoom } }

        /// Returns when more may be read. For one task at a time.
        /// - Throws: when the task is cancelled.
        func room() async throws {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isRoom = state.withLock { state in
                        if !state.isRoom { state.waiting = continuation }
                        return state.isRoom
                    }
                    if isRoom { continuation.resume() }
                }
            } onCancel: {
                close()
            }
            try Task.checkCancellation()
        }
    }
#endif
