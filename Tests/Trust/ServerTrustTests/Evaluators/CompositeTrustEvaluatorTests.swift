// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Composite evaluator")
struct CompositeTrustEvaluatorTests {
    static func row(
        _ sentence: String, _ expectation: EvaluatorCase.Expectation,
        _ make: @escaping @Sendable (TrustLab) throws -> (members: [any TrustEvaluator], trust: Trust)
    ) -> EvaluatorCase {
        EvaluatorCase(sentence, expectation) { lab in
            let (members, trust) = try make(lab)
            return (try CompositeTrustEvaluator(evaluators: members), trust)
        }
    }

    static func keys(_ certificates: Certificate...) throws -> PublicKeysTrustEvaluator {
        try PublicKeysTrustEvaluator(keys: certificates.map(\.subjectPublicKeyInfo))
    }

    static let rows: [EvaluatorCase] = [
        row("All members accept", .trusted(pin: 0)) {
            let leaf = try $0.leaf()
            return (
                [
                    DefaultTrustEvaluator(), try keys(leaf),
                    try CertificateAuthorityTrustEvaluator(authorities: [$0.root.certificate]),
                    AttributeTrustEvaluator([.issuerOrganization("Test")]),
                ], try $0.trust(leaf)
            )
        },
        row("The first member refuses", .refused([.pinNotMatched])) {
            ([try keys($0.leaf()), DefaultTrustEvaluator()], try $0.trust($0.leaf()))
        },
        row("The last member refuses", .refused([.pinNotMatched])) {
            ([DefaultTrustEvaluator(), try keys($0.leaf())], try $0.trust($0.leaf()))
        },
        row(
            "Several members refuse, and the verdict reports all of them",
            .refused([.authorityNotMatched, .certificateNotPinned, .pinNotMatched, .attributeNotMatched])
        ) {
            let stranger = try TrustLab.unrelatedRoot().certificate
            return (
                [
                    AttributeTrustEvaluator([.organization("Example, Inc.")]),
                    try CertificateAuthorityTrustEvaluator(authorities: [stranger]),
                    try PinnedCertificatesTrustEvaluator(certificates: [stranger]), try keys(stranger),
                ], try $0.trust($0.leaf())
            )
        },
        row("All members would accept an expired leaf's path", .refused([.certificateExpired])) {
            let leaf = try $0.expiredLeaf()
            return ([try keys(leaf), try keys($0.root.certificate)], try $0.trust(leaf))
        },
        row("Both pins are on the path", .trusted(pin: 0)) {
            let leaf = try $0.leaf()
            return ([try keys(leaf), try keys($0.root.certificate)], try $0.trust(leaf))
        },
        row("A composite in a composite refuses", .refused([.pinNotMatched])) {
            (
                [DefaultTrustEvaluator(), try CompositeTrustEvaluator(evaluators: [keys($0.leaf())])],
                try $0.trust($0.leaf())
            )
        },
        // Members that affect how a path is validated.
        row("One member ignores the host and another doesn't", .refused([.hostMismatch])) {
            (
                [DefaultTrustEvaluator(validateHost: false), DefaultTrustEvaluator()],
                try $0.trust($0.leaf(), host: "api.example.com")
            )
        },
        row("No member checks the host, and the pin matches", .trusted(pin: 0)) {
            let leaf = try $0.leaf()
            return (
                [
                    DefaultTrustEvaluator(validateHost: false),
                    try PinnedCertificatesTrustEvaluator(certificates: [leaf], validateHost: false),
                ], try $0.trust(leaf, host: "api.example.com")
            )
        },
        row("A member that only checks the path allows another to ignore the host", .trusted(pin: 0)) {
            let leaf = try $0.leaf()
            let pins = try SPKIPinSet(pins: [SPKIPin(leaf)], backup: [.unused()])
            return (
                [DefaultTrustEvaluator(validateHost: false), SPKIPinsTrustEvaluator(pins)],
                try $0.trust(leaf, host: "api.example.com")
            )
        },
        row("One member accepts an expired leaf and another doesn't", .refused([.certificateExpired])) {
            let leaf = try $0.expiredLeaf()
            return (
                [
                    try PinnedCertificatesTrustEvaluator(certificates: [leaf], performDefaultValidation: false),
                    DefaultTrustEvaluator(),
                ], try $0.trust(leaf)
            )
        },
        row("Both members accept an expired leaf", .proceed([.certificateExpired], pin: 0)) {
            let leaf = try $0.expiredLeaf()
            return (
                [
                    try PinnedCertificatesTrustEvaluator(certificates: [leaf], performDefaultValidation: false),
                    try PublicKeysTrustEvaluator(keys: [leaf.subjectPublicKeyInfo], performDefaultValidation: false),
                ], try $0.trust(leaf)
            )
        },
        row("One member names a private CA and another is the default", .refused([.unknownIssuer])) {
            let trust = try Trust.lab(
                [$0.leaf(), $0.intermediate.certificate], anchors: [TrustLab.unrelatedRoot().certificate])
            return (
                [try CertificateAuthorityTrustEvaluator(onlyAnchors: [$0.root.certificate]), DefaultTrustEvaluator()],
                trust
            )
        },
        row(
            "Both members name anchors, and one set doesn't know the server",
            .refused([.authorityNotMatched, .unknownIssuer])
        ) {
            (
                [
                    try CertificateAuthorityTrustEvaluator(onlyAnchors: [$0.root.certificate]),
                    try CertificateAuthorityTrustEvaluator(onlyAnchors: [TrustLab.unrelatedRoot().certificate]),
                ], try $0.trust($0.leaf())
            )
        },
        row("A private CA's leaf has the pinned key", .trusted(pin: 0)) {
            let leaf = try $0.leaf()
            let pins = try SPKIPinSet(pins: [SPKIPin(leaf)], backup: [.unused()])
            return (
                [
                    try CertificateAuthorityTrustEvaluator(onlyAnchors: [$0.root.certificate]),
                    SPKIPinsTrustEvaluator(pins),
                ], try .lab([leaf, $0.intermediate.certificate], anchors: [])
            )
        },
        row("A private CA's leaf has another key", .refused([.pinNotMatched])) {
            let pins = try SPKIPinSet(pins: [.unused(1)], backup: [.unused()])
            return (
                [
                    try CertificateAuthorityTrustEvaluator(onlyAnchors: [$0.root.certificate]),
                    SPKIPinsTrustEvaluator(pins),
                ], try .lab([$0.leaf(), $0.intermediate.certificate], anchors: [])
            )
        },
        row("A pinned leaf is exempt but lacks an attribute", .refused([.attributeNotMatched, .certificateExpired])) {
            let leaf = try $0.expiredLeaf()
            return (
                [
                    try PinnedCertificatesTrustEvaluator(certificates: [leaf], performDefaultValidation: false),
                    AttributeTrustEvaluator([.organization("Example, Inc.")]),
                ], try $0.trust(leaf)
            )
        },
    ]

    @Test("All members must accept the server", arguments: rows)
    func table(row: EvaluatorCase) throws { try row.run() }

    @Test("Two pins on two different cross-signed paths don't match together")
    func crossSigned() throws {
        let lab = try CrossSignedLab()
        let a = try Self.keys(lab.rootA.certificate)
        let b = try Self.keys(lab.rootB.certificate)
        for trust in try lab.trusts() {
            #expect(a.evaluate(trust).isTrusted && b.evaluate(trust).isTrusted)
            for members in [[a, b], [b, a]] {
                let verdict = try CompositeTrustEvaluator(evaluators: members).evaluate(trust)
                #expect(verdict.failureCodes == [.pinNotMatched])
                #expect(verdict.result == .fatalFailure)
                #expect(Set(verdict.rejectedPaths.map(\.certificates)) == [lab.pathA, lab.pathB])
            }
        }
    }

    @Test("A pin and a CA on two different cross-signed paths don't match together")
    func crossSignedMixed() throws {
        let lab = try CrossSignedLab()
        let pinned = try PinnedCertificatesTrustEvaluator(certificates: [lab.underA.certificate])
        let relaxed = try PinnedCertificatesTrustEvaluator(
            certificates: [lab.rootA.certificate], acceptSelfSigned: true)
        for trust in try lab.trusts() {
            for member: any TrustEvaluator in [pinned, relaxed] {
                for other: any TrustEvaluator in [
                    try CertificateAuthorityTrustEvaluator(authorities: [lab.rootB.certificate]),
                    try CertificateAuthorityTrustEvaluator(onlyAnchors: [lab.rootB.certificate]),
                ] {
                    #expect(try !CompositeTrustEvaluator(evaluators: [member, other]).evaluate(trust).isTrusted)
                    #expect(try !CompositeTrustEvaluator(evaluators: [other, member]).evaluate(trust).isTrusted)
                }
            }
        }
    }

    @Test("Of two cross-signed paths, the one that all members accept counts")
    func crossSignedAccepted() throws {
        let lab = try CrossSignedLab()
        let members: [any TrustEvaluator] = [
            try Self.keys(lab.rootB.certificate),
            try CertificateAuthorityTrustEvaluator(authorities: [lab.underA.certificate]),
        ]
        for trust in try lab.trusts() {
            let verdict = try CompositeTrustEvaluator(evaluators: members).evaluate(trust)
            #expect(verdict.result == .unspecified)
            #expect(verdict.path == lab.pathB)
            #expect(verdict.matchedPin?.certificate == 2)
        }
    }

    /// Codes that a custom member may refuse with. The engine's codes are recoverable.
    static let refusals: [TrustFailure.Code] = [
        .evaluatorRefused, .attributeNotMatched, .certificateExpired, .extendedKeyUsageNotAllowed, .hostMismatch,
        .untrustedRoot, .revocationUnavailable, .stepBudgetExceeded,
    ]

    @Test("One member's exemption of the leaf doesn't excuse another member's refusal", arguments: refusals)
    func exemptionIsTheMembersOwn(code: TrustFailure.Code) throws {
        let lab = try TrustLab()
        for leaf in [try lab.leaf(), try lab.expiredLeaf()] {
            for validateHost in [true, false] {
                let lenient: [any TrustEvaluator] = [
                    try PinnedCertificatesTrustEvaluator(
                        certificates: [leaf], performDefaultValidation: false, validateHost: validateHost),
                    try PublicKeysTrustEvaluator(
                        keys: [leaf.subjectPublicKeyInfo], performDefaultValidation: false, validateHost: validateHost),
                ]
                for member in lenient {
                    let refusing = RefusingEvaluator(TrustFailure(code, certificate: 0, role: .leaf))
                    let verdict = try CompositeTrustEvaluator(evaluators: [member, refusing]).evaluate(
                        lab.trust(leaf))
                    #expect(!verdict.isTrusted)
                    #expect(verdict.failureCodes.contains(code))
                }
            }
        }
    }

    @Test("The verdict contains all of its members' checks and their warnings")
    func checks() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let composite = try CompositeTrustEvaluator(evaluators: [
            SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [SPKIPin(leaf)])),
            try CertificateAuthorityTrustEvaluator(authorities: [lab.root.certificate]),
            AttributeTrustEvaluator([]),
        ])
        let verdict = composite.evaluate(try lab.trust(leaf))
        #expect(verdict.isTrusted)
        #expect(Set(verdict.checked) == [.path, .identity, .purpose, .pins, .authorities, .attributes])
        #expect(!verdict.warnings.isEmpty)
    }

    @Test("An empty list causes an error")
    func empty() {
        #expect(throws: TrustEvaluatorError(.evaluatorMembersMissing)) { try CompositeTrustEvaluator(evaluators: []) }
    }
}
