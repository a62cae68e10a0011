// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

/// RFC 5280 § 4.2.1.4: the engine must interpret critical policies with their qualifiers, or reject the path.
@Suite("Policy qualifiers")
struct PolicyQualifierTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let qualifiers: [[UInt8]]
        let isKnown: Bool
    }

    private static func qualifier(_ type: String, _ value: [UInt8]) -> [UInt8] {
        ASN1.sequence(ASN1.oid(type), value)
    }

    private static let cps = "1.3.6.1.5.5.7.2.1"
    private static let notice = "1.3.6.1.5.5.7.2.2"
    private static let uri = ASN1.ia5("https://ca.example/cps")
    private static let numbers = ASN1.sequence(ASN1.integer(1), ASN1.integer(2))

    private static func rows(_ isKnown: Bool, _ rows: [(String, [[UInt8]])]) -> [Row] {
        rows.map { Row(testDescription: $0, qualifiers: $1, isKnown: isKnown) }
    }

    static let rows =
        rows(
            true,
            [
                ("none", []), ("a CPS", [qualifier(cps, uri)]), ("an empty CPS", [qualifier(cps, ASN1.ia5(""))]),
                ("an empty notice", [qualifier(notice, ASN1.sequence())]),
                ("a notice in UTF-8", [qualifier(notice, ASN1.sequence(ASN1.utf8("Übereinkunft")))]),
                ("a notice as VisibleString", [qualifier(notice, ASN1.sequence(ASN1.value(0x1a, [0x41])))]),
                ("a notice as IA5String", [qualifier(notice, ASN1.sequence(ASN1.ia5("text")))]),
                ("a notice as BMPString", [qualifier(notice, ASN1.sequence(ASN1.bmp("text")))]),
                (
                    "a notice of more than 200 characters, which readers accept",
                    [qualifier(notice, ASN1.sequence(ASN1.utf8(String(repeating: "x", count: 1000))))]
                ),
                (
                    "a reference and a text",
                    [
                        qualifier(
                            notice, ASN1.sequence(ASN1.sequence(ASN1.utf8("Org"), numbers), ASN1.utf8("text")))
                    ]
                ),
                ("both", [qualifier(cps, uri), qualifier(notice, ASN1.sequence(ASN1.utf8("text")))]),
            ])
        + rows(
            false,
            [
                ("an unknown qualifier", [qualifier("1.2.3.4", ASN1.null)]),
                ("an unknown qualifier after a known one", [qualifier(cps, uri), qualifier("1.2.3.4", uri)]),
                ("an unknown qualifier before a known one", [qualifier("1.2.3.4", uri), qualifier(cps, uri)]),
                ("a neighbor of the known identifiers", [qualifier("1.3.6.1.5.5.7.2.3", uri)]),
                ("only their arc", [qualifier("1.3.6.1.5.5.7.2", uri)]),
                ("an identifier that only ends like one", [qualifier("1.3.6.1.5.5.8.2.1", uri)]),
                ("an identifier of a purpose", [qualifier("1.3.6.1.5.5.7.3.1", uri)]),
                ("an identifier below a known one", [qualifier(cps + ".1", uri)]),
                ("a CPS in UTF-8", [qualifier(cps, ASN1.utf8("https://ca.example"))]),
                ("a CPS that is not ASCII", [qualifier(cps, ASN1.value(0x16, [0xe4]))]),
                ("a CPS that is a number", [qualifier(cps, ASN1.integer(1))]),
                ("a notice that is a string", [qualifier(notice, ASN1.utf8("text"))]),
                ("a notice that is a SET", [qualifier(notice, ASN1.set([ASN1.utf8("text")]))]),
                ("an empty string as a notice", [qualifier(notice, ASN1.utf8(""))]),
                ("a notice of another string type", [qualifier(notice, ASN1.sequence(ASN1.printable("text")))]),
                ("a notice with a second text", [qualifier(notice, ASN1.sequence(ASN1.utf8("a"), ASN1.utf8("b")))]),
                (
                    "a notice with the text before the reference",
                    [qualifier(notice, ASN1.sequence(ASN1.utf8("a"), ASN1.sequence(ASN1.utf8("b"), numbers)))]
                ),
                ("a notice that isn't UTF-8", [qualifier(notice, ASN1.sequence(ASN1.value(0x0c, [0xff])))]),
                ("a BMPString of three bytes", [qualifier(notice, ASN1.sequence(ASN1.value(0x1e, [0, 0x41, 0])))]),
                ("a reference without numbers", [qualifier(notice, ASN1.sequence(ASN1.sequence(ASN1.utf8("a"))))]),
                (
                    "a reference of three parts",
                    [qualifier(notice, ASN1.sequence(ASN1.sequence(ASN1.utf8("a"), numbers, ASN1.null)))]
                ),
                (
                    "a reference whose numbers aren't numbers",
                    [qualifier(notice, ASN1.sequence(ASN1.sequence(ASN1.utf8("a"), ASN1.sequence(ASN1.null))))]
                ),
            ])

    private static func policies(_ qualifiers: [[UInt8]], critical: Bool) -> Extension {
        let policy = ASN1.sequence(ASN1.oid("1.2.3.4.5"), qualifiers.isEmpty ? [] : ASN1.sequence(qualifiers))
        let plain = ASN1.sequence(ASN1.oid("1.2.3.4.6"))
        return Extension.named("2.5.29.32", critical: critical, ASN1.sequence(plain, policy))
    }

    @Test(
        "The engine rejects a path for an unknown qualifier in critical policies, but not in noncritical ones",
        arguments: rows)
    func qualifiers(row: Row) throws {
        for critical in [true, false] {
            let policies = Self.policies(row.qualifiers, critical: critical)
            let wanted: [TrustFailure.Code] = critical && !row.isKnown ? [.criticalExtensionUnhandled] : []
            for policy in [ValidationPolicy(), .plain] {
                // In the leaf, …
                let root = try CraftedCertificate.authority().certificate()
                let leaf = try CraftedCertificate.leaf([policies]).certificate()
                #expect(try codes(leaf, anchors: [root], policy: policy) == wanted, "leaf")
                #expect(try codes(leaf, anchors: [leaf], policy: policy) == wanted, "leaf as anchor")
                // … in an intermediate, …
                let chain = try CraftedChain([.init("CA", [policies])])
                #expect(try chain.codes(chain.leaf(), policy: policy) == wanted, "intermediate")
                // … and in the anchor.
                let anchor = try CraftedChain(root: .init("Root", [policies]))
                let found = try anchor.validate(anchor.leaf(), policy: policy).failures
                #expect(found.map(\.code) == wanted, "anchor")
                #expect(found.allSatisfy { $0.certificate == 1 })
            }
        }
    }

    @Test("The failure names each unknown qualifier")
    func names() throws {
        let policies = Self.policies(
            [
                Self.qualifier("1.2.3.4", ASN1.null), Self.qualifier(Self.cps, Self.uri),
                Self.qualifier("1.2.3.5", ASN1.null),
            ], critical: true)
        let root = try CraftedCertificate.authority().certificate()
        let found = try failures(CraftedCertificate.leaf([policies]).certificate(), anchors: [root]).first
        #expect(
            found?.found
                == .list([
                    "certificatePolicies with qualifier 1.2.3.4", "certificatePolicies with qualifier 1.2.3.5",
                ]))
        #expect(found?.code.severity == .fatal)
    }
}
