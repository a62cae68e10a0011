// SPDX-License-Identifier: Apache-2.0

import PKIX

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

    /// A delegate that answers for servers has a session without a server trust policy, which asks no delegate about servers.
    package static let sessionWithoutPolicy = Self(
        code: "sessionWithoutPolicy",
        description:
            "a URLSession without a server trust policy has a delegate for server trust, and never asks it; expected URLSession(configuration: configuration.withServerTrust(manager), delegate: delegate, delegateQueue: queue)"
    )

    /// Transparency is to be checked, and there is no list of logs.
    static func transparencyWithoutList(isRequired: Bool) -> Self {
        Self(
            code: "transparencyWithoutList",
            description: "transparency is to be checked for every host, and there is no list of logs: "
                + (isRequired ? "every public server is refused" : "nothing is checked")
                + "; expected TransparencySettings.logs")
    }

    /// Transparency is to be checked, and the list of logs is too old.
    /// - Parameters:
    ///   - hosts: the hosts, for people.
    ///   - list: the list's date.
    static func transparencyListOutOfDate(_ hosts: String, _ list: Time) -> Self {
        Self(
            code: "transparencyListOutOfDate",
            description:
                "transparency is to be checked for \(hosts), and the list of logs of \(list) is older than the policy allows: nothing is checked; expected a newer list"
        )
    }
}
