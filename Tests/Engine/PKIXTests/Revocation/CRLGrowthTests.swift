// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// The growth that Documentation/Generated/Scaling.md states for CRLs, in the budget's units. Compares the charges for
/// a size with those for twice that size.
@Suite("Growth of a revocation check's work")
struct CRLGrowthTests {
    private let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private struct Charges: Equatable {
        var hashedBytes: Int
        var signatures: Int
        var steps: Int
    }

    /// Returns the charges for a check of the leaf, which the list must prove good.
    private func charges(_ crl: CertificateRevocationList) throws -> Charges {
        let budget = RevocationBudget()
        let checker = RevocationChecker(
            RevocationEvidence(crls: [crl]), policy: RevocationPolicy(.bestEffort, scope: .leaf),
            at: TestAuthority.now, memory: nil, budget: budget)
        #expect(try checker.findings(for: fixture.path())[0].status == .good)
        checker.account = .crls
        let left = checker.budget
        return Charges(
            hashedBytes: budget.hashedBytes - left.hashedBytes, signatures: budget.signatures - left.signatures,
            steps: budget.steps - left.steps)
    }

    private func crl(_ count: Int) throws -> CertificateRevocationList {
        let crl = try fixture.issuer.crl { list in
            list.entries = (0..<count).map { index in
                TestCRL.Entry(serialNumber: [0x40, UInt8(index >> 8), UInt8(index & 0xff)])
            }
        }
        return try CertificateRevocationList(der: crl.der)
    }

    @Test(
        "A first answer, n: the engine hashes a list with twice as many entries once, and charges the same steps",
        arguments: [500, 1_000])
    func first(count: Int) throws {
        let (small, large) = (try crl(count), try crl(2 * count))
        let (one, two) = (try charges(small), try charges(large))
        #expect(one.hashedBytes == small.fields.tbs.count && two.hashedBytes == large.fields.tbs.count)
        #expect(two.hashedBytes <= 2 * one.hashedBytes)
        #expect(one.signatures == 1 && two.signatures == 1)
        #expect(one.steps == two.steps)
    }

    @Test(
        "A further answer, constant: the engine charges nothing for the bytes of a verified list",
        arguments: [500, 1_000])
    func further(count: Int) throws {
        let (small, large) = (try crl(count), try crl(2 * count))
        let steps = try (charges(small).steps, charges(large).steps)
        let further = try (charges(small), charges(large))
        #expect(further.0 == further.1)
        #expect(further.0.hashedBytes == 0 && further.0.signatures == 0)
        #expect(further.0.steps <= min(steps.0, steps.1))
    }
}
