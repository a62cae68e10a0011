// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustFailure.Code {
    /// The meaning and the remedy, for people, or nil for a code from outside this package. The text may change.
    ///
    /// The library `Diagnosis` has more texts about a code: how to recognize it, its causes, and what to do on the server
    /// and in the client.
    public var explanation: String? { Self.explanations[name]?["explanation"] }

    private static let explanations = Book(packed: PackedBook.explanations)
}
