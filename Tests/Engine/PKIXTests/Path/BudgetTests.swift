// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Budgets")
struct BudgetTests {
    private func outcome(
        _ leaf: Certificate, _ chain: TestChain, _ budget: ValidationBudget
    ) throws -> PathValidation {
        try validate(
            leaf, [chain.intermediate.certificate], anchors: [chain.root.certificate],
            policy: ValidationPolicy(budget: budget))
    }

    @Test("A budget of exactly the path's signatures is enough, and one unit less causes a failure with its own code")
    func signatures() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        #expect(try outcome(leaf, chain, ValidationBudget(signatures: 2)).isValid)
        for units in [1, 0, -1, .min] {
            let found = try outcome(leaf, chain, ValidationBudget(signatures: units))
            #expect(found.codes == [.signatureBudgetExceeded])
            #expect(found.failures.first?.expected == .number(units))
            #expect(found.failures.first?.certificate == nil)
        }
    }

    @Test("A budget of exactly the path's steps is enough, and one step less causes a failure with its own code")
    func steps() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        #expect(try outcome(leaf, chain, ValidationBudget(steps: 10)).isValid)
        for steps in [1, 0, -1] {
            #expect(try outcome(leaf, chain, ValidationBudget(steps: steps)).codes.contains(.stepBudgetExceeded))
        }
    }

    @Test("Leaf and anchor count toward the depth")
    func depth() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        #expect(try outcome(leaf, chain, ValidationBudget(depth: 3)).isValid)
        for depth in [2, 1, 0, -1] {
            let found = try outcome(leaf, chain, ValidationBudget(depth: depth))
            #expect(found.codes.contains(.depthBudgetExceeded))
        }
        // A leaf that is its own anchor needs a depth of one.
        #expect(
            try validate(leaf, anchors: [leaf], policy: ValidationPolicy(budget: ValidationBudget(depth: 1))).isValid)
    }

    @Test("A path that is too long isn't reported as having an unknown issuer")
    func depthAlone() throws {
        let links = (0..<40).map { CraftedChain.Link("CA \($0)") }
        let chain = try CraftedChain(links)
        #expect(try chain.codes(chain.leaf()) == [.depthBudgetExceeded])
        let longest = try CraftedChain(Array(links.prefix(30)))
        #expect(try longest.codes(longest.leaf()) == [])
        let oneMore = try CraftedChain(Array(links.prefix(31)))
        #expect(try oneMore.codes(oneMore.leaf()) == [.depthBudgetExceeded])
        let deep = ValidationPolicy(budget: ValidationBudget(depth: 50))
        #expect(try chain.codes(chain.leaf(), policy: deep) == [])
    }

    @Test("No budget permits a path of more than 64 certificates", arguments: [(62, true), (63, false)])
    func longestPath(intermediates: Int, isValid: Bool) throws {
        let chain = try CraftedChain((0..<intermediates).map { CraftedChain.Link("CA \($0)") })
        let policy = ValidationPolicy(budget: ValidationBudget(signatures: 1000, depth: 1000))
        #expect(try chain.codes(chain.leaf(), policy: policy) == (isValid ? [] : [.depthBudgetExceeded]))
    }

    @Test("A path that is too deep doesn't hide a shorter one")
    func depthAndShortcut() throws {
        let root = try TestAuthority.root()
        let a = try root.intermediate(.authority("A"))
        let key = TestKey.p256()
        let long = try a.intermediate(.authority("CA"), key: key)
        let short = try root.intermediate(.authority("CA"), key: key)
        let leaf = try short.issue(.leaf("www.example.com")).certificate
        let policy = ValidationPolicy(budget: ValidationBudget(depth: 3))
        for others in [[long, short, a], [a, short, long], [short, long, a]] {
            #expect(try validate(leaf, others.map(\.certificate), anchors: [root.certificate], policy: policy).isValid)
        }
    }

    @Test(
        "A budget of exactly the names' comparisons is enough, and one comparison less causes a failure with its own code"
    )
    func comparisons() throws {
        let chain = try TestChain(
            intermediate: .authority("CA").with { $0.permittedDNSNames = ["a.example", "example.com"] })
        let leaf = try chain.leaf(.leaf("www.example.com"))
        #expect(try outcome(leaf, chain, ValidationBudget(comparisons: 100)).isValid)
        for comparisons in [1, 0, -1] {
            #expect(
                try outcome(leaf, chain, ValidationBudget(comparisons: comparisons)).codes == [
                    .comparisonBudgetExceeded
                ])
        }
        // Without constraints there is nothing to compare.
        let plain = try TestChain()
        #expect(try outcome(plain.leaf(), plain, ValidationBudget(comparisons: 0)).isValid)
    }

    @Test("Every presented byte counts, but the bytes of anchors don't")
    func bytes() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        let total = leaf.der.count + chain.intermediate.certificate.der.count
        #expect(try outcome(leaf, chain, ValidationBudget(bytes: total)).isValid)
        for bytes in [total - 1, 0, -1] {
            let found = try outcome(leaf, chain, ValidationBudget(bytes: bytes))
            #expect(found.codes == [.byteBudgetExceeded])
            #expect(found.failures.first?.found == .number(total))
            #expect(found.failures.first?.expected == .number(bytes))
            #expect(found.rejection?.best.certificates == [leaf])
        }
        // The caller's intermediates count, too.
        for (bytes, isEnough) in [(total, true), (total - 1, false)] {
            let found = PathValidator(
                anchors: AnchorStore([chain.root.certificate]),
                policy: ValidationPolicy(budget: ValidationBudget(bytes: bytes)), memory: nil
            ).validate(leaf, intermediates: [chain.intermediate.certificate], host: nil, at: TestAuthority.now)
            #expect(found.isValid == isEnough)
        }
    }

    @Test("A search that runs out of budget reports the failures that it had found")
    func exhaustedWithPaths() throws {
        let root = try TestAuthority.root()
        let decoys = try (0..<6).map { _ in try root.intermediate(.authority("Same")) }
        let last = try root.intermediate(.authority("Same").with { $0.hasSubjectKeyIdentifier = false })
        let leaf = try last.issue(.leaf("www.example.com").with { $0.hasAuthorityKeyIdentifier = false }).certificate
        let policy = ValidationPolicy(budget: ValidationBudget(signatures: 3))
        let found = try validate(
            leaf, decoys.map(\.certificate) + [last.certificate], anchors: [root.certificate], policy: policy)
        #expect(!found.isValid)
        #expect(found.codes.last == .signatureBudgetExceeded)
        #expect(found.allCodes.contains(.signatureInvalid))
    }

    @Test("The default budgets match the documentation")
    func defaults() {
        let budget = ValidationBudget()
        #expect(budget.signatures == 200 && budget.steps == 4_000 && budget.comparisons == 250_000)
        #expect(budget.depth == 32 && budget.bytes == 4 << 20)
        let policy = ValidationPolicy()
        #expect(policy.profile == .webPKI && policy.purpose == .serverAuth && !policy.isStrict)
        #expect(policy.maximumIntermediates == nil && policy.certificatePolicies == .init())
    }

    @Test("A path of eight P-521 CAs fits the default budget")
    func p521() throws {
        let root = try TestAuthority.root(key: .p521())
        var authorities = [root]
        for index in 0..<7 {
            authorities.append(try authorities[index].intermediate(.authority("CA \(index)"), key: .p521()))
        }
        let leaf = try authorities[7].issue(.leaf("www.example.com"), key: .p521()).certificate
        #expect(try codes(leaf, authorities.map(\.certificate), anchors: [root.certificate]) == [])
    }
}
