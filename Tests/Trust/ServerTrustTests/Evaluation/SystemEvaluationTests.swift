// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing
import TrustScenes

@testable import ServerTrust
@testable import ServerTrustTesting

private let notTrusted: Int32 = -67843
private let noChain: Int32 = -25318
private let expired: Int32 = -67818
private let otherName: Int32 = -67602
private let revoked: Int32 = -67820

@Suite("Evaluation by the operating system")
struct SystemEvaluationTests {
    // MARK: Trusted

    @Test("A server that the system trusts is trusted, with the system's path")
    func trusted() throws {
        let scene = try TrustScene()
        let system = FakeSystem.trusting(scene.path)
        let verdict = scene.systemTrust(system).evaluate()
        #expect(verdict.result == .unspecified)
        #expect(verdict.path == scene.path)
        #expect(verdict.reachesAnchor)
        #expect(verdict.failures == [] && verdict.rejectedPaths == [] && verdict.excused == [])
        #expect(verdict.checked == [.path, .identity, .purpose])
        #expect(verdict.notChecked == [.revocation, .certificateTransparency])
        #expect(verdict.unchangedFrom == TestAuthority.notBefore && verdict.unchangedUntil == TestAuthority.notAfter)
        #expect(
            system.questions == [SystemEvaluationRequest(name: scene.host, date: TestAuthority.now, revocation: nil)])
    }

    @Test("A server that the user decided to trust has its own result, proceed")
    func decidedByUser() throws {
        let scene = try TrustScene()
        let verdict = scene.systemTrust(.trusting(scene.path, resultType: 1)).evaluate()
        #expect(verdict.result == .proceed)
        #expect(verdict.excused == [])
    }

    @Test("The verdict contains the system's additional checks")
    func checked() throws {
        let scene = try TrustScene()
        let checked: [TrustCheck] = [.revocation, .certificateTransparency]
        let verdict = scene.systemTrust(.trusting(scene.path, checked: checked)).evaluate()
        #expect(verdict.checked == [.path, .identity, .purpose, .revocation, .certificateTransparency])
        #expect(verdict.notChecked == [])
    }

    @Test("The system receives the name, date and revocation policy of the trust object and the evaluator")
    func question() throws {
        let scene = try TrustScene()
        let system = FakeSystem.trusting(scene.path)
        let other = try Hostname("other.example")
        let date = Time(secondsSinceEpoch: 1_700_000_000)
        _ = scene.systemTrust(system) {
            $0.identity = .name(other)
            $0.verifyDate = .at(date)
            $0.revocation = .bestEffort
        }.evaluate()
        let verdict = DefaultTrustEvaluator(validateHost: false).evaluate(scene.systemTrust(system))
        #expect(
            system.questions == [
                SystemEvaluationRequest(name: other, date: date, revocation: [.ocsp, .crl]),
                SystemEvaluationRequest(name: nil, date: TestAuthority.now, revocation: nil),
            ])
        #expect(verdict.notChecked.contains(.identity))
    }

    private static let revocationPolicies: [(RevocationPolicy, SystemRevocation)] = [
        (.bestEffort, [.ocsp, .crl]), (RevocationPolicy(.bestEffort, sources: .ocsp), .ocsp),
        (RevocationPolicy(.bestEffort, sources: .crls), .crl),
        (RevocationPolicy(.bestEffort, prefersCRLs: true), [.ocsp, .crl, .preferCRL]),
        (RevocationPolicy(.required, sources: .ocsp), [.ocsp, .requirePositiveResponse]),
        (RevocationPolicy(.bestEffort, sources: .ocsp, fetching: false), [.ocsp, .networkAccessDisabled]),
    ]

    @Test("The system receives every part of a revocation policy that it supports", arguments: revocationPolicies)
    func policyForSystem(policy: RevocationPolicy, expected: SystemRevocation) throws {
        let scene = try TrustScene()
        let system = FakeSystem.trusting(scene.path, checked: [.revocation])
        let verdict = RevocationTrustEvaluator(policy).evaluate(scene.systemTrust(system))
        #expect(verdict.isTrusted && verdict.warnings.isEmpty && verdict.revocationGaps.isEmpty)
        #expect(system.questions.map(\.revocation) == [expected])
    }

    @Test("Intermediates and a scope that the system doesn't support cause a warning, even in a refusal")
    func settingsThatOnlyRefuse() throws {
        let scene = try TrustScene()
        let change: (inout Trust) -> Void = { $0.intermediates = [scene.intermediate.certificate] }
        let leafOnly = RevocationTrustEvaluator(RevocationPolicy(.bestEffort, scope: .leaf))
        let evaluators: [(any TrustEvaluator, (inout Trust) -> Void, Int)] = [
            (DefaultTrustEvaluator(), { _ in }, 0), (DefaultTrustEvaluator(), change, 1),
            (leafOnly, { _ in }, 1), (leafOnly, change, 2),
        ]
        for (evaluator, change, count) in evaluators {
            let trusted = evaluator.evaluate(
                scene.systemTrust(.trusting(scene.path, checked: [.revocation]), change))
            #expect(trusted.isTrusted && trusted.warnings.count == count)
            let refused = evaluator.evaluate(scene.systemTrust(.refusing(scene.chain, noChain), change))
            #expect(!refused.isTrusted && refused.warnings.count == count)
            // The engine supports both.
            let engine = evaluator.evaluate(scene.trust(nil, change))
            #expect(engine.isTrusted && !engine.warnings.contains { $0.contains("system") })
        }
    }

    @Test("A best-effort check that the system doesn't report causes a warning, but one that it reports doesn't")
    func unreportedRevocation() throws {
        let scene = try TrustScene()
        for evaluator in [DefaultTrustEvaluator(), RevocationTrustEvaluator()] as [any TrustEvaluator] {
            let asksForRevocation = evaluator is RevocationTrustEvaluator
            let silent = evaluator.evaluate(scene.systemTrust(.trusting(scene.path)))
            #expect(silent.isTrusted && silent.revocationGaps == (asksForRevocation ? [.notCheckedBySystem] : []))
            #expect(silent.warnings.count == (asksForRevocation ? 1 : 0))
            let reported = evaluator.evaluate(scene.systemTrust(.trusting(scene.path, checked: [.revocation])))
            #expect(reported.isTrusted && reported.revocationGaps.isEmpty && reported.warnings.isEmpty)
        }
    }

    @Test("A revocation setting that the system can't apply prevents a verdict if ignoring it would weaken the check")
    func revocationBeyondSystem() throws {
        let scene = try TrustScene()
        let changes: [(inout TrustSettings) -> Void] = [
            { $0.revocation.sources = [] },
            { $0.revocation.futureTolerance = .zero }, { $0.revocation.maximumAgeWithoutNextUpdate = .seconds(1) },
            { $0.revocation.maximumAge = .init(leaf: .seconds(1), authority: .seconds(1), anchors: .all) },
        ]
        for (change, check) in changes.flatMap({ change in RevocationPolicy.Mode.allCases.map { (change, $0) } }) {
            let verdict = scene.systemTrust(.trusting(scene.path, checked: [.revocation])) {
                change(&$0.settings)
                $0.revocation.mode = check
            }.evaluate()
            #expect(verdict.codes == (check == .off ? [] : [.systemEvaluationUnavailable]))
        }
    }

    @Test("A stapled response doesn't prevent a system evaluation, and a revoking one counts")
    func staple() throws {
        let scene = try TrustScene()
        for check in RevocationPolicy.Mode.allCases {
            for status in [TestOCSPResponse.CertificateStatus.good, .revoked] {
                let der = try scene.intermediate.ocspResponse { $0.add(scene.leaf, status) }.der
                let verdict = scene.systemTrust(.trusting(scene.path, checked: [.revocation])) {
                    $0.presentedChain.staple = .given(der)
                    $0.revocation.mode = check
                }.evaluate()
                #expect(verdict.codes == (status == .revoked ? [.certificateRevoked] : []), "\(check) \(status)")
            }
        }
    }

    @Test("The system evaluates without staples, but a leaf that requires one is refused without it")
    func mustStaple() throws {
        let scene = try TrustScene(leaf: .leaf(TrustScene.name).with { $0.mustStaple = true })
        let good = try scene.intermediate.ocspResponse { $0.add(scene.leaf) }.der
        for (staple, codes) in [
            (StapleState.none, [TrustFailure.Code.stapleMissing]), (.given([1]), [.stapleMissing]), (.given(good), []),
            (.unknown, []),
        ] {
            let verdict = scene.systemTrust(.trusting(scene.path)) { $0.presentedChain.staple = staple }.evaluate()
            #expect(verdict.codes == codes)
        }
    }

    @Test("A self-contradictory answer of trusted from the system doesn't count")
    func contradictions() throws {
        let scene = try TrustScene()
        let stranger = try TrustScene()
        let answers: [FakeSystem] = [
            .trusting([]), .trusting(stranger.path), .trusting(scene.path, resultType: 5),
            .trusting(scene.path, resultType: 3), .trusting(scene.path, resultType: 0),
            .trusting(scene.path, resultType: 2), FakeSystem(.unavailable("SecTrustSetPolicies: OSStatus -50")),
        ]
        for answer in answers {
            let verdict = scene.systemTrust(answer).evaluate()
            #expect(verdict.result == .otherError)
            #expect(verdict.codes == [.systemEvaluationUnavailable])
            #expect(verdict.path == [scene.leaf])
        }
    }

    @Test(
        "Result types have Apple's numbers, and any other number causes an error",
        arguments: [
            (UInt32(0), TrustResultType.otherError), (1, .proceed), (2, .otherError), (3, .deny), (4, .unspecified),
            (5, .recoverableFailure), (6, .fatalFailure), (7, .otherError), (8, .otherError),
        ])
    func resultTypes(number: UInt32, result: TrustResultType) {
        #expect(TrustResultType(secTrustResultType: number) == result)
    }

    // MARK: Pins

    @Test("Pins are compared with the path that the system validated, not with the presented chain")
    func pins() throws {
        let scene = try TrustScene()
        let otherRoot = try TestAuthority.root(.authority("Other Root"))
        let cross = try otherRoot.intermediate(
            .authority("Test Intermediate"), key: scene.intermediate.identity.key)
        let path = [scene.leaf, cross.certificate, otherRoot.certificate]
        let system = FakeSystem.trusting(path)

        let met = try scene.pins(otherRoot.certificate).evaluate(scene.systemTrust(system))
        #expect(met.result == .unspecified)
        #expect(met.path == path)
        #expect(met.matchedPin?.certificate == 2)
        #expect(met.checked.contains(.pins))

        let presented = scene.systemTrust(system) { $0.presentedChain = PresentedChain(scene.path) }
        let missed = try scene.pins(scene.root.certificate).evaluate(presented)
        #expect(missed.result == .fatalFailure)
        #expect(missed.codes == [.pinNotMatched])
        #expect(missed.path == path && missed.reachesAnchor)
        #expect(missed.rejectedPaths.map(\.reachesAnchor) == [true])

        let certificates = try PinnedCertificatesTrustEvaluator(certificates: [cross.certificate])
        #expect(certificates.evaluate(presented).isTrusted)
        let authority = try CertificateAuthorityTrustEvaluator(authorities: [scene.root.certificate])
        #expect(authority.evaluate(presented).codes == [.authorityNotMatched])
    }

    @Test("A pin doesn't override the system's refusal")
    func pinUnderRefusal() throws {
        let scene = try TrustScene()
        let trust = scene.systemTrust(.refusing(scene.path, notTrusted))
        #expect(try scene.pins(scene.leaf).evaluate(trust).codes == [.untrustedRoot])
    }

    @Test("A custom evaluator checks the system's path")
    func ownEvaluator() throws {
        let scene = try TrustScene()
        let accepting = CountingEvaluator(isRepeatable: true)
        #expect(accepting.evaluate(scene.systemTrust(.trusting(scene.path))).isTrusted)
        #expect(accepting.count == 1)
        let refusing = CountingEvaluator(isRepeatable: true, refusal: TrustFailure(.evaluatorRefused))
        #expect(refusing.evaluate(scene.systemTrust(.trusting(scene.path))).codes == [.evaluatorRefused])
    }

    // MARK: - Evaluations without the system

    @Test("The engine, not the system, handles named anchors and exemptions of pinned leaves")
    func namedAnchors() throws {
        let scene = try TrustScene(leaf: .expired)
        let system = FakeSystem.refusing(scene.path, notTrusted, resultType: 6)
        let named = scene.systemTrust(system) { $0.anchors = scene.anchors }
        #expect(named.evaluate().codes == [.certificateExpired])
        let anchors = try CertificateAuthorityTrustEvaluator(onlyAnchors: [scene.root.certificate])
        #expect(anchors.evaluate(scene.systemTrust(system)).codes == [.certificateExpired])
        let pinned = try PinnedCertificatesTrustEvaluator(
            certificates: [scene.leaf], performDefaultValidation: false)
        #expect(
            pinned.evaluate(scene.systemTrust(system)).excused.map(\.code) == [.certificateExpired, .unknownIssuer])
        #expect(system.questions == [])
    }

    @Test(
        "With a composite of the system's anchors and named ones, both the system and the engine must accept the server"
    )
    func composite() throws {
        let scene = try TrustScene()
        let own = try CertificateAuthorityTrustEvaluator(onlyAnchors: [scene.root.certificate])
        let both = try CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), own])
        #expect(both.evaluate(scene.systemTrust(.trusting(scene.path))).isTrusted)
        #expect(both.evaluate(scene.systemTrust(.refusing(scene.path, notTrusted))).codes == [.untrustedRoot])
        let stranger = try TestAuthority.root()
        let other = try CertificateAuthorityTrustEvaluator(onlyAnchors: [stranger.certificate])
        let impossible = try CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), other])
        #expect(!impossible.evaluate(scene.systemTrust(.trusting(scene.path))).isTrusted)
    }

    @Test("Settings that the system can't apply aren't ignored")
    func beyondTheSystem() throws {
        let scene = try TrustScene()
        let system = FakeSystem.trusting(scene.path)
        let changes: [(inout Trust) -> Void] = [
            { $0.policy.isStrict = true }, { $0.policy.profile = .rfc5280 }, { $0.policy.purpose = .clientAuth },
            { $0.policy.certificatePolicies.requireExplicit = true }, { $0.policy.maximumIntermediates = 0 },
            { $0.revocationData.crls = [[0x30, 0]] },
        ]
        for change in changes {
            let verdict = scene.systemTrust(system, change).evaluate()
            #expect(verdict.result == .otherError)
            #expect(verdict.codes == [.systemEvaluationUnavailable])
        }
        #expect(system.questions == [])
    }

    @Test("Without a readable leaf, the system isn't called")
    func noLeaf() throws {
        let scene = try TrustScene()
        let system = FakeSystem.trusting(scene.path)
        let none = scene.systemTrust(system) { $0.presentedChain = PresentedChain([]) }
        #expect(none.evaluate().codes == [.presentedChainEmpty])
        let malformed = scene.systemTrust(system) { $0.presentedChain = PresentedChain(der: [[1, 2, 3]]) }
        #expect(malformed.evaluate().codes == [.certificateMalformed])
        #expect(system.questions == [])
    }

    // MARK: Refused

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var leaf = CertificateTemplate.leaf(TrustScene.name)
        var host = TrustScene.name
        let status: Int32
        var resultType: UInt32 = 5
        /// The number of certificates in the path that the system returns.
        var length = 3
        let codes: [TrustFailure.Code]
        var result = TrustResultType.recoverableFailure
    }

    static let later = CertificateTemplate.leaf(TrustScene.name).from(TestAuthority.now.advanced(by: 1))

    static let refusals: [Refusal] = [
        Refusal(testDescription: "an unknown root", status: notTrusted, codes: [.untrustedRoot]),
        Refusal(testDescription: "a missing issuer", status: noChain, length: 1, codes: [.unknownIssuer]),
        Refusal(
            testDescription: "a missing issuer, as a lack of trust", status: notTrusted, length: 2,
            codes: [.unknownIssuer]),
        Refusal(testDescription: "expired", leaf: .expired, status: expired, codes: [.certificateExpired]),
        Refusal(
            testDescription: "not valid yet, which Apple calls expired", leaf: later, status: expired,
            codes: [.certificateNotYetValid]),
        Refusal(testDescription: "another name", host: "other.example", status: otherName, codes: [.hostMismatch]),
        Refusal(
            testDescription: "another name and expired", leaf: .expired, host: "other.example", status: otherName,
            codes: [.certificateExpired, .hostMismatch]),
        Refusal(
            testDescription: "an unknown root hides another name", host: "other.example", status: notTrusted,
            codes: [.hostMismatch, .untrustedRoot]),
        Refusal(
            testDescription: "no server purpose",
            leaf: .leaf(TrustScene.name).with { $0.extendedKeyUsage = [.clientAuth] }, status: -67609,
            codes: [.extendedKeyUsageNotAllowed]),
        Refusal(
            testDescription: "a rule that Apple checks before trust",
            leaf: .leaf(TrustScene.name).with { $0.version = 1 }, status: -67604,
            codes: [.certificateVersionNotAllowed, .subjectAlternativeNameMissing, .systemRefused],
            result: .fatalFailure),
        Refusal(
            testDescription: "an unknown root, although Apple checks another failed rule first",
            leaf: .leaf(TrustScene.name).with { $0.version = 1 }, status: notTrusted,
            codes: [.certificateVersionNotAllowed, .subjectAlternativeNameMissing, .untrustedRoot]),
        Refusal(
            testDescription: "an Apple-specific rule", status: -67901, codes: [.systemRefused], result: .fatalFailure),
        Refusal(
            testDescription: "expired, which the engine can't detect", status: expired, codes: [.systemRefused],
            result: .fatalFailure),
        Refusal(
            testDescription: "fatal", status: notTrusted, resultType: 6, codes: [.untrustedRoot, .systemRefused],
            result: .fatalFailure),
        Refusal(
            testDescription: "denied by the user", status: -67654, resultType: 3, codes: [.systemRefused],
            result: .deny),
        Refusal(
            testDescription: "revocation couldn't be checked", status: -67635,
            codes: [.systemRefused, .revocationUnavailable], result: .fatalFailure),
        Refusal(
            testDescription: "an error", status: -26276, resultType: 7, codes: [.systemEvaluationUnavailable],
            result: .otherError),
        Refusal(
            testDescription: "a result that contradicts the refusal", leaf: .expired, status: expired, resultType: 4,
            codes: [.certificateExpired, .systemRefused], result: .fatalFailure),
        Refusal(
            testDescription: "no path at all", status: notTrusted, length: 0, codes: [.unknownIssuer]),
    ]

    @Test("A refusal contains the package's codes", arguments: refusals)
    func refused(row: Refusal) throws {
        let scene = try TrustScene(leaf: row.leaf, host: row.host)
        let path = Array(scene.path.prefix(row.length))
        let system = FakeSystem.refusing(path, row.status, resultType: row.resultType)
        let verdict = scene.systemTrust(system).evaluate()
        #expect(verdict.codes == row.codes)
        #expect(verdict.result == row.result)
        #expect(verdict.path.first == scene.leaf)
        #expect(verdict.unchangedUntil == nil && verdict.matchedPin == nil)
    }

    @Test("The user can't make an exception for a withdrawn certificate")
    func withdrawn() throws {
        let scene = try TrustScene()
        let verdict = scene.systemTrust(.refusing(scene.path, revoked, resultType: 6)).evaluate()
        #expect(verdict.result == .fatalFailure)
        #expect(Set(verdict.codes) == [.certificateRevoked, .systemRefused])
        #expect(throws: TrustExceptionsError.self) { try verdict.exceptions() }
    }

    @Test("A refusal names the certificate and both values")
    func values() throws {
        let scene = try TrustScene(leaf: .expired)
        let failure = try #require(scene.systemTrust(.refusing(scene.path, expired)).evaluate().headline)
        #expect(failure.certificate == 0 && failure.role == .leaf)
        #expect(failure.expected == .time(TestAuthority.now.advanced(by: -1)))
        #expect(failure.found == .time(TestAuthority.now))
        let blunt = try #require(scene.systemTrust(.refusing(scene.path, -67901)).evaluate().failures.last)
        #expect(blunt.found == .text("errSecCertificateValidityPeriodTooLong (-67901)"))
        let named = try #require(scene.systemTrust(.refusing(scene.path, -67609)).evaluate().failures.last)
        #expect(named.found == .text("errSecInvalidExtendedKeyUsage (-67609)"))
    }

    // MARK: Certificates that can't be read

    private static func path(of scene: TrustScene, unreadableAt index: Int) -> FakeSystem {
        var path = scene.path.map(\.der)
        path[index] = [0x30, 0x80, 0, 0]
        return FakeSystem(.trusted(SystemFinding(resultType: 4, path: path)))
    }

    @Test(
        "If pins are required or an app checks paths, a path with an unreadable certificate is refused",
        arguments: [1, 2])
    func unreadableWithPins(index: Int) throws {
        let scene = try TrustScene()
        let trust = scene.systemTrust(Self.path(of: scene, unreadableAt: index))
        // This applies even if a certificate before the gap matches a pin.
        let own = CountingEvaluator(isRepeatable: false)
        for evaluator in [try scene.pins(scene.leaf), try TrustScene.otherPins(), own] as [any TrustEvaluator] {
            let verdict = evaluator.evaluate(trust)
            #expect(verdict.result == .otherError)
            #expect(verdict.codes == [.certificateMalformed] && own.count == 0)
            #expect(verdict.headline?.certificate == index)
            #expect(verdict.headline?.role == (index == 2 ? .anchor : .intermediate))
        }
    }

    @Test(
        "By default, a path with an unreadable certificate is trusted only for the moment, with a warning",
        arguments: [1, 2])
    func unreadableByDefault(index: Int) throws {
        let scene = try TrustScene()
        let trust = scene.systemTrust(Self.path(of: scene, unreadableAt: index))
        for verdict in [trust.evaluate(), DefaultTrustEvaluator().evaluate(trust)] {
            #expect(verdict.result == .unspecified)
            #expect(verdict.path == Array(scene.path.prefix(index)))
            #expect(!verdict.reachesAnchor)
            #expect(verdict.unchangedFrom == TestAuthority.now && verdict.unchangedUntil == TestAuthority.now)
            #expect(verdict.warnings.count == 1)
            #expect(verdict.revocationGaps.isEmpty)
        }
        // The path is longer than its readable part, so the leaf isn't its own anchor.
        var asking = trust
        asking.revocation = .bestEffort
        let verdict = asking.evaluate()
        #expect(verdict.revocationGaps == [.notCheckedBySystem])
        #expect(verdict.warnings.count == 2)
    }

    @Test("A system path with an unreadable leaf isn't a path for this leaf")
    func unreadableLeaf() throws {
        let scene = try TrustScene()
        let verdict = scene.systemTrust(Self.path(of: scene, unreadableAt: 0)).evaluate()
        #expect(verdict.codes == [.systemEvaluationUnavailable])
    }

    // MARK: Revocation

    @Test("The system must perform a required revocation check")
    func revocation() throws {
        let scene = try TrustScene()
        let good = scene.systemTrust(.trusting(scene.path, checked: [.revocation])) { $0.revocation = .required }
        #expect(good.evaluate().isTrusted)
        let silent = scene.systemTrust(.trusting(scene.path)) { $0.revocation = .required }
        #expect(silent.evaluate().codes == [.revocationUnavailable])
        #expect(try scene.pins(scene.leaf).evaluate(silent).codes == [.revocationUnavailable])
    }

    // MARK: Exceptions

    @Test("Only failures that the user agreed to are excused")
    func exceptions() throws {
        let scene = try TrustScene(leaf: .expired)
        let system = FakeSystem.refusing(scene.path, expired)
        let agreed = try scene.systemTrust(system).evaluate().exceptions()
        var trust = scene.systemTrust(system)
        #expect(trust.setExceptions(agreed) == .fits)
        let verdict = trust.evaluate()
        #expect(verdict.result == .proceed)
        #expect(verdict.excused.map(\.code) == [.certificateExpired])
        #expect(verdict.path == scene.path)

        // The same leaf, but the system found another failure.
        for (status, resultType) in [(notTrusted, UInt32(5)), (revoked, 6), (expired, 6), (-67901, 5)] {
            let worse = FakeSystem.refusing(scene.path, status, resultType: resultType)
            var trust = scene.systemTrust(worse)
            trust.setExceptions(agreed)
            #expect(!trust.evaluate().isTrusted)
        }
    }

    @Test("An exception for the system's path accepts no other path")
    func exceptionForPath() throws {
        let scene = try TrustScene(leaf: .expired)
        let other = try scene.intermediate.crossSigned(by: scene.root).certificate
        let system = FakeSystem.refusing(scene.path, expired)
        for presented in [scene.intermediate.certificate, other] {
            var trust = scene.systemTrust(system) { $0.presentedChain = PresentedChain([scene.leaf, presented]) }
            #expect(trust.setExceptions(try trust.evaluate().exceptions()) == .fits)
            #expect(trust.evaluate().isTrusted == (presented != other))
        }
    }

    @Test("Pins still apply with exceptions, including above the leaf")
    func exceptionsUnderPins() throws {
        let scene = try TrustScene(leaf: .expired)
        let system = FakeSystem.refusing(scene.path, expired)
        let agreed = try scene.systemTrust(system).evaluate().exceptions()
        var trust = scene.systemTrust(system)
        trust.setExceptions(agreed)
        let met = try scene.pins(scene.root.certificate).evaluate(trust)
        #expect(met.result == .proceed && met.matchedPin?.certificate == 2)
        #expect(try TrustScene.otherPins().evaluate(trust).isTrusted == false)
    }

    @Test("Agreeing to an unknown root makes the leaf its own anchor, but another name still fails")
    func exceptionForRoot() throws {
        let scene = try TrustScene()
        let system = FakeSystem.refusing(scene.path, notTrusted)
        let agreed = try scene.systemTrust(system).evaluate().exceptions()
        var trust = scene.systemTrust(system)
        trust.setExceptions(agreed)
        let verdict = trust.evaluate()
        #expect(verdict.result == .proceed)
        #expect(verdict.path == [scene.leaf])
        #expect(verdict.excused.map(\.code) == [.untrustedRoot])
        // The user didn't agree to trust the CA, so its pin doesn't count.
        #expect(try scene.pins(scene.root.certificate).evaluate(trust).isTrusted == false)

        trust.identity = .name(try Hostname("other.example"))
        #expect(trust.evaluate().codes == [.hostMismatch, .untrustedRoot])
    }

    // MARK: The manager

    @Test("Hosts that are denied or not listed are refused without calling the system")
    func deniedHosts() throws {
        let scene = try TrustScene()
        let system = FakeSystem.trusting(scene.path)
        let denied = try ServerTrustManager(rules: [(try HostPattern(TrustScene.name), .denied)])
        #expect(denied.evaluate(scene.systemTrust(system)).codes == [.hostDenied])
        let empty = try ServerTrustManager(evaluators: [:])
        #expect(empty.evaluate(scene.systemTrust(system)).codes == [.hostNotListed])
        #expect(system.questions == [])
        let lenient = try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false)
        #expect(lenient.evaluate(scene.systemTrust(system)).isTrusted)
        #expect(lenient.evaluate(scene.systemTrust(.refusing(scene.path, notTrusted))).codes == [.untrustedRoot])
    }

    @Test("Under a report-only rule, the system decides, and missed pins are reported")
    func reportOnly() throws {
        let scene = try TrustScene()
        let rule = HostRule.reportOnly(try TrustScene.otherPins())
        let manager = try ServerTrustManager(rules: [(try HostPattern(TrustScene.name), rule)])
        let observer = RecordingObserver()
        manager.events.add(observer)
        let verdict = manager.evaluate(scene.systemTrust(.trusting(scene.path)))
        #expect(verdict.result == .unspecified)
        #expect(verdict.reported.map(\.code) == [.pinNotMatched])
        #expect(observer.kinds == [.evaluated, .reportOnly])
        let refused = manager.evaluate(scene.systemTrust(.refusing(scene.path, notTrusted)))
        #expect(refused.codes == [.untrustedRoot])
    }

    @Test("A disabled evaluator reports the system's failures, and doesn't override what the user denied")
    func disabled() throws {
        let scene = try TrustScene()
        let evaluator = DisabledTrustEvaluator.insecurelyTrustingAnyServer
        let verdict = evaluator.evaluate(scene.systemTrust(.refusing(scene.path, notTrusted)))
        #expect(verdict.result == .proceed)
        #expect(verdict.excused.map(\.code) == [.untrustedRoot])
        let denied = evaluator.evaluate(scene.systemTrust(.refusing(scene.path, notTrusted, resultType: 3)))
        #expect(denied.result == .deny && !denied.isTrusted)
    }

    @Test("The system is called every time, and the engine's verdicts don't replace its answer")
    func notRemembered() throws {
        let scene = try TrustScene()
        let system = FakeSystem.trusting(scene.path)
        let manager = try ServerTrustManager(evaluators: [TrustScene.name: scene.pins(scene.leaf)])
        for _ in 0..<3 { #expect(manager.evaluate(scene.systemTrust(system)).isTrusted) }
        #expect(system.questions.count == 3)
        #expect(manager.memory?.count == 0)

        let memory = VerdictMemory()
        #expect(scene.systemTrust(system).evaluate(rememberingIn: memory).isTrusted)
        #expect(memory.count == 0)
        // The cache has the engine's verdict for the same chain and anchors, but that verdict doesn't replace the
        // system's answer.
        #expect(scene.trust().evaluate(rememberingIn: memory).isTrusted)
        #expect(memory.count == 1)
        let refusing = FakeSystem.refusing(scene.path, notTrusted)
        #expect(!scene.systemTrust(refusing).evaluate(rememberingIn: memory).isTrusted)
        #expect(refusing.questions.count == 1)
    }
}

// MARK: - Transparency

extension SystemEvaluationTests {
    @Test("The system's transparency result stays, and the check in the settings is added and can refuse the server")
    func transparency() throws {
        let published = try TransparencyScene()
        let unpublished = try TransparencyScene(timestamps: 0)
        for (scene, isMet) in [(published, true), (unpublished, false)] {
            let trusting = { FakeSystem.trusting(scene.scene.path, checked: [.certificateTransparency]) }
            let reported = scene.scene.systemTrust(trusting()) { $0.settings.transparency = scene.settings() }
                .evaluate()
            #expect(reported.isTrusted && reported.checked.filter { $0 == .certificateTransparency }.count == 1)
            #expect(reported.reported.map(\.code) == (isMet ? [] : [.transparencyNotMet]))
            let required = scene.scene.systemTrust(trusting()) {
                $0.settings.transparency = scene.settings(.require)
            }.evaluate()
            #expect(required.codes == (isMet ? [] : [.transparencyNotMet]))
            #expect(required.transparency?.status == (isMet ? .complies : .notEnough))
        }
    }

    @Test("A user's exception for an expired leaf doesn't cover missing transparency")
    func transparencyBesideException() throws {
        for count in [0, 2] {
            let scene = try TransparencyScene(timestamps: count) { $0.notAfter = TestAuthority.now.advanced(by: -1) }
            let system = { FakeSystem.refusing(scene.scene.path, expired) }
            let agreed = try scene.scene.systemTrust(system()).evaluate().exceptions()
            var trust = scene.scene.systemTrust(system()) { $0.settings.transparency = scene.settings(.require) }
            #expect(trust.setExceptions(agreed) == .fits)
            #expect(trust.evaluate().isTrusted == (count == 2))
        }
    }
}
