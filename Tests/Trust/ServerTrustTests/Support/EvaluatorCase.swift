// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting
import Testing
import TrustScenes

/// A row in an evaluator's table: a sentence, an evaluator, the trust to evaluate, and the verdict.
struct EvaluatorCase: Sendable, CustomTestStringConvertible {
    enum Expectation: Sendable {
        /// Trusted with nothing excused, and the index of the pin in the path, or nil for no pin.
        case trusted(pin: Int?)
        /// Trusted with these failures excused.
        case proceed([TrustFailure.Code], pin: Int?)
        /// Refused, with exactly these failures.
        case refused([TrustFailure.Code])
    }

    let sentence: String
    let expectation: Expectation
    let make: @Sendable (TrustLab) throws -> (any TrustEvaluator, Trust)

    init(
        _ sentence: String, _ expectation: Expectation,
        _ make: @escaping @Sendable (TrustLab) throws -> (any TrustEvaluator, Trust)
    ) {
        self.sentence = sentence
        self.expectation = expectation
        self.make = make
    }

    var testDescription: String { sentence }

    /// Evaluates the server and compares the verdict, with the evaluator by itself and in composites.
    func run() throws {
        let (evaluator, trust) = try make(TrustLab())
        let verdict = evaluator.evaluate(trust)
        expect(verdict)
        expectConsistent(verdict, evaluator, trust)
        try expectSameWithMemory(verdict, evaluator, trust)
        try expectSameInCompany(verdict, evaluator, trust)
    }

    private func expect(_ verdict: TrustVerdict) {
        switch expectation {
        case .trusted(let pin):
            #expect(verdict.result == .unspecified)
            #expect(verdict.failureCodes == [])
            #expect(verdict.excusedCodes == [])
            #expect(verdict.matchedPin?.certificate == pin)
        case .proceed(let excused, let pin):
            #expect(verdict.result == .proceed)
            #expect(verdict.failureCodes == [])
            #expect(verdict.excusedCodes == excused)
            #expect(verdict.matchedPin?.certificate == pin)
        case .refused(let codes):
            #expect(!verdict.isTrusted)
            #expect(verdict.failureCodes == codes)
            #expect(verdict.matchedPin == nil)
            let severities = Set(codes.map(\.severity))
            #expect(
                verdict.result
                    == (severities.contains(.fatal)
                        ? .fatalFailure : severities.contains(.undecided) ? .otherError : .recoverableFailure))
        }
    }

    /// Checks the properties of every verdict.
    private func expectConsistent(_ verdict: TrustVerdict, _ evaluator: any TrustEvaluator, _ trust: Trust) {
        #expect(verdict.isTrusted == verdict.failures.isEmpty)
        #expect(verdict.isTrusted == verdict.rejectedPaths.isEmpty)
        #expect(verdict.path.first == trust.presentedChain.leaf)
        if let pin = verdict.matchedPin, verdict.path.indices.contains(pin.certificate) {
            let holder = verdict.path[pin.certificate]
            let sha256 = pin.kind == .key ? holder.subjectPublicKeyInfoSHA256 : holder.sha256
            #expect(pin.pin == "sha256/" + Base64.encode(sha256))
        }
        do throws(TrustRefusal) {
            let accepted = try evaluator.requireTrust(trust)
            #expect(accepted == verdict && accepted.isTrusted)
        } catch {
            #expect(error.verdict == verdict && !verdict.isTrusted)
            #expect(error.headline == verdict.failures.first)
        }
    }

    /// Checks that remembered signatures change no verdict.
    private func expectSameWithMemory(
        _ verdict: TrustVerdict, _ evaluator: any TrustEvaluator, _ trust: Trust
    ) throws {
        var trust = trust
        trust.signatureMemory = SignatureMemory()
        for _ in 0..<2 { #expect(evaluator.evaluate(trust) == verdict) }
    }

    /// Checks that a composite of one member, or of the evaluator and a member that accepts everything, decides like
    /// the evaluator by itself. A composite with a member that refuses everything must refuse the server.
    private func expectSameInCompany(
        _ verdict: TrustVerdict, _ evaluator: any TrustEvaluator, _ trust: Trust
    ) throws {
        #expect(try CompositeTrustEvaluator(evaluators: [evaluator]).evaluate(trust) == verdict)
        if !(evaluator is DisabledTrustEvaluator) {
            let disabled = DisabledTrustEvaluator.insecurelyTrustingAnyServer
            for members: [any TrustEvaluator] in [[evaluator, disabled], [disabled, evaluator]] {
                let other = try CompositeTrustEvaluator(evaluators: members).evaluate(trust)
                #expect(other.result == verdict.result)
                #expect(other.failures == verdict.failures)
                #expect(other.excused == verdict.excused)
                #expect(other.path == verdict.path)
            }
        }
        let refuses = RefusingEvaluator(TrustFailure(.evaluatorRefused))
        for members: [any TrustEvaluator] in [[evaluator, refuses], [refuses, evaluator]] {
            #expect(try !CompositeTrustEvaluator(evaluators: members).evaluate(trust).isTrusted)
        }
    }
}

/// Refuses every path.
struct RefusingEvaluator: TrustEvaluator {
    let failure: TrustFailure

    init(_ failure: TrustFailure) { self.failure = failure }

    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { throw TrustFailures(failure) }
}
