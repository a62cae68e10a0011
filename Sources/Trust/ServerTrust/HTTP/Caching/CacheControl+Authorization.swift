// SPDX-License-Identifier: Apache-2.0

extension CacheControl {
    /// Whether a stored response may answer a request with `Authorization`. It must have `public`, `must-revalidate` or
    /// a valid `s-maxage` (RFC 9111 § 3.5).
    package var allowsAuthorization: Bool {
        guard !isMalformed else { return false }
        return contains("public") || contains("must-revalidate")
            || arguments(of: "s-maxage").contains { $0.flatMap { FreshnessLifetime.deltaSeconds($0) } != nil }
    }
}
