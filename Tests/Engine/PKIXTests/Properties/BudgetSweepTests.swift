// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// Work with each budget below the one that suffices. Wherever it ends, the result must not look complete.
@Suite("Every budget that doesn't suffice")
struct BudgetSweepTests {
    private let bytes = ASN1.name([
        (ASN1.o, ASN1.utf8("Example")), ("1.2.840.113549.1.9.1", ASN1.ia5("a@mail.example")),
    ])

    private func certificate(_ extensions: [Extension]) throws -> Certificate {
        try CraftedCertificate.leaf().with {
            $0.subject = bytes
            $0.extensions = extensions.map(\.encoded)
        }.unsigned()
    }

    private func sweep(_ run: (inout WorkMeter) -> Bool) {
        var full = WorkMeter(ValidationBudget(comparisons: .max, work: .max))
        #expect(!run(&full) && !full.isExhausted && full.work > 0)
        for work in 0..<full.work {
            var meter = WorkMeter(ValidationBudget(comparisons: .max, work: work))
            _ = run(&meter)
            #expect(meter.isExhausted, "work \(work) of \(full.work)")
        }
        for comparisons in 0..<full.comparisons {
            var meter = WorkMeter(ValidationBudget(comparisons: comparisons, work: .max))
            _ = run(&meter)
            #expect(meter.isExhausted, "comparison \(comparisons) of \(full.comparisons)")
        }
    }

    @Test("Name constraints exhaust each smaller budget")
    func nameConstraints() throws {
        let names = Extension.alternativeNames(
            ASN1.dns("a.example"), ASN1.dns("b..example"), ASN1.email("a@mail.example"))
        for constraints in [
            Extension.nameConstraints(excluded: [
                ASN1.dns("example"), ASN1.email("mail.example"), ASN1.directory(bytes),
            ]),
            .nameConstraints(permitted: [ASN1.dns("test"), ASN1.email("test"), ASN1.directory(ASN1.name("a"))]),
            .nameConstraints(excluded: [ASN1.dns("b..example"), ASN1.directory(bytes)]),
        ] {
            let path = CandidatePath(
                certificates: [try certificate([names]), try certificate([constraints])], selfIssued: 0)
            sweep { meter in
                var (list, normalized) = (FailureList(), NormalizedNames())
                NameConstraintsCheck.run(path, &normalized, &meter, &list)
                return false
            }
        }
    }

    @Test("TLS features exhaust each smaller budget")
    func features() throws {
        let feature = Extension.named("1.3.6.1.5.5.7.1.24", ASN1.sequence(ASN1.integer(5)))
        let path = CandidatePath(
            certificates: [try certificate([.alternativeNames(ASN1.dns("a"))]), try certificate([feature])],
            selfIssued: 0)
        sweep { meter in
            var list = FailureList()
            TLSFeatureCheck.run(path, &meter, &list)
            return false
        }
    }

    @Test("An anchor's domains count as violated if the budget doesn't suffice")
    func domains() throws {
        let leaf = try certificate([.alternativeNames(ASN1.dns("*.www.example.com"), ASN1.dns("b.example.com"))])
        let constraints = AnchorConditionsTests.constraints {
            ($0.permittedDomains, $0.excludedDomains) = (["example.com"], ["other.example", "a.example.net"])
        }
        let domains = try #require(ConditionDomains(constraints))
        sweep { meter in
            let violation = domains.firstViolation(of: leaf, &meter)
            #expect((violation != nil) == meter.isExhausted)
            return violation != nil
        }
    }

    @Test("An anchor with domains accepts no leaf with an empty list of names, an empty name or one below no domain")
    func emptyNames() throws {
        let permitted = AnchorConditionsTests.constraints { $0.permittedDomains = ["example.com"] }
        let excluded = AnchorConditionsTests.constraints { $0.excludedDomains = ["example.com"] }
        for names in [[], [ASN1.dns("")], [ASN1.dns("*.")], [ASN1.dns("example.com.")]] {
            let leaf = try certificate([.alternativeNames(names)])
            var meter = WorkMeter(work: .max)
            #expect(ConditionDomains(permitted)?.firstViolation(of: leaf, &meter) != nil, "\(names)")
            #expect(ConditionDomains(excluded)?.firstViolation(of: leaf, &meter) == nil, "\(names)")
        }
    }

    @Test("A search finds no path with any smaller budget of work")
    func search() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        func measured(_ work: Int) -> (validation: PathValidation, meter: WorkMeter) {
            PathValidator(
                anchors: AnchorStore([chain.root.certificate]),
                policy: ValidationPolicy(budget: ValidationBudget(work: work)), memory: nil
            ).measured(leaf, presented: [chain.intermediate.certificate], host: nil, at: TestAuthority.now)
        }
        let full = measured(.max)
        #expect(full.validation.isValid)
        for work in stride(from: 0, to: full.meter.work, by: 3) { #expect(!measured(work).validation.isValid) }
    }

    @Test("A check of revocation with any smaller budget never finds a status other than the full one")
    func revocation() throws {
        let fixture = try RevocationFixture(
            leaf: .leaf("www.example.com").with {
                $0.crlDistributionPoints = ["http://crl.example/a"]
            })
        let delegate = try fixture.issuer.issue(.ocspSigner())
        let direct = try fixture.issuer.ocspResponse { $0.add(fixture.leaf.certificate) }
        let delegated = try fixture.issuer.ocspResponse(signedBy: delegate) { $0.add(fixture.leaf.certificate) }
        let list = try fixture.issuer.crl()
        for (crls, responses) in [([], [direct]), ([], [delegated]), ([list], [])] {
            func status(_ budget: RevocationBudget) throws -> RevocationFinding.Status {
                try fixture.findings(crls: crls, ocsp: responses, budget: budget)[0].status
            }
            #expect(try status(RevocationBudget()) == .good)
            var refused = 0
            for budget in (0..<60).map({ RevocationBudget(steps: $0) })
                + (0..<8).map({ RevocationBudget(signatures: $0) })
            {
                let found = try status(budget)
                if found == .good { continue }
                refused += 1
                guard case .unobtainable(let obstacles) = found, obstacles.contains(.budgetExceeded) else {
                    Issue.record("\(budget): \(found)")
                    continue
                }
            }
            #expect(refused > 2)
        }
    }
}
