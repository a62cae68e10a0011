// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// Paths around an anchor whose conditions a path breaks. The conditions belong to the anchor, not to its key.
@Suite("Paths around a distrusted anchor")
struct DistrustedAnchorTests {
    private static func distrusted(_ certificate: Certificate) -> TrustAnchor {
        TrustAnchor(
            certificate,
            conditions: [
                AnchorConditions(
                    source: "Example",
                    alternatives: [AnchorConditionsTests.limit(.notAfter, AnchorConditionsTests.before, .notBefore)])
            ])
    }

    private func validate(
        _ leaf: Certificate, _ others: [Certificate], _ anchors: [TrustAnchor]
    ) -> PathValidation { AnchorConditionsTests.validate(leaf, others, anchors) }

    @Test("Lists of distrusted certificates are joined in order, each once")
    func joinedLists() {
        let (a, b) = (DistrustedCertificates(source: "A", names: [:]), DistrustedCertificates(source: "B", names: [:]))
        let rows: [([DistrustedCertificates], [DistrustedCertificates], sources: [String])] = [
            ([], [], []), ([], [a], ["A"]), ([a], [], ["A"]), ([a], [a], ["A"]), ([a], [b], ["A", "B"]),
            ([b], [a, b], ["B", "A"]), ([a, b], [b, a], ["A", "B"]),
        ]
        for (own, others, sources) in rows {
            let joined = own.adding(others)
            #expect(joined.map(\.source) == sources)
            #expect(joined.areSame(as: joined) && joined.areSame(as: own) == (joined.count == own.count))
        }
        #expect(![a, b].areSame(as: [b, a]) && ![a].areSame(as: [a, b]) && ![a].areSame(as: [b]))
    }

    @Test("A leaf issued before the distrust date is trusted, and a leaf issued after it is refused")
    func date() throws {
        let chain = try TestChain()
        let anchors = [Self.distrusted(chain.root.certificate)]
        let early = try chain.leaf(
            .leaf("www.example.com").with { $0.notBefore = AnchorConditionsTests.before })
        let late = try chain.leaf()
        #expect(validate(early, [chain.intermediate.certificate], anchors).isValid)
        #expect(validate(late, [chain.intermediate.certificate], anchors).codes == [.anchorDistrustedAfter])
    }

    @Test("A cross-signed intermediate leads to the other root, in every order of anchors and certificates")
    func crossSigned() throws {
        let (old, new) = (try TestAuthority.root(.authority("Old")), try TestAuthority.root(.authority("New")))
        let first = try old.intermediate(.authority("CA"))
        let second = try first.crossSigned(by: new)
        let leaf = try first.issue(.leaf("www.example.com")).certificate
        let anchors = [Self.distrusted(old.certificate), TrustAnchor(new.certificate)]
        for anchors in [anchors, anchors.reversed()] {
            for others in [[first, second], [second, first]] {
                let found = validate(leaf, others.map(\.certificate), anchors)
                #expect(found.path?.certificates == [leaf, second.certificate, new.certificate])
            }
            // Without the cross-certificate, no other path exists.
            #expect(validate(leaf, [first.certificate], anchors).codes == [.anchorDistrustedAfter])
        }
    }

    @Test("A cross-certificate for the distrusted root's own key leads to the other root")
    func crossSignedRoot() throws {
        let (old, new) = (try TestAuthority.root(.authority("Old")), try TestAuthority.root(.authority("New")))
        let crossed = try old.crossSigned(by: new)
        let intermediate = try old.intermediate(.authority("CA"))
        let leaf = try intermediate.issue(.leaf("www.example.com")).certificate
        let found = validate(
            leaf, [intermediate.certificate, crossed.certificate],
            [Self.distrusted(old.certificate), TrustAnchor(new.certificate)])
        #expect(
            found.path?.certificates == [leaf, intermediate.certificate, crossed.certificate, new.certificate])
    }

    @Test("Neither a distrusted intermediate in the store nor a chain of them hides the root above")
    func intermediateAnchor() throws {
        let chain = try TestChain()
        let lower = try chain.intermediate.intermediate(.authority("Lower"))
        let leaf = try lower.issue(.leaf("www.example.com")).certificate
        let (root, middle) = (chain.root.certificate, chain.intermediate.certificate)
        let whole = [leaf, lower.certificate, middle, root]
        let anchors = [Self.distrusted(lower.certificate), Self.distrusted(middle), TrustAnchor(root)]
        for anchors in [anchors, anchors.reversed()] {
            #expect(validate(leaf, [lower.certificate, middle], anchors).path?.certificates == whole)
            #expect(validate(leaf, [], anchors).path?.certificates == whole)
        }
        // A distrusted root above a trusted intermediate changes nothing: the conditions are those of the path's
        // anchor.
        let trusted = validate(
            leaf, [], [TrustAnchor(lower.certificate), Self.distrusted(root)])
        #expect(trusted.path?.certificates == [leaf, lower.certificate])
    }

    @Test("If the path to every anchor is refused, the rejection keeps each path with its failure")
    func refusals() throws {
        let (old, new) = (try TestAuthority.root(.authority("Old")), try TestAuthority.root(.authority("New")))
        let first = try old.intermediate(.authority("CA"))
        let second = try first.crossSigned(by: new)
        let leaf = try first.issue(.leaf("www.example.com")).certificate
        let unlisted = TrustAnchor(new.certificate, conditions: [.unlisted(source: "Example")])
        let found = validate(
            leaf, [first.certificate, second.certificate], [Self.distrusted(old.certificate), unlisted])
        let paths = try #require(found.rejection?.paths)
        #expect(paths.count == 2 && paths.allSatisfy(\.reachesAnchor))
        #expect(Set(paths.map { $0.failures.map(\.code) }) == [[.anchorDistrustedAfter], [.anchorNotInProgram]])
    }

    @Test("A leaf that is a distrusted anchor itself is trusted below another anchor")
    func leafAnchor() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        let alone = [Self.distrusted(leaf)]
        #expect(validate(leaf, [], alone).codes == [.anchorDistrustedAfter])
        let found = validate(leaf, [chain.intermediate.certificate], alone + [TrustAnchor(chain.root.certificate)])
        #expect(found.path?.certificates == [leaf, chain.intermediate.certificate, chain.root.certificate])
    }
}
