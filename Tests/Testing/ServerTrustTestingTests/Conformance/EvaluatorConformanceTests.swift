// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustTesting

/// Requires an organization. Shows how to write an evaluator.
private struct Organisation: TrustEvaluator {
    var isRepeatable: Bool { true }

    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        guard path.leaf.subject.values(of: .organizationName) == ["Example"] else {
            throw TrustFailures(
                TrustFailure(.attributeNotMatched, certificate: 0, role: .leaf, expected: .text("Example")))
        }
    }
}

/// Breaks one rule.
private final class Unruly: TrustEvaluator {
    enum Fault: Sendable {
        case refusesAll, acceptsAll, index, severity, line, changesItsMind, looksAtTheDate
    }
    let fault: Fault
    private let lock = NSLock()
    /// Only read and written under `lock`.
    nonisolated(unsafe) private var calls = 0
    let isRepeatable: Bool

    init(_ fault: Fault) {
        self.fault = fault
        self.isRepeatable = fault == .looksAtTheDate
    }

    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        let call = lock.withLock {
            calls += 1
            return calls
        }
        let isGood = path.leaf.subject.values(of: .organizationName) == ["Example"]
        let failure: TrustFailure? =
            switch fault {
            case .refusesAll: TrustFailure(.evaluatorRefused, found: .text("everything"))
            case .acceptsAll: nil
            case .index: isGood ? nil : TrustFailure(.evaluatorRefused, certificate: 7)
            case .severity: isGood ? nil : TrustFailure(Self.signatureInvalid)
            case .line: isGood ? nil : TrustFailure(Self.twoLines)
            case .changesItsMind: isGood && call % 2 == 1 ? nil : TrustFailure(.evaluatorRefused)
            case .looksAtTheDate:
                isGood && trust.verifyDate.time <= TestAuthority.now ? nil : TrustFailure(.evaluatorRefused)
            }
        if let failure { throw TrustFailures(failure) }
    }

    private static let signatureInvalid = TrustFailure.Code(
        "signatureInvalid", rank: 1, severity: .recoverable, message: "m")
    private static let twoLines = TrustFailure.Code(
        "twoLines", rank: 1, severity: .fatal, message: "one\ntwo")
}

@Suite struct EvaluatorConformanceTests {
    private let root: TestAuthority

    init() throws { root = try TestAuthority.root() }

    private func trust(_ change: (inout CertificateTemplate) -> Void = { _ in }) throws -> Trust {
        let leaf = try root.issue(.leaf("api.example.com").with(change)).certificate
        var trust = Trust(presentedChain: [leaf], host: try Hostname("api.example.com"))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        return trust
    }

    private func rules(_ evaluator: any TrustEvaluator) async throws -> Set<EvaluatorConformance.Violation.Rule> {
        let violations = try await EvaluatorConformance(
            evaluator, accepting: [trust { $0.organization = "Example" }], refusing: [trust()]
        ).run()
        return Set(violations.map(\.rule))
    }

    @Test("Evaluators that only tighten the rules conform")
    func conforming() async throws {
        #expect(try await rules(Organisation()).isEmpty)
        #expect(try await rules(AttributeTrustEvaluator([.organization("Example")])).isEmpty)
    }

    @Test(
        "The suite reports a violation of the rule that an evaluator breaks",
        arguments: [
            (Unruly.Fault.refusesAll, EvaluatorConformance.Violation.Rule.refusesGood), (.acceptsAll, .acceptsBad),
            (.index, .wrongIndex), (.severity, .unusableCode), (.line, .unusableCode), (.changesItsMind, .varies),
            (.looksAtTheDate, .variesWithDate),
        ])
    private func unruly(_ fault: Unruly.Fault, _ rule: EvaluatorConformance.Violation.Rule) async throws {
        #expect(try await rules(Unruly(fault)).contains(rule))
    }

    @Test("The suite also reports one of the package's own evaluators that loosens a rule")
    func loosening() async throws {
        #expect(try await rules(DefaultTrustEvaluator(validateHost: false)).contains(.loosens))
        #expect(try await rules(DisabledTrustEvaluator.insecurelyTrustingAnyServer).contains(.loosens))
    }

    @Test("A sample that the default evaluator already refuses counts as a violation")
    func samples() async throws {
        let expired = try trust { $0.notAfter = TestAuthority.now.advanced(by: -1) }
        let violations = try await EvaluatorConformance(
            Organisation(), accepting: [], refusing: [expired]
        ).run()
        #expect(Set(violations.map(\.rule)) == [.refusesGood, .provesNothing])
    }
}
