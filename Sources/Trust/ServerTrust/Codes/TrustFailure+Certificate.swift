// SPDX-License-Identifier: Apache-2.0

import PKIX

extension [Certificate] {
    /// Returns the certificate of the path that a failure is about. Returns nil for a failure of the whole path, or if
    /// the index is out of range.
    func certificate(of failure: TrustFailure) -> Certificate? {
        guard let index = failure.certificate, indices.contains(index) else { return nil }
        return self[index]
    }
}
