// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// A root, a CA below it and a leaf below that CA, and the findings for the leaf and the CA.
struct RevocationFixture {
    let root: TestAuthority
    let issuer: TestAuthority
    let leaf: TestIdentity

    init(
        issuer: CertificateTemplate = .authority("Test Intermediate"),
        leaf: CertificateTemplate = .leaf("www.example.com")
    ) throws {
        self.root = try .root()
        self.issuer = try root.intermediate(issuer)
        self.leaf = try self.issuer.issue(leaf)
    }

    func path(_ leaf: Certificate? = nil) throws -> ValidatedPath {
        try validate(
            leaf ?? self.leaf.certificate, [issuer.certificate], anchors: [root.certificate], policy: .plain
        ).get()
    }

    func findings(
        _ leaf: Certificate? = nil, crls: [TestCRL] = [], ocsp: [TestOCSPResponse] = [],
        staple: TestOCSPResponse? = nil, certificates: [Certificate] = [], policy: RevocationPolicy = .bestEffort,
        at time: Time = TestAuthority.now, budget: RevocationBudget = RevocationBudget()
    ) throws -> [RevocationFinding] {
        let evidence = RevocationEvidence(
            staple: try staple.map { try OCSPResponse(der: $0.der) },
            ocspResponses: try ocsp.map { try OCSPResponse(der: $0.der) },
            crls: try crls.map { try CertificateRevocationList(der: $0.der) }, certificates: certificates)
        return RevocationChecker(evidence, policy: policy, at: time, memory: nil, budget: budget)
            .findings(for: try path(leaf))
    }

    /// The finding for the leaf.
    func status(
        _ leaf: Certificate? = nil, crls: [TestCRL] = [], ocsp: [TestOCSPResponse] = [],
        certificates: [Certificate] = [], policy: RevocationPolicy = .bestEffort,
        at time: Time = TestAuthority.now
    ) throws -> RevocationFinding.Status {
        let found = try findings(
            leaf, crls: crls, ocsp: ocsp, certificates: certificates, policy: policy, at: time)
        return try #require(found.first).status
    }
}

extension RevocationFinding.Status {
    var isRevoked: Bool { if case .revoked = self { true } else { false } }

    static func unobtainable(_ obstacles: RevocationObstacle...) -> Self { .unobtainable(obstacles) }

    /// A revocation a day before the tests' date, in the builders' default form.
    static func revoked(_ reason: RevocationReason? = nil) -> Self {
        .revoked(at: TestAuthority.now.advanced(by: -86_400), reason: reason)
    }
}

extension TestCRL.Template {
    /// Sets the scope.
    mutating func scope(_ change: (inout TestCRL.IssuingDistributionPoint) throws -> Void) rethrows {
        issuingDistributionPoint = try .with(change)
    }
}

extension Time {
    /// Returns the time this many days after the tests' date.
    static func days(_ days: Int64) -> Time { TestAuthority.now.advanced(by: days * 86_400) }
}
