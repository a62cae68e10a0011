// SPDX-License-Identifier: Apache-2.0

import PKIX

extension [Certificate] {
    /// The certificate of a path that a failure is about; nil if it is about the whole path, or an evaluator has miscounted.
    func certificate(of failure: TrustFailure) -> Certificate? {
        guard let index = failure.certificate, indices.contains(index) else { return nil }
        return self[index]
    }
}
