// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Pinned public keys")
struct PublicKeysTrustEvaluatorTests {
    /// The certificates whose keys are pinned, and the trust to evaluate.
    typealias Setup = (pinned: [Certificate], trust: Trust)

    static func row(
        _ sentence: String, _ expectation: EvaluatorCase.Expectation, performDefaultValidation: Bool = true,
        validateHost: Bool = true, _ setup: @escaping @Sendable (TrustLab) throws -> Setup
    ) -> EvaluatorCase {
        EvaluatorCase(sentence, expectation) { lab in
            let (pinned, trust) = try setup(lab)
            let evaluator = try PublicKeysTrustEvaluator(
                keys: pinned.map(\.subjectPublicKeyInfo), performDefaultValidation: performDefaultValidation,
                validateHost: validateHost)
            return (evaluator, trust)
        }
    }

    static let onTop: [EvaluatorCase] = [
        row("The leaf's key is pinned", .trusted(pin: 0)) {
            let leaf = try $0.leaf()
            return ([leaf], try $0.trust(leaf))
        },
        row("The intermediate's key is pinned", .trusted(pin: 1)) {
            ([$0.intermediate.certificate], try $0.trust($0.leaf()))
        },
        row("The root's key is pinned but the root isn't presented", .trusted(pin: 2)) {
            ([$0.root.certificate], try $0.trust($0.leaf()))
        },
        row("A renewed leaf with the same key is accepted", .trusted(pin: 0)) {
            let key = TestKey.p256()
            return ([try $0.leaf(key: key)], try $0.trust($0.leaf(key: key)))
        },
        row("A cross-certificate with the same key is accepted for the CA", .trusted(pin: 1)) {
            let cross = try TrustLab.unrelatedRoot().intermediate(key: $0.intermediate.identity.key)
            return ([cross.certificate], try $0.trust($0.leaf()))
        },
        row("One of several pinned keys is enough", .trusted(pin: 1)) {
            ([try TrustLab.unrelatedRoot().certificate, $0.intermediate.certificate], try $0.trust($0.leaf()))
        },
        row("Another key is refused", .refused([.pinNotMatched])) {
            ([try $0.leaf()], try $0.trust($0.leaf()))
        },
        row("A pinned unrelated key that is presented but not in the path is refused", .refused([.pinNotMatched])) {
            let stranger = try TrustLab.unrelatedRoot().certificate
            let chain = [try $0.leaf(), $0.intermediate.certificate, stranger]
            return ([stranger], try .lab(chain, anchors: [$0.root.certificate]))
        },
        row("The server's true leaf after an impostor's is refused", .refused([.pinNotMatched])) {
            let pinned = try $0.leaf()
            let chain = [try $0.leaf(), $0.intermediate.certificate, pinned]
            return ([pinned], try .lab(chain, anchors: [$0.root.certificate]))
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
        row("Without a host check, the pin is still required", .refused([.pinNotMatched]), validateHost: false) {
            ([try $0.leaf()], try $0.trust($0.leaf(), host: "api.example.com"))
        },
        row("A pinned root that isn't an anchor is refused", .refused([.untrustedRoot])) {
            let chain = [try $0.leaf(), $0.intermediate.certificate, $0.root.certificate]
            return ([$0.root.certificate], try .lab(chain, anchors: [TrustLab.unrelatedRoot().certificate]))
        },
        row("A pinned leaf that is self-signed is refused", .refused([.selfSignedLeaf])) {
            let leaf = try TrustLab.selfSigned()
            return ([leaf], try .lab([leaf], anchors: [$0.root.certificate]))
        },
        row("A pinned leaf with a wrong signature is refused", .refused([.signatureInvalid])) {
            let leaf = try $0.leaf().withFlippedSignatureBit()
            return ([leaf], try $0.trust(leaf))
        },
        row("A pinned leaf with a key of 1024 bits is refused", .refused([.rsaKeyTooSmall])) {
            let leaf = try $0.leaf(key: RSAKeys.bits1024.get())
            return ([leaf], try $0.trust(leaf))
        },
    ]

    @Test("The evaluator requires a key in addition to a valid path", arguments: onTop)
    func keysOnTop(row: EvaluatorCase) throws { try row.run() }

    @Test(
        "The evaluator pins keys of every kind in the same way",
        arguments: [TestKey.p256(), .p384(), .p521(), .ed25519()])
    func kinds(key: TestKey) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf(key: key)
        let trust = try lab.trust(leaf)
        #expect(try PublicKeysTrustEvaluator(keys: [leaf.subjectPublicKeyInfo]).evaluate(trust).isTrusted)
        let other = try lab.leaf().subjectPublicKeyInfo
        #expect(try PublicKeysTrustEvaluator(keys: [other]).evaluate(trust).failureCodes == [.pinNotMatched])
    }

    // MARK: performDefaultValidation

    static func relaxed(
        _ sentence: String, _ expectation: EvaluatorCase.Expectation, validateHost: Bool = true,
        _ setup: @escaping @Sendable (TrustLab) throws -> Setup
    ) -> EvaluatorCase {
        row(sentence, expectation, performDefaultValidation: false, validateHost: validateHost, setup)
    }

    static let relaxedRows: [EvaluatorCase] = [
        relaxed("A leaf with the pinned key that has expired is accepted", .proceed([.certificateExpired], pin: 0)) {
            let leaf = try $0.expiredLeaf()
            return ([leaf], try $0.trust(leaf))
        },
        relaxed(
            "A leaf with the pinned key for clients is accepted", .proceed([.extendedKeyUsageNotAllowed], pin: 0)
        ) {
            let leaf = try $0.leaf { $0.extendedKeyUsage = [.clientAuth] }
            return ([leaf], try $0.trust(leaf))
        },
        relaxed("A leaf with the pinned key for another host is refused", .refused([.hostMismatch])) {
            let leaf = try $0.leaf()
            return ([leaf], try $0.trust(leaf, host: "api.example.com"))
        },
        relaxed("A leaf with the pinned key without names is refused", .refused([.subjectAlternativeNameMissing])) {
            let leaf = try $0.leaf { $0.dnsNames = [] }
            return ([leaf], try $0.trust(leaf))
        },
        relaxed(
            "A leaf with the pinned key for another host is accepted without a host check", .trusted(pin: 0),
            validateHost: false
        ) {
            let leaf = try $0.leaf()
            return ([leaf], try $0.trust(leaf, host: "api.example.com"))
        },
        relaxed("A pinned key of 1024 bits is refused", .refused([.rsaKeyTooSmall])) {
            let leaf = try $0.leaf(key: RSAKeys.bits1024.get())
            return ([leaf], try $0.trust(leaf))
        },
        relaxed("Another key is refused", .refused([.unknownIssuer])) {
            ([try $0.leaf()], try $0.trust($0.leaf()))
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
        relaxed("A leaf below a CA with the pinned key is accepted", .trusted(pin: 1)) {
            ([$0.intermediate.certificate], try $0.trust($0.leaf()))
        },
        relaxed("The trust object's anchors don't replace a CA that isn't presented", .refused([.unknownIssuer])) {
            ([$0.root.certificate], try $0.trust($0.leaf()))
        },
        relaxed("An expired leaf below a CA with the pinned key is refused", .refused([.certificateExpired])) {
            ([$0.intermediate.certificate], try $0.trust($0.expiredLeaf()))
        },
        relaxed("A leaf below a CA with the pinned key for another host is refused", .refused([.hostMismatch])) {
            ([$0.intermediate.certificate], try $0.trust($0.leaf(), host: "api.example.com"))
        },
        relaxed("A leaf below a CA with the pinned key and a wrong signature is refused", .refused([.signatureInvalid]))
        {
            ([$0.intermediate.certificate], try $0.trust($0.leaf().withFlippedSignatureBit()))
        },
        relaxed("A leaf below an expired CA with the pinned key is refused", .refused([.certificateExpired])) { _ in
            let lab = try TrustLab(intermediate: .authority("Old").with { $0.notAfter = TrustLab.past })
            return ([lab.intermediate.certificate], try lab.trust(lab.leaf()))
        },
        relaxed("A forged CA that presents the pinned key but didn't sign is refused", .refused([.signatureInvalid])) {
            let forged = try TrustLab.unrelatedRoot().intermediate(key: $0.intermediate.identity.key).certificate
            let impostor = try TestAuthority.root(.authority("Test Intermediate"))
            let leaf = try impostor.issue(.leaf(TrustLab.host)).certificate
            return ([$0.intermediate.certificate], try .lab([leaf, forged], anchors: [$0.root.certificate]))
        },
        relaxed(
            "A certificate that the pinned leaf's key signed is refused",
            .refused([.notCertificateAuthority, .keyUsageLacksCertSign])
        ) { _ in
            let server = try TestAuthority.root(.leaf("other.example.com"))
            let forged = try server.issue(.leaf(TrustLab.host)).certificate
            return ([server.certificate], try .lab([forged, server.certificate], anchors: []))
        },
    ]

    @Test("Without default validation, only a leaf whose own key is pinned is exempt from it", arguments: relaxedRows)
    func withoutDefaultValidation(row: EvaluatorCase) throws { try row.run() }

    @Test("Without default validation, an unknown issuer of the pinned leaf is accepted, and the verdict reports it")
    func unknownIssuerIsTold() throws {
        let leaf = try TrustLab().leaf()
        let evaluator = try PublicKeysTrustEvaluator(
            keys: [leaf.subjectPublicKeyInfo], performDefaultValidation: false)
        let verdict = evaluator.evaluate(try .lab([leaf], anchors: [TrustLab.unrelatedRoot().certificate]))
        #expect(verdict.isTrusted)
        #expect(verdict.matchedPin?.certificate == 0)
        #expect(verdict.result == .proceed)
        #expect(verdict.excusedCodes == [.unknownIssuer])
    }

    @Test("Without default validation, a required revocation check is still required")
    func revocationRequired() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let evaluator = try PublicKeysTrustEvaluator(
            keys: [leaf.subjectPublicKeyInfo], performDefaultValidation: false)
        var trust = try lab.trust(leaf)
        trust.revocation = .required
        #expect(evaluator.evaluate(trust).failureCodes == [.revocationUnavailable, .revocationUnavailable])
    }

    // MARK: Cross-signed CAs and configuration

    @Test("Of two cross-signed paths, the one with the key counts, in any order")
    func crossSigned() throws {
        let lab = try CrossSignedLab()
        for trust in try lab.trusts() {
            for (root, path) in [(lab.rootA, lab.pathA), (lab.rootB, lab.pathB)] {
                let evaluator = try PublicKeysTrustEvaluator(keys: [root.certificate.subjectPublicKeyInfo])
                let verdict = evaluator.evaluate(trust)
                #expect(verdict.result == .unspecified)
                #expect(verdict.path == path)
                #expect(verdict.matchedPin?.certificate == 2)
                #expect(verdict.matchedPin?.pin == SPKIPin(root.certificate).description)
            }
        }
    }

    @Test("Of the presented CAs with a pinned key, the first 16 are anchors", arguments: [(15, true), (16, false)])
    func manyAuthorities(others: Int, isTrusted: Bool) throws {
        let key = TestKey.p256()
        let authority = try TestAuthority.root(.authority("CA"), key: key)
        let authorities = try (0..<others).map { try TestAuthority.root(.authority("Other \($0)"), key: key) }
        let leaf = try authority.issue(.leaf(TrustLab.host)).certificate
        let chain = [leaf] + (authorities + [authority]).map(\.certificate)
        let evaluator = try PublicKeysTrustEvaluator(
            keys: [authority.certificate.subjectPublicKeyInfo], performDefaultValidation: false)
        let verdict = evaluator.evaluate(try .lab(chain, anchors: [TrustLab.unrelatedRoot().certificate]))
        #expect(verdict.isTrusted == isTrusted)
        #expect(verdict.failureCodes == (isTrusted ? [] : [.untrustedRoot]))
    }

    @Test("An empty list causes an error")
    func empty() {
        #expect(throws: TrustEvaluatorError(.evaluatorKeysMissing)) { try PublicKeysTrustEvaluator(keys: []) }
    }

    @Test(
        "A key shared by a certificate and its renewal counts once and causes a warning, and different keys cause none"
    )
    func duplicate() throws {
        let lab = try TrustLab()
        let renewed = try lab.root.intermediate(key: lab.intermediate.identity.key).certificate
        let keys = [lab.intermediate.certificate, lab.root.certificate, renewed].map(\.subjectPublicKeyInfo)
        let trust = try lab.trust(lab.leaf())
        for (list, warnings) in [(keys, 1), (Array(keys.prefix(2)), 0)] {
            let evaluator = try PublicKeysTrustEvaluator(keys: list)
            #expect(evaluator.keys == Array(keys.prefix(2)))
            let verdict = evaluator.evaluate(trust)
            #expect(verdict.isTrusted && verdict.warnings.count == warnings)
        }
        let other = try TrustLab.unrelatedRoot().certificate.subjectPublicKeyInfo
        let stranger = try PublicKeysTrustEvaluator(keys: [other, other])
        #expect(stranger.evaluate(trust).failureCodes == [.pinNotMatched])
    }
}
