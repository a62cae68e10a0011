// SPDX-License-Identifier: Apache-2.0

extension DeniedList {
    /// Creates a list of keys. It denies every certificate that has one of them.
    /// - Parameters:
    ///   - keys: the keys.
    ///   - reason: the reason, for people. Empty for no reason.
    public init(keys: some Sequence<SPKIPin>, reason: String = "") {
        self.init(keyDigests: Set(keys.map(\.sha256)), reason: reason)
    }

    /// Returns the entry that denies every certificate of a key, or nil if no entry does.
    package func entry(denying key: SPKIPin) -> TrustFailure.DeniedEntry? { entry(denyingKey: key.sha256) }
}
