// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import PKIX

    /// The bytes of a download that its delegate hasn't had a report about. One report is for all of them, whatever the number of pieces.
    final class WrittenBytes: Sendable {
        private let state = Locked((waiting: 0, total: Int64(0)))

        /// - Returns: whether a report has to be scheduled; false if one is waiting already.
        func add(_ bytes: Int) -> Bool {
            state.withLock { state in
                defer { state.waiting += bytes }
                return state.waiting == 0
            }
        }

        /// The bytes for a report, and all bytes up to this one.
        func take() -> (bytes: Int, total: Int64) {
            state.withLock { state in
                defer { state.waiting = 0 }
                state.total += Int64(state.waiting)
                return (state.waiting, state.total)
            }
        }
    }
#endif
