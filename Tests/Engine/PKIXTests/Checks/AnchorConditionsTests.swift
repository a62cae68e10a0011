// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

/// Conditions that root programs set on the anchor of a path.
@Suite("Conditions on anchors")
struct AnchorConditionsTests {
    typealias Constraints = AnchorConstraints
    static let issued = TestAuthority.notBefore
    static let before = issued.advanced(by: -1)
    static let after = issued.advanced(by: 1)

    static func constraints(_ change: (inout Constraints) -> Void) -> Constraints {
        var constraints = Constraints()
        change(&constraints)
        return constraints
    }

    static func limit(_ side: IssuanceLimit.Side, _ date: Time, _ clock: IssuanceLimit.Clock) -> Constraints {
        constraints { $0.dates = [IssuanceLimit(side, date, clock: clock)] }
    }

    static func conditions(_ alternatives: [Constraints], source: String = "Example") -> AnchorConditions {
        AnchorConditions(source: source, alternatives: alternatives)
    }

    /// Validates a leaf below anchors with conditions.
    static func validate(
        _ leaf: Certificate, _ others: [Certificate], _ anchors: [TrustAnchor],
        purpose: ValidationPolicy.Purpose = .serverAuth, timestamps: (@Sendable (Certificate) -> [Time]?)? = nil
    ) -> PathValidation {
        var policy = ValidationPolicy()
        policy.purpose = purpose
        return PathValidator(anchors: AnchorStore(anchors), policy: policy, memory: nil).validate(
            leaf, presented: others, intermediates: [], host: nil, at: TestAuthority.now, insecurelyExcepting: nil,
            timestamps: timestamps, additionalChecks: nil)
    }

    // MARK: Dates

    struct DateRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let limit: IssuanceLimit
        /// The timestamps, or nil if they can't be verified.
        let timestamps: [Time]?
        let isMet: Bool
        var clock = IssuanceLimit.Clock.notBefore
        var isStandIn = false

        init(
            _ name: String, _ side: IssuanceLimit.Side, _ date: Time, _ clock: IssuanceLimit.Clock, _ stamps: [Time]?,
            isMet: Bool, by decider: IssuanceLimit.Clock = .notBefore, isStandIn: Bool = false
        ) {
            testDescription = name
            limit = IssuanceLimit(side, date, clock: clock)
            timestamps = stamps
            self.isMet = isMet
            self.clock = decider
            self.isStandIn = isStandIn
        }
    }

    static let dateRows: [DateRow] = [
        DateRow("issued at the date", .notAfter, issued, .notBefore, nil, isMet: true),
        DateRow("issued a second after the date", .notAfter, before, .notBefore, nil, isMet: false),
        DateRow("issued at a date after which it must be issued", .after, issued, .notBefore, nil, isMet: false),
        DateRow("issued a second after such a date", .after, before, .notBefore, nil, isMet: true),
        DateRow("notBefore decides, whatever timestamps say", .notAfter, issued, .notBefore, [after], isMet: true),
        DateRow(
            "Mozilla without a list: notBefore counts instead", .notAfter, issued, .notBeforeOrTimestamp, nil,
            isMet: true,
            isStandIn: true),
        DateRow("Mozilla: no valid timestamp", .notAfter, issued, .notBeforeOrTimestamp, [], isMet: true),
        DateRow(
            "Mozilla: the earliest timestamp is later than a backdated notBefore", .notAfter, issued,
            .notBeforeOrTimestamp, [after.advanced(by: 9), after], isMet: false, by: .timestamps),
        DateRow(
            "Mozilla: a timestamp before notBefore doesn't help", .notAfter, before, .notBeforeOrTimestamp, [before],
            isMet: false),
        DateRow(
            "Mozilla: an early one among late ones", .notAfter, issued, .notBeforeOrTimestamp, [after, before],
            isMet: true),
        DateRow("Mozilla: a timestamp at notBefore", .notAfter, issued, .notBeforeOrTimestamp, [issued], isMet: true),
        DateRow(
            "Chrome: one of two timestamps isn't later", .notAfter, before, .timestamps, [after, before], isMet: true,
            by: .timestamps),
        DateRow(
            "Chrome: all timestamps are later", .notAfter, issued, .timestamps, [after, after], isMet: false,
            by: .timestamps),
        DateRow("Chrome: no valid timestamp", .notAfter, after, .timestamps, [], isMet: false, by: .timestamps),
        DateRow(
            "Chrome: all timestamps are after the date", .after, issued, .timestamps, [after, after], isMet: true,
            by: .timestamps),
        DateRow(
            "Chrome: one timestamp isn't after the date", .after, issued, .timestamps, [after, issued], isMet: false,
            by: .timestamps),
        DateRow(
            "Chrome: no timestamp is after the date", .after, before, .timestamps, [], isMet: false, by: .timestamps),
        DateRow(
            "Chrome without a list: notBefore counts instead", .notAfter, issued, .timestamps, nil, isMet: true,
            isStandIn: true),
        DateRow(
            "Chrome without a list: notBefore refuses", .notAfter, before, .timestamps, nil, isMet: false,
            isStandIn: true),
        DateRow(
            "Chrome without a list: notBefore is after the date", .after, before, .timestamps, nil, isMet: true,
            isStandIn: true),
    ]

    @Test("Each limit on the issuance date uses its own clock", arguments: dateRows)
    func dates(row: DateRow) throws {
        let chain = try TestChain()
        let conditions = Self.conditions([Self.constraints { $0.dates = [row.limit] }])
        let issuer = chain.intermediate.certificate
        let validation = Self.validate(
            try chain.leaf(), [issuer], [TrustAnchor(chain.root.certificate, conditions: [conditions])]
        ) { given in given == issuer ? row.timestamps : [] }
        #expect(validation.isValid == row.isMet)
        #expect(validation.codes == (row.isMet ? [] : [.anchorDistrustedAfter]))
        #expect(validation.rejection.map { $0.headline.certificate == 2 && $0.headline.role == .anchor } ?? true)
        let side = row.limit.side == .notAfter ? "until" : "after"
        let date = row.clock == .notBefore ? Self.issued : row.timestamps?.min()
        let found = date.map { "\($0) by \(row.clock == .notBefore ? "notBefore" : "its timestamps")" }
        for failure in validation.failures {
            #expect(failure.expected == .text("\(side) \(row.limit.date)"))
            #expect(failure.found == .text(found ?? "without a valid timestamp"))
        }
        guard let decision = validation.path?.anchorFacts?.decisions.first else { return }
        #expect(decision.clock == row.clock && decision.isStandIn == row.isStandIn && decision.limit == row.limit)
    }

    @Test("The path determines the timestamps' issuer: for a leaf below the anchor, it is the anchor itself")
    func issuer() throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("www.example.com")).certificate
        let asked = Locked<[Certificate]>([])
        let conditions = Self.conditions([Self.limit(.notAfter, Self.issued, .timestamps)])
        let validation = Self.validate(leaf, [], [TrustAnchor(root.certificate, conditions: [conditions])]) { issuer in
            asked.withLock { $0.append(issuer) }
            return [Self.issued]
        }
        #expect(validation.isValid)
        #expect(asked.withLock { $0 } == [root.certificate])
    }

    @Test("For a leaf that is its own anchor, the timestamps' issuer is the leaf")
    func leafAnchor() throws {
        let leaf = try TestAuthority.root().issue(.leaf("www.example.com")).certificate
        let asked = Locked<[Certificate]>([])
        let conditions = Self.conditions([Self.limit(.notAfter, Self.issued, .timestamps)])
        let validation = Self.validate(leaf, [], [TrustAnchor(leaf, conditions: [conditions])]) { issuer in
            asked.withLock { $0.append(issuer) }
            return [Self.issued]
        }
        #expect(validation.isValid)
        #expect(asked.withLock { $0 } == [leaf])
    }

    @Test("The engine verifies timestamps only under issuers that signed the leaf")
    func unsigned() throws {
        let chain = try TestChain()
        let impostor = try TestChain()
        let asked = Locked(0)
        let conditions = Self.conditions([Self.limit(.notAfter, Self.issued, .timestamps)])
        let anchors = [chain, impostor].map { TrustAnchor($0.root.certificate, conditions: [conditions]) }
        let forged = try impostor.leaf()
        var bytes = forged.der
        bytes[bytes.count - 1] ^= 1
        let validation = Self.validate(
            try Certificate(der: bytes), [chain.intermediate.certificate, impostor.intermediate.certificate], anchors
        ) { _ in
            asked.withLock { $0 += 1 }
            return [Self.issued]
        }
        #expect(!validation.isValid && validation.allCodes.contains(.signatureInvalid))
        #expect(asked.withLock { $0 } == 0)
    }

    // MARK: Names

    struct NameRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let names: [GeneralName]
        var permitted: [String]?
        var excluded: [String] = []
        let isMet: Bool

        init(
            _ name: String, _ names: [GeneralName], permitted: [String]? = nil, excluded: [String] = [], isMet: Bool
        ) {
            testDescription = name
            self.names = names
            self.permitted = permitted
            self.excluded = excluded
            self.isMet = isMet
        }
    }

    static let nameRows: [NameRow] = [
        NameRow("the domain itself", [.dns("gov.tr")], permitted: ["gov.tr"], isMet: true),
        NameRow("a name below it", [.dns("www.gov.tr")], permitted: ["gov.tr"], isMet: true),
        NameRow("in upper case", [.dns("WWW.GOV.TR")], permitted: ["Gov.Tr"], isMet: true),
        NameRow("a domain with a leading dot", [.dns("www.gov.tr")], permitted: [".gov.tr"], isMet: true),
        NameRow("a name with the same ending", [.dns("notgov.tr")], permitted: ["gov.tr"], isMet: false),
        NameRow("a name above it", [.dns("tr")], permitted: ["gov.tr"], isMet: false),
        NameRow("one of two names is outside", [.dns("a.tr"), .dns("a.example")], permitted: ["tr"], isMet: false),
        NameRow("one of two domains contains it", [.dns("a.example")], permitted: ["tr", "example"], isMet: true),
        NameRow("a wildcard below it", [.dns("*.gov.tr")], permitted: ["gov.tr"], isMet: true),
        NameRow("a wildcard above it", [.dns("*.tr")], permitted: ["gov.tr"], isMet: false),
        NameRow(
            "an address beside names", [.dns("a.tr"), .ipAddress([192, 0, 2, 1])], permitted: ["tr"], isMet: false),
        NameRow("no alternative name", [], permitted: ["tr"], isMet: false),
        NameRow("an empty list permits none", [.dns("a.tr")], permitted: [], isMet: false),
        NameRow("an empty domain permits none", [.dns("a.tr")], permitted: [""], isMet: false),
        NameRow("an excluded domain", [.dns("tr")], excluded: ["tr"], isMet: false),
        NameRow("a name below an excluded domain", [.dns("a.tr")], excluded: ["tr"], isMet: false),
        NameRow("a name beside an excluded domain", [.dns("atr")], excluded: ["tr"], isMet: true),
        NameRow("a wildcard that may match an excluded domain", [.dns("*.tr")], excluded: ["gov.tr"], isMet: false),
        NameRow("a wildcard of another domain", [.dns("*.example")], excluded: ["gov.tr"], isMet: true),
        NameRow("the empty domain excludes all", [.dns("a.tr")], excluded: [""], isMet: false),
        NameRow("an address beside excluded domains", [.ipAddress([192, 0, 2, 1])], excluded: ["tr"], isMet: true),
        NameRow("no alternative name beside excluded domains", [], excluded: ["tr"], isMet: true),
        NameRow("permitted and excluded", [.dns("a.b.tr")], permitted: ["tr"], excluded: ["b.tr"], isMet: false),
    ]

    @Test("The leaf's names must be within the domains", arguments: nameRows)
    func names(row: NameRow) throws {
        let chain = try TestChain()
        let leaf = try chain.leaf(
            .leaf("x").with {
                $0.dnsNames = []
                $0.alternativeNames = row.names
            })
        let conditions = Self.conditions([
            Self.constraints {
                $0.permittedDomains = row.permitted
                $0.excludedDomains = row.excluded
            }
        ])
        let validation = Self.validate(
            leaf, [chain.intermediate.certificate], [TrustAnchor(chain.root.certificate, conditions: [conditions])])
        #expect(validation.codes == (row.isMet ? [] : [.anchorNameNotPermitted]))
    }

    // MARK: Purposes, alternatives, lists

    static let listRows:
        [(
            name: String, conditions: [AnchorConditions], purpose: ValidationPolicy.Purpose,
            codes: [TrustFailure.Code]
        )] = [
            ("no condition", [], .serverAuth, []),
            ("a list that trusts the root without conditions", [conditions([Constraints()])], .serverAuth, []),
            ("a list that trusts it for nothing", [conditions([])], .serverAuth, [.anchorPurposeNotPermitted]),
            ("a list that doesn't contain it", [.unlisted(source: "X")], .serverAuth, [.anchorNotInProgram]),
            (
                "the purpose", [conditions([constraints { $0.purposes = [.serverAuth] }])], .serverAuth, []
            ),
            (
                "another purpose", [conditions([constraints { $0.purposes = [.clientAuth] }])], .serverAuth,
                [.anchorPurposeNotPermitted]
            ),
            (
                "no purpose is requested, and not all are permitted",
                [conditions([constraints { $0.purposes = [.serverAuth] }])], .any, [.anchorPurposeNotPermitted]
            ),
            (
                "constraints that can't be decided", [conditions([constraints { $0.isUndecidable = true }])],
                .serverAuth, [.anchorPurposeNotPermitted]
            ),
            (
                "one of two alternatives is met",
                [conditions([limit(.notAfter, before, .notBefore), limit(.notAfter, issued, .notBefore)])],
                .serverAuth, []
            ),
            (
                "an undecidable alternative doesn't prevent another",
                [conditions([constraints { $0.isUndecidable = true }, Constraints()])], .serverAuth, []
            ),
            (
                "no alternative is met: the failures of the nearest one",
                [
                    conditions([
                        constraints {
                            $0.purposes = [.clientAuth]
                            $0.permittedDomains = ["tr"]
                        }, limit(.notAfter, before, .notBefore),
                    ])
                ], .serverAuth, [.anchorDistrustedAfter]
            ),
            (
                "the failures of the nearest alternative, which comes first",
                [
                    conditions([
                        limit(.notAfter, before, .notBefore),
                        constraints {
                            $0.purposes = [.clientAuth]
                            $0.permittedDomains = ["tr"]
                        },
                    ])
                ], .serverAuth, [.anchorDistrustedAfter]
            ),
            (
                "the failures of the first of two alternatives that are equally near",
                [conditions([constraints { $0.purposes = [.clientAuth] }, limit(.notAfter, before, .notBefore)])],
                .serverAuth, [.anchorPurposeNotPermitted]
            ),
            (
                "all constraints of a set must be met",
                [
                    conditions([
                        constraints {
                            $0.permittedDomains = ["tr"]
                            $0.dates = [IssuanceLimit(.notAfter, before, clock: .notBefore)]
                        }
                    ])
                ], .serverAuth, [.anchorDistrustedAfter, .anchorNameNotPermitted]
            ),
            (
                "two dates, one of which isn't met",
                [
                    conditions([
                        constraints {
                            $0.dates = [
                                IssuanceLimit(.after, before, clock: .notBefore),
                                IssuanceLimit(.notAfter, before, clock: .notBefore),
                            ]
                        }
                    ])
                ], .serverAuth, [.anchorDistrustedAfter]
            ),
            (
                "two lists, one of which refuses", [conditions([Constraints()]), .unlisted(source: "X")], .serverAuth,
                [.anchorNotInProgram]
            ),
        ]

    @Test("A path must meet one set of each list, and all constraints of that set", arguments: listRows)
    func lists(
        name: String, conditions: [AnchorConditions], purpose: ValidationPolicy.Purpose, codes: [TrustFailure.Code]
    ) throws {
        let chain = try TestChain()
        let leaf = try chain.leaf(.leaf("www.example.com").with { $0.extendedKeyUsage = nil })
        let anchor = TrustAnchor(chain.root.certificate, conditions: conditions)
        let validation = Self.validate(leaf, [chain.intermediate.certificate], [anchor], purpose: purpose)
        #expect(validation.codes == codes)
        #expect(validation.path.map { $0.anchorFacts?.conditions == conditions } ?? true)
    }

    @Test("A program's distrust refuses an anchor, even in a store that lost the program's list of distrusted ones")
    func distrusted() throws {
        var conditions = Self.conditions([Constraints()])
        conditions.distrustedPurposes = [.clientAuth]
        for (end, code) in [(TestAuthority.notAfter, nil), (TestAuthority.now.advanced(by: -1), .certificateExpired)]
            as [(Time, TrustFailure.Code?)]
        {
            let chain = try TestChain(root: .authority("Root").with { $0.notAfter = end })
            let leaf = try chain.leaf(.leaf("www.example.com").with { $0.extendedKeyUsage = nil })
            let anchor = TrustAnchor(chain.root.certificate, conditions: [conditions])
            for (purpose, isDistrusted) in [(ValidationPolicy.Purpose.serverAuth, false), (.clientAuth, true)] {
                let found = Self.validate(leaf, [chain.intermediate.certificate], [anchor], purpose: purpose).failures
                #expect(
                    Set(found.map(\.code))
                        == Set((isDistrusted ? [.certificateDenied] : []) + (code.map { [$0] } ?? [])))
                #expect(found.allSatisfy { $0.certificate == 2 && $0.role == .anchor })
            }
        }
    }

    @Test("A root that is added to the store twice keeps both sets of conditions, in either order")
    func merged() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf()
        let bare = TrustAnchor(chain.root.certificate)
        let distrusted = TrustAnchor(chain.root.certificate, conditions: [.unlisted(source: "X")])
        for anchors in [[bare, distrusted], [distrusted, bare]] {
            #expect(
                Self.validate(leaf, [chain.intermediate.certificate], anchors).codes == [.anchorNotInProgram])
        }
    }
}
