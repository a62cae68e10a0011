// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Refuses every path with these failures.
private struct Refusing: TrustEvaluator {
    var failure: TrustFailure
    var isRepeatable: Bool { true }

    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { throw TrustFailures(failure) }
}

/// Refuses paths that contain a certificate.
private struct RefusingPathsWith: TrustEvaluator {
    var certificate: Certificate
    var failures: [TrustFailure]

    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        guard path.certificates.contains(certificate), let failures = TrustFailures(failures) else { return }
        throw failures
    }
}

extension TrustFailure.Code {
    /// An evaluator's code. It is recoverable, so an exception could cover it if it were the engine's.
    fileprivate static let custom = TrustFailure.Code(
        "custom", rank: 10, severity: .recoverable, message: "{subject} refused")
}

@Suite struct EvaluationTests {
    @Test(
        "A pinned leaf is exempt from the engine's checks, but not from other requirements",
        arguments: [TrustFailure.Code.custom, .certificateExpired])
    func exemptionFromTheEngineAlone(_ code: TrustFailure.Code) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let relaxed = try PinnedCertificatesTrustEvaluator(certificates: [leaf], performDefaultValidation: false)
        let trust = try lab.trust(leaf)
        #expect(relaxed.evaluate(trust).isTrusted)
        let refusing = Refusing(failure: TrustFailure(code, certificate: 0, role: .leaf))
        let verdict = try CompositeTrustEvaluator(evaluators: [relaxed, refusing]).evaluate(trust)
        #expect(verdict.failureCodes == [code])
    }

    @Test("A required revocation check also applies to a pinned leaf")
    func exemptionAndRevocation() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        var trust = try lab.trust(leaf)
        trust.revocation = .required
        let relaxed = try PinnedCertificatesTrustEvaluator(certificates: [leaf], performDefaultValidation: false)
        #expect(relaxed.evaluate(trust).failureCodes == [.revocationUnavailable, .revocationUnavailable])
    }

    @Test("An evaluator's failures for one path don't affect the next")
    func nothingLeaksFromPathToPath() throws {
        let lab = try CrossSignedLab()
        let refused = RefusingPathsWith(
            certificate: lab.rootA.certificate,
            failures: [TrustFailure(.custom, certificate: 0, role: .leaf), TrustFailure(.pinNotMatched)])
        for trust in try lab.trusts() {
            let verdict = refused.evaluate(trust)
            #expect(verdict.result == .unspecified)
            #expect(verdict.excused.isEmpty)
            #expect(verdict.path == lab.pathB)
        }
    }

    @Test("If only the leaf fails, the search tries other paths only for exceptions or an exemption")
    func failuresOfTheLeaf() throws {
        let lab = try CrossSignedLab()
        let leaf = try lab.underA.issue(.leaf(TrustLab.host).with { $0.notAfter = TrustLab.past }).certificate
        var trust = try Trust.lab(
            [leaf, lab.underA.certificate, lab.underB.certificate],
            anchors: [lab.rootA.certificate, lab.rootB.certificate])
        let verdict = trust.evaluate()
        #expect(verdict.failureCodes == [.certificateExpired] && verdict.rejectedPaths.count == 1)
        let agreed = try verdict.exceptions()
        #expect(trust.setExceptions(agreed) == .fits)
        let refused = try TrustScene.otherPins().evaluate(trust)
        #expect(!refused.isTrusted && refused.rejectedPaths.count == 2)
    }

    @Test("A wrong signature is fatal even with exceptions, and on every path")
    func impostorCAUnderExceptions() throws {
        // Two anchors with one name, neither of which issued the leaf.
        let name = CertificateTemplate.authority("CA X")
        let anchors = [try TestAuthority.root(name).certificate, try TestAuthority.root(name).certificate]
        let real = try TestAuthority.root(name)
        let leaf = try real.issue(.leaf(TrustLab.host).with { $0.notAfter = TrustLab.past }).certificate
        // The user agreed while the CA was known.
        let known = try Trust.lab([leaf], anchors: [real.certificate])
        let agreed = try known.evaluate().exceptions()
        var trust = try Trust.lab([leaf, try TestAuthority.root(name).certificate], anchors: anchors)
        let without = trust.evaluate()
        #expect(without.result == .fatalFailure)
        #expect(trust.setExceptions(agreed) == .fits)
        let with = trust.evaluate()
        #expect(with.result == .fatalFailure)
        #expect(with.failureCodes.first == .signatureInvalid)
        #expect(throws: TrustExceptionsError.self) { try with.exceptions() }
    }

    @Test("A leaf that the user agreed to without its CA adds neither a policy nor a later date")
    func unanchoredLeaf() throws {
        let soon = TestAuthority.now.advanced(by: 3600)
        let root = try TestAuthority.root()
        let authority = try root.intermediate(.authority("Short").with { $0.notAfter = soon })
        let leaf = try authority.issue(.leaf(TrustLab.host)).certificate
        var trust = try Trust.lab([leaf, authority.certificate], anchors: [])
        let agreed = try trust.evaluate().exceptions()
        #expect(trust.setExceptions(agreed) == .fits)
        let verdict = trust.evaluate()
        #expect(verdict.result == .proceed)
        #expect(verdict.path == [leaf])
        #expect(verdict.excused.allSatisfy { ($0.certificate ?? 0) < verdict.path.count })
        #expect(verdict.unchangedUntil == soon)
        #expect(!verdict.checked.contains(.path))
        #expect(verdict.notChecked.contains(.path))
        trust.verifyDate = .at(soon.advanced(by: 1))
        #expect(!trust.evaluate().isTrusted)
        trust.verifyDate = .at(TestAuthority.now)
        trust.policy.certificatePolicies.requireExplicit = true
        #expect(!trust.evaluate().isTrusted)
    }

    @Test("Hundreds of presented certificates with a pinned key cost no work")
    func manyPinnedKeys() throws {
        let key = TestKey.p256()
        let authority = try TestAuthority.root(key: key)
        let others = try (0..<300).map { index in
            try TestAuthority.root(.authority("Test Root \(index)"), key: key).certificate
        }
        let leaf = try authority.issue(.leaf(TrustLab.host)).certificate
        let evaluator = try PublicKeysTrustEvaluator(
            keys: [authority.certificate.subjectPublicKeyInfo], performDefaultValidation: false)
        #expect(
            evaluator.evaluate(try Trust.lab([leaf, authority.certificate] + others, anchors: [])).isTrusted)
        #expect(!evaluator.evaluate(try Trust.lab([leaf] + others, anchors: [])).isTrusted)
    }

    @Test("The manager keeps all rules from a sequence that can be read only once")
    func oneShotRules() throws {
        let lab = try TrustLab()
        let pin = try SPKIPin.unused()
        let evaluator = SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [pin]))
        let rules = [(try HostPattern(TrustLab.host), HostRule.enforced(evaluator))]
        let manager = try ServerTrustManager(rules: AnySequence(OneShot(rules)), allHostsMustBeEvaluated: false)
        #expect(manager.count == 1)
        #expect(manager.evaluate(try lab.trust(try lab.leaf())).failureCodes == [.pinNotMatched])
        let disabled = [
            (try HostPattern(TrustLab.host), HostRule.enforced(DisabledTrustEvaluator.insecurelyTrustingAnyServer))
        ]
        #expect(throws: ServerTrustManagerError.self) {
            try ServerTrustManager(rules: AnySequence(OneShot(disabled)))
        }
    }

    @Test("A default evaluation failure isn't a finding of a report-only rule")
    func reportOnlyFindings() throws {
        let lab = try TrustLab()
        let pins = SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [try .unused()]))
        let manager = try ServerTrustManager(rules: [(try HostPattern(TrustLab.host), .reportOnly(pins))])
        let expired = manager.evaluate(try lab.trust(try lab.expiredLeaf()))
        #expect(expired.failureCodes == [.certificateExpired])
        #expect(expired.reported.isEmpty)
        let good = manager.evaluate(try lab.trust(try lab.leaf()))
        #expect(good.isTrusted)
        #expect(good.reported.map(\.code) == [.pinNotMatched])
    }

    @Test("A requirement accepts any number of days", arguments: [Int.max, Int.min, 0])
    func extremeDays(_ days: Int) throws {
        let lab = try TrustLab()
        let trust = try lab.trust(try lab.leaf())
        let maximum = AttributeTrustEvaluator([.maximumValidity(.days(days))]).evaluate(trust)
        #expect(maximum.isTrusted == (days == .max))
        let remaining = AttributeTrustEvaluator([.minimumRemainingValidity(.days(days))]).evaluate(trust)
        #expect(remaining.isTrusted == (days != .max))
    }

    @Test(
        "A value is the same after encoding and decoding",
        arguments: [
            TrustFailure.Value.text("2026-11-21T09:30:00Z"), .text("api.example.com"), .text(""), .text("7"),
            .number(7),
            .time(TestAuthority.now), .list([]), .list(["2026-11-21T09:30:00Z"]),
        ])
    func valuesRoundTrip(_ value: TrustFailure.Value) throws {
        let data = try JSONEncoder().encode([value])
        #expect(try JSONDecoder().decode([TrustFailure.Value].self, from: data) == [value])
    }

    @Test("An exception without an end survives encoding")
    func foreverException() throws {
        let lab = try TrustLab()
        let exceptions = try lab.trust(try lab.expiredLeaf()).evaluate()
            .exceptions(expires: TestAuthority.now.advanced(by: .max))
        let data = try JSONEncoder().encode(exceptions)
        #expect(try JSONDecoder().decode(TrustExceptions.self, from: data) == exceptions)
    }
}

/// A sequence that is empty the second time.
private final class OneShot<Element>: Sequence {
    private var elements: [Element]

    init(_ elements: [Element]) { self.elements = elements }

    func makeIterator() -> IndexingIterator<[Element]> {
        defer { elements = [] }
        return elements.makeIterator()
    }
}
