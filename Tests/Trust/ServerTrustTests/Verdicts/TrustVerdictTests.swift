// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

@Suite("Trust verdict")
struct TrustVerdictTests {
    // MARK: Result types

    /// A situation, its `SecTrustResultType` in Apple's framework, and the codes in order.
    struct Situation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let result: TrustResultType
        let codes: [TrustFailure.Code]
        let verdict: @Sendable (TrustScene) throws -> TrustVerdict

        init(
            _ name: String, _ result: TrustResultType, _ codes: [TrustFailure.Code],
            _ verdict: @escaping @Sendable (TrustScene) throws -> TrustVerdict
        ) {
            self.testDescription = name
            self.result = result
            self.codes = codes
            self.verdict = verdict
        }
    }

    private static func issued(
        _ scene: TrustScene, _ template: CertificateTemplate, key: TestKey = .p256()
    ) throws -> Trust {
        scene.trust([try scene.intermediate.issue(template, key: key).certificate, scene.intermediate.certificate])
    }

    static let situations: [Situation] = [
        Situation("a valid chain", .unspecified, []) { $0.trust().evaluate() },
        Situation("a pin that is met", .unspecified, []) { try $0.pins($0.root.certificate).evaluate($0.trust()) },
        Situation("the user agreed to what is wrong", .proceed, []) { scene in
            var trust = scene.trust { $0.anchors = .only([]) }
            trust.setExceptions(try trust.evaluate().exceptions())
            return trust.evaluate()
        },
        Situation("evaluation is disabled", .proceed, []) { scene in
            DisabledTrustEvaluator.insecurelyTrustingAnyServer.evaluate(scene.trust { $0.anchors = .only([]) })
        },
        Situation("the certificate itself is pinned without default validation", .proceed, []) { scene in
            let leaf = try TestAuthority.selfSigned(.expired).certificate
            return try PinnedCertificatesTrustEvaluator(certificates: [leaf], performDefaultValidation: false).evaluate(
                scene.trust([leaf]))
        },
        Situation("the host is denied", .deny, [.hostDenied]) { scene in
            try ServerTrustManager(rules: [(HostPattern(scene.host), .denied)]).evaluate(scene.trust())
        },
        Situation("the host has no rule", .deny, [.hostNotListed]) { scene in
            try ServerTrustManager(evaluators: [:]).evaluate(scene.trust())
        },
        Situation("expired", .recoverableFailure, [.certificateExpired]) { try issued($0, .expired).evaluate() },
        Situation("not valid yet", .recoverableFailure, [.certificateNotYetValid]) {
            try issued($0, .leaf(TrustScene.name).from(TestAuthority.now.advanced(by: 1))).evaluate()
        },
        Situation("another name", .recoverableFailure, [.hostMismatch]) {
            try issued($0, .leaf("other.example")).evaluate()
        },
        Situation("no name", .recoverableFailure, [.subjectAlternativeNameMissing]) {
            try issued($0, .leaf(TrustScene.name).with { $0.dnsNames = [] }).evaluate()
        },
        Situation("an unknown issuer", .recoverableFailure, [.unknownIssuer]) { $0.trust([$0.leaf]).evaluate() },
        Situation("an unknown root", .recoverableFailure, [.untrustedRoot]) { scene in
            scene.trust(scene.path) { $0.anchors = .only([]) }.evaluate()
        },
        Situation("self-signed", .recoverableFailure, [.selfSignedLeaf]) {
            $0.trust([try TestAuthority.selfSigned(.leaf(TrustScene.name)).certificate]).evaluate()
        },
        Situation("for another purpose", .recoverableFailure, [.extendedKeyUsageNotAllowed]) {
            try issued($0, .leaf(TrustScene.name).with { $0.extendedKeyUsage = [.clientAuth] }).evaluate()
        },
        Situation(
            "required revocation couldn't be checked", .recoverableFailure,
            [.revocationUnavailable, .revocationUnavailable]
        ) { scene in
            scene.trust { $0.revocation = .required }.evaluate()
        },
        Situation("several failures, most specific first", .recoverableFailure, [.certificateExpired, .hostMismatch]) {
            try issued($0, CertificateTemplate.leaf("other.example").until(TestAuthority.now.advanced(by: -1)))
                .evaluate()
        },
        Situation("a wrong signature", .fatalFailure, [.signatureInvalid]) { scene in
            let impostor = try TrustScene()
            return scene.trust([impostor.leaf, scene.intermediate.certificate]).evaluate()
        },
        Situation("a weak key", .fatalFailure, [.rsaKeyTooSmall]) {
            try issued($0, .leaf(TrustScene.name), key: .rsa(bits: 1024)).evaluate()
        },
        Situation("a missed pin", .fatalFailure, [.pinNotMatched]) {
            try TrustScene.otherPins().evaluate($0.trust())
        },
        Situation("a wrong signature and bad dates", .fatalFailure, [.signatureInvalid, .certificateExpired]) {
            scene in
            let impostor = try TrustScene(leaf: .expired)
            return scene.trust([impostor.leaf, scene.intermediate.certificate]).evaluate()
        },
        Situation("a missing authority", .fatalFailure, [.authorityNotMatched]) {
            try CertificateAuthorityTrustEvaluator(authorities: [try TestAuthority.root().certificate]).evaluate(
                $0.trust())
        },
        Situation("a custom evaluator refuses", .fatalFailure, [.evaluatorRefused]) {
            CountingEvaluator(isRepeatable: false, refusal: TrustFailure(.evaluatorRefused)).evaluate($0.trust())
        },
        Situation("no certificate", .fatalFailure, [.presentedChainEmpty]) {
            $0.trust(presented: PresentedChain([])).evaluate()
        },
        Situation("a leaf that can't be read", .otherError, [.certificateMalformed]) {
            $0.trust(presented: PresentedChain(der: [[1, 2, 3]])).evaluate()
        },
        Situation("an exhausted budget", .otherError, [.byteBudgetExceeded]) { scene in
            scene.trust { $0.policy.budget.bytes = 10 }.evaluate()
        },
    ]

    @Test("Each situation has the result that Apple's names describe", arguments: situations)
    func results(situation: Situation) throws {
        let verdict = try situation.verdict(try TrustScene())
        #expect(verdict.result == situation.result)
        #expect(verdict.codes == situation.codes)
        try expectConsistent(verdict)
    }

    /// Checks the properties of every verdict.
    private func expectConsistent(_ verdict: TrustVerdict) throws {
        #expect(verdict.isTrusted == (verdict.result == .unspecified || verdict.result == .proceed))
        #expect(verdict.isTrusted == verdict.failures.isEmpty)
        #expect(verdict.headline == verdict.failures.first)
        #expect((verdict.result == .proceed) == !verdict.excused.isEmpty)
        #expect(!verdict.checked.contains(.revocation) && verdict.notChecked.contains(.revocation))
        #expect(!verdict.checked.contains(.certificateTransparency))
        #expect(verdict.notChecked.contains(.certificateTransparency))
        #expect(Set(verdict.checked).isDisjoint(with: verdict.notChecked))
        #expect(Set(verdict.checked).count == verdict.checked.count)
        #expect(Set(verdict.notChecked).count == verdict.notChecked.count)
        #expect(verdict.failures.map(\.code.rank) == verdict.failures.map(\.code.rank).sorted(by: >))
        if verdict.isTrusted {
            try verdict.requireTrust()
            #expect(verdict.rejectedPaths.isEmpty)
            #expect(!verdict.path.isEmpty)
        } else {
            #expect(throws: TrustRefusal(verdict)) { try verdict.requireTrust() }
            #expect(verdict.unchangedFrom == nil && verdict.unchangedUntil == nil)
            #expect(!verdict.assertsExtendedValidation)
            #expect(verdict.excused.isEmpty)
        }
        let lines = verdict.description.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(verdict.failures.allSatisfy { failure in lines.contains { $0.contains(failure.code.name) } })
        #expect(verdict.excused.allSatisfy { failure in lines.contains { $0.contains(failure.code.name) } })
        // At least one line for each failure, and one for its remedy.
        for hint in Set(verdict.codes).compactMap(\.explanation) { #expect(lines.contains { $0.contains(hint) }) }
        #expect(!lines.contains(""))
    }

    @Test(
        "One fatal failure makes the whole verdict fatal, and an undecided one among recoverable ones makes it undecided"
    )
    func worst() {
        let rows: [([TrustFailure.Code], TrustResultType)] = [
            ([.certificateExpired], .recoverableFailure), ([.certificateExpired, .hostMismatch], .recoverableFailure),
            ([.certificateExpired, .signatureInvalid], .fatalFailure),
            ([.certificateExpired, .stepBudgetExceeded], .otherError),
            ([.stepBudgetExceeded, .pinNotMatched], .fatalFailure), ([.pinNotMatched], .fatalFailure),
        ]
        for (codes, result) in rows {
            #expect(TrustResultType(failures: codes.map { TrustFailure($0) }) == result)
            #expect(TrustResultType(failures: codes.reversed().map { TrustFailure($0) }) == result)
        }
        #expect(TrustResultType.allCases.filter(\.isTrusted) == [.proceed, .unspecified])
    }

    // MARK: Failures

    @Test("The caller can request a certificate's failures, and the headline is the most specific one")
    func failuresByCertificate() throws {
        let past = TestAuthority.now.advanced(by: -1)
        let scene = try TrustScene(
            intermediate: CertificateTemplate.authority("CA").until(past).with { $0.keyUsage = [.cRLSign] },
            leaf: .expired, host: "other.example")
        let verdict = scene.trust().evaluate()
        #expect(verdict.codes == [.keyUsageLacksCertSign, .certificateExpired, .certificateExpired, .hostMismatch])
        #expect(verdict.failures(ofCertificateAt: 0).map(\.code) == [.certificateExpired, .hostMismatch])
        #expect(verdict.failures(ofCertificateAt: 1).map(\.code) == [.keyUsageLacksCertSign, .certificateExpired])
        for index in [2, 3, -1, .max] { #expect(verdict.failures(ofCertificateAt: index).isEmpty) }
        #expect(verdict.path == scene.path && verdict.reachesAnchor)
        do throws(TrustRefusal) {
            try verdict.requireTrust()
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.verdict == verdict)
        }
    }

    @Test("A failure of the whole path belongs to no certificate")
    func failuresOfPath() throws {
        let scene = try TrustScene()
        let verdict = try TrustScene.otherPins().evaluate(scene.trust())
        #expect(verdict.failures.map(\.certificate) == [nil])
        for index in scene.path.indices { #expect(verdict.failures(ofCertificateAt: index).isEmpty) }
    }

    @Test("The verdict keeps every rejected path, with the best one first and as the verdict's own path")
    func rejectedPaths() throws {
        let root = try TestAuthority.root()
        let key = TestKey.p256()
        let past = TestAuthority.now.advanced(by: -1)
        let better = try root.intermediate(.authority("CA").until(past), key: key)
        let worse = try root.intermediate(
            CertificateTemplate.authority("CA").until(past).with { $0.keyUsage = [.cRLSign] }, key: key)
        let leaf = try better.issue(.leaf(TrustScene.name)).certificate
        var trust = Trust(
            presentedChain: [leaf, worse.certificate, better.certificate], host: try Hostname(TrustScene.name))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        let verdict = trust.evaluate()
        #expect(verdict.rejectedPaths.count == 2)
        #expect(verdict.path == verdict.rejectedPaths[0].certificates)
        #expect(verdict.failures == verdict.rejectedPaths[0].failures)
        #expect(verdict.path == [leaf, better.certificate, root.certificate])
    }

    // MARK: - Performed checks

    @Test("The verdict lists what was checked and what wasn't, and never claims a revocation check")
    func checked() throws {
        let scene = try TrustScene()
        let full = scene.trust().evaluate()
        #expect(full.checked == [.path, .identity, .purpose])
        #expect(full.notChecked == [.revocation, .certificateTransparency])

        let anyName = scene.trust { $0.identity = .insecurelyAnyName }.evaluate()
        #expect(!anyName.checked.contains(.identity) && anyName.notChecked.contains(.identity))
        let anyPurpose = scene.trust { $0.policy.purpose = .any }.evaluate()
        #expect(!anyPurpose.checked.contains(.purpose) && anyPurpose.notChecked.contains(.purpose))
        #expect(anyPurpose.purpose == .any)

        let evaluators: [(any TrustEvaluator, TrustCheck)] = [
            (try scene.pins(scene.leaf), .pins),
            (try CertificateAuthorityTrustEvaluator(authorities: [scene.root.certificate]), .authorities),
            (AttributeTrustEvaluator([]), .attributes), (CountingEvaluator(isRepeatable: true), .custom),
        ]
        for (evaluator, check) in evaluators {
            let verdict = evaluator.evaluate(scene.trust())
            #expect(verdict.checked == full.checked + [check])
            #expect(verdict.notChecked == full.notChecked)
        }
        for mode in RevocationPolicy.Mode.allCases {
            let verdict = scene.trust { $0.revocation.mode = mode }.evaluate()
            #expect(!verdict.checked.contains(.revocation) && verdict.notChecked.contains(.revocation))
        }
        let off = DefaultTrustEvaluator(validateHost: false).evaluate(scene.trust())
        #expect(off.notChecked.contains(.identity) && off.referenceName == nil)
        let disabled = DisabledTrustEvaluator.insecurelyTrustingAnyServer.evaluate(scene.trust())
        #expect(disabled.checked.isEmpty)
        #expect(Set(disabled.notChecked) == [.path, .identity, .purpose, .revocation, .certificateTransparency])
    }

    @Test("The verdict contains the policy")
    func policy() throws {
        let scene = try TrustScene()
        let verdict = scene.trust {
            $0.policy = ValidationPolicy(profile: .rfc5280, purpose: .clientAuth, isStrict: true)
        }
        .evaluate()
        #expect(verdict.profile == .rfc5280 && verdict.purpose == .clientAuth && verdict.isStrict)
    }

    // MARK: Dates

    @Test(
        "A trusted verdict is valid from the latest start date to the earliest end date, and a refused verdict is never valid"
    )
    func validity() throws {
        let begin = TestAuthority.now.advanced(by: -100)
        let end = TestAuthority.now.advanced(by: 100)
        let scene = try TrustScene(
            root: .authority("Root").from(begin), intermediate: .authority("CA").until(end))
        let verdict = scene.trust().evaluate()
        #expect(verdict.unchangedFrom == begin && verdict.unchangedUntil == end)
        let refused = scene.trust(host: try Hostname("other.example")).evaluate()
        #expect(refused.unchangedFrom == nil && refused.unchangedUntil == nil)
    }

    @Test("Trust by exception lasts as long as the exception and all other dates allow")
    func validityByException() throws {
        let end = TestAuthority.now.advanced(by: 1000)
        let scene = try TrustScene(intermediate: .authority("CA").until(end), leaf: .expired)
        func verdict(expires: Time?) throws -> TrustVerdict {
            var trust = scene.trust()
            trust.setExceptions(try trust.evaluate().exceptions(expires: expires))
            return trust.evaluate()
        }
        #expect(try verdict(expires: nil).unchangedUntil == end)
        #expect(try verdict(expires: end.advanced(by: -1)).unchangedUntil == end.advanced(by: -1))
        #expect(try verdict(expires: end.advanced(by: 1)).unchangedUntil == end)
        // Before the leaf expired, there was nothing to except.
        #expect(try verdict(expires: nil).unchangedFrom == scene.leaf.notAfter.advanced(by: 1))
        // A leaf that isn't valid yet doesn't limit the beginning, but its CA does.
        let begin = TestAuthority.now.advanced(by: -1000)
        let young = try TrustScene(
            intermediate: .authority("CA").from(begin),
            leaf: .leaf(TrustScene.name).from(TestAuthority.now.advanced(by: 10)))
        var trust = young.trust()
        trust.setExceptions(try trust.evaluate().exceptions())
        let early = trust.evaluate()
        #expect(early.isTrusted && early.unchangedFrom == begin && early.unchangedUntil == TestAuthority.notAfter)
    }

    // MARK: Organization

    @Test("The organization is the leaf's, the first of several, or nil if the leaf names none")
    func organization() throws {
        let named = try TrustScene(leaf: .leaf(TrustScene.name).with { $0.organization = "Example, Inc." })
        #expect(named.trust().evaluate().organization == "Example, Inc.")
        // The CA names an organization, but the leaf doesn't.
        #expect(try TrustScene().trust().evaluate().organization == nil)
        #expect(named.trust(presented: PresentedChain([])).evaluate().organization == nil)
    }

    // MARK: Text

    /// Characters that would begin a new line, move the cursor, or reverse or hide the text around them.
    static let hostileTexts: [HostileText] = [
        HostileText("line feed", "a\n  error: forged"), HostileText("carriage return and line feed", "a\r\nb"),
        HostileText("carriage return", "a\rb"),
        HostileText("vertical tab", "a\u{0b}b"), HostileText("form feed", "a\u{0c}b"),
        HostileText("next line", "a\u{85}b"),
        HostileText("line separator", "a\u{2028}b"), HostileText("paragraph separator", "a\u{2029}b"),
        HostileText("escape", "a\u{1b}[2Kb"),
        HostileText("null", "a\u{00}b"), HostileText("delete", "a\u{7f}b"),
        HostileText("right-to-left override", "a\u{202e}b"),
        HostileText("isolate", "a\u{2066}b"), HostileText("zero width space", "a\u{200b}b"),
    ]

    private func expectPlain(_ text: String, lines: Int? = nil, _ location: SourceLocation = #_sourceLocation) {
        let scalars = text.unicodeScalars
        let control = scalars.filter { scalar in
            scalar != "\n"
                && [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        #expect(control.isEmpty, sourceLocation: location)
        if let lines { #expect(scalars.count { $0 == "\n" } + 1 == lines, sourceLocation: location) }
    }

    /// All kinds of verdicts that contain the strings from such a certificate.
    private func verdicts(naming name: String, _ evaluators: [any TrustEvaluator]) throws -> [TrustVerdict] {
        let scene = try TrustScene(
            root: .authority("Root " + name), intermediate: .authority("CA " + name),
            leaf: .leaf(TrustScene.name).with {
                $0.commonName = "Leaf " + name
                $0.organization = name
            })
        var agreed = scene.trust { $0.anchors = .only([]) }
        agreed.setExceptions(try agreed.evaluate().exceptions())
        let other = try Hostname("other.example")
        return try evaluators.flatMap { evaluator in
            [
                evaluator.evaluate(scene.trust()), evaluator.evaluate(scene.trust { $0.anchors = .only([]) }),
                evaluator.evaluate(scene.trust(scene.path) { $0.anchors = .only([]) }),
                evaluator.evaluate(agreed), evaluator.evaluate(scene.trust(host: other)),
                try ServerTrustManager(rules: [(HostPattern(scene.host), .reportOnly(evaluator))]).evaluate(
                    scene.trust()),
            ]
        }
    }

    private func expectUnbroken(_ text: String, _ evaluators: [any TrustEvaluator]) throws {
        let harmless = try verdicts(naming: "harmless", evaluators)
        for (hostile, harmless) in zip(try verdicts(naming: text, evaluators), harmless) {
            #expect(hostile.codes == harmless.codes)
            expectPlain(hostile.description, lines: harmless.description.split(separator: "\n").count)
            for failure in hostile.failures + hostile.excused + hostile.reported {
                expectPlain(failure.message, lines: 1)
            }
            expectPlain(TrustRefusal(hostile).description, lines: 1)
        }
    }

    @Test("Names in an untrusted certificate can't break or forge a line of the description", arguments: hostileTexts)
    func hostileNames(hostile: HostileText) throws {
        try expectUnbroken(
            hostile.text,
            [
                DefaultTrustEvaluator(), TrustScene.otherPins(),
                CertificateAuthorityTrustEvaluator(authorities: [try TestAuthority.root().certificate]),
            ])
    }

    @Test(
        "Attributes in an untrusted certificate can't forge a line if an attribute is required",
        arguments: hostileTexts)
    func hostileAttributes(hostile: HostileText) throws {
        try expectUnbroken(
            hostile.text, [AttributeTrustEvaluator([.organization("Example"), .organizationalUnit("x")])])
    }

    @Test("A custom evaluator can't forge a line by quoting a certificate", arguments: hostileTexts)
    func hostileValues(hostile: HostileText) throws {
        let scene = try TrustScene()
        for failure in [
            TrustFailure(.evaluatorRefused, certificate: 0, role: .leaf, found: .text(hostile.text)),
            TrustFailure(
                .attributeNotMatched, expected: .list([hostile.text, hostile.text]), found: .list([hostile.text])),
        ] {
            let verdict = CountingEvaluator(isRepeatable: false, refusal: failure).evaluate(scene.trust())
            expectPlain(verdict.headline?.message ?? "", lines: 1)
            // The value itself is unchanged.
            #expect(verdict.headline == failure)
        }
    }

    @Test("The description contains the host, the codes of all failures, and one remedy for each code")
    func describes() throws {
        let past = TestAuthority.now.advanced(by: -1)
        let scene = try TrustScene(intermediate: .authority("CA").until(past), leaf: .expired)
        let text = scene.trust().evaluate().description
        #expect(text.contains(TrustScene.name))
        #expect(text.components(separatedBy: "[certificateExpired]").count == 3)
        let hint = try #require(TrustFailure.Code.certificateExpired.explanation)
        #expect(text.components(separatedBy: hint).count == 2)
        #expect(text.contains(TrustResultType.recoverableFailure.rawValue))
        let trusted = try TrustScene().trust().evaluate()
        #expect(trusted.description.contains("valid until: \(try #require(trusted.firstNotAfter))"))
        #expect(trusted.description.contains(TrustCheck.revocation.name))
        let report = try ServerTrustManager(rules: [(HostPattern(scene.host), .reportOnly(TrustScene.otherPins()))])
            .evaluate(try TrustScene().trust())
        #expect(report.isTrusted)
        #expect(report.description.contains("[pinNotMatched]"))
    }

    @Test("A one-megabyte name doesn't make a one-megabyte message")
    func longNames() throws {
        let long = String(repeating: "x", count: 60_000)
        let scene = try TrustScene(
            leaf: .leaf(TrustScene.name).with { $0.organization = long })
        let verdict = AttributeTrustEvaluator([.organization("Example")]).evaluate(scene.trust())
        #expect(verdict.codes == [.attributeNotMatched])
        #expect(verdict.failures[0].message.utf8.count < 5000)
    }
}
