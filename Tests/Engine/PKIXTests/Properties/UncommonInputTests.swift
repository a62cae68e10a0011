// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

@Suite("Uncommon input")
struct UncommonInputTests {
    @Test("An unreadable certificate that ends before its subject has no subject")
    func subjects() {
        for fields in [[], [0xa0, 0x05], [0xa0, 0x00]] as [[UInt8]] {
            #expect(DistinguishedName(subjectOfUnreadable: ASN1.sequence(ASN1.sequence(fields))) == nil)
        }
    }

    @Test("Anchors are equal if certificate, conditions and origin are")
    func anchors() throws {
        let root = try TestAuthority.root().certificate
        let anchor = TrustAnchor(root, conditions: [], isPublic: true)
        let conditions = [AnchorConditionsTests.conditions([])]
        #expect(anchor == TrustAnchor(root, conditions: [], isPublic: true))
        #expect(anchor != TrustAnchor(root, conditions: [], isPublic: false))
        #expect(anchor != TrustAnchor(root, conditions: conditions, isPublic: true))
        #expect(Set([anchor, anchor]).count == 1)
        let store = AnchorStore([anchor])
        #expect(store.isPublic(root))
        #expect(try !store.isPublic(TestAuthority.root().certificate))
    }

    @Test("Names that aren't names have a hash")
    func hashes() {
        let attribute = ASN1.attribute(ASN1.cn, ASN1.utf8("a"))
        for bytes in [[], [0x30, 0x02, 0x31, 0x05], ASN1.sequence(ASN1.value(0x31, attribute + [0x30, 0x00]))] {
            let name = DistinguishedName(checkedDER: bytes)
            #expect(Set([name, DistinguishedName(checkedDER: bytes)]).count == 1)
            #expect(name != DistinguishedName(checkedDER: ASN1.name("a")))
        }
    }

    @Test("A key that the engine can't use verifies no evidence")
    func evidenceKeys() throws {
        let certificate = try CraftedCertificate.leaf().with {
            $0.publicKey = ASN1.publicKey(ASN1.algorithm("1.2.840.10040.4.1"), [2, 1, 1])
        }.unsigned()
        #expect(EvidenceKey(certificate) == nil)
    }
}
