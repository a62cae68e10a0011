// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import PKIX

/// Whether the time for a body has passed before the body was complete.
final class BodyExpiry: Sendable {
    private let state = Locked(false)

    var hasPassed: Bool { state.withLock { $0 } }

    func pass() { state.withLock { $0 = true } }
}

#endif
