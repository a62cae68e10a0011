// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Custom evaluators")
struct CustomTrustEvaluatorTests {
    /// Accepts every path it receives, and records it.
    final class Witness: TrustEvaluator {
        private let lock = NSLock()
        /// Only code that has `lock` reads and writes it.
        nonisolated(unsafe) private var seen: [[Certificate]] = []
        let refused: Certificate?

        /// - Parameter refused: An anchor that isn't accepted.
        init(refusing refused: Certificate? = nil) { self.refused = refused }

        var paths: [[Certificate]] { lock.withLock { seen } }

        func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
            lock.withLock { seen.append(path.certificates) }
            if path.anchor == refused { throw TrustFailures(TrustFailure(.evaluatorRefused)) }
        }
    }

    static let own = TrustFailure.Code(
        "notOnMonday", rank: 60, severity: .recoverable, message: "{subject} is not trusted on {found}")
    static let ownFatal = TrustFailure.Code(
        "neverOnSunday", rank: 60, severity: .fatal, message: "{subject} is never trusted on {found}")

    static let rows: [EvaluatorCase] = [
        EvaluatorCase("It accepts a valid path", .trusted(pin: nil)) { (Witness(), try $0.trust($0.leaf())) },
        EvaluatorCase("It refuses a valid path", .refused([.evaluatorRefused])) {
            (RefusingEvaluator(TrustFailure(.evaluatorRefused)), try $0.trust($0.leaf()))
        },
        EvaluatorCase("It refuses with its own code", .refused([own])) {
            (RefusingEvaluator(TrustFailure(own, found: .text("Monday"))), try $0.trust($0.leaf()))
        },
        EvaluatorCase("It refuses with its own fatal code", .refused([ownFatal])) {
            (RefusingEvaluator(TrustFailure(ownFatal)), try $0.trust($0.leaf()))
        },
        EvaluatorCase("It makes no decision", .refused([.stepBudgetExceeded])) {
            (RefusingEvaluator(TrustFailure(.stepBudgetExceeded)), try $0.trust($0.leaf()))
        },
        EvaluatorCase("It accepts an expired leaf", .refused([.certificateExpired])) {
            (Witness(), try $0.trust($0.expiredLeaf()))
        },
        EvaluatorCase("It accepts another host", .refused([.hostMismatch])) {
            (Witness(), try $0.trust($0.leaf(), host: "api.example.com"))
        },
        EvaluatorCase("It accepts a self-signed leaf", .refused([.selfSignedLeaf])) {
            (Witness(), try .lab([TrustLab.selfSigned()], anchors: [$0.root.certificate]))
        },
        EvaluatorCase("It accepts a wrong signature", .refused([.signatureInvalid])) {
            (Witness(), try $0.trust($0.leaf().withFlippedSignatureBit()))
        },
        EvaluatorCase(
            "It accepts if revocation is required", .refused([.revocationUnavailable, .revocationUnavailable])
        ) {
            var trust = try $0.trust($0.leaf())
            trust.revocation = .required
            return (Witness(), trust)
        },
    ]

    @Test("A custom evaluator can refuse a valid path but can't accept any other", arguments: rows)
    func table(row: EvaluatorCase) throws { try row.run() }

    @Test("A custom evaluator isn't called for a path that is invalid for another reason")
    func notAsked() throws {
        let lab = try TrustLab()
        let witness = Witness()
        for trust in [
            try lab.trust(lab.expiredLeaf()), try lab.trust(lab.leaf().withFlippedSignatureBit()),
            try lab.trust(lab.leaf(), host: "api.example.com"), try .lab([lab.leaf()], anchors: [lab.root.certificate]),
            try .lab([], anchors: [lab.root.certificate]),
        ] {
            #expect(!witness.evaluate(trust).isTrusted)
        }
        #expect(witness.paths.isEmpty)
    }

    @Test("A custom evaluator is called for both of two cross-signed paths, and the second one counts")
    func crossSigned() throws {
        let lab = try CrossSignedLab()
        for trust in try lab.trusts() {
            for (refused, path) in [(lab.rootA, lab.pathB), (lab.rootB, lab.pathA)] {
                let witness = Witness(refusing: refused.certificate)
                let verdict = witness.evaluate(trust)
                #expect(verdict.result == .unspecified)
                #expect(verdict.path == path)
                #expect(witness.paths.last == path)
            }
        }
    }

    @Test("The verdict reports all of a custom evaluator's failures for a path, most specific first")
    func several() throws {
        struct Two: TrustEvaluator {
            func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
                throw TrustFailures(
                    TrustFailure(.evaluatorRefused, found: .text("one")), [TrustFailure(.pinNotMatched)])
            }
        }
        let lab = try TrustLab()
        let verdict = Two().evaluate(try lab.trust(lab.leaf()))
        #expect(verdict.failureCodes == [.pinNotMatched, .evaluatorRefused])
        #expect(verdict.headline?.code == .pinNotMatched)
    }

    @Test("The verdict says that a custom evaluator was called, and names no pin")
    func verdict() throws {
        let lab = try TrustLab()
        let verdict = Witness().evaluate(try lab.trust(lab.leaf()))
        #expect(verdict.checked.contains(.custom))
        #expect(verdict.matchedPin == nil)
        #expect(!Witness().isRepeatable)
    }

    @Test("The user can agree to a refusal with a recoverable code, but only for the same value")
    func exceptions() throws {
        let lab = try TrustLab()
        var trust = try lab.trust(lab.leaf())
        let monday = RefusingEvaluator(TrustFailure(Self.own, found: .text("Monday")))
        let agreed = try monday.evaluate(trust).exceptions()
        #expect(trust.setExceptions(agreed) == .fits)
        #expect(monday.evaluate(trust).result == .proceed)
        #expect(monday.evaluate(trust).excusedCodes == [Self.own])
        let holiday = RefusingEvaluator(TrustFailure(Self.own, found: .text("a holiday")))
        #expect(holiday.evaluate(trust).failureCodes == [Self.own])
        #expect(RefusingEvaluator(TrustFailure(.evaluatorRefused)).evaluate(trust).result == .fatalFailure)
    }

    @Test("The user can't agree to a refusal with a fatal code")
    func fatal() throws {
        let lab = try TrustLab()
        let verdict = RefusingEvaluator(TrustFailure(Self.ownFatal)).evaluate(try lab.trust(lab.leaf()))
        #expect(throws: TrustExceptionsError(.exceptionNotPermitted, verdict.failures)) { try verdict.exceptions() }
    }

    @Test(
        "A failure that names a certificate beyond the path doesn't cause a crash",
        arguments: [-1, 3, 7, Int.max, Int.min])
    func miscounted(index: Int) async {
        await #expect(processExitsWith: .success) { [index] in
            let lab = try TrustLab()
            let leaf = try lab.leaf()
            var trust = try lab.trust(leaf)
            let evaluator = RefusingEvaluator(
                TrustFailure(.certificateExpired, certificate: index, role: .leaf, expected: .time(TrustLab.past)))
            let verdict = evaluator.evaluate(trust)
            #expect(!verdict.isTrusted)
            #expect(!verdict.description.isEmpty)
            trust.setExceptions(try verdict.exceptions())
            _ = evaluator.evaluate(trust)
            let pinned = try PinnedCertificatesTrustEvaluator(certificates: [leaf], performDefaultValidation: false)
            _ = try CompositeTrustEvaluator(evaluators: [pinned, evaluator]).evaluate(trust)
        }
    }

    @Test("Requiring trust with a source of evidence returns a trusted verdict and throws any other")
    func source() async throws {
        /// Obtains nothing.
        struct EmptySource: EvidenceSource {
            func evaluate(_ trust: Trust, by steps: EvaluationSteps) async -> TrustVerdict { steps.evaluate(trust) }
        }
        let lab = try TrustLab()
        let trusted = try lab.trust(lab.leaf())
        let verdict = try await Witness().requireTrust(trusted, fetching: EmptySource())
        #expect(verdict.isTrusted)
        let refused = try lab.trust(lab.expiredLeaf())
        await #expect(throws: TrustRefusal.self) {
            try await Witness().requireTrust(refused, fetching: EmptySource())
        }
    }
}
