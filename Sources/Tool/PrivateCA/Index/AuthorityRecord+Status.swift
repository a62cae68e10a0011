// SPDX-License-Identifier: Apache-2.0

import PKIX

extension AuthorityRecord {
    /// The status of a certificate in one word. A revoked certificate remains revoked after it expires.
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case valid
        case expired
        case revoked
    }

    /// Returns the status at a time.
    package func status(at time: Time) -> Status {
        revocation != nil ? .revoked : time > notAfter ? .expired : .valid
    }
}
