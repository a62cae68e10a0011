// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

/// Small values of the kernel that other tests use only in part.
@Suite("Values of an evaluation")
struct KernelValueTests {
    @Test("An evaluator's check decides about a path as its evaluation does")
    func checks() throws {
        let scene = try TrustScene()
        let (trust, path) = (scene.trust(), try #require(ValidatedPath(validatedBySystem: scene.path)))
        let stranger = try TestAuthority.root().certificate
        func refuses(_ evaluator: any TrustEvaluator) -> Bool {
            do throws(TrustFailures) {
                try evaluator.check(path, for: trust)
                return false
            } catch { return true }
        }
        let rows: [(any TrustEvaluator, refuses: Bool)] = [
            (DefaultTrustEvaluator(), false), (DisabledTrustEvaluator.insecurelyTrustingAnyServer, false),
            (try PinnedCertificatesTrustEvaluator(certificates: [scene.leaf]), false),
            (try PinnedCertificatesTrustEvaluator(certificates: [stranger]), true),
            (try PublicKeysTrustEvaluator(keys: [scene.leaf.subjectPublicKeyInfo]), false),
            (try PublicKeysTrustEvaluator(keys: [stranger.subjectPublicKeyInfo]), true),
            (try CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator()]), false),
            (try CompositeTrustEvaluator(evaluators: [RefusingEvaluator(TrustFailure(.evaluatorRefused))]), true),
        ]
        for (evaluator, expected) in rows {
            #expect(refuses(evaluator) == expected, "\(evaluator)")
            #expect(evaluator.evaluate(trust).isTrusted != expected, "\(evaluator)")
        }
    }

    @Test("Evaluators that depend only on the path are repeatable, and pins are listed as a check")
    func properties() throws {
        let scene = try TrustScene()
        let pinning: [any TrustEvaluator] = [
            try PinnedCertificatesTrustEvaluator(certificates: [scene.leaf]),
            try PublicKeysTrustEvaluator(keys: [scene.leaf.subjectPublicKeyInfo]),
        ]
        #expect(DefaultTrustEvaluator().isRepeatable && DefaultTrustEvaluator().checks.isEmpty)
        for evaluator in pinning {
            #expect(evaluator.isRepeatable && evaluator.checks == [.pins])
            #expect(evaluator.evaluate(scene.trust()).checked.contains(.pins))
        }
        let stranger = try TestAuthority.root().certificate
        let missed = try PinnedCertificatesTrustEvaluator(certificates: [stranger]).evaluate(scene.trust())
        func name(_ certificate: Certificate) -> String { "sha256/" + Data(certificate.sha256).base64EncodedString() }
        #expect(missed.headline?.expected == .list([name(stranger)]))
        #expect(missed.headline?.found == .list(scene.path.map(name)))
    }

    @Test("A composite of two evaluators requires both, and denies what one of them denies")
    func composites() throws {
        let scene = try TrustScene()
        let (plain, refusing) = (DefaultTrustEvaluator(), RefusingEvaluator(TrustFailure(.evaluatorRefused)))
        #expect(CompositeTrustEvaluator(refusing, plain).evaluate(scene.trust()).codes == [.evaluatorRefused])
        #expect(CompositeTrustEvaluator(plain, refusing).evaluate(scene.trust()).codes == [.evaluatorRefused])
        // A user or a rule can accept a leaf without a path, but not with a denied certificate beside it.
        let list = DeniedList(certificates: [scene.intermediate.certificate])
        let denying = try CompositeTrustEvaluator(evaluators: [DeniedListTrustEvaluator(list)])
        #expect(DeniedListTrustEvaluator(list).deniedList == list && denying.deniedList == list)
        #expect(plain.deniedList == nil && CompositeTrustEvaluator(plain, refusing).deniedList == nil)
        let exempting = try PinnedCertificatesTrustEvaluator(
            certificates: [scene.leaf], performDefaultValidation: false)
        let trust = scene.trust { $0.anchors = .only([]) }
        #expect(exempting.evaluate(trust).isTrusted)
        for composite in [CompositeTrustEvaluator(exempting, denying), CompositeTrustEvaluator(denying, exempting)] {
            #expect(composite.evaluate(trust).codes.first == .certificateDenied)
        }
    }

    @Test("The flags of the system's revocation check have the numbers of SecPolicy.h")
    func systemRevocation() {
        let flags: [SystemRevocation] = [.ocsp, .crl, .preferCRL, .requirePositiveResponse, .networkAccessDisabled]
        #expect(flags.map(\.rawValue) == [1, 2, 4, 8, 16])
    }

    @Test("Of two findings about a certificate, the more serious counts, and the first of equally serious ones")
    func combinedFindings() {
        func findings(_ statuses: [RevocationFinding.Status]) -> [RevocationFinding] {
            statuses.map { RevocationFinding(certificate: 0, status: $0) }
        }
        let groups: [[RevocationFinding]] = [
            findings([.revoked(at: nil, reason: nil), .revoked(at: TestAuthority.now, reason: .keyCompromise)]),
            findings([.ocspTooOld, .crlTooOld, .filterTooOld].map { .unobtainable([.signerUnchecked, $0]) }),
            [.staple, .ocsp, .crl, .filter].map { RevocationFinding(certificate: 0, status: .good, source: $0) },
            findings([.exempt(.noRevAvail), .exempt(.shortLived)]),
            findings([.unobtainable([]), .unobtainable([.signerUnchecked])]), findings([.unchecked]),
        ]
        for (rank, group) in groups.enumerated() {
            for finding in group {
                #expect(finding.isOutOfDate == (rank == 1))
                for other in groups[rank...].joined() {
                    #expect(RevocationFinding.combined([finding], [other]) == [finding])
                    let isEqual = group.contains(other)
                    #expect(RevocationFinding.combined([other], [finding]) == [isEqual ? other : finding])
                    #expect(RevocationFinding.combined([other, other], [finding]) == [other, other])
                    #expect(RevocationFinding.combined([finding], [other, other]) == [other, other])
                }
            }
        }
    }

    @Test("A verdict yields exceptions only if its result and all its failures are recoverable")
    func contradictoryVerdicts() throws {
        let scene = try TrustScene()
        var verdict = scene.trust(at: scene.leaf.notAfter.advanced(by: 1)).evaluate()
        let expired = verdict.failures
        #expect(try verdict.exceptions().failures.count == expired.count)
        let (fatal, undecided) = (TrustFailure(.signatureInvalid), TrustFailure(.stepBudgetExceeded))
        let rows: [(result: TrustResultType, failures: [TrustFailure], barred: [TrustFailure])] = [
            (.recoverableFailure, [fatal] + expired, [fatal]),
            (.recoverableFailure, expired + [undecided], [undecided]),
            (.recoverableFailure, [fatal, undecided], [fatal, undecided]), (.recoverableFailure, [], []),
            (.fatalFailure, expired, []), (.deny, expired, []), (.otherError, expired, []),
        ]
        for (result, failures, barred) in rows {
            (verdict.result, verdict.failures) = (result, failures)
            #expect(throws: TrustExceptionsError(.exceptionNotPermitted, barred)) { try verdict.exceptions() }
        }
        for result in [TrustResultType.proceed, .unspecified] {
            (verdict.result, verdict.failures) = (result, expired)
            #expect(throws: TrustExceptionsError(.exceptionNotNeeded)) { try verdict.exceptions() }
        }
    }

    @Test("A requirement that a rule names comes before the refusal of a program's own evaluator")
    func order() {
        let failures = [
            TrustFailure(.evaluatorRefused, certificate: 0), TrustFailure(.extendedValidationMissing, certificate: 1),
        ]
        #expect(
            failures.sorted(by: TrustFailure.comesFirst).map(\.code) == [.extendedValidationMissing, .evaluatorRefused])
    }

    @Test("A code has a word as its name, a message without a full stop, and an explanation with one")
    func texts() {
        for code in TrustFailure.Code.all {
            #expect(code.name.allSatisfy { $0.isLetter || $0.isNumber })
            #expect(code.message.contains(" ") && code.message.last != ".", "\(code)")
            #expect(code.explanation?.last == ".", "\(code)")
        }
    }

    @Test("Failures of different codes are in the order of the codes' ranks, and only these codes share one")
    func ranks() {
        let groups = Dictionary(grouping: TrustFailure.Code.all, by: \.rank).values.filter { $0.count > 1 }
        #expect(
            Set(groups.map(Set.init)) == [
                [.certificateDenied, .presentedChainEmpty],
                [.pinNotMatched, .certificateNotPinned, .authorityNotMatched, .handshakeSignatureInvalid],
                [.policyMappingOfAnyPolicy, .tlsVersionOutdated], [.policyNotAcceptable, .handshakeUnproven],
                [.attributeNotMatched, .validityTooLong, .evaluatorRefused], [.selfSignedLeaf, .anchorNotInProgram],
                [.untrustedRoot, .issuerUnreadable],
                [.transparencyNotMet, .transparencyLogListMissing, .systemEvaluationUnavailable],
                [.workBudgetExceeded, .byteBudgetExceeded],
            ])
    }

    @Test("Failures of a check contain at least one, and their code is the first one's")
    func failures() {
        let (first, second) = (TrustFailure(.evaluatorRefused), TrustFailure(.pinNotMatched))
        #expect(TrustFailures([]) == nil && TrustFailures([first]) == TrustFailures(first))
        let failures = TrustFailures(first, [second])
        #expect(failures.code == .evaluatorRefused && failures.failures == [first, second])
        #expect(failures.message == first.message + "; " + second.message)
        let leafOnly = TrustFailure.pinNotMatched(isOfLeaf: true, expected: ["a"], found: ["b"])
        #expect(leafOnly.certificate == 0 && leafOnly.role == .leaf)
    }

    @Test("A rejected path knows the roles of its certificates, and its rejection has the code of its best path")
    func rejections() throws {
        let scene = try TrustScene()
        let failures = [TrustFailure(.certificateExpired), TrustFailure(.hostMismatch)]
        for (reachesAnchor, last) in [(true, TrustFailure.Role.anchor), (false, .intermediate)] {
            let path = RejectedPath(certificates: scene.path, reachesAnchor: reachesAnchor, failures: failures)
            let roles = (0...2).map { TrustFailure.Role(at: $0, of: 3, reachesAnchor: path.reachesAnchor) }
            #expect(roles == [.leaf, .intermediate, last])
            let rejection = PathRejection(paths: [path])
            #expect(rejection.code == .certificateExpired && rejection.failures == failures)
        }
        let refused = scene.trust().refused(failures)
        #expect(!refused.isTrusted && Set(refused.codes) == [.certificateExpired, .hostMismatch])
        #expect(refused.path == scene.chain)
    }

    @Test("The error of a refusal names the host and the most specific failure")
    func refusal() throws {
        let scene = try TrustScene()
        let trust = scene.trust(host: try Hostname("other.example"))
        let refusal = #expect(throws: TrustRefusal.self) { try DefaultTrustEvaluator().requireTrust(trust) }
        #expect(refusal?.code == .hostMismatch && refusal?.message.hasPrefix("other.example: ") == true)
        let unnamed = Trust(presentedChain: PresentedChain([]), optionalHost: nil, settings: TrustSettings())
        let other = TrustRefusal(unnamed.evaluate())
        #expect(other.code == .presentedChainEmpty && other.message == other.headline.message)
    }

    @Test("Many failures that can't be accepted are counted")
    func exceptionsError() {
        let failures = [TrustFailure](repeating: TrustFailure(.signatureInvalid), count: 8)
        let message = TrustExceptionsError(.exceptionNotPermitted, failures).message
        #expect(message.hasSuffix("; and 2 more") && message.contains("[signatureInvalid]"))
        #expect(!TrustExceptionsError(.exceptionNotPermitted, Array(failures.prefix(6))).message.contains("more"))
    }

    @Test("A host pattern of each kind is built from a name, but an address has only one")
    func patterns() throws {
        let (name, address) = (try Hostname("example.com"), try Hostname("192.0.2.1"))
        for kind in HostPattern.Kind.allCases {
            let pattern = HostPattern(kind, name)
            #expect(pattern?.kind == kind && pattern?.name == "example.com")
            #expect((HostPattern(kind, address) != nil) == (kind == .exact))
        }
        let all = HostPattern(name).allOfName
        #expect(Set(all.map(\.description)) == ["example.com", "*.example.com", "**.example.com"])
        #expect(HostPattern(address).allOfName == [HostPattern(address)])
    }

    @Test("A pin that is too short names its size")
    func shortPin() {
        let error = #expect(throws: SPKIPinError.self) { try SPKIPin("sha256/AAAA") }
        #expect(error?.message.contains("has 3 bytes, expected 32") == true)
    }

    @Test("A peer without a known host is evaluated without a name")
    func optionalHost() throws {
        let scene = try TrustScene()
        var settings = TrustSettings()
        settings.anchors = scene.anchors
        settings.verifyDate = .at(TestAuthority.now)
        for host in [nil, scene.host] {
            let trust = Trust(presentedChain: PresentedChain(scene.chain), optionalHost: host, settings: settings)
            #expect(trust.referenceName == host && trust.evaluate().isTrusted)
        }
    }

    @Test("An anchor with a limit is described with its origin, its lists and its dates")
    func anchor() throws {
        let scene = try TransparencyScene()
        for (side, words) in [(IssuanceLimit.Side.notAfter, "trusted until"), (.after, "trusted after")] {
            var constraints = AnchorConstraints()
            let date = TestAuthority.now.advanced(by: side == .notAfter ? .days(900) : .days(-9_000))
            constraints.dates = [IssuanceLimit(side, date, clock: .notBefore)]
            let conditions = AnchorConditions(source: "Example, 2026-11-01", alternatives: [constraints])
            for isPublic in [true, false] {
                let trust = scene.trust { $0.anchors = scene.anchors(isPublic: isPublic, [conditions]) }
                let text = try #require(trust.evaluate().anchor).description
                #expect(text.hasPrefix(isPublic ? "public; Example" : "private; Example"))
                #expect(text.contains("by notBefore, \(words) \(date)"))
            }
        }
    }

    @Test("A finding about an anchor contains at most 16 lists and 16 limits", arguments: [16, 17])
    func manyLists(count: Int) throws {
        let scene = try TransparencyScene()
        var constraints = AnchorConstraints()
        constraints.dates = [IssuanceLimit(.notAfter, TestAuthority.now, clock: .notBefore)]
        let conditions = (0..<count).map { AnchorConditions(source: "List \($0)", alternatives: [constraints]) }
        let verdict = scene.trust { $0.anchors = scene.anchors(conditions) }.evaluate()
        let anchor = try #require(verdict.anchor)
        #expect(verdict.isTrusted && anchor.lists == (0..<16).map { "List \($0)" } && anchor.limits.count == 16)
    }
}
