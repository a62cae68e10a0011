// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import PKIX

/// The bytes of a download that haven't been reported to the delegate. One report covers all of them, whatever the
/// number of pieces.
final class WrittenBytes: Sendable {
    private let state = Locked((waiting: 0, total: Int64(0)))

    /// - Returns: whether the caller has to schedule a report. False if a report is already scheduled.
    func add(_ bytes: Int) -> Bool {
        state.withLock { state in
            defer { state.waiting += bytes }
            return state.waiting == 0
        }
    }

    /// Returns the bytes for a report, and the total up to this report.
    func take() -> (bytes: Int, total: Int64) {
        state.withLock { state in
            defer { state.waiting = 0 }
            state.total += Int64(state.waiting)
            return (state.waiting, state.total)
        }
    }
}
#endif
