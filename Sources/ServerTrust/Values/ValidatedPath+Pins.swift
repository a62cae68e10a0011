// SPDX-License-Identifier: Apache-2.0

import PKIX

extension ValidatedPath {
    /// What is wrong if none of `pins` is in the path; empty if one is. An empty set of pins is in no path.
    public func failures(pinnedTo pins: some Collection<SPKIPin>) -> [TrustFailure] {
        guard matching(pins) == nil else { return [] }
        return [
            TrustFailure(
                .pinNotMatched, expected: .list(pins.map(\.description)),
                found: .list(certificates.map { SPKIPin($0).description }))
        ]
    }
}
