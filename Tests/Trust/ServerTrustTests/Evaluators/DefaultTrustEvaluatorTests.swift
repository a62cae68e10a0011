// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting
import Testing
import TrustScenes

@Suite("Default evaluator")
struct DefaultTrustEvaluatorTests {
    static let rows: [EvaluatorCase] = [
        row("A valid chain is trusted", .trusted(pin: nil)) { try $0.trust($0.leaf()) },
        row("A leaf that is an anchor itself is trusted", .trusted(pin: nil)) { _ in
            let leaf = try TrustLab.selfSigned()
            return try .lab([leaf], anchors: [leaf])
        },
        row("An expired leaf is refused", .refused([.certificateExpired])) { try $0.trust($0.expiredLeaf()) },
        row("A leaf that isn't valid yet is refused", .refused([.certificateNotYetValid])) {
            try $0.trust($0.leaf { $0.notBefore = TestAuthority.now.advanced(by: 1) })
        },
        row("An expired intermediate is refused", .refused([.certificateExpired])) { _ in
            let lab = try TrustLab(intermediate: .authority("Old").with { $0.notAfter = TrustLab.past })
            return try lab.trust(lab.leaf())
        },
        row("Another host is refused", .refused([.hostMismatch])) {
            try $0.trust($0.leaf(), host: "api.example.com")
        },
        row("A name that is only in the common name is refused", .refused([.subjectAlternativeNameMissing])) {
            try $0.trust($0.leaf { $0.dnsNames = [] })
        },
        row("A client's certificate is refused", .refused([.extendedKeyUsageNotAllowed])) {
            try $0.trust($0.leaf { $0.extendedKeyUsage = [.clientAuth] })
        },
        row("A root that isn't an anchor is refused", .refused([.untrustedRoot])) {
            let stranger = try TrustLab.unrelatedRoot()
            return try .lab(
                [$0.leaf(), $0.intermediate.certificate, $0.root.certificate], anchors: [stranger.certificate])
        },
        row("A chain without its intermediate is refused", .refused([.unknownIssuer])) {
            try .lab([$0.leaf()], anchors: [$0.root.certificate])
        },
        row("Without anchors nothing is trusted", .refused([.unknownIssuer])) {
            try .lab([$0.leaf(), $0.intermediate.certificate], anchors: [])
        },
        row("A self-signed leaf is refused", .refused([.selfSignedLeaf])) {
            try .lab([TrustLab.selfSigned()], anchors: [$0.root.certificate])
        },
        row("A flipped bit in the leaf's signature is refused", .refused([.signatureInvalid])) {
            try $0.trust($0.leaf().withFlippedSignatureBit())
        },
        row("A flipped bit in the intermediate's signature is refused", .refused([.signatureInvalid])) {
            try .lab(
                [$0.leaf(), $0.intermediate.certificate.withFlippedSignatureBit()], anchors: [$0.root.certificate])
        },
        row("An RSA key of 1024 bits is refused", .refused([.rsaKeyTooSmall])) {
            try $0.trust($0.leaf(key: RSAKeys.bits1024.get()))
        },
        row("A signature with SHA-1 is refused", .refused([.signatureUsesSHA1])) { _ in
            let root = try TestAuthority.root(key: RSAKeys.bits2048.get())
            let leaf = try root.issue(.leaf(TrustLab.host).with { $0.signsWithSHA1 = true }).certificate
            return try .lab([leaf], anchors: [root.certificate])
        },
        row("The verdict reports everything that is wrong", .refused([.certificateExpired, .hostMismatch])) {
            try $0.trust($0.expiredLeaf(), host: "api.example.com")
        },
        row("A server that sends nothing is refused", .refused([.presentedChainEmpty])) {
            try .lab([], anchors: [$0.root.certificate])
        },
        row("A leaf that can't be read is refused", .refused([.certificateMalformed])) {
            var trust = try $0.trust($0.leaf())
            trust.presentedChain = PresentedChain(der: [[0x30, 0x03, 0x02, 0x01, 0x01], try $0.leaf().der])
            return trust
        },
        row(
            "Required revocation that can't be checked is refused",
            .refused([.revocationUnavailable, .revocationUnavailable])
        ) {
            var trust = try $0.trust($0.leaf())
            trust.revocation = .required
            return trust
        },
        row("A name other than the host counts if the caller expects it", .refused([.hostMismatch])) {
            var trust = try $0.trust($0.leaf())
            trust.identity = .name(try Hostname("api.example.com"))
            return trust
        },
        row("Without a host check, another host is accepted", .trusted(pin: nil), validateHost: false) {
            try $0.trust($0.leaf(), host: "api.example.com")
        },
        row("Without a host check, a leaf without names is accepted", .trusted(pin: nil), validateHost: false) {
            try $0.trust($0.leaf { $0.dnsNames = [] })
        },
        row("Without a host check, an expired leaf is refused", .refused([.certificateExpired]), validateHost: false) {
            try $0.trust($0.expiredLeaf())
        },
        row("Without a host check, a self-signed leaf is refused", .refused([.selfSignedLeaf]), validateHost: false) {
            try .lab([TrustLab.selfSigned()], anchors: [$0.root.certificate])
        },
        row("Without a host check, a wrong signature is refused", .refused([.signatureInvalid]), validateHost: false) {
            try $0.trust($0.leaf().withFlippedSignatureBit())
        },
    ]

    static func row(
        _ sentence: String, _ expectation: EvaluatorCase.Expectation, validateHost: Bool = true,
        _ trust: @escaping @Sendable (TrustLab) throws -> Trust
    ) -> EvaluatorCase {
        EvaluatorCase(sentence, expectation) { (DefaultTrustEvaluator(validateHost: validateHost), try trust($0)) }
    }

    @Test("The default evaluator gives the engine's decision", arguments: rows)
    func table(row: EvaluatorCase) throws { try row.run() }

    @Test("The default evaluator gives the same verdict as no evaluator")
    func sameAsNone() throws {
        let lab = try TrustLab()
        for leaf in [try lab.leaf(), try lab.expiredLeaf(), try lab.leaf().withFlippedSignatureBit()] {
            let trust = try lab.trust(leaf)
            #expect(DefaultTrustEvaluator().evaluate(trust) == trust.evaluate())
        }
    }

    @Test("The verdict says whether identity was checked")
    func toldOfIdentity() throws {
        let lab = try TrustLab()
        let trust = try lab.trust(lab.leaf())
        let with = DefaultTrustEvaluator().evaluate(trust)
        #expect(with.checked.contains(.identity) && !with.notChecked.contains(.identity))
        #expect(with.referenceName == trust.host)
        let without = DefaultTrustEvaluator(validateHost: false).evaluate(trust)
        #expect(!without.checked.contains(.identity) && without.notChecked.contains(.identity))
        #expect(without.referenceName == nil && without.host == trust.host)
    }

    @Test("The verdict contains the path and its dates")
    func path() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf { $0.notAfter = TestAuthority.now.advanced(by: 10) }
        let verdict = DefaultTrustEvaluator().evaluate(try lab.trust(leaf))
        #expect(verdict.path == [leaf, lab.intermediate.certificate, lab.root.certificate])
        #expect(verdict.reachesAnchor)
        #expect(verdict.unchangedUntil == TestAuthority.now.advanced(by: 10))
        #expect(verdict.evaluationDate == TestAuthority.now)
        let lastSecond = TestAuthority.now.advanced(by: 10)
        #expect(DefaultTrustEvaluator().evaluate(try lab.trust(leaf, at: lastSecond)).isTrusted)
        #expect(!DefaultTrustEvaluator().evaluate(try lab.trust(leaf, at: lastSecond.advanced(by: 1))).isTrusted)
    }
}
