// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import ServerTrust

extension ServerTrustConfiguration {
    /// Returns `publicWeb` with a revocation check that fetches OCSP responses, CRLs and missing intermediates over
    /// HTTP.
    ///
    /// ```swift
    /// let client = try TrustedHTTPClient(trust: .publicWeb(revocation: .required))
    /// ```
    /// It connects directly, and only to public addresses. The configuration caches OCSP responses and CRLs in memory
    /// until they expire. Call this method once and share the configuration, because each call creates a separate cache
    /// and separate connections.
    /// - Parameters:
    ///   - revocation: the policy. `.required` refuses a server whose revocation status is unknown, unless its leaf is
    ///     exempt: short-lived, or without revocation information (RFC 9608).
    ///   - conditions: the list of a root program whose conditions apply to its roots. Nil for no conditions, the
    ///     default.
    public static func publicWeb(
        revocation: RevocationPolicy, conditions: RootList? = nil
    ) -> ServerTrustConfiguration {
        var configuration = conditions.map { .publicWeb(conditions: $0) } ?? publicWeb
        configuration.revocation = revocation
        configuration.fetching = TrustFetchCoordinator(fetcher: HTTPTrustFetcher())
        return configuration
    }
}

#endif
