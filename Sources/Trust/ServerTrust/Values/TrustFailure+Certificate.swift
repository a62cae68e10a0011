// SPDX-License-Identifier: Apache-2.0

import PKIX

extension [Certificate] {
    /// Returns the certificate of a path that a failure is about; nil for a failure of the whole path, or with an index out of range.
    func certificate(of failure: TrustFailure) -> Certificate? {
        guard let index = failure.certificate, indices.contains(index) else { return nil }
        return self[index]
    }
}
