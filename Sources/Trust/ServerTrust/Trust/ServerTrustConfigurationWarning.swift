// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A risk in a client's configuration, found when you create the client. It is a warning, not an error. The set of
/// codes may grow.
public struct ServerTrustConfigurationWarning: Sendable, Hashable, CustomStringConvertible {
    /// The stable name, for programs.
    public let code: String
    /// One line for people. The wording may change.
    public let description: String

    /// The configuration asks for revocation checks, but apart from the servers' OCSP staples the client has neither
    /// evidence nor a source for it.
    /// - Parameter hosts: the hosts, for people.
    static func revocationWithoutSource(_ hosts: String) -> Self {
        Self(
            code: "revocationWithoutSource",
            description:
                "revocation checks are on for \(hosts), but apart from the servers' OCSP staples the client has no evidence and no source for it; set TrustSettings.fetching or revocationData"
        )
    }

    /// The configuration asks for revocation checks, but apart from the servers' OCSP staples the client has no
    /// evidence and may not fetch it.
    /// - Parameter hosts: the hosts, for people.
    static func revocationFetchingNotAllowed(_ hosts: String) -> Self {
        Self(
            code: "revocationFetchingNotAllowed",
            description:
                "revocation checks are on for \(hosts) without network access, but apart from the servers' OCSP staples the client has no evidence; set revocationData, or allow fetching"
        )
    }

    /// A delegate for server trust has a session without a server trust policy. Such a session never calls the delegate
    /// about servers.
    package static let sessionWithoutPolicy = Self(
        code: "sessionWithoutPolicy",
        description:
            "a URLSession without a server trust policy has a delegate for server trust, but never calls it; expected URLSession(configuration: configuration.withServerTrust(manager), delegate: delegate, delegateQueue: queue)"
    )

    /// The configuration asks for transparency checks, but has no list of logs.
    static func transparencyWithoutList(isRequired: Bool) -> Self {
        Self(
            code: "transparencyWithoutList",
            description: "transparency checks are on for every host, but there is no list of logs: "
                + (isRequired ? "every public server is refused" : "nothing is checked")
                + "; set TransparencySettings.logs")
    }

    /// The configuration asks for transparency checks, but the list of logs is too old.
    /// - Parameters:
    ///   - hosts: the hosts, for people.
    ///   - list: the list's date.
    static func transparencyListOutOfDate(_ hosts: String, _ list: Time) -> Self {
        Self(
            code: "transparencyListOutOfDate",
            description:
                "transparency checks are on for \(hosts), but the list of logs dated \(list) is older than the policy allows: nothing is checked; expected a newer list"
        )
    }
}
