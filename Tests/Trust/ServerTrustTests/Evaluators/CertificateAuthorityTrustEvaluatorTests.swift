// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Certificate authorities")
struct CertificateAuthorityTrustEvaluatorTests {
    /// The CAs, and the trust to evaluate.
    typealias Setup = (authorities: [Certificate], trust: Trust)

    static func pinned(
        _ sentence: String, _ expectation: EvaluatorCase.Expectation,
        _ setup: @escaping @Sendable (TrustLab) throws -> Setup
    ) -> EvaluatorCase {
        EvaluatorCase(sentence, expectation) { lab in
            let (authorities, trust) = try setup(lab)
            return (try CertificateAuthorityTrustEvaluator(authorities: authorities), trust)
        }
    }

    static let pinnedRows: [EvaluatorCase] = [
        pinned("A leaf of the intermediate is accepted", .trusted(pin: nil)) {
            ([$0.intermediate.certificate], try $0.trust($0.leaf()))
        },
        pinned("A leaf below the root is accepted", .trusted(pin: nil)) {
            ([$0.root.certificate], try $0.trust($0.leaf()))
        },
        pinned("One of several CAs is enough", .trusted(pin: nil)) {
            ([try TrustLab.unrelatedRoot().certificate, $0.root.certificate], try $0.trust($0.leaf()))
        },
        pinned("Another certificate of the CA, renewed with the same name and key, is accepted", .trusted(pin: nil)) {
            let renewed = try $0.root.intermediate(key: $0.intermediate.identity.key).certificate
            return ([renewed], try $0.trust($0.leaf()))
        },
        pinned("Another certificate of the CA, cross-signed, is accepted", .trusted(pin: nil)) {
            let cross = try TrustLab.unrelatedRoot().intermediate(key: $0.intermediate.identity.key).certificate
            return ([cross], try $0.trust($0.leaf()))
        },
        pinned("A CA with the same name and another key is refused", .refused([.authorityNotMatched])) {
            let namesake = try $0.root.intermediate().certificate
            return ([namesake], try $0.trust($0.leaf()))
        },
        pinned("A CA with the same key and another name is refused", .refused([.authorityNotMatched])) {
            let other = try $0.root.intermediate(.authority("Other"), key: $0.intermediate.identity.key).certificate
            return ([other], try $0.trust($0.leaf()))
        },
        pinned("Another CA is refused", .refused([.authorityNotMatched])) {
            ([try TrustLab.unrelatedRoot().certificate], try $0.trust($0.leaf()))
        },
        pinned("A CA that is presented but not in the path is refused", .refused([.authorityNotMatched])) {
            let stranger = try TrustLab.unrelatedRoot().certificate
            let chain = [try $0.leaf(), $0.intermediate.certificate, stranger]
            return ([stranger], try .lab(chain, anchors: [stranger, $0.root.certificate]))
        },
        pinned("The leaf isn't its own CA", .refused([.authorityNotMatched])) {
            let leaf = try $0.leaf()
            return ([leaf], try $0.trust(leaf))
        },
        pinned("A leaf that is its own anchor has no CA", .refused([.authorityNotMatched])) { _ in
            let leaf = try TrustLab.selfSigned()
            return ([leaf], try .lab([leaf], anchors: [leaf]))
        },
        pinned("A CA that sends its own certificate as a leaf has no CA above it", .refused([.authorityNotMatched])) {
            _ in
            let leaf = try TrustLab.selfSignedAuthority()
            return ([leaf], try .lab([leaf], anchors: [leaf]))
        },
        pinned("An expired leaf is refused", .refused([.certificateExpired])) {
            ([$0.root.certificate], try $0.trust($0.expiredLeaf()))
        },
        pinned("Another host is refused", .refused([.hostMismatch])) {
            ([$0.root.certificate], try $0.trust($0.leaf(), host: "api.example.com"))
        },
        pinned("A wrong signature is refused", .refused([.signatureInvalid])) {
            ([$0.root.certificate], try $0.trust($0.leaf().withFlippedSignatureBit()))
        },
        pinned("A CA that isn't an anchor is refused", .refused([.untrustedRoot])) {
            let chain = [try $0.leaf(), $0.intermediate.certificate, $0.root.certificate]
            return ([$0.root.certificate], try .lab(chain, anchors: [TrustLab.unrelatedRoot().certificate]))
        },
        pinned("A public CA's server is refused if the private CA is required", .refused([.authorityNotMatched])) {
            let privateRoot = try TrustLab.unrelatedRoot().certificate
            let chain = [try $0.leaf(), $0.intermediate.certificate]
            return ([privateRoot], try .lab(chain, anchors: [$0.root.certificate, privateRoot]))
        },
    ]

    @Test("The evaluator requires a CA in addition to a valid path", arguments: pinnedRows)
    func authorities(row: EvaluatorCase) throws { try row.run() }

    // MARK: Anchors

    static func anchored(
        _ sentence: String, _ expectation: EvaluatorCase.Expectation,
        _ setup: @escaping @Sendable (TrustLab) throws -> Setup
    ) -> EvaluatorCase {
        EvaluatorCase(sentence, expectation) { lab in
            let (anchors, trust) = try setup(lab)
            return (try CertificateAuthorityTrustEvaluator(onlyAnchors: anchors), trust)
        }
    }

    static let anchoredRows: [EvaluatorCase] = [
        anchored("A private CA that the trust object doesn't know is accepted", .trusted(pin: nil)) {
            let chain = [try $0.leaf(), $0.intermediate.certificate]
            return ([$0.root.certificate], try .lab(chain, anchors: [TrustLab.unrelatedRoot().certificate]))
        },
        anchored("A CA of the trust object's anchors doesn't count", .refused([.unknownIssuer])) {
            ([try TrustLab.unrelatedRoot().certificate], try $0.trust($0.leaf()))
        },
        anchored("An intermediate may be the anchor", .trusted(pin: nil)) {
            ([$0.intermediate.certificate], try .lab([$0.leaf()], anchors: []))
        },
        anchored("A leaf may be the anchor", .trusted(pin: nil)) { _ in
            let leaf = try TrustLab.selfSigned()
            return ([leaf], try .lab([leaf], anchors: []))
        },
        anchored("Another self-signed leaf is refused", .refused([.selfSignedLeaf])) { _ in
            ([try TrustLab.selfSigned { $0.commonName = "Ours" }], try .lab([TrustLab.selfSigned()], anchors: []))
        },
        anchored("A namesake of the private CA is refused", .refused([.signatureInvalid])) {
            let impostor = try TestAuthority.root()
            let chain = [try impostor.issue(.leaf(TrustLab.host)).certificate, impostor.certificate]
            return ([$0.root.certificate], try .lab(chain, anchors: [impostor.certificate]))
        },
        anchored("An expired leaf is refused", .refused([.certificateExpired])) {
            ([$0.root.certificate], try $0.trust($0.expiredLeaf()))
        },
        anchored("Another host is refused", .refused([.hostMismatch])) {
            ([$0.root.certificate], try $0.trust($0.leaf(), host: "api.example.com"))
        },
        anchored("A wrong signature is refused", .refused([.signatureInvalid])) {
            ([$0.root.certificate], try $0.trust($0.leaf().withFlippedSignatureBit()))
        },
        anchored("An anchor that has expired is refused", .refused([.certificateExpired])) { _ in
            let root = try TestAuthority.root(.authority("Old").with { $0.notAfter = TrustLab.past })
            return (
                [root.certificate], try .lab([root.issue(.leaf(TrustLab.host)).certificate], anchors: [])
            )
        },
    ]

    @Test("Custom anchors replace the trust object's", arguments: anchoredRows)
    func onlyAnchors(row: EvaluatorCase) throws { try row.run() }

    @Test("A private CA that is added to the other anchors leaves them unchanged")
    func besideOthers() throws {
        let publicLab = try TrustLab()
        let privateLab = try TrustLab(intermediate: .authority("Private Intermediate"))
        let both = [publicLab.root.certificate, privateLab.root.certificate]
        for lab in [publicLab, privateLab] {
            let chain = [try lab.leaf(), lab.intermediate.certificate]
            let trust = try Trust.lab(chain, anchors: both)
            #expect(DefaultTrustEvaluator().evaluate(trust).path.last == lab.root.certificate)
            #expect(DefaultTrustEvaluator().evaluate(trust).isTrusted)
        }
    }

    @Test("A private CA added to the system's anchors is trusted, and without system anchors the verdict is undecided")
    func besideSystem() throws {
        let lab = try TrustLab()
        var trust = try lab.trust(lab.leaf())
        trust.anchors = .system(adding: [lab.root.certificate])
        let verdict = trust.evaluate()
        let hasSystem = (try? TrustAnchors.system.count) != nil
        #expect(verdict.result == (hasSystem ? .unspecified : .otherError))
        #expect(verdict.failureCodes == (hasSystem ? [] : [.systemAnchorsUnavailable]))
        trust.anchors = .system
        #expect(!trust.evaluate().isTrusted)
    }

    @Test("Of two cross-signed paths, the one through the CA counts, in any order")
    func crossSigned() throws {
        let lab = try CrossSignedLab()
        for trust in try lab.trusts() {
            for (root, path) in [(lab.rootA, lab.pathA), (lab.rootB, lab.pathB)] {
                let named = try CertificateAuthorityTrustEvaluator(authorities: [root.certificate])
                #expect(named.evaluate(trust).path == path)
                #expect(named.evaluate(trust).isTrusted)
                let anchored = try CertificateAuthorityTrustEvaluator(onlyAnchors: [root.certificate])
                #expect(anchored.evaluate(trust).path == path)
                #expect(anchored.evaluate(trust).isTrusted)
            }
        }
    }

    @Test("An empty list causes an error")
    func empty() {
        #expect(throws: TrustEvaluatorError(.evaluatorCertificatesMissing)) {
            try CertificateAuthorityTrustEvaluator(authorities: [])
        }
        #expect(throws: TrustEvaluatorError(.evaluatorCertificatesMissing)) {
            try CertificateAuthorityTrustEvaluator(onlyAnchors: [])
        }
    }

    @Test("A repeated certificate counts once and causes a warning, and a list without repetitions causes none")
    func duplicate() throws {
        let lab = try TrustLab()
        let root = lab.root.certificate
        let trust = try lab.trust(lab.leaf())
        for (count, warnings) in [(1, 0), (2, 1), (3, 2)] {
            let list = Array(repeating: root, count: count)
            for evaluator in [
                try CertificateAuthorityTrustEvaluator(authorities: list),
                try CertificateAuthorityTrustEvaluator(onlyAnchors: list),
            ] {
                #expect(evaluator.authorities == [root])
                let verdict = evaluator.evaluate(trust)
                #expect(verdict.isTrusted && verdict.warnings.count == warnings)
            }
        }
        let other = try TrustLab.unrelatedRoot().certificate
        let stranger = try CertificateAuthorityTrustEvaluator(authorities: [other, other])
        #expect(stranger.evaluate(trust).failureCodes == [.authorityNotMatched])
    }
}
