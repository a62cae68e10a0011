// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust
import ServerTrustTesting

/// The CAs, dates and URLs for creating a scenario's certificates.
struct ScenarioFixture: Sendable {
    /// The name that a scenario's client verifies by default. `.test` is reserved (RFC 6761 § 6.2).
    static let host = "api.lab.test"

    let authorities: SharedAuthorities
    /// The URL of the scenario's folder in the repository, without a slash at the end.
    let repository: String
    let root: TestAuthority
    let intermediate: TestAuthority

    var now: Time { authorities.now }

    /// - Parameter repository: the URL of a folder. By default, no server answers at this URL.
    init(authorities: SharedAuthorities, repository: String = "http://repository.lab.test") throws {
        self.authorities = authorities
        self.repository = repository
        self.root = try authorities.root("Lab Root")
        self.intermediate = try authorities.intermediate()
    }

    // MARK: - Templates

    /// Returns the template of a CA that is valid at the scenario's date.
    func authority(
        _ name: String, _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) -> CertificateTemplate {
        authorities.dated(.authority(name)).with(change)
    }

    /// Returns the template of a server certificate that is valid at the scenario's date.
    func leaf(
        _ name: String = host, _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) -> CertificateTemplate {
        authorities.dated(.leaf(name)).with(change)
    }

    // MARK: - Scenarios

    /// Creates a leaf with one change. The shared intermediate issues the leaf, and the server also sends the
    /// intermediate.
    func below(
        host: String = host, key: TestKey = .p256(), client: ScenarioClient = ScenarioClient(),
        _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> LabCertificates {
        let leaf = try intermediate.issue(leaf(host, change), key: key)
        return try certificates(leaf, [intermediate.certificate], host: host, client: client)
    }

    /// Creates a leaf below a separate CA under the shared root, with changes to the CA's certificate. The server sends
    /// both.
    func belowOwnAuthority(
        _ name: String, key: TestKey = .p256(), client: ScenarioClient = ScenarioClient(),
        leaf changeLeaf: (inout CertificateTemplate) -> Void = { _ in },
        _ change: (inout CertificateTemplate) -> Void
    ) throws -> LabCertificates {
        let issuing = try root.intermediate(authority(name, change), key: key)
        return try certificates(issuing.issue(leaf(Self.host, changeLeaf)), [issuing.certificate], client: client)
    }

    /// Returns the certificates for a server that sends a leaf and then `others`.
    /// - Parameters:
    ///   - anchors: the client's anchors. The default is the shared root.
    ///   - evidence: returns the client's CRLs and OCSP responses for another leaf from the same issuer, or nil if they
    ///     don't depend on the leaf.
    func certificates(
        _ leaf: TestIdentity, _ others: [Certificate], anchors: [Certificate]? = nil, host: String = host,
        client: ScenarioClient = ScenarioClient(), redirectTarget: LabScenario? = nil,
        publishedResources: [PublishedResource] = [],
        evidence: (@Sendable (Certificate) throws -> RevocationData)? = nil
    ) throws -> LabCertificates {
        try LabCertificates(
            host: host, chain: [leaf.certificate] + others, key: leaf.key, anchors: anchors ?? [root.certificate],
            client: client, at: now, redirectTarget: redirectTarget, publishedResources: publishedResources,
            signer: leaf.signer, evidence: evidence)
    }
}

#endif
