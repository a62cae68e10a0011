// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// The cost of each piece of evidence, and checks whose budget ends in between.
@Suite("Costs of evidence, step by step")
struct RevocationBudgetTests {
    let fixture: RevocationFixture
    let path: ValidatedPath

    init() throws {
        fixture = try RevocationFixture()
        path = try fixture.path()
    }

    private var leaf: Certificate { fixture.leaf.certificate }
    private var issuer: TestAuthority { fixture.issuer }

    /// A check of the leaf.
    private struct Check {
        let finding: RevocationFinding
        let checker: RevocationChecker
        let lists: [CertificateRevocationList]

        var status: RevocationFinding.Status { finding.status }

        /// The remaining steps for one kind of evidence.
        func left(_ account: RevocationChecker.Account) -> Int {
            checker.account = account
            return checker.budget.steps
        }

        /// The steps that one kind of evidence cost.
        func used(_ account: RevocationChecker.Account) -> Int { RevocationBudget().steps - left(account) }
    }

    private func check(
        crls: [TestCRL] = [], ocsp: [TestOCSPResponse] = [], staple: TestOCSPResponse? = nil,
        certificates: [Certificate] = [], of path: ValidatedPath? = nil, policy: RevocationPolicy = .bestEffort,
        budget: RevocationBudget = RevocationBudget(), ocspSteps: Int? = nil
    ) throws -> Check {
        let lists = try crls.map { try CertificateRevocationList(der: $0.der) }
        let evidence = RevocationEvidence(
            staple: try staple.map { try OCSPResponse(der: $0.der) },
            ocspResponses: try ocsp.map { try OCSPResponse(der: $0.der) }, crls: lists, certificates: certificates)
        let checker = RevocationChecker(evidence, policy: policy, at: TestAuthority.now, memory: nil, budget: budget)
        if let ocspSteps {
            checker.account = .ocsp
            checker.budget.steps = ocspSteps
            checker.account = .crls
        }
        return Check(finding: checker.findings(for: path ?? self.path)[0], checker: checker, lists: lists)
    }

    /// The smallest number of steps with which a check has a property.
    private func least(_ hasProperty: (RevocationBudget) throws -> Bool) throws -> Int {
        try #require(try (0..<200).first { try hasProperty(RevocationBudget(steps: $0)) })
    }

    /// A certificate with the CA's name for signing its CRLs.
    private func signer(
        of appointing: TestAuthority? = nil, padding: Int = 0, name: String = "Test Intermediate",
        key: TestKey = .p256(), _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> TestIdentity {
        let template = CertificateTemplate.crlSigner(name).with {
            if padding > 0 {
                $0.extensions = [.named("1.2.3.4", ASN1.octets([UInt8](repeating: 7, count: padding)))]
            }
            change(&$0)
        }
        return try (appointing ?? issuer).issue(template, key: key)
    }

    // MARK: - OCSP

    @Test("Evidence that the budget leaves unread isn't reported")
    func unread() throws {
        let busy = TestOCSPResponse.error(.tryLater)
        var seen: Set<RevocationFinding.Status> = []
        for steps in 0..<20 {
            let budget = RevocationBudget(steps: steps)
            seen.insert(try check(ocsp: [busy], budget: budget).status)
            seen.insert(try check(staple: busy, budget: budget).status)
        }
        #expect(seen == [.unobtainable(.budgetExceeded), .unobtainable(.ocspTryLater)])
    }

    @Test("A hold counts if the budget ends after it, and the leaf needs no step for the next response")
    func partlyRead() throws {
        let hold = try issuer.ocspResponse { $0.add(leaf, .revoked(at: .days(-1), reason: .certificateHold)) }
        func steps(_ responses: TestOCSPResponse...) throws -> Int {
            try least { try check(ocsp: responses, budget: $0).finding.isRevoked }
        }
        // The check of the CA, which comes first, reads every response.
        #expect(try steps(hold, .error(.tryLater)) == steps(hold) + 1)
    }

    @Test("A responder's certificate from a CA of another name costs no path")
    func otherResponder() throws {
        let other = try TestAuthority.root(.authority("Other")).issue(.ocspSigner())
        let response = try issuer.ocspResponse(signedBy: other) { $0.add(leaf) }
        let found = try check(ocsp: [response], budget: RevocationBudget(paths: 0)).status
        #expect(found == .unobtainable(.ocspResponderNotAuthorized))
    }

    @Test("Each certificate in a response that has the responder's name costs a comparison of names and a step")
    func otherResponders() throws {
        let other = try issuer.issue(.leaf("responder.example"))
        func used(_ count: Int) throws -> Int {
            let response = try issuer.ocspResponse(signedBy: other) {
                $0.add(leaf)
                // They lack the purpose OCSPSigning, so the engine doesn't check their signatures.
                $0.certificates = Array(repeating: other.certificate, count: count)
            }
            let check = try check(ocsp: [response])
            #expect(check.status == .unobtainable(.ocspResponderNotAuthorized))
            return check.used(.ocsp)
        }
        #expect(try used(5) - used(2) == 3 * 2)
    }

    @Test("A budget without the step for a responder's certificate leaves open whether the responder is authorized")
    func unreadResponder() throws {
        let other = try issuer.issue(.leaf("responder.example"))
        let response = try issuer.ocspResponse(signedBy: other) { $0.add(leaf) }
        func status(_ budget: RevocationBudget) throws -> RevocationFinding.Status {
            try check(ocsp: [response], budget: budget).status
        }
        // The last step is the one for the responder's certificate.
        let steps = try least { try status($0) == .unobtainable(.ocspResponderNotAuthorized) }
        #expect(try status(RevocationBudget(steps: steps - 1)) == .unobtainable(.budgetExceeded))
    }

    @Test("The engine examines the lists about a responder once, however many responses the responder has signed")
    func responderStatus() throws {
        let responder = try issuer.issue(.ocspSigner().with { $0.hasOCSPNoCheck = false })
        let response = try issuer.ocspResponse(signedBy: responder) { $0.add(leaf) }
        let lists = try (0..<8).map { number in
            try issuer.crl { $0.thisUpdate = TestAuthority.now.advanced(by: Int64(-60 - number)) }
        }
        func used(_ responses: Int, _ count: Int) throws -> Int {
            let check = try check(
                crls: Array(lists.prefix(count)), ocsp: Array(repeating: response, count: responses))
            #expect(check.status == .good && check.finding.source == .ocsp)
            return check.used(.ocsp)
        }
        #expect(try used(1, 8) > used(1, 1))
        #expect(try used(3, 8) - used(2, 8) == used(3, 1) - used(2, 1))
    }

    @Test("The budget for CRLs doesn't pay for responses, not even after a check of a CRL signer")
    func accounts() throws {
        let responder = try issuer.issue(.ocspSigner().with { $0.hasOCSPNoCheck = false })
        let response = try issuer.ocspResponse(signedBy: responder) { $0.add(leaf) }
        let signer = try signer()
        func used(_ junk: Int) throws -> Int {
            let check = try check(
                crls: [signer.crl()], ocsp: [response] + Array(repeating: .error(.tryLater), count: junk),
                certificates: [signer.certificate])
            #expect(check.status == .good && check.finding.source == .ocsp)
            return check.used(.crls)
        }
        #expect(try used(100) == used(0))
    }

    @Test("Nothing is good after the budget for either kind of evidence has run out, even if the policy doesn't use it")
    func unusedKind() throws {
        let junk = [TestOCSPResponse](repeating: .error(.tryLater), count: 100)
        let policy = RevocationPolicy(.bestEffort, sources: .crls)
        let budget = RevocationBudget(steps: 60)
        #expect(try check(crls: [issuer.crl()], policy: policy, budget: budget).status == .good)
        let found = try check(crls: [issuer.crl()], ocsp: junk, policy: policy, budget: budget)
        #expect(found.status == .unobtainable(.budgetExceeded))
    }

    @Test("A list isn't good if the budget ran out while the engine looked for responses about the list's signer")
    func responsesAboutSigner() throws {
        let signer = try signer()
        var seen: Set<Bool> = []
        for steps in 0..<60 {
            let check = try check(
                crls: [signer.crl()], ocsp: [.error(.tryLater), .error(.tryLater)],
                certificates: [signer.certificate], ocspSteps: steps)
            #expect(check.finding.exceedsBudget == (check.left(.ocsp) <= 0), "\(steps) steps")
            #expect(check.finding.exceedsBudget || check.status == .good)
            seen.insert(check.finding.exceedsBudget)
        }
        #expect(seen.count == 2)
    }

    // MARK: - CRL signers

    @Test("A check reads all evidence or reports that it exceeded the budget")
    func completeness() throws {
        let signer = try signer()
        let revoking = try signer.crl { $0.revoke(leaf) }
        var isRevoked = false
        for steps in 0..<80 {
            let check = try check(
                crls: [revoking], certificates: [signer.certificate], budget: RevocationBudget(steps: steps))
            #expect(check.finding.isRevoked || check.finding.exceedsBudget, "\(steps) steps")
            isRevoked = check.finding.isRevoked
        }
        #expect(isRevoked)
    }

    @Test("A list has no signer only if the budget was enough to look for one")
    func withoutSigner() throws {
        let impostor = try signer(of: TestAuthority.root(.authority("Other")))
        func check(_ signer: TestIdentity, _ budget: RevocationBudget) throws -> Check {
            try self.check(crls: [signer.crl()], certificates: [signer.certificate], budget: budget)
        }
        var seen: Set<RevocationFinding.Status> = []
        for steps in 0..<80 {
            let check = try check(impostor, RevocationBudget(steps: steps))
            if !check.checker.hasExceededBudget {
                #expect(check.status == .unobtainable(.crlSignerNotFound), "\(steps) steps")
            } else if check.lists[0].isVerified {
                #expect(check.status == .unobtainable(.budgetExceeded), "\(steps) steps")
            }
            seen.insert(check.status)
        }
        #expect(seen.isSuperset(of: [.unobtainable(.crlSignerNotFound), .unobtainable(.budgetExceeded)]))
        #expect(try check(impostor, RevocationBudget(paths: 1)).status == .unobtainable(.crlSignerNotFound))
        #expect(try check(signer(), RevocationBudget(paths: 0)).status == .unobtainable(.budgetExceeded))
    }

    @Test("The size of a candidate costs steps only if it has the name of a list's issuer")
    func otherCandidates() throws {
        func used(name: String, padding: Int) throws -> Int {
            let candidate = try signer(padding: padding, name: name)
            let forged = try issuer.crl { $0.hasWrongSignature = true }
            return try check(crls: [forged], certificates: [candidate.certificate]).used(.crls)
        }
        #expect(try used(name: "Other", padding: 1) == used(name: "Other", padding: 20_000))
        #expect(try used(name: "Test Intermediate", padding: 1) < used(name: "Test Intermediate", padding: 20_000))
    }

    @Test("The engine checks a signature only if the budget pays for the size of the candidate, a step for 1,024 bytes")
    func candidateSize() throws {
        func steps(_ padding: Int) throws -> (least: Int, size: Int) {
            let signer = try signer(padding: padding)
            let steps = try least {
                try check(crls: [signer.crl()], certificates: [signer.certificate], budget: $0).lists[0].isVerified
            }
            return (steps, signer.certificate.der.count / 1_024)
        }
        let (small, large) = (try steps(1), try steps(20_000))
        #expect(large.size > small.size && large.least - small.least == large.size - small.size)
    }

    @Test("A repeated candidate costs only a comparison of names and its size")
    func repeatedCandidates() throws {
        let impostor = try signer(of: TestAuthority.root(.authority("Other")))
        func used(_ count: Int) throws -> Int {
            try check(
                crls: [impostor.crl()], certificates: Array(repeating: impostor.certificate, count: count)
            ).used(.crls)
        }
        #expect(try used(5) - used(2) == 3 * (2 + impostor.certificate.der.count / 1_024))
    }

    @Test("The engine checks the signer of many lists once, even if the budget had been exceeded before")
    func signerOfManyLists() throws {
        let signer = try signer()
        let about = try issuer.crl { $0.revoke(signer.certificate) }
        let template = CertificateTemplate.leaf("b.example").with {
            $0.crlDistributionPoints = (0..<17).map { TestDistributionPoint(stringLiteral: "http://\($0).example") }
        }
        let path = try fixture.path(issuer.issue(template).certificate)
        func used(_ count: Int) throws -> Int {
            let lists = try (0..<count).map { number in
                try signer.crl { $0.thisUpdate = TestAuthority.now.advanced(by: Int64(-60 - number)) }
            }
            let check = try check(crls: lists + [about], certificates: [signer.certificate], of: path)
            #expect(check.finding.exceedsBudget)
            return check.used(.crls)
        }
        let (few, some, many) = (try used(3), try used(6), try used(12))
        #expect(many - some == 2 * (some - few))
    }

    @Test("A search in a list of the certificate's issuer costs a step, however long the issuer's name is")
    func longIssuer() throws {
        let long = try RevocationFixture(issuer: .authority(String(repeating: "a", count: 1_000)))
        let crl = try long.issuer.crl { $0.revoke(long.leaf.certificate) }
        #expect(try check(crls: [crl], of: long.path(), budget: RevocationBudget(steps: 200)).finding.isRevoked)
    }

    @Test("Comparing names in different encodings costs a step for each 32 bytes")
    func names() throws {
        let checker = try check().checker
        checker.account = .crls
        for count in [1, 1_000, 3_000] {
            let text = String(repeating: "a", count: count)
            let left = ASN1.name([(ASN1.cn, ASN1.printable(text))])[...]
            let right = ASN1.name([(ASN1.cn, ASN1.utf8(text))])[...]
            let (first, second) = (ByteRange(0, left.count), ByteRange(0, right.count))
            let before = checker.budget.steps
            let isSame = checker.isSameName(left.span, first, right.span, second)
            #expect(isSame)
            // Each name has one attribute, which counts as eight bytes.
            #expect(before - checker.budget.steps == 2 + (left.count + right.count + 2 * 8) / 32)
        }
    }
}
