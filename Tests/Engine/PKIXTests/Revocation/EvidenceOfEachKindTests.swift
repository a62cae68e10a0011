// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// Rules of revocation that hold for every certificate and every kind of evidence, at the places where a rule for one of
/// them is easily lost.
@Suite("Evidence of each kind, for each certificate")
struct EvidenceOfEachKindTests {
    let fixture: RevocationFixture

    init() throws { fixture = try RevocationFixture() }

    private var leaf: Certificate { fixture.leaf.certificate }
    private var authority: Certificate { fixture.issuer.certificate }

    // MARK: Delta CRLs

    @Test("A hold stays unless every delta CRL of the list lifts it")
    func holdWithDeltas() throws {
        let hold = try fixture.issuer.crl {
            $0.number = 10
            $0.revoke(leaf, reason: .certificateHold)
        }
        // Both have the same date, so neither supersedes the other.
        func delta(_ number: UInt64, lifts: Bool) throws -> TestCRL {
            try fixture.issuer.crl {
                ($0.number, $0.deltaBase) = (number, 10)
                if lifts { $0.revoke(leaf, reason: .removeFromCRL) }
            }
        }
        for (first, second) in [(true, true), (true, false), (false, true), (false, false)] {
            let crls = [hold, try delta(12, lifts: first), try delta(12, lifts: second)]
            let expected: RevocationFinding.Status = first && second ? .good : .revoked(.certificateHold)
            for order in crls.orders { #expect(try fixture.status(crls: order) == expected, "\(first), \(second)") }
        }
        for lifts in [true, false] {
            let expected: RevocationFinding.Status = lifts ? .good : .revoked(.certificateHold)
            #expect(try fixture.status(crls: [hold, delta(12, lifts: lifts)]) == expected)
        }
    }

    // MARK: Dates

    @Test("Lists for different reasons together are valid only as long as all of them")
    func partialLists() throws {
        let some: Set<RevocationReason> = [.keyCompromise, .superseded]
        let rest = Set(RevocationReason.allCases).subtracting(some).subtracting([.unspecified, .removeFromCRL])
        func list(_ day: Int64, until: Int64, _ reasons: Set<RevocationReason>) throws -> TestCRL {
            try fixture.issuer.crl {
                ($0.thisUpdate, $0.nextUpdate) = (.days(day), .days(until))
                $0.scope { $0.onlySomeReasons = reasons }
            }
        }
        for (newer, older) in [(5, 7), (7, 5)] as [(Int64, Int64)] {
            let crls = [try list(-1, until: newer, some), try list(-3, until: older, rest)]
            for order in crls.orders {
                let found = try fixture.findings(crls: order)[0]
                let tolerance = RevocationPolicy.bestEffort.futureTolerance.wholeSeconds
                #expect(found.status == .good && found.validUntil == .days(5))
                #expect(found.validFrom == .days(-1).advanced(by: -tolerance))
            }
        }
    }

    @Test("Evidence that has expired or is too old isn't good, for a leaf or a CA, in a CRL, a response or a staple")
    func outOfDate() throws {
        var policy = RevocationPolicy.bestEffort
        policy.maximumAge = .init(leaf: .seconds(86_400), authority: .seconds(86_400), anchors: .all)
        let day: Int64 = 86_400
        // Expired, too old, and neither.
        for (start, stop, isGood) in [(-7_200, -3_600, false), (-3 * day, 3 * day, false), (-60, 3 * day, true)] {
            let (begin, end) = (TestAuthority.now.advanced(by: start), TestAuthority.now.advanced(by: stop))
            func crl(_ signer: TestAuthority) throws -> TestCRL {
                try signer.crl { ($0.thisUpdate, $0.nextUpdate) = (begin, end) }
            }
            func response(_ signer: TestAuthority, _ certificate: Certificate) throws -> TestOCSPResponse {
                try signer.ocspResponse {
                    $0.producedAt = begin
                    $0.add(certificate) { ($0.thisUpdate, $0.nextUpdate) = (begin, end) }
                }
            }
            let (own, above) = (try response(fixture.issuer, leaf), try response(fixture.root, authority))
            let rows = [
                try fixture.findings(crls: [crl(fixture.issuer), crl(fixture.root)], policy: policy),
                try fixture.findings(ocsp: [own, above], policy: policy),
                try fixture.findings(ocsp: [above], staple: own, policy: policy),
            ]
            for (row, findings) in rows.enumerated() {
                #expect(findings.map { $0.status == .good } == [isGood, isGood], "\(row): \(findings)")
            }
        }
    }

    @Test("A list's next update ends the good status if it comes before the maximum age, and the age otherwise")
    func firstEnd() throws {
        var policy = RevocationPolicy.bestEffort
        policy.maximumAge = .init(leaf: .seconds(3 * 86_400), authority: .seconds(3 * 86_400), anchors: .all)
        for (next, end) in [(1, 1), (9, 2)] as [(Int64, Int64)] {
            let crl = try fixture.issuer.crl { ($0.thisUpdate, $0.nextUpdate) = (.days(-1), .days(next)) }
            #expect(try fixture.findings(crls: [crl], policy: policy)[0].validUntil == .days(end))
        }
    }

    @Test("The earliest of several revocations that begin in the future limits the status, in any order")
    func nextRevocation() throws {
        func crl(_ day: Int64) throws -> TestCRL {
            try fixture.issuer.crl {
                ($0.thisUpdate, $0.nextUpdate) = (.days(1), .days(30))
                $0.number = UInt64(day)
                $0.revoke(leaf, at: .days(day))
            }
        }
        for days in [[5, 9], [9, 5], [5]] as [[Int64]] {
            let lists = try days.map { try CertificateRevocationList(der: crl($0).der) }
            let checker = RevocationChecker(
                RevocationEvidence(crls: lists), at: TestAuthority.now, memory: nil)
            _ = checker.findings(for: try fixture.path())
            #expect(checker.nextRevocation == .days(5), "\(days)")
        }
    }

    // MARK: Staples

    @Test("A staple is evidence about the leaf only")
    func stapleOfAuthority() throws {
        let staple = try fixture.root.ocspResponse { $0.add(authority) }
        let findings = try fixture.findings(staple: staple)
        #expect(findings[1].status == .unobtainable(.noEvidence))
        #expect(try fixture.findings(ocsp: [staple])[1].status == .good)
    }

    @Test("A reservation about a response or an entry keeps it from being good, as a staple and otherwise")
    func reservedResponses() throws {
        let critical = Extension(
            identifier: OID("1.3.6.1.4.1.99999.1") ?? .anyPolicy, isCritical: true, value: [0x05, 0x00])
        let inEntry = { (certificate: Certificate, signer: TestAuthority) in
            try signer.ocspResponse { $0.add(certificate) { $0.extensions = [critical] } }
        }
        let inResponse = { (certificate: Certificate, signer: TestAuthority) in
            try signer.ocspResponse {
                $0.add(certificate)
                $0.extensions = [critical]
            }
        }
        for make in [inEntry, inResponse] {
            let (own, above) = (try make(leaf, fixture.issuer), try make(authority, fixture.root))
            for findings in [
                try fixture.findings(ocsp: [own, above]), try fixture.findings(ocsp: [above], staple: own),
            ] {
                #expect(findings.allSatisfy { $0.status == .unobtainable(.ocspCriticalExtension) }, "\(findings)")
            }
        }
    }

    // MARK: Holds

    @Test("The latest of several good responses with the hold's key ends the hold, in any order")
    func latestGood() throws {
        func response(_ status: TestOCSPResponse.CertificateStatus, _ day: Int64) throws -> TestOCSPResponse {
            try fixture.issuer.ocspResponse {
                $0.add(leaf, status) { ($0.thisUpdate, $0.nextUpdate) = (.days(day), .days(2)) }
            }
        }
        let hold = try response(.revoked(at: .days(-9), reason: .certificateHold), -2)
        let (later, earlier) = (try response(.good, -1), try response(.good, -3))
        for order in [
            [hold, later, earlier], [hold, earlier, later], [later, earlier, hold], [earlier, later, hold],
        ] {
            #expect(try fixture.status(ocsp: order) == .good)
        }
        let earliest = try response(.good, -4)
        for order in [[hold, earlier, earliest], [earliest, earlier, hold]] {
            #expect(try fixture.status(ocsp: order).isRevoked)
        }
    }

    // MARK: Scopes

    @Test("Each flag of a list's scope is read from its own field")
    func scopes() throws {
        let rows: [(change: (inout TestCRL.IssuingDistributionPoint) -> Void, flags: [Bool])] = [
            ({ $0.onlyContainsUserCertificates = true }, [true, false, false, false]),
            ({ $0.onlyContainsCACertificates = true }, [false, true, false, false]),
            ({ $0.onlyContainsAttributeCertificates = true }, [false, false, true, false]),
            ({ $0.isIndirect = true }, [false, false, false, true]),
        ]
        for row in rows {
            let der = try fixture.issuer.crl { $0.scope { row.change(&$0) } }.der
            let scope = try #require(try CertificateRevocationList(der: der).issuingDistributionPoint)
            #expect(
                [
                    scope.onlyContainsUserCertificates, scope.onlyContainsCACertificates,
                    scope.onlyContainsAttributeCertificates, scope.isIndirect,
                ] == row.flags)
        }
    }

    // MARK: Reservations

    @Test("A list with a reservation isn't good, for a leaf or a CA")
    func reservedLists() throws {
        let unknown = Extension(
            identifier: OID("1.3.6.1.4.1.99999.1") ?? .anyPolicy, isCritical: true, value: [0x05, 0x00])
        let rows: [(obstacle: RevocationObstacle, change: (inout TestCRL.Template) -> Void)] = [
            (.crlCriticalExtension, { $0.extensions = [unknown] }),
            (.crlNotYetValid, { ($0.thisUpdate, $0.nextUpdate) = (.days(1), .days(9)) }),
        ]
        for row in rows {
            let crls = try [fixture.issuer, fixture.root].map { try $0.crl(row.change) }
            for finding in try fixture.findings(crls: crls) {
                #expect(finding.status == .unobtainable(row.obstacle), "\(finding)")
            }
        }
    }

    @Test("A response that says both good and unknown gives no status, as a staple or otherwise, for a leaf or a CA")
    func goodAndUnknown() throws {
        func response(_ signer: TestAuthority, _ certificate: Certificate) throws -> TestOCSPResponse {
            try signer.ocspResponse {
                $0.add(certificate, .good)
                $0.add(certificate, .unknown)
            }
        }
        let (own, above) = (try response(fixture.issuer, leaf), try response(fixture.root, authority))
        for findings in [try fixture.findings(ocsp: [own, above]), try fixture.findings(ocsp: [above], staple: own)] {
            #expect(findings.allSatisfy { $0.status == .unobtainable(.ocspUnknown) }, "\(findings)")
        }
    }

    @Test("A signer with SHA-1 whose certificate a CA of the same name issued revokes nothing")
    func forgedSigner() throws {
        let impostor = try TestAuthority.root(
            .authority("Test Intermediate"), key: TestKey(pemRepresentation: FixedKeys.rsa2048))
        let signer = try impostor.issue(
            .crlSigner("Test Intermediate").with {
                $0.organization = "Test"
                $0.signsWithSHA1 = true
            })
        let crl = try signer.crl { $0.revoke(leaf) }
        let status = try fixture.status(crls: [crl], certificates: [signer.certificate])
        #expect(!status.isRevoked && status != .good)
    }

    // MARK: Budget

    @Test(
        "Evidence beyond the budget leaves the status open, whether or not the policy uses its kind or asks for the CA")
    func beyondBudget() throws {
        func crl(_ signer: TestAuthority) throws -> TestCRL {
            try signer.crl { list in list.entries += (1...100).map { .init(serialNumber: [UInt8($0)]) } }
        }
        func response(_ signer: TestAuthority, _ certificate: Certificate) throws -> TestOCSPResponse {
            try signer.ocspResponse { $0.add(certificate) }
        }
        let crls = [try crl(fixture.issuer), try crl(fixture.root)]
        let responses = [try response(fixture.issuer, leaf), try response(fixture.root, authority)]
        // The responses are small. Hashing the lists exceeds the budget.
        let budget = RevocationBudget(hashedBytes: 2_000)
        for sources in [RevocationPolicy.Sources.all, .ocsp] {
            for scope in [RevocationPolicy.Scope.path, .leaf] {
                let policy = RevocationPolicy(.bestEffort, sources: sources, scope: scope)
                let found = try fixture.findings(crls: crls, ocsp: responses, policy: policy, budget: budget)
                #expect(found.allSatisfy { $0.exceedsBudget }, "\(sources), \(scope): \(found)")
                let enough = try fixture.findings(crls: crls, ocsp: responses, policy: policy)
                #expect(enough[0].status == .good && enough[1].status == (scope == .path ? .good : .unchecked))
            }
        }
    }

    @Test("A revocation whose signature wasn't verified doesn't count, but leaves the status open")
    func unverifiedRevocation() throws {
        let delegate = try fixture.issuer.issue(.ocspSigner())
        for signer in [nil, delegate] {
            let response = try fixture.issuer.ocspResponse(signedBy: signer) { $0.add(leaf, .revoked(at: .days(-1))) }
            let crl = try fixture.issuer.crl { $0.revoke(leaf) }
            let enough = RevocationBudget()
            var none = RevocationBudget(signatures: 0)
            none.paths = enough.paths
            for (crls, responses) in [([], [response]), ([crl], [])] as [([TestCRL], [TestOCSPResponse])] {
                let found = try fixture.findings(crls: crls, ocsp: responses, budget: none)[0]
                #expect(found.status == .unobtainable(.budgetExceeded))
                #expect(try fixture.findings(crls: crls, ocsp: responses, budget: enough)[0].isRevoked)
            }
        }
    }
}
