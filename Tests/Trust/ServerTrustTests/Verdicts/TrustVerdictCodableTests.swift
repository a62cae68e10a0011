// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

@Suite("Trust verdicts as JSON")
struct TrustVerdictCodableTests {
    private func encode(_ verdict: TrustVerdict) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(verdict)
    }

    private func decode(_ data: Data) throws -> TrustVerdict { try JSONDecoder().decode(TrustVerdict.self, from: data) }

    /// A failure of a custom evaluator: a custom code, and values of every kind.
    private static let own = TrustFailure.Code(
        "com.example.tooOld", rank: 55, severity: .recoverable, message: "{subject} is too old: {found} of {expected}")

    private struct Picky: TrustEvaluator {
        func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
            throw TrustFailures(
                TrustFailure(
                    TrustVerdictCodableTests.own, certificate: 0, role: .leaf, expected: .number(30),
                    found: .time(path.leaf.notBefore)),
                [
                    TrustFailure(
                        TrustVerdictCodableTests.own, expected: .list([]), found: .list(["a", "", "\n\"\u{0}"])),
                    TrustFailure(TrustVerdictCodableTests.own, expected: .text(""), found: .text("12")),
                    TrustFailure(TrustVerdictCodableTests.own, expected: .number(.min), found: .number(.max)),
                    TrustFailure(
                        .evaluatorRefused, expected: .text("2026-11-21"), found: .text("2026-11-21T09:30:00Z")),
                ])
        }
    }

    static let kinds: [(name: String, verdict: @Sendable (TrustScene) throws -> TrustVerdict)] = [
        ("trusted", { $0.trust().evaluate() }),
        (
            "trusted under other rules",
            { scene in
                scene.trust { $0.policy = ValidationPolicy(profile: .rfc5280, purpose: .any) }.evaluate()
            }
        ),
        (
            "trusted under another name",
            { scene in
                let host = try Hostname("front.example")
                return scene.trust(host: host) { $0.identity = .name(scene.host) }.evaluate()
            }
        ),
        (
            "trusted at an address",
            { scene in
                let leaf = try scene.intermediate.issue(.leaf("2001:db8::1")).certificate
                return scene.trust([leaf, scene.intermediate.certificate], host: try Hostname("[2001:db8::1]"))
                    .evaluate()
            }
        ),
        (
            "trusted without a host",
            { scene in
                var trust = Trust(insecurelyWithoutHost: PresentedChain(scene.chain))
                trust.anchors = scene.anchors
                trust.verifyDate = .at(TestAuthority.now)
                return trust.evaluate()
            }
        ),
        (
            "trusted by exception",
            { scene in
                var trust = scene.trust { $0.anchors = .only([]) }
                trust.setExceptions(try trust.evaluate().exceptions(expires: TestAuthority.now))
                return trust.evaluate()
            }
        ),
        (
            "trusted by exception without end",
            { scene in
                let leaf = try TestAuthority.selfSigned(.expired).certificate
                var trust = scene.trust([leaf])
                trust.setExceptions(try trust.evaluate().exceptions())
                return trust.evaluate()
            }
        ),
        (
            "evaluation disabled",
            { scene in
                DisabledTrustEvaluator.insecurelyTrustingAnyServer.evaluate(scene.trust { $0.anchors = .only([]) })
            }
        ),
        (
            "several failures",
            { scene in
                let leaf = try scene.intermediate.issue(.expired).certificate
                return scene.trust([leaf], host: try Hostname("other.example")).evaluate()
            }
        ),
        (
            "several rejected paths",
            { scene in
                let key = TestKey.p256()
                let others = try (0..<4).map { index in
                    try scene.root.intermediate(
                        .authority("CA").until(TestAuthority.now.advanced(by: -Int64(index + 1))), key: key)
                }
                let leaf = try others[0].issue(.leaf(TrustScene.name)).certificate
                let verdict = scene.trust([leaf] + others.map(\.certificate)).evaluate()
                #expect(verdict.rejectedPaths.count == 4)
                return verdict
            }
        ),
        (
            "denied",
            { scene in
                try ServerTrustManager(rules: [(HostPattern("*.example.com"), .denied)]).evaluate(scene.trust())
            }
        ),
        ("not listed", { try ServerTrustManager(evaluators: [:]).evaluate($0.trust()) }),
        ("an unreadable leaf", { $0.trust(presented: PresentedChain(der: [[0x30], $0.leaf.der])).evaluate() }),
        ("unreadable others", { $0.trust(presented: PresentedChain(der: $0.chain.map(\.der) + [[0x30]])).evaluate() }),
        ("an empty chain", { $0.trust(presented: PresentedChain([])).evaluate() }),
        ("a budget", { scene in scene.trust { $0.policy.budget.steps = 0 }.evaluate() }),
        (
            "report-only",
            { scene in
                try ServerTrustManager(rules: [(HostPattern(scene.host), .reportOnly(TrustScene.otherPins()))])
                    .evaluate(
                        scene.trust())
            }
        ),
        (
            "a backup pin that is met",
            { scene in
                try SPKIPinsTrustEvaluator(
                    pins: [TrustScene.pin(1)], backup: [SPKIPin(scene.root.certificate).description]
                ).evaluate(scene.trust())
            }
        ),
        (
            "a pinned certificate",
            { scene in
                try PinnedCertificatesTrustEvaluator(certificates: [scene.intermediate.certificate]).evaluate(
                    scene.trust())
            }
        ),
        ("a missed pin", { try TrustScene.otherPins().evaluate($0.trust()) }),
        ("custom codes", { Picky().evaluate($0.trust()) }),
        (
            "an organization",
            { scene in
                let template = CertificateTemplate.leaf(TrustScene.name).with {
                    $0.organization = "Bücher \"\\\n\u{2028} GmbH"
                }
                return scene.trust([try scene.intermediate.issue(template).certificate] + scene.chain).evaluate()
            }
        ),
        ("a far date", { $0.trust(at: Time(secondsSinceEpoch: 253_402_300_799)).evaluate() }),
    ]

    @Test("A verdict is the same after encoding and decoding", arguments: kinds.map(\.name))
    func roundTrip(kind: String) throws {
        let verdict = try #require(Self.kinds.first { $0.name == kind }).verdict(try TrustScene())
        let data = try encode(verdict)
        let read = try decode(data)
        #expect(read == verdict)
        #expect(read.description == verdict.description)
        #expect(read.isTrusted == verdict.isTrusted)
        #expect(read.organization == verdict.organization)
        #expect(read.assertsExtendedValidation == verdict.assertsExtendedValidation)
        #expect(read.failures.map(\.code.severity) == verdict.failures.map(\.code.severity))
        #expect(try encode(read) == data)
    }

    @Test("An unknown code keeps its name, severity and message")
    func unknownCodes() throws {
        let verdict = Picky().evaluate(try TrustScene().trust())
        let read = try decode(try encode(verdict))
        for (one, other) in zip(read.failures, verdict.failures) {
            #expect(one.code == other.code && one.code.severity == other.code.severity)
            #expect(one.message == other.message)
            #expect(one.expected == other.expected && one.found == other.found)
        }
        #expect(read.failures.contains { $0.code.name == "com.example.tooOld" })
    }

    @Test("A known code's severity is the package's, not the record's")
    func severity() throws {
        var record = try Record(try TrustScene.otherPins().evaluate(try TrustScene().trust()))
        record.editFirst("failures") { $0["severity"] = "recoverable" }
        let read = try record.decode()
        #expect(read.failures.first?.code.severity == .fatal)
        #expect(throws: TrustExceptionsError.self) { try read.exceptions() }
    }

    @Test("A record contains each certificate once, however many paths it is on")
    func certificatesOnce() throws {
        let scene = try TrustScene()
        let key = TestKey.p256()
        let others = try (1...20).map { index in
            try scene.root.intermediate(.authority("CA").until(TestAuthority.now.advanced(by: -Int64(index))), key: key)
        }
        let leaf = try others[0].issue(.leaf(TrustScene.name)).certificate
        let verdict = scene.trust([leaf] + others.map(\.certificate)).evaluate()
        #expect(verdict.rejectedPaths.count == 20)
        let record = try Record(verdict)
        #expect((record.object["certificates"] as? [String: String])?.count == 22)
    }

    @Test("A record contains the JSON keys and values that readers depend on")
    func shape() throws {
        let scene = try TrustScene(leaf: .leaf(TrustScene.name).with { $0.organization = "Example, Inc." })
        let object = try Record(scene.pins(scene.leaf).evaluate(scene.trust())).object
        #expect(object["schemaVersion"] as? Int == 1)
        #expect(object["verdict"] as? String == "trusted")
        #expect(object["result"] as? String == "unspecified")
        #expect(object["host"] as? String == TrustScene.name)
        #expect(object["referenceName"] as? String == TrustScene.name)
        #expect(object["time"] as? String == TestAuthority.now.description)
        #expect(object["unchangedUntil"] as? String == TestAuthority.notAfter.description)
        #expect(object["organization"] as? String == "Example, Inc.")
        #expect(object["extendedValidation"] as? Bool == false)
        #expect(
            (object["path"] as? [[String: Any]])?.compactMap { $0["role"] as? String } == [
                "leaf", "intermediate", "anchor",
            ])
        #expect((object["path"] as? [[String: Any]])?.first?["pin"] as? String == SPKIPin(scene.leaf).description)
        #expect((object["notChecked"] as? [String])?.contains("revocation") == true)
        #expect((object["matchedPin"] as? [String: Any])?["certificate"] as? Int == 0)
        let refused = try Record(scene.trust([scene.leaf]).evaluate()).object
        #expect(refused["verdict"] as? String == "rejected")
        let failure = (refused["failures"] as? [[String: Any]])?.first
        #expect(failure?["code"] as? String == "unknownIssuer")
        #expect(failure?["severity"] as? String == "recoverable")
        #expect(failure?["hint"] as? String == TrustFailure.Code.unknownIssuer.explanation)
        #expect(failure?["role"] as? String == "leaf")
    }

    // MARK: Records that contradict themselves

    /// A record as an object, for tampering.
    struct Record {
        var object: [String: Any]

        init(_ verdict: TrustVerdict) throws {
            let data = try JSONEncoder().encode(verdict)
            object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }

        func decode() throws -> TrustVerdict {
            try JSONDecoder().decode(
                TrustVerdict.self, from: try JSONSerialization.data(withJSONObject: object))
        }

        /// Edits the first member of a list of objects.
        mutating func editFirst(_ key: String, _ change: (inout [String: Any]) -> Void) {
            guard var list = object[key] as? [[String: Any]], !list.isEmpty else {
                Issue.record("no \(key)")
                return
            }
            change(&list[0])
            object[key] = list
        }

        mutating func editCertificates(_ change: (inout [String: String]) -> Void) {
            guard var certificates = object["certificates"] as? [String: String] else {
                Issue.record("no certificates")
                return
            }
            change(&certificates)
            object["certificates"] = certificates
        }
    }

    static let tamperings:
        [(name: String, isTrusted: Bool, change: @Sendable (inout Record, TrustScene) throws -> Void)] = [
            (
                "trusted with failures", true,
                { record, scene in
                    record.object["failures"] = try Record(scene.trust([scene.leaf]).evaluate()).object["failures"]
                }
            ),
            ("refused but called trusted", false, { record, _ in record.object["result"] = "unspecified" }),
            ("refused but called proceed", false, { record, _ in record.object["result"] = "proceed" }),
            ("refused without failures", false, { record, _ in record.object["failures"] = [Any]() }),
            ("trusted but called refused", true, { record, _ in record.object["result"] = "fatalFailure" }),
            ("trusted without a path", true, { record, _ in record.object["path"] = [Any]() }),
            (
                "trusted with another result's verdict", false,
                { record, _ in record.object["verdict"] = "trusted" }
            ),
            (
                "rejected with another result's verdict", true,
                { record, _ in record.object["verdict"] = "rejected" }
            ),
            ("trusted without an anchor", true, { record, _ in record.object["reachesAnchor"] = false }),
            (
                "an excused failure without an exception", true,
                { record, scene in
                    record.object["excused"] = try Record(scene.trust([scene.leaf]).evaluate()).object["failures"]
                }
            ),
            (
                "trusted with rejected paths", true,
                { record, scene in
                    record.object["rejectedPaths"] = try Record(scene.trust([scene.leaf]).evaluate()).object[
                        "rejectedPaths"]
                }
            ),
            ("refused with gaps of revocation", false, { record, _ in record.object["revocationGaps"] = ["noSource"] }),
            ("accepted by a delegate alone", true, { record, _ in record.object["acceptedByDelegate"] = true }),
            (
                "accepted by a delegate without an excused failure", true,
                { record, _ in
                    record.object["acceptedByDelegate"] = true
                    record.object["result"] = "proceed"
                }
            ),
            (
                "another certificate under the digest", true,
                { record, scene in
                    let other = Base64.encode(try TrustScene().leaf.der)
                    record.editCertificates { $0[Hex.encode(scene.leaf.sha256)] = other }
                }
            ),
            (
                "one bit of a certificate altered", true,
                { record, scene in
                    var der = scene.leaf.der
                    der[der.count - 1] ^= 1
                    let altered = Base64.encode(der)
                    record.editCertificates { $0[Hex.encode(scene.leaf.sha256)] = altered }
                }
            ),
            (
                "a certificate that isn't a certificate", true,
                { record, scene in
                    record.editCertificates { $0[Hex.encode(scene.leaf.sha256)] = "AAAA" }
                }
            ),
            (
                "a certificate that isn't base64", true,
                { record, scene in
                    record.editCertificates { $0[Hex.encode(scene.leaf.sha256)] = "*" }
                }
            ),
            (
                "a missing certificate of the path", true,
                { record, scene in
                    record.editCertificates { $0[Hex.encode(scene.leaf.sha256)] = nil }
                }
            ),
            (
                "a missing certificate of a rejected path", false,
                { record, _ in
                    let unknown = Hex.encode([UInt8](repeating: 7, count: 32))
                    record.editFirst("rejectedPaths") { $0["path"] = [unknown] }
                }
            ),
            ("no certificates", true, { record, _ in record.object["certificates"] = nil }),
            ("a later version", true, { record, _ in record.object["schemaVersion"] = 2 }),
            ("an earlier version", true, { record, _ in record.object["schemaVersion"] = 0 }),
            ("no version", true, { record, _ in record.object["schemaVersion"] = nil }),
            ("a host that isn't a host", true, { record, _ in record.object["host"] = "a..b" }),
            ("a host with a line break", true, { record, _ in record.object["host"] = "a.example\nb" }),
            ("an empty host", true, { record, _ in record.object["host"] = "" }),
            ("a name that isn't a name", true, { record, _ in record.object["referenceName"] = "*.example.com" }),
            ("an unknown result", true, { record, _ in record.object["result"] = "trusted" }),
            ("no result", true, { record, _ in record.object["result"] = nil }),
            ("a date that isn't a date", true, { record, _ in record.object["time"] = "yesterday" }),
            ("an end that isn't a date", true, { record, _ in record.object["unchangedUntil"] = 5 }),
            ("an unknown profile", true, { record, _ in record.object["profile"] = "none" }),
            ("a failure without a code", false, { record, _ in record.editFirst("failures") { $0["code"] = nil } }),
            (
                "a failure with an unknown code and without severity", false,
                { record, _ in
                    record.editFirst("failures") {
                        $0["code"] = "unheardOf"
                        $0["severity"] = nil
                    }
                }
            ),
            ("no list of performed checks", true, { record, _ in record.object["checked"] = nil }),
        ]

    @Test("A contradictory or incomplete record can't be decoded", arguments: tamperings.map(\.name))
    func contradictions(record name: String) throws {
        let (_, isTrusted, change) = try #require(Self.tamperings.first { $0.name == name })
        let scene = try TrustScene()
        let verdict = scene.trust(isTrusted ? scene.chain : [scene.leaf]).evaluate()
        #expect(verdict.isTrusted == isTrusted)
        var record = try Record(verdict)
        #expect(try record.decode() == verdict)
        try change(&record, scene)
        #expect(throws: DecodingError.self) { try record.decode() }
    }

    @Test("A record can't claim properties that the certificates determine")
    func claims() throws {
        let scene = try TrustScene()
        var record = try Record(scene.trust().evaluate())
        record.object["organization"] = "Bank"
        record.object["extendedValidation"] = true
        record.editFirst("path") { $0["subject"] = "CN=bank.example" }
        let read = try record.decode()
        #expect(read == scene.trust().evaluate())
        #expect(read.organization == nil && !read.assertsExtendedValidation)
    }

    @Test(
        "A record with failures of missing certificates doesn't cause a crash",
        arguments: [-1, 7, Int.max])
    func indices(index: Int) throws {
        let scene = try TrustScene()
        var record = try Record(scene.trust([scene.leaf]).evaluate())
        record.editFirst("failures") { $0["certificate"] = index }
        guard let read = try? record.decode() else { return }
        _ = read.description
        _ = try? read.exceptions()
        #expect(read.failures(ofCertificateAt: index).count == 1)
        #expect(!read.isTrusted)
    }

    @Test(
        "A record with any altered byte is refused, or decoded without a crash and never as trusted if it wasn't"
    )
    func alteredBytes() throws {
        let scene = try TrustScene()
        let data = try encode(scene.trust([scene.leaf]).evaluate())
        for index in stride(from: 0, to: data.count, by: 3) {
            var altered = data
            altered[index] ^= 0x04
            guard let read = try? decode(altered) else { continue }
            #expect(!read.isTrusted)
            _ = read.description
        }
    }

    @Test("A record of a refusal without a path leads to no exceptions")
    func exceptionsWithoutPath() throws {
        let scene = try TrustScene()
        var record = try Record(scene.trust([scene.leaf]).evaluate())
        record.object["path"] = [Any]()
        let read = try record.decode()
        let error = #expect(throws: TrustExceptionsError.self) { try read.exceptions() }
        #expect(error?.code == .exceptionNotPermitted && error?.failures == read.failures)
    }

    @Test("Exceptions from a decoded record equal the original's")
    func exceptions() throws {
        let scene = try TrustScene()
        let verdict = scene.trust([scene.leaf]).evaluate()
        let agreed = try decode(try encode(verdict)).exceptions()
        #expect(try agreed == verdict.exceptions())
        var trust = scene.trust([scene.leaf])
        trust.setExceptions(agreed)
        #expect(trust.evaluate().result == .proceed)
    }
}
