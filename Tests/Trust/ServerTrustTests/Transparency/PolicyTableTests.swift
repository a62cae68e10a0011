// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrust
@testable import ServerTrustTesting

/// A row: a sentence, its source, and the results of the three policies.
struct PolicyCase: Sendable, CustomTestStringConvertible {
    typealias Status = TransparencyFinding.Status
    typealias Reason = TransparencyFinding.Timestamp.Reason

    let sentence: String
    let source: String
    let expected: [Status]
    let reasons: [Reason?]?
    let make: @Sendable (inout PolicyScene) -> Void

    init(
        _ sentence: String, _ source: String, chrome: Status, mozilla: Status, apple: Status,
        reasons: [Reason?]? = nil, _ make: @escaping @Sendable (inout PolicyScene) -> Void
    ) {
        self.sentence = sentence
        self.source = source
        self.expected = [chrome, mozilla, apple]
        self.reasons = reasons
        self.make = make
    }

    init(
        _ sentence: String, _ source: String, _ all: Status, reasons: [Reason?]? = nil,
        _ make: @escaping @Sendable (inout PolicyScene) -> Void
    ) {
        self.init(sentence, source, chrome: all, mozilla: all, apple: all, reasons: reasons, make)
    }

    var testDescription: String { sentence }
}

/// The tables for Chrome's, Firefox's and Apple's policies. Sources: `ct_policy.md` and `chrome_ct_policy_enforcer.cc`
/// from Chrome, `security/ct/CTPolicyEnforcer.cpp` from Firefox 135 on, Apple's support article 103214 ("Apple").
@Suite struct PolicyTableTests {
    private static let day = PolicyScene.day
    private static let enforcers = "chrome_ct_policy_enforcer.cc, CTPolicyEnforcer.cpp, Apple"

    @Test(
        "Each policy decides as its owner's text and code require", arguments: numbers + states + dates + origins + logs
    )
    func row(_ row: PolicyCase) throws {
        var scene = try PolicyScene()
        row.make(&scene)
        let findings = try scene.findings()
        #expect(findings.map(\.status) == row.expected, "\(row.source)")
        guard let reasons = row.reasons else { return }
        #expect(findings[0].timestamps.map(\.reason) == reasons)
        #expect(findings[0].timestamps.map(\.counts) == reasons.map { $0 == nil })
    }

    // MARK: - Numbers and operators

    static let numbers: [PolicyCase] = [
        PolicyCase("two of two operators suffice for 180 days", enforcers, .complies) { $0.embedded = ["A1", "B1"] },
        PolicyCase("one is too few for 180 days", enforcers, .notEnough) { $0.embedded = ["A1"] },
        PolicyCase("none is too few", enforcers, .notEnough, reasons: []) { _ in },
        PolicyCase("two are too few for a second more than 180 days", enforcers, .notEnough) {
            $0.lifetime = 180 * day + 1
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase("two are too few for 181 days", enforcers, .notEnough) {
            $0.lifetime = 181 * day
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase("three of three operators suffice for 181 days", enforcers, .complies) {
            $0.lifetime = 181 * day
            $0.embedded = ["A1", "B1", "C1"]
        },
        PolicyCase("three of two operators suffice for 181 days", enforcers, .complies) {
            $0.lifetime = 181 * day
            $0.embedded = ["A1", "A2", "B1"]
        },
        PolicyCase("three suffice for 398 days", enforcers, .complies) {
            $0.lifetime = 398 * day
            $0.embedded = ["A1", "A2", "B1"]
        },
        PolicyCase(
            "two of one operator aren't diverse, and Apple counts one of them", enforcers,
            chrome: .notDiverse, mozilla: .notDiverse, apple: .notEnough
        ) { $0.embedded = ["A1", "A2"] },
        PolicyCase(
            "three of one operator aren't diverse, and Apple counts two of them", enforcers,
            chrome: .notDiverse, mozilla: .notDiverse, apple: .notEnough
        ) {
            $0.lifetime = 181 * day
            $0.embedded = ["A1", "A2", "A3"]
        },
        PolicyCase("a log counts once", enforcers, .notEnough, reasons: [nil, .repeated]) {
            $0.embedded = ["A1", "A1"]
        },
        PolicyCase(
            "a log counts by its first valid timestamp", enforcers, .complies, reasons: [.badSignature, nil, nil]
        ) {
            $0.embedded = [Self.forged("A1"), "A1", "B1"]
        },
    ]

    // MARK: - Log states

    static let states: [PolicyCase] = [
        PolicyCase("qualified and read-only logs count", enforcers, .complies) {
            $0.change("A1") { $0.state = .qualified }
            $0.change("B1") { $0.state = .readOnly(since: TestAuthority.now) }
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase(
            "pending logs don't count", "issue 19: under all policies", .notEnough, reasons: [nil, .pending]
        ) {
            $0.change("B1") { $0.state = .pending }
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase(
            "rejected logs don't count", "issue 19: under all policies", .notEnough, reasons: [nil, .rejected]
        ) {
            $0.change("B1") { $0.state = .rejected }
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase("a log that was retired afterwards counts in addition to one in use", enforcers, .complies) {
            $0.change("A1") { $0.state = .retired(since: PolicyScene.issued.advanced(by: 1)) }
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase(
            "a timestamp at the moment of retirement doesn't count", enforcers, .notEnough, reasons: [.retired, nil]
        ) {
            $0.change("A1") { $0.state = .retired(since: PolicyScene.issued) }
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase(
            "a timestamp after the retirement doesn't count", enforcers, .notEnough, reasons: [.retired, nil]
        ) {
            $0.change("A1") { $0.state = .retired(since: PolicyScene.issued) }
            $0.embedded = [.at("A1", seconds: 5), .at("B1", seconds: 5)]
        },
        PolicyCase(
            "a timestamp after the retirement doesn't count, although a log in use has an earlier date",
            "chrome_ct_policy_enforcer.cc: a retired log counts if the timestamp is before the retirement",
            .notEnough, reasons: [.retired, nil]
        ) {
            $0.change("A1") { $0.state = .retired(since: PolicyScene.issued.advanced(by: 60)) }
            $0.embedded = [.at("A1", seconds: 60), "B1"]
        },
        PolicyCase(
            "a retired log doesn't count if every log in use has a later date than the retirement",
            "chrome_ct_policy_enforcer.cc: issuance_date; CTPolicyEnforcer.cpp: GetEffectiveCertIssuanceTime",
            .notEnough, reasons: [.retired, nil]
        ) {
            $0.change("A1") { $0.state = .retired(since: PolicyScene.issued.advanced(by: 60)) }
            $0.embedded = ["A1", .at("B1", seconds: 60)]
        },
        PolicyCase("a retired log counts if one log in use has an earlier date", enforcers, .complies) {
            $0.lifetime = 181 * day
            $0.change("A1") { $0.state = .retired(since: PolicyScene.issued.advanced(by: 60)) }
            $0.embedded = ["A1", .at("B1", seconds: 60), .at("C1", seconds: 59)]
        },
        PolicyCase("retired logs by themselves aren't enough", enforcers, .noneInUse, reasons: [nil, nil]) {
            $0.change("A1", "B1") { $0.state = .retired(since: PolicyScene.issued.advanced(by: 60)) }
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase(
            "a read-only log's timestamp after its closing counts, except for Apple", "Apple's open code",
            chrome: .complies, mozilla: .complies, apple: .notEnough, reasons: [nil, nil]
        ) {
            $0.change("A1") { $0.state = .readOnly(since: PolicyScene.issued) }
            $0.embedded = [.at("A1", seconds: 0, milliseconds: 1), "B1"]
        },
    ]

    // MARK: - Dates

    static let dates: [PolicyCase] = [
        PolicyCase("a timestamp of the verify date counts", "RFC 6962 § 5.2", .complies) {
            $0.embedded = [.at("A1", seconds: 10 * day), "B1"]
        },
        PolicyCase(
            "a timestamp a millisecond after the verify date doesn't count", "RFC 6962 § 5.2", .notEnough,
            reasons: [.future, nil]
        ) {
            $0.embedded = [.at("A1", seconds: 10 * day, milliseconds: 1), "B1"]
        },
        PolicyCase(
            "before 1970, every timestamp is in the future", "RFC 6962 § 3.2: an unsigned number", .notEnough,
            reasons: [.future, .future]
        ) {
            $0.time = Time(secondsSinceEpoch: -1)
            $0.age = -1 - TestAuthority.now.secondsSinceEpoch
            $0.embedded = [.changed("A1") { $0.milliseconds = 0 }, "B1"]
        },
        PolicyCase(
            "a timestamp of the first moment of 1970 counts at that moment", "RFC 6962 § 3.2", .notEnough,
            reasons: [nil, .future]
        ) {
            $0.time = Time(secondsSinceEpoch: 0)
            $0.age = -TestAuthority.now.secondsSinceEpoch
            $0.embedded = [.changed("A1") { $0.milliseconds = 0 }, "B1"]
        },
        PolicyCase("the end of time is in the future", "RFC 6962 § 5.2", .notEnough, reasons: [.future, nil]) {
            $0.embedded = [.changed("A1") { $0.milliseconds = .max }, "B1"]
        },
        PolicyCase(
            "the operator is the one at the timestamp's date", "log_list.json: previous_operators",
            chrome: .notDiverse, mozilla: .notDiverse, apple: .notEnough
        ) {
            $0.change("A1") { $0.previousOperators = [.init("Operator B", until: PolicyScene.issued.advanced(by: 1))] }
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase(
            "a previous operator no longer counts at the end of its time",
            "chrome_ct_policy_enforcer.cc: GetOperatorForLog", .complies
        ) {
            $0.change("A1") { $0.previousOperators = [.init("Operator B", until: PolicyScene.issued)] }
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase("of two previous operators, the one at the date counts", "log_list.json", .complies) {
            $0.change("A1") {
                $0.previousOperators = [
                    .init("Operator C", until: PolicyScene.issued.advanced(by: 5)),
                    .init("Operator B", until: PolicyScene.issued),
                ]
            }
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase("a list of 60 days less a second is used", "Apple: 60 days", .complies) {
            $0.age = 60 * day - 1
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase(
            "Apple considers a list of 60 days too old", "Apple: 60 days",
            chrome: .complies, mozilla: .complies, apple: .listOutOfDate
        ) {
            $0.age = 60 * day
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase(
            "a list of 70 days less a second is used", "chrome_ct_policy_enforcer.cc: IsLogDataTimely",
            chrome: .complies, mozilla: .complies, apple: .listOutOfDate
        ) {
            $0.age = 70 * day - 1
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase("a list of 70 days is too old and refuses nothing", "IsLogDataTimely; 10 weeks", .listOutOfDate) {
            $0.age = 70 * day
            $0.embedded = ["A1"]
        },
        PolicyCase("a list newer than the verify date is used", "past chains can be compared", .complies) {
            $0.age = -100 * day
            $0.embedded = ["A1", "B1"]
        },
    ]

    // MARK: - Origins

    static let origins: [PolicyCase] = [
        PolicyCase("two in the handshake, of two operators, suffice", enforcers, .complies) {
            $0.handshake = ["A1", "B1"]
        },
        PolicyCase("two in the handshake suffice for any lifetime", enforcers, .complies) {
            $0.lifetime = 398 * day
            $0.handshake = ["A1", "B1"]
        },
        PolicyCase("one in the handshake is too few", enforcers, .notEnough) { $0.handshake = ["A1"] },
        PolicyCase(
            "two in the handshake, of one operator, suffice only for Apple", enforcers,
            chrome: .notDiverse, mozilla: .notDiverse, apple: .complies
        ) { $0.handshake = ["A1", "A2"] },
        PolicyCase(
            "one in the handshake and one embedded suffice only for Apple", "Apple: one SCT presented via TLS",
            chrome: .notEnough, mozilla: .notEnough, apple: .complies
        ) {
            $0.embedded = ["A1"]
            $0.handshake = ["B1"]
        },
        PolicyCase(
            "an embedded timestamp adds an operator in Chrome's code", "chrome_ct_policy_enforcer.cc: option 1",
            chrome: .complies, mozilla: .notEnough, apple: .complies
        ) {
            $0.embedded = ["B1"]
            $0.handshake = ["A1", "A2"]
        },
        PolicyCase(
            "a log counts in the handshake even if it is also embedded", enforcers, .complies,
            reasons: [nil, nil, nil]
        ) {
            $0.embedded = ["A1"]
            $0.handshake = ["A1", "B1"]
        },
        PolicyCase("one log twice, embedded and in the handshake, counts once", enforcers, .notEnough) {
            $0.embedded = ["A1"]
            $0.handshake = ["A1"]
        },
        PolicyCase(
            "a retired log doesn't count in the handshake", enforcers, .notEnough, reasons: [.retired, nil]
        ) {
            $0.change("A1") { $0.state = .retired(since: TestAuthority.now) }
            $0.handshake = ["A1", "B1"]
        },
        PolicyCase(
            "OCSP responses count, except for Chrome", "Chrome 148 has dropped them",
            chrome: .notEnough, mozilla: .complies, apple: .complies, reasons: [.origin, .origin]
        ) { $0.ocsp = ["A1", "B1"] },
    ]

    // MARK: - Logs

    static let logs: [PolicyCase] = [
        PolicyCase("an unknown log doesn't count", enforcers, .notEnough, reasons: [.unknownLog, nil]) {
            $0.unlisted = ["A1"]
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase("a wrong signature doesn't count", "RFC 6962 § 5.2", .notEnough, reasons: [.badSignature, nil]) {
            $0.embedded = [Self.forged("A1"), "B1"]
        },
        PolicyCase(
            "a timestamp that doesn't count adds no operator", enforcers,
            chrome: .notDiverse, mozilla: .notDiverse, apple: .notEnough, reasons: [nil, nil, .badSignature]
        ) {
            $0.embedded = ["A1", "A2", Self.forged("B1")]
        },
        PolicyCase("a mimic doesn't count", "its private key is public", .notEnough, reasons: [.mimic, nil]) {
            $0.embedded = [.changed("A1") { $0.logID = CTLogList.mimics.first ?? [] }, "B1"]
        },
        PolicyCase(
            "only tiled logs suffice, except for Apple", "Apple: one SCT from a log of RFC 6962",
            chrome: .complies, mozilla: .complies, apple: .noRFC6962Log
        ) {
            $0.change("A1", "B1") { $0.isTiled = true }
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase(
            "the log of RFC 6962 may be beyond an operator's maximum", "Apple: the number limits the count",
            .complies
        ) {
            $0.change("A1", "B1") { $0.isTiled = true }
            $0.embedded = ["A1", "A2", "B1"]
        },
        PolicyCase(
            "a leaf that ends outside of a log's dates doesn't count for Apple", "Apple's open code",
            chrome: .complies, mozilla: .complies, apple: .notEnough
        ) {
            let end = PolicyScene.issued.advanced(by: 180 * day)
            $0.change("A1") { $0.shard = PolicyScene.issued..<end }
            $0.embedded = ["A1", "B1"]
        },
        PolicyCase("the first second of a log's dates is inside", "log_list.json: start_inclusive", .complies) {
            let end = PolicyScene.issued.advanced(by: 180 * day)
            $0.change("A1") { $0.shard = end..<end.advanced(by: 1) }
            $0.embedded = ["A1", "B1"]
        },
    ]

    private static func forged(_ log: String) -> PolicyScene.Promise {
        .changed(log) { $0.hasWrongSignature = true }
    }
}

/// Custom policies with values that no table has.
@Suite struct OwnPolicyTests {
    @Test("Each named policy has its name, and no other text names one") func names() {
        #expect(CTPolicy.all.map(\.name) == ["chrome", "mozilla", "apple"])
        for policy in CTPolicy.all { #expect(CTPolicy.named(policy.name) == policy) }
        #expect(CTPolicy.named("Chrome") == nil && CTPolicy.named("") == nil)
    }

    @Test("A timestamp's date is in whole seconds, rounded down", arguments: [0, 1, 999, 1000] as [Int64])
    func seconds(milliseconds: Int64) throws {
        var scene = try PolicyScene()
        scene.embedded = [.at("A1", seconds: 7, milliseconds: milliseconds)]
        let timestamp = try #require(scene.findings()[0].timestamps.first)
        #expect(timestamp.time == PolicyScene.issued.advanced(by: milliseconds == 1000 ? 8 : 7))
    }

    @Test("A policy can require both operators and a log under RFC 6962") func operatorsAndLogs() throws {
        var policy = CTPolicy.chrome
        policy.needsRFC6962Log = true
        var scene = try PolicyScene()
        scene.change("A1", "A2") { $0.isTiled = true }
        scene.handshake = ["A1", "A2"]
        scene.embedded = ["B1"]
        // The embedded timestamp adds an operator, but doesn't count toward the number of timestamps.
        #expect(try scene.findings([policy]).map(\.status) == [.notEnough])
    }

    @Test("No number of timestamps suffices for a policy without requirements") func withoutRequirements() throws {
        var policy = CTPolicy(
            name: "own", embedded: [], separate: 2, minimumOperators: 1, maximumListAge: .days(70))
        policy.embeddedInUse = 0
        var scene = try PolicyScene()
        scene.embedded = ["A1", "A2", "A3", "B1", "B2", "C1"]
        let finding = try #require(scene.findings([policy]).first)
        #expect(finding.status == .notEnough && finding.count == 6 && finding.required == .max)
    }

    @Test("Extreme numbers in a policy are limits like any others", arguments: [Int.max, Int.min, 0]) func extremes(
        _ number: Int
    ) throws {
        var policy = CTPolicy(
            name: "own", embedded: [.init(maximumLifetime: .days(number), count: number)], separate: number,
            minimumOperators: number, maximumListAge: .days(.max))
        policy.embeddedInUse = 0
        let scene = try PolicyScene()
        let status = try #require(scene.findings([policy]).first?.status)
        #expect(status == (number > 0 ? .notEnough : .complies))
        policy.maximumListAge = .days(.min)
        #expect(try scene.findings([policy]).first?.status == .listOutOfDate)
    }
}
