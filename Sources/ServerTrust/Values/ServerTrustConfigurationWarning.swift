// SPDX-License-Identifier: Apache-2.0

/// A permitted danger of a client's configuration, found when the client is made. The set of codes may grow.
public struct ServerTrustConfigurationWarning: Sendable, Hashable, CustomStringConvertible {
    /// The stable name, for programs.
    public let code: String
    /// One line for people; its wording may change.
    public let description: String

    /// Revocation is to be checked, and beside the servers' OCSP staples the client has neither evidence nor a source of it.
    /// - Parameter hosts: the hosts, for people.
    static func revocationWithoutSource(_ hosts: String) -> Self {
        Self(
            code: "revocationWithoutSource",
            description:
                "revocation is to be checked for \(hosts), and beside the servers' OCSP staples the client has no source of evidence; expected TrustSettings.fetching or revocationData"
        )
    }

    /// Revocation is to be checked, and beside the servers' OCSP staples the client has no evidence and may not fetch it.
    /// - Parameter hosts: the hosts, for people.
    static func revocationFetchingNotAllowed(_ hosts: String) -> Self {
        Self(
            code: "revocationFetchingNotAllowed",
            description:
                "revocation is to be checked for \(hosts) without network, and beside the servers' OCSP staples the client has no evidence at hand; expected revocationData, or permission to fetch"
        )
    }
}
