// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Disabled evaluator")
struct DisabledTrustEvaluatorTests {
    static let disabled = DisabledTrustEvaluator.insecurelyTrustingAnyServer

    /// A server, as the trust to evaluate.
    typealias Server = @Sendable (TrustLab) throws -> Trust

    static let rows: [(sentence: String, excused: [TrustFailure.Code], trust: Server)] = [
        ("a good chain", [], { try $0.trust($0.leaf()) }),
        ("an expired leaf", [.certificateExpired], { try $0.trust($0.expiredLeaf()) }),
        ("another host", [.hostMismatch], { try $0.trust($0.leaf(), host: "api.example.com") }),
        (
            "a self-signed leaf", [.selfSignedLeaf],
            { try .lab([TrustLab.selfSigned()], anchors: [$0.root.certificate]) }
        ),
        ("an unknown CA", [.unknownIssuer], { try .lab([$0.leaf(), $0.intermediate.certificate], anchors: []) }),
        ("a wrong signature", [.signatureInvalid], { try $0.trust($0.leaf().withFlippedSignatureBit()) }),
        ("a key of 1024 bits", [.rsaKeyTooSmall], { try $0.trust($0.leaf(key: RSAKeys.bits1024.get())) }),
        (
            "everything at once", [.certificateExpired, .hostMismatch, .selfSignedLeaf],
            {
                try .lab(
                    [TrustLab.selfSigned { $0.notAfter = TrustLab.past }], anchors: [$0.root.certificate],
                    host: "api.example.com")
            }
        ),
    ]

    @Test(
        "The disabled evaluator accepts any server, and the verdict says so and reports everything that is wrong",
        arguments: rows)
    func accepts(sentence: String, excused: [TrustFailure.Code], trust: Server) throws {
        let trust = try trust(TrustLab())
        for evaluator: any TrustEvaluator in [
            Self.disabled, try CompositeTrustEvaluator(evaluators: [Self.disabled]),
            try CompositeTrustEvaluator(evaluators: [
                Self.disabled, CompositeTrustEvaluator(evaluators: [Self.disabled]),
            ]),
        ] {
            let verdict = evaluator.evaluate(trust)
            #expect(verdict.result == .proceed)
            #expect(verdict.failures.isEmpty)
            #expect(verdict.excusedCodes == excused)
            #expect(verdict.checked.isEmpty)
            #expect(Set(verdict.notChecked).isSuperset(of: [.path, .identity, .purpose, .revocation]))
            #expect(!verdict.warnings.isEmpty)
            #expect(verdict.unchangedFrom == nil && verdict.unchangedUntil == nil)
        }
    }

    @Test("The only check of the disabled evaluator is the one of denied certificates")
    func deniedCertificates() throws {
        let lab = try TrustLab()
        for leaf in [try lab.leaf(), try lab.expiredLeaf()] {
            var trust = try lab.trust(leaf)
            trust.denied = DeniedList(keys: [SPKIPin(try TrustLab.unrelatedRoot().certificate)])
            let verdict = Self.disabled.evaluate(trust)
            #expect(verdict.result == .proceed)
            #expect(verdict.checked == [.deniedCertificates])
            #expect(!verdict.notChecked.contains(.deniedCertificates) && verdict.notChecked.contains(.path))
        }
    }

    @Test("The disabled evaluator still refuses a server without a readable certificate")
    func nobody() throws {
        let lab = try TrustLab()
        let nothing = try Trust.lab([], anchors: [lab.root.certificate])
        #expect(Self.disabled.evaluate(nothing).failureCodes == [.presentedChainEmpty])
        var garbage = nothing
        garbage.presentedChain = PresentedChain(der: [[0x05, 0x00], try lab.leaf().der])
        #expect(Self.disabled.evaluate(garbage).failureCodes == [.certificateMalformed])
        #expect(!Self.disabled.evaluate(garbage).isTrusted)
    }

    /// Other members of a composite, each of which refuses the server.
    static let members:
        [(sentence: String, code: TrustFailure.Code, make: @Sendable (TrustLab) throws -> any TrustEvaluator)] = [
            ("the default", .certificateExpired, { _ in DefaultTrustEvaluator() }),
            ("the default for any host", .certificateExpired, { _ in DefaultTrustEvaluator(validateHost: false) }),
            (
                "pins", .certificateExpired,
                { SPKIPinsTrustEvaluator(try SPKIPinSet(pins: [SPKIPin($0.root.certificate)], backup: [.unused()])) }
            ),
            (
                "a CA", .certificateExpired,
                { try CertificateAuthorityTrustEvaluator(authorities: [$0.root.certificate]) }
            ),
            ("attributes", .certificateExpired, { _ in AttributeTrustEvaluator([]) }),
            (
                "another pinned leaf that would be exempt", .unknownIssuer,
                { try PinnedCertificatesTrustEvaluator(certificates: [$0.leaf()], performDefaultValidation: false) }
            ),
            ("a member that refuses", .certificateExpired, { _ in RefusingEvaluator(TrustFailure(.evaluatorRefused)) }),
        ]

    @Test("In a composite, the disabled evaluator doesn't weaken any other member, in any order", arguments: members)
    func inComposite(
        sentence: String, code: TrustFailure.Code, make: @Sendable (TrustLab) throws -> any TrustEvaluator
    ) throws {
        let lab = try TrustLab()
        let member = try make(lab)
        let trust = try lab.trust(lab.expiredLeaf())
        let nested = try CompositeTrustEvaluator(evaluators: [Self.disabled])
        for members: [any TrustEvaluator] in [
            [Self.disabled, member], [member, Self.disabled], [nested, member],
            [Self.disabled, try CompositeTrustEvaluator(evaluators: [member, Self.disabled])],
        ] {
            let verdict = try CompositeTrustEvaluator(evaluators: members).evaluate(trust)
            #expect(!verdict.isTrusted)
            #expect(verdict.failureCodes.contains(code))
        }
    }

    @Test("A verdict from the disabled evaluator has no exceptions, because there is nothing to agree to")
    func noExceptions() throws {
        let lab = try TrustLab()
        let verdict = Self.disabled.evaluate(try lab.trust(lab.expiredLeaf()))
        #expect(throws: TrustExceptionsError(.exceptionNotNeeded)) { try verdict.exceptions() }
    }
}
