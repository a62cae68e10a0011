// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Anchor store")
struct AnchorStoreTests {
    @Test("A repeated anchor is public if one of its occurrences is")
    func repeatedAnchor() throws {
        let root = try TestAuthority.root().certificate
        for (first, second) in [(true, true), (true, false), (false, true), (false, false)] {
            let store = AnchorStore([
                TrustAnchor(root, conditions: [], isPublic: first), TrustAnchor(root, conditions: [], isPublic: second),
            ])
            #expect(store.anchors.map(\.isPublic) == [first || second])
        }
        let other = try TestAuthority.root().certificate
        #expect(AnchorStore([TrustAnchor(root), TrustAnchor(other)]).anchors.map(\.certificate) == [root, other])
        #expect(TrustAnchor(root) != TrustAnchor(other))
    }

    @Test("Anchors are equal if they have the same certificate, conditions and origin")
    func equality() throws {
        let root = try TestAuthority.root().certificate
        let conditions: [[AnchorConditions]] = [[], [.unlisted(source: "A")], [.unlisted(source: "B")]]
        let anchors = conditions.flatMap { conditions in
            [true, false].map { TrustAnchor(root, conditions: conditions, isPublic: $0) }
        }
        for (index, one) in anchors.enumerated() {
            let copy = TrustAnchor(root, conditions: one.conditions, isPublic: one.isPublic)
            #expect(anchors.firstIndex(of: copy) == index)
        }
    }

    @Test("A store finds each anchor whose last bytes are another's, too")
    func tails() throws {
        let all = try (0..<5).map { try CraftedCertificate.authority(ASN1.name("Root \($0)")).unsigned() }
        #expect(Set(all.map(\.tail)).count == 1)
        let store = AnchorStore(all.dropLast())
        for (index, certificate) in all.enumerated() {
            #expect(store.index(of: certificate) == (index < 4 ? index : nil))
        }
    }

    /// The anchors with a name in their order, and the work of finding them.
    private func lookUp(
        _ name: [UInt8], _ store: AnchorStore, work: Int = .max
    ) throws -> (found: [Certificate]?, work: Int) {
        let certificate = try CraftedCertificate.leaf(issuer: name).unsigned()
        let encoded = EncodedName(certificate: certificate, range: certificate.storage.fields.issuer)
        var (names, meter) = (NormalizedNames(), WorkMeter(work: work))
        let found = store.anchors(
            named: encoded, hash: nameHash(certificate.span, encoded.range), &names, &meter)
        return (found.map { $0.map { store.anchors[$0].certificate } }, meter.work)
    }

    @Test("A store finds a name in any encoding, and doesn't confuse names with equal hashes")
    func names() throws {
        let names = (1...3).map { "Prüfstelle \($0)" }
        let anchors = try (names + names).map { name in
            try CraftedCertificate.authority(ASN1.name(name), key: .p256()).unsigned()
        }
        let hashes = anchors.map { nameHash($0.span, $0.storage.fields.subject) }
        #expect(Set(hashes).count == 1)
        let store = AnchorStore(anchors)
        for (index, name) in names.enumerated() {
            for name in [
                ASN1.name(name), ASN1.name(name.uppercased()), ASN1.name([(ASN1.cn, ASN1.bmp(name))]),
            ] {
                #expect(try lookUp(name, store).found == [anchors[index], anchors[index + 3]])
            }
        }
        #expect(try lookUp(ASN1.name("Prüfstelle 4"), store).found == [])
        #expect(try lookUp(ASN1.name("Other"), store).found == [])
        // Also if the first anchor with the hash has the same bytes.
        #expect(try lookUp(ASN1.name(names[0]), AnchorStore([anchors[0], anchors[1]])).found == [anchors[0]])
    }

    @Test("Each anchor with a name costs the name's bytes and one unit more, and the other anchors cost nothing")
    func work() throws {
        let name = ASN1.name("Root")
        let others = try (0..<50).map { try CraftedCertificate.authority(ASN1.name("Other \($0)")).unsigned() }
        for count in [0, 1, 2, 5] {
            let anchors = try (0..<count).map { _ in try CraftedCertificate.authority(name, key: .p256()).unsigned() }
            let store = AnchorStore(others + anchors)
            let work = count * (name.count + 1)
            #expect(try lookUp(name, store).work == work)
            #expect(try lookUp(name, store, work: work).found == anchors)
            if count > 0 { #expect(try lookUp(name, store, work: work - 1).found == nil) }
        }
    }
}
