// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust
import ServerTrustTesting

/// The chains of one scenario. Each has its own leaf. All share the CAs, anchors and settings of one client.
package struct LabChainSeries: Sendable {
    /// The number of leaf keys in the ``LabScenario/good`` scenario. In every other scenario, the leaves share one key.
    private static let keyCount = 16

    /// The number of members of a series.
    package static let capacity = CertificateSeries.capacity

    package let scenario: LabScenario
    /// The certificates of the scenario. Their leaf isn't a member of the series.
    package let certificates: LabCertificates
    /// The leaves, one series for each key.
    private let leaves: [CertificateSeries]

    /// Returns the series for scenarios with shared roots.
    /// - Parameters:
    ///   - scenarios: scenarios without a ``LabScenario/requestObstacle``.
    ///   - now: the date of the scenarios.
    /// - Throws: errors from swift-certificates and swift-crypto, or ``TestInputError`` for a leaf that can't be signed
    ///   again.
    package static func all(of scenarios: [LabScenario], at now: Time) throws -> [LabChainSeries] {
        let authorities = SharedAuthorities(at: now)
        return try scenarios.map { try LabChainSeries($0, ScenarioFixture(authorities: authorities)) }
    }

    private init(_ scenario: LabScenario, _ fixture: ScenarioFixture) throws {
        self.scenario = scenario
        certificates = try scenario.certificates(fixture)
        // Running the scenario again creates another key, but uses the shared CA.
        let others = try (1..<(scenario == .good ? Self.keyCount : 1)).map { _ in try scenario.certificates(fixture) }
        leaves = try ([certificates] + others).map { certificates in
            try CertificateSeries(
                certificates.chain[0], signer: certificates.signer, host: certificates.host.description)
        }
    }

    /// The certificates after the leaf.
    package var issuers: [Certificate] { Array(certificates.chain.dropFirst()) }

    /// Returns the host that a member's client verifies: `h000000123.lab.test`.
    package func host(_ number: Int) -> String { leaves[0].host(number) }

    /// Returns a member's leaf in DER.
    /// - Parameter number: 0 or more, below ``capacity``.
    /// - Throws: errors from swift-certificates.
    package func leaf(_ number: Int) throws -> [UInt8] { try leaves[number % leaves.count].certificate(number) }

    /// Returns the CRLs and OCSP responses that a member's client has.
    /// - Parameter leaf: the leaf of the member in DER.
    /// - Throws: errors from swift-certificates.
    package func evidence(for leaf: [UInt8]) throws -> RevocationData {
        guard let evidence = certificates.evidence else { return certificates.client.revocationData }
        return try evidence(Certificate(der: leaf))
    }
}

#endif
