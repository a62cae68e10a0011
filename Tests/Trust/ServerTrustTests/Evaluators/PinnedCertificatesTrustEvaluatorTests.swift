// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Pinned certificates")
struct PinnedCertificatesTrustEvaluatorTests {
    /// The pinned certificates, and the trust to evaluate.
    typealias Setup = (pinned: [Certificate], trust: Trust)

    static func row(
        _ sentence: String, _ expectation: EvaluatorCase.Expectation, acceptSelfSigned: Bool = false,
        performDefaultValidation: Bool = true, validateHost: Bool = true,
        _ setup: @escaping @Sendable (TrustLab) throws -> Setup
    ) -> EvaluatorCase {
        EvaluatorCase(sentence, expectation) { lab in
            let (pinned, trust) = try setup(lab)
            let evaluator = try PinnedCertificatesTrustEvaluator(
                certificates: pinned, acceptSelfSigned: acceptSelfSigned,
                performDefaultValidation: performDefaultValidation, validateHost: validateHost)
            return (evaluator, trust)
        }
    }

    // MARK: Pins in addition to a valid path

    static let onTop: [EvaluatorCase] = [
        row("The leaf is pinned", .trusted(pin: 0)) {
            let leaf = try $0.leaf()
            return ([leaf], try $0.trust(leaf))
        },
        row("The intermediate is pinned", .trusted(pin: 1)) {
            ([$0.intermediate.certificate], try $0.trust($0.leaf()))
        },
        row("The root is pinned but not presented", .trusted(pin: 2)) {
            ([$0.root.certificate], try $0.trust($0.leaf()))
        },
        row("One of several pinned certificates is enough", .trusted(pin: 1)) {
            ([try TrustLab.unrelatedRoot().certificate, $0.intermediate.certificate], try $0.trust($0.leaf()))
        },
        row("Another leaf of the same CA is refused", .refused([.certificateNotPinned])) {
            ([try $0.leaf()], try $0.trust($0.leaf()))
        },
        row("A renewed leaf with the same key is refused", .refused([.certificateNotPinned])) {
            let key = TestKey.p256()
            return ([try $0.leaf(key: key)], try $0.trust($0.leaf(key: key)))
        },
        row("A renewed intermediate with the same key is refused", .refused([.certificateNotPinned])) {
            let renewed = try $0.root.intermediate(key: $0.intermediate.identity.key)
            return ([renewed.certificate], try $0.trust($0.leaf()))
        },
        row(
            "A pinned unrelated certificate that is presented but not in the path is refused",
            .refused([.certificateNotPinned])
        ) {
            let stranger = try TrustLab.unrelatedRoot().certificate
            return (
                [stranger],
                try .lab([$0.leaf(), $0.intermediate.certificate, stranger], anchors: [$0.root.certificate])
            )
        },
        row(
            "A pinned cross-certificate that is presented but leads to no anchor is refused",
            .refused([.certificateNotPinned])
        ) {
            let cross = try TrustLab.unrelatedRoot().intermediate(key: $0.intermediate.identity.key).certificate
            return (
                [cross], try .lab([$0.leaf(), cross, $0.intermediate.certificate], anchors: [$0.root.certificate])
            )
        },
        row("The server's true leaf after an impostor's is refused", .refused([.certificateNotPinned])) {
            let pinned = try $0.leaf()
            return (
                [pinned],
                try .lab([$0.leaf(), $0.intermediate.certificate, pinned], anchors: [$0.root.certificate])
            )
        },
        row("A pinned leaf that has expired is refused", .refused([.certificateExpired])) {
            let leaf = try $0.expiredLeaf()
            return ([leaf], try $0.trust(leaf))
        },
        row("A pinned leaf for another host is refused", .refused([.hostMismatch])) {
            let leaf = try $0.leaf()
            return ([leaf], try $0.trust(leaf, host: "api.example.com"))
        },
        row(
            "A pinned leaf for another host is accepted without a host check", .trusted(pin: 0),
            validateHost: false
        ) {
            let leaf = try $0.leaf()
            return ([leaf], try $0.trust(leaf, host: "api.example.com"))
        },
        row("Without a host check, the pin is still required", .refused([.certificateNotPinned]), validateHost: false) {
            ([try $0.leaf()], try $0.trust($0.leaf(), host: "api.example.com"))
        },
        row("A pinned leaf below an unknown root is refused", .refused([.untrustedRoot])) {
            let leaf = try $0.leaf()
            let chain = [leaf, $0.intermediate.certificate, $0.root.certificate]
            return ([leaf], try .lab(chain, anchors: [TrustLab.unrelatedRoot().certificate]))
        },
        row("A pinned root that isn't an anchor is refused", .refused([.untrustedRoot])) {
            let chain = [try $0.leaf(), $0.intermediate.certificate, $0.root.certificate]
            return ([$0.root.certificate], try .lab(chain, anchors: [TrustLab.unrelatedRoot().certificate]))
        },
        row("A pinned leaf that is self-signed is refused", .refused([.selfSignedLeaf])) {
            let leaf = try TrustLab.selfSigned()
            return ([leaf], try .lab([leaf], anchors: [$0.root.certificate]))
        },
        row("A pinned leaf with a key of 1024 bits is refused", .refused([.rsaKeyTooSmall])) {
            let leaf = try $0.leaf(key: RSAKeys.bits1024.get())
            return ([leaf], try $0.trust(leaf))
        },
        row("A pinned leaf with a flipped bit in its signature is refused", .refused([.signatureInvalid])) {
            let leaf = try $0.leaf().withFlippedSignatureBit()
            return ([leaf], try $0.trust(leaf))
        },
    ]

    @Test("The evaluator requires a pin in addition to a valid path", arguments: onTop)
    func pinsOnTop(row: EvaluatorCase) throws { try row.run() }

    // MARK: acceptSelfSigned

    static let selfSigned: [EvaluatorCase] = [
        row("A pinned self-signed leaf is accepted", .trusted(pin: 0), acceptSelfSigned: true) {
            let leaf = try TrustLab.selfSigned()
            return ([leaf], try .lab([leaf], anchors: [$0.root.certificate]))
        },
        row("Another self-signed leaf is refused", .refused([.selfSignedLeaf]), acceptSelfSigned: true) {
            let pinned = try TrustLab.selfSigned { $0.commonName = "Ours" }
            return ([pinned], try .lab([TrustLab.selfSigned()], anchors: [$0.root.certificate]))
        },
        row(
            "Another self-signed leaf with the same name before the pinned one is refused",
            .refused([.signatureInvalid, .notCertificateAuthority, .keyUsageLacksCertSign]),
            acceptSelfSigned: true
        ) {
            let pinned = try TrustLab.selfSigned()
            return ([pinned], try .lab([TrustLab.selfSigned(), pinned], anchors: [$0.root.certificate]))
        },
        row(
            "Another self-signed leaf with the pinned leaf's key is refused", .refused([.selfSignedLeaf]),
            acceptSelfSigned: true
        ) {
            let key = TestKey.p256()
            let pinned = try TrustLab.selfSigned(key: key) { $0.notAfter = TrustLab.past }
            return (
                [pinned],
                try .lab([TrustLab.selfSigned(key: key) { $0.commonName = "x" }], anchors: [$0.root.certificate])
            )
        },
        row(
            "A pinned self-signed leaf that has expired is refused", .refused([.certificateExpired]),
            acceptSelfSigned: true
        ) {
            let leaf = try TrustLab.selfSigned { $0.notAfter = TrustLab.past }
            return ([leaf], try .lab([leaf], anchors: [$0.root.certificate]))
        },
        row("A pinned self-signed leaf for another host is refused", .refused([.hostMismatch]), acceptSelfSigned: true)
        {
            let leaf = try TrustLab.selfSigned()
            return ([leaf], try .lab([leaf], anchors: [$0.root.certificate], host: "api.example.com"))
        },
        row(
            "A pinned self-signed leaf for another host is accepted without a host check", .trusted(pin: 0),
            acceptSelfSigned: true, validateHost: false
        ) {
            let leaf = try TrustLab.selfSigned()
            return ([leaf], try .lab([leaf], anchors: [$0.root.certificate], host: "api.example.com"))
        },
        row(
            "A pinned self-signed leaf for clients is refused", .refused([.extendedKeyUsageNotAllowed]),
            acceptSelfSigned: true
        ) {
            let leaf = try TrustLab.selfSigned { $0.extendedKeyUsage = [.clientAuth] }
            return ([leaf], try .lab([leaf], anchors: [$0.root.certificate]))
        },
        row(
            "A pinned self-signed leaf with a key of 1024 bits is refused", .refused([.rsaKeyTooSmall]),
            acceptSelfSigned: true
        ) {
            let leaf = try TrustLab.selfSigned(key: RSAKeys.bits1024.get())
            return ([leaf], try .lab([leaf], anchors: [$0.root.certificate]))
        },
        row("A private CA whose root is pinned is accepted", .trusted(pin: 2), acceptSelfSigned: true) {
            let chain = [try $0.leaf(), $0.intermediate.certificate]
            return ([$0.root.certificate], try .lab(chain, anchors: [TrustLab.unrelatedRoot().certificate]))
        },
        row("A private CA whose intermediate is pinned is accepted", .trusted(pin: 1), acceptSelfSigned: true) {
            ([$0.intermediate.certificate], try .lab([$0.leaf()], anchors: []))
        },
        row("A leaf that is pinned but not self-signed is accepted", .trusted(pin: 0), acceptSelfSigned: true) {
            let leaf = try $0.leaf()
            return ([leaf], try .lab([leaf], anchors: []))
        },
        row(
            "A flipped bit in the signature of a leaf below the pinned CA is refused", .refused([.signatureInvalid]),
            acceptSelfSigned: true
        ) {
            ([$0.root.certificate], try $0.trust($0.leaf().withFlippedSignatureBit()))
        },
        row(
            "An expired leaf below the pinned CA is refused", .refused([.certificateExpired]), acceptSelfSigned: true
        ) {
            ([$0.root.certificate], try $0.trust($0.expiredLeaf()))
        },
        row("The anchors of the trust object don't count", .refused([.unknownIssuer]), acceptSelfSigned: true) {
            ([try TrustLab.unrelatedRoot().certificate], try $0.trust($0.leaf()))
        },
        row(
            "A certificate that a pinned leaf signed is refused",
            .refused([.notCertificateAuthority, .keyUsageLacksCertSign]), acceptSelfSigned: true
        ) { _ in
            let server = try TestAuthority.root(.leaf("other.example.com"))
            let forged = try server.issue(.leaf(TrustLab.host)).certificate
            return ([server.certificate], try .lab([forged, server.certificate], anchors: []))
        },
    ]

    @Test("With acceptSelfSigned, the pinned certificates are the only anchors", arguments: selfSigned)
    func acceptSelfSigned(row: EvaluatorCase) throws { try row.run() }

    // MARK: performDefaultValidation

    static let relaxedRows: [EvaluatorCase] = [
        relaxed("A pinned leaf that has expired is accepted", .proceed([.certificateExpired], pin: 0)) {
            let leaf = try $0.expiredLeaf()
            return ([leaf], try $0.trust(leaf))
        },
        relaxed("A pinned leaf that isn't valid yet is accepted", .proceed([.certificateNotYetValid], pin: 0)) {
            let leaf = try $0.leaf { $0.notBefore = TestAuthority.now.advanced(by: 1) }
            return ([leaf], try $0.trust(leaf))
        },
        relaxed(
            "A pinned leaf for clients that has expired is accepted",
            .proceed([.extendedKeyUsageNotAllowed, .certificateExpired], pin: 0)
        ) {
            let leaf = try $0.leaf {
                $0.extendedKeyUsage = [.clientAuth]
                $0.notAfter = TrustLab.past
            }
            return ([leaf], try $0.trust(leaf))
        },
        relaxed(
            "A pinned self-signed leaf that has expired is accepted",
            .proceed([.certificateExpired, .selfSignedLeaf], pin: 0)
        ) {
            let leaf = try TrustLab.selfSigned { $0.notAfter = TrustLab.past }
            return ([leaf], try .lab([leaf], anchors: [$0.root.certificate]))
        },
        relaxed("A pinned leaf for another host is refused", .refused([.hostMismatch])) {
            let leaf = try $0.leaf()
            return ([leaf], try $0.trust(leaf, host: "api.example.com"))
        },
        relaxed("A pinned leaf without names is refused", .refused([.subjectAlternativeNameMissing])) {
            let leaf = try $0.leaf { $0.dnsNames = [] }
            return ([leaf], try $0.trust(leaf))
        },
        relaxed(
            "A pinned leaf for another host is accepted without a host check", .trusted(pin: 0),
            validateHost: false
        ) {
            let leaf = try $0.leaf()
            return ([leaf], try $0.trust(leaf, host: "api.example.com"))
        },
        relaxed(
            "A pinned leaf for another host that has expired is accepted without a host check",
            .proceed([.certificateExpired], pin: 0), validateHost: false
        ) {
            let leaf = try $0.expiredLeaf()
            return ([leaf], try $0.trust(leaf, host: "api.example.com"))
        },
        relaxed("A pinned leaf with a key of 1024 bits is refused", .refused([.rsaKeyTooSmall])) {
            let leaf = try $0.leaf(key: RSAKeys.bits1024.get())
            return ([leaf], try $0.trust(leaf))
        },
        relaxed(
            "A pinned leaf with a key of 1024 bits is refused without a host check",
            .refused([.rsaKeyTooSmall]), validateHost: false
        ) {
            let leaf = try $0.leaf(key: RSAKeys.bits1024.get())
            return ([leaf], try $0.trust(leaf))
        },
        relaxed("Another leaf of the same CA is refused", .refused([.unknownIssuer])) {
            ([try $0.leaf()], try $0.trust($0.leaf()))
        },
        relaxed("The pinned leaf with a flipped bit in its signature is refused", .refused([.unknownIssuer])) {
            let leaf = try $0.leaf()
            return ([leaf], try $0.trust(leaf.withFlippedSignatureBit()))
        },
        relaxed("An impostor's leaf before the pinned one is refused", .refused([.selfSignedLeaf])) {
            let pinned = try $0.leaf()
            let impostor = try TrustLab.selfSigned { $0.commonName = "Impostor" }
            return ([pinned], try .lab([impostor, pinned], anchors: [$0.root.certificate]))
        },
        relaxed(
            "An impostor's leaf with the pinned leaf's name before it is refused",
            .refused([.signatureInvalid, .notCertificateAuthority, .keyUsageLacksCertSign])
        ) {
            let pinned = try $0.leaf()
            return ([pinned], try .lab([TrustLab.selfSigned(), pinned], anchors: [$0.root.certificate]))
        },
        relaxed("A leaf below the pinned CA is accepted", .trusted(pin: 1)) {
            ([$0.intermediate.certificate], try $0.trust($0.leaf()))
        },
        relaxed("A leaf below the pinned CA that has expired is refused", .refused([.certificateExpired])) {
            ([$0.intermediate.certificate], try $0.trust($0.expiredLeaf()))
        },
        relaxed(
            "A leaf below the pinned CA that has expired is refused without a host check",
            .refused([.certificateExpired]), validateHost: false
        ) {
            ([$0.intermediate.certificate], try $0.trust($0.expiredLeaf()))
        },
        relaxed(
            "An expired leaf below the pinned CA is refused if another leaf is pinned too",
            .refused([.certificateExpired])
        ) {
            ([$0.intermediate.certificate, try $0.leaf()], try $0.trust($0.expiredLeaf()))
        },
        relaxed("A leaf below the pinned CA for another host is refused", .refused([.hostMismatch])) {
            ([$0.intermediate.certificate], try $0.trust($0.leaf(), host: "api.example.com"))
        },
        relaxed(
            "A leaf below the pinned CA for another host is accepted without a host check", .trusted(pin: 1),
            validateHost: false
        ) {
            ([$0.intermediate.certificate], try $0.trust($0.leaf(), host: "api.example.com"))
        },
        relaxed("A leaf below the pinned CA with a wrong signature is refused", .refused([.signatureInvalid])) {
            ([$0.intermediate.certificate], try $0.trust($0.leaf().withFlippedSignatureBit()))
        },
        relaxed("A leaf below a pinned CA that has expired is refused", .refused([.certificateExpired])) { _ in
            let lab = try TrustLab(intermediate: .authority("Old").with { $0.notAfter = TrustLab.past })
            return ([lab.intermediate.certificate], try lab.trust(lab.leaf()))
        },
        relaxed("A leaf of another CA with the pinned CA's name is refused", .refused([.signatureInvalid])) {
            let other = try TrustLab()
            let chain = [try other.leaf(), other.intermediate.certificate, $0.intermediate.certificate]
            return ([$0.intermediate.certificate], try .lab(chain, anchors: [other.root.certificate]))
        },
        relaxed("A leaf of another CA is refused if the server also presents the pinned CA", .refused([.unknownIssuer]))
        {
            let other = try TrustLab(intermediate: .authority("Other"))
            let chain = [try other.leaf(), other.intermediate.certificate, $0.intermediate.certificate]
            return ([$0.intermediate.certificate], try .lab(chain, anchors: [other.root.certificate]))
        },
    ]

    static func relaxed(
        _ sentence: String, _ expectation: EvaluatorCase.Expectation, validateHost: Bool = true,
        _ setup: @escaping @Sendable (TrustLab) throws -> Setup
    ) -> EvaluatorCase {
        row(sentence, expectation, performDefaultValidation: false, validateHost: validateHost, setup)
    }

    @Test("Without default validation, only a leaf that is itself pinned is exempt from it", arguments: relaxedRows)
    func withoutDefaultValidation(row: EvaluatorCase) throws { try row.run() }

    @Test("Without default validation, an unknown issuer of the pinned leaf is accepted, and the verdict reports it")
    func unknownIssuerIsTold() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let evaluator = try PinnedCertificatesTrustEvaluator(certificates: [leaf], performDefaultValidation: false)
        let verdict = evaluator.evaluate(try .lab([leaf], anchors: [TrustLab.unrelatedRoot().certificate]))
        #expect(verdict.isTrusted)
        #expect(verdict.matchedPin?.certificate == 0)
        #expect(verdict.result == .proceed)
        #expect(verdict.excusedCodes == [.unknownIssuer])
    }

    @Test("Without default validation, the pinned leaf's signature algorithm is still checked")
    func weakSignatureIsRefused() throws {
        let root = try TestAuthority.root(key: RSAKeys.bits2048.get())
        let leaf = try root.issue(.leaf(TrustLab.host).with { $0.signsWithSHA1 = true }).certificate
        let evaluator = try PinnedCertificatesTrustEvaluator(certificates: [leaf], performDefaultValidation: false)
        let verdict = evaluator.evaluate(try .lab([leaf], anchors: [root.certificate]))
        #expect(verdict.failureCodes == [.signatureUsesSHA1])
    }

    @Test("Without default validation, a required revocation check is still required", arguments: [true, false])
    func revocationRequired(validateHost: Bool) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let evaluator = try PinnedCertificatesTrustEvaluator(
            certificates: [leaf], performDefaultValidation: false, validateHost: validateHost)
        var trust = try lab.trust(leaf)
        trust.revocation = .required
        #expect(evaluator.evaluate(trust).failureCodes == [.revocationUnavailable, .revocationUnavailable])
    }

    // MARK: Cross-signed CAs and configuration

    @Test("Of two cross-signed paths, the one with the pin counts, in any order")
    func crossSigned() throws {
        let lab = try CrossSignedLab()
        let rows: [(pinned: Certificate, path: [Certificate], index: Int)] = [
            (lab.underA.certificate, lab.pathA, 1), (lab.rootA.certificate, lab.pathA, 2),
            (lab.underB.certificate, lab.pathB, 1), (lab.rootB.certificate, lab.pathB, 2),
        ]
        for trust in try lab.trusts() {
            for row in rows {
                let verdict = try PinnedCertificatesTrustEvaluator(certificates: [row.pinned]).evaluate(trust)
                #expect(verdict.result == .unspecified)
                #expect(verdict.path == row.path)
                #expect(verdict.matchedPin?.kind == .certificate)
                #expect(verdict.matchedPin?.certificate == row.index)
            }
        }
    }

    @Test("An empty list causes an error")
    func empty() {
        #expect(throws: TrustEvaluatorError(.evaluatorCertificatesMissing)) {
            try PinnedCertificatesTrustEvaluator(certificates: [])
        }
    }

    @Test("A repeated certificate counts once and causes a warning, and a list without repetitions causes none")
    func duplicate() throws {
        let lab = try TrustLab()
        let certificates = [lab.root.certificate, lab.intermediate.certificate, lab.root.certificate]
        let trust = try lab.trust(lab.leaf())
        for (list, warnings) in [(certificates, 1), (Array(certificates.prefix(2)), 0)] {
            for acceptSelfSigned in [false, true] {
                let evaluator = try PinnedCertificatesTrustEvaluator(
                    certificates: list, acceptSelfSigned: acceptSelfSigned)
                #expect(evaluator.certificates == Array(certificates.prefix(2)))
                let verdict = evaluator.evaluate(trust)
                #expect(verdict.isTrusted && verdict.warnings.count == warnings)
            }
        }
        let other = try TrustLab.unrelatedRoot().certificate
        let stranger = try PinnedCertificatesTrustEvaluator(certificates: [other, other])
        #expect(stranger.evaluate(trust).failureCodes == [.certificateNotPinned])
    }
}
