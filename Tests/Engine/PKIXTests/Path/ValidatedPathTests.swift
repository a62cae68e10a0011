// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Validated paths")
struct ValidatedPathTests {
    private let policy = "1.2.3.4"

    private func chain(_ links: [CraftedChain.Link]) throws -> (CraftedChain, ValidatedPath) {
        let chain = try CraftedChain(links)
        let leaf = try chain.leaf { $0.extensions?.append(Extension.policies(policy).encoded) }
        return (chain, ValidatedPath(certificates: [leaf] + chain.intermediates.reversed() + [chain.root]))
    }

    @Test("The operating system can't have validated an empty path")
    func empty() throws {
        #expect(ValidatedPath(validatedBySystem: []) == nil)
        let root = try TestAuthority.root().certificate
        #expect(ValidatedPath(validatedBySystem: [root])?.certificates == [root])
    }

    @Test("A path is valid for a policy that its leaf states if every CA between it and the anchor allows it")
    func policies() throws {
        let wanted = try #require(OID(policy))
        let stated = Extension.policies(policy)
        let any = Extension.policies("2.5.29.32.0")
        let rows: [(name: String, links: [CraftedChain.Link], isValid: Bool)] = [
            ("below the anchor", [], true), ("below a CA with the policy", [.init("A", [stated])], true),
            ("below a CA without policies", [.init("A")], false), ("below anyPolicy", [.init("A", [any])], true),
            ("below another policy", [.init("A", [.policies("1.2.3.5")])], false),
            // A self-issued CA may state anyPolicy where others may not (RFC 5280 § 6.1.3 (d) (2)).
            (
                "below a self-issued CA that may state anyPolicy",
                [.init("A", [stated, .inhibitAnyPolicy(0)]), .init("A", [any])], true
            ),
            (
                "below a CA that may not state anyPolicy",
                [.init("A", [stated, .inhibitAnyPolicy(0)]), .init("B", [any])], false
            ),
            (
                "below a self-issued CA and one that may not state anyPolicy",
                [.init("A", [stated, .inhibitAnyPolicy(0)]), .init("A", [stated]), .init("B", [any])], false
            ),
        ]
        for (name, links, isValid) in rows {
            let path = try chain(links).1
            #expect(path.isValid(for: wanted) == isValid, "\(name)")
        }
        // No CA has stated a policy of a leaf that is its own anchor.
        let alone = try chain([]).1.leaf
        #expect(!ValidatedPath(certificates: [alone]).isValid(for: wanted))
    }

    @Test("A root program's first 64 policies for extended validation count")
    func extendedValidation() throws {
        let leaf = try CraftedChain().leaf {
            $0.extensions?.append(Extension.policies("2.23.140.1.1", policy).encoded)
        }
        let root = try CraftedChain().root
        func asserts(_ place: Int?) throws -> Bool {
            var conditions = AnchorConditions(source: "Example", alternatives: [AnchorConstraints()])
            conditions.extendedValidationPolicies = try (0..<66).map { index in
                let dotted = index == place ? policy : "1.2.5.\(index)"
                return try #require(OID(dotted))
            }
            return ValidatedPath(certificates: [leaf, root], anchorFacts: AnchorFacts(conditions: [conditions]))
                .assertsExtendedValidation
        }
        for (place, isExpected) in [(0, true), (63, true), (64, false), (nil, false)] as [(Int?, Bool)] {
            #expect(try asserts(place) == isExpected)
        }
    }

    @Test("The baseline's limit on validity applies to leaves below public anchors, not to public anchors")
    func validity() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf(
            .leaf("www.example.com").with { $0.notAfter = $0.notBefore.advanced(by: 5 * 365 * 86_400) })
        for isPublic in [true, false] {
            let facts = AnchorFacts(isPublic: isPublic)
            let root = chain.root.certificate
            let below = ValidatedPath(certificates: [leaf, root], anchorFacts: facts)
            #expect((below.validityExcess != nil) == isPublic)
            #expect(ValidatedPath(certificates: [leaf], anchorFacts: facts).validityExcess == nil)
        }
    }
}
