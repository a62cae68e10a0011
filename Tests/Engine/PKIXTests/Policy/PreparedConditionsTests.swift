// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// The domains in an anchor's conditions, without a search around them.
@Suite("Domains of conditions")
struct PreparedConditionsTests {
    private static func domains(permitted: [String]?, excluded: [String] = []) throws -> ConditionDomains {
        var constraints = AnchorConstraints()
        constraints.permittedDomains = permitted
        constraints.excludedDomains = excluded
        return try #require(ConditionDomains(constraints))
    }

    private static func leaf(_ names: [[UInt8]]) throws -> Certificate {
        try CraftedCertificate.leaf().with {
            $0.extensions = [Extension.alternativeNames(names).encoded]
        }.certificate()
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let names: [[UInt8]]
        var permitted: [String]?
        var excluded: [String]
        /// The name that isn't permitted, or nil if all are.
        let violation: String?

        init(
            _ name: String, _ names: [[UInt8]], permitted: [String]? = nil, excluded: [String] = [],
            _ violation: String?
        ) {
            testDescription = name
            self.names = names
            self.permitted = permitted
            self.excluded = excluded
            self.violation = violation
        }
    }

    static let rows: [Row] = [
        Row("the first and last letters in upper case", [ASN1.dns("AZ.Example")], permitted: ["az.eXAMPLE"], nil),
        Row("the character before A isn't a letter", [ASN1.dns("a@b")], permitted: ["a`b"], "DNS:a@b"),
        Row("the character after Z isn't a letter", [ASN1.dns("a[b")], permitted: ["a{b"], "DNS:a[b"),
        Row(
            "a name outside of the permitted domains", [ASN1.dns("a.tr"), ASN1.dns("b.us")], permitted: ["tr"],
            "DNS:b.us"),
        Row("a name in an excluded domain", [ASN1.dns("a.us"), ASN1.dns("b.tr")], excluded: ["tr"], "DNS:b.tr"),
        Row("any name, if the root is excluded", [ASN1.dns("b.tr")], excluded: ["."], "DNS:b.tr"),
        Row("the empty domain permits no name with a trailing dot", [ASN1.dns("a.tr.")], permitted: [""], "DNS:a.tr."),
        Row("an empty name", [ASN1.dns("")], permitted: ["", "tr"], "DNS:"),
        Row("no name in the list", [], permitted: ["tr"], "no name"),
        Row("no name in the list, if domains are only excluded", [], excluded: ["tr"], nil),
        Row("an email address that looks like an excluded domain", [ASN1.email("tr")], excluded: ["tr"], nil),
        Row("an email address that looks like a permitted domain", [ASN1.email("tr")], permitted: ["tr"], "email:tr"),
        Row("a star that isn't a whole label", [ASN1.dns("*xgov.tr")], permitted: ["gov.tr"], "DNS:*xgov.tr"),
        Row("a wildcard of an excluded domain", [ASN1.dns("*.tr")], excluded: ["tr"], "DNS:*.tr"),
        Row("a wildcard below an excluded domain", [ASN1.dns("*.a.tr")], excluded: ["tr"], "DNS:*.a.tr"),
        Row("a wildcard above an excluded domain", [ASN1.dns("*.tr")], excluded: ["a.b.tr"], "DNS:*.tr"),
        Row("a wildcard of an ending that isn't a domain", [ASN1.dns("*.ov.tr")], excluded: ["gov.tr"], nil),
        Row("a name above an excluded domain", [ASN1.dns("tr")], excluded: ["gov.tr"], nil),
    ]

    @Test("The first alternative name that isn't permitted is the violation", arguments: rows)
    func violations(row: Row) throws {
        let domains = try Self.domains(permitted: row.permitted, excluded: row.excluded)
        var meter = WorkMeter(.init())
        #expect(domains.firstViolation(of: try Self.leaf(row.names), &meter) == row.violation)
    }

    @Test("A failure shows the permitted domains, or the excluded ones if none are permitted")
    func expected() throws {
        let rows: [(permitted: [String]?, excluded: [String], expected: [String])] = [
            (["gov.tr", ".a.tr"], [], ["gov.tr", ".a.tr"]), (["tr"], ["gov.tr"], ["tr"]), ([], ["gov.tr"], []),
            (nil, ["gov.tr", "a.tr"], ["not gov.tr", "not a.tr"]),
        ]
        for (permitted, excluded, expected) in rows {
            #expect(try Self.domains(permitted: permitted, excluded: excluded).expected == .list(expected))
        }
        #expect(ConditionDomains(AnchorConstraints()) == nil)
    }

    @Test("Each name costs 16 units and 4 for each byte, and comparisons cost their bytes", arguments: [0, 1, 2])
    func work(excludedCount: Int) throws {
        let leaf = try Self.leaf([ASN1.dns("*.example")])
        let excluded = (0..<excludedCount).map { "gov\($0).tr" }
        let domains = try Self.domains(permitted: ["example"], excluded: excluded)
        // The name has 9 bytes, and 7 without the wildcard. Both sets contain its only suffix or not.
        let suffix = 32 + 2 * 7
        let sum = 16 + 4 * 9 + suffix + (excluded.isEmpty ? 0 : suffix + excludedCount * (7 + 16))
        var meter = WorkMeter(work: sum)
        #expect(domains.firstViolation(of: leaf, &meter) == nil && meter.work == sum)
        // A name that the meter doesn't let the engine compare isn't permitted.
        for work in 0..<sum {
            var meter = WorkMeter(work: work)
            #expect(domains.firstViolation(of: leaf, &meter) == "?" && meter.isExhausted)
        }
    }

    @Test(
        "Of the alternative sets of constraints, the engine tries the first 16", arguments: [(15, true), (16, false)])
    func alternatives(others: Int, isMet: Bool) throws {
        let chain = try TestChain()
        let sets = [[String]](repeating: [], count: others) + [["example.com"]]
        let alternatives = sets.map { domains in
            var constraints = AnchorConstraints()
            constraints.permittedDomains = domains
            return constraints
        }
        let anchor = TrustAnchor(
            chain.root.certificate, conditions: [AnchorConditions(source: "Example", alternatives: alternatives)])
        let validation = PathValidator(anchors: AnchorStore([anchor]), policy: ValidationPolicy(), memory: nil)
            .validate(
                try chain.leaf(), intermediates: [chain.intermediate.certificate], host: nil, at: TestAuthority.now)
        #expect(validation.codes == (isMet ? [] : [.anchorNameNotPermitted]))
    }
}
