// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Records the reasons for retries that a manager's events report.
final class RepeatObserver: TrustEventObserver {
    private let recorded = Locked<[RepeatedRequest]>([])

    var requests: [RepeatedRequest] { recorded.withLock { $0 } }
    var reasons: [RepeatedRequest.Reason] { requests.map(\.reason) }

    func observe(_ event: TrustEvent) {
        if case .requestRepeated(let request) = event { recorded.withLock { $0.append(request) } }
    }
}
