// SPDX-License-Identifier: Apache-2.0

import TrustLists

extension DeniedCertificates {
    /// Creates a list of keys.
    public init(keys: Set<SPKIPin>) { self.init(keyDigests: Set(keys.map(\.sha256))) }
}
