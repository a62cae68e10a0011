// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// A kind of entry that denies a certificate.
enum DenialKind: CaseIterable {
    case certificate, issuerAndSerial, subjectAndKey, key, parentAndSerial

    /// The kind that the failure names.
    var named: TrustFailure.DeniedEntry.Kind {
        switch self {
        case .certificate: .certificate
        case .issuerAndSerial, .parentAndSerial: .issuerAndSerial
        case .subjectAndKey: .subjectAndKey
        case .key: .key
        }
    }

    func list(_ certificate: Certificate, issuer: Certificate) throws -> DeniedList {
        switch self {
        case .certificate: DeniedList(certificates: [certificate])
        case .issuerAndSerial:
            try DeniedList(DeniedListBytes.oneCRL(DeniedListBytes.record(serialOf: certificate)))
        case .subjectAndKey:
            try DeniedList(DeniedListBytes.oneCRL(DeniedListBytes.record(keyOf: certificate)))
        case .key: DeniedList(keys: [SPKIPin(certificate)])
        case .parentAndSerial:
            try DeniedList(
                DeniedListBytes.crlSet(
                    parents: [(issuer.subjectPublicKeyInfoSHA256, [certificate.serialNumber.bytes])]))
        }
    }
}

@Suite("Denied certificates in evaluations")
struct DeniedCertificateEvaluationTests {
    /// The certificates of the lab's path with their issuers, the leaf first.
    private static func links(_ lab: TrustLab, _ leaf: Certificate) -> [(Certificate, Certificate)] {
        let (intermediate, root) = (lab.intermediate.certificate, lab.root.certificate)
        return [(leaf, intermediate), (intermediate, root), (root, root)]
    }

    private static func expectDenied(
        _ verdict: TrustVerdict, at index: Int?, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(verdict.result == .fatalFailure, comment, sourceLocation: sourceLocation)
        let denied = verdict.failures.filter { $0.code == .certificateDenied }
        #expect(denied.map(\.certificate) == [index], comment, sourceLocation: sourceLocation)
        #expect(verdict.headline?.code == .certificateDenied, comment, sourceLocation: sourceLocation)
        #expect(verdict.excused.isEmpty || !verdict.isTrusted, comment, sourceLocation: sourceLocation)
    }

    // MARK: - Everywhere

    @Test("A denied leaf, intermediate or anchor is refused in any revocation mode", arguments: DenialKind.allCases)
    func modes(kind: DenialKind) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        for mode in [RevocationPolicy.Mode.off, .bestEffort, .required] {
            for (index, link) in Self.links(lab, leaf).enumerated() {
                var trust = try lab.trust(leaf)
                trust.revocation.mode = mode
                trust.denied = try kind.list(link.0, issuer: link.1)
                let verdict = trust.evaluate()
                Self.expectDenied(verdict, at: index, "\(mode) \(index)")
                #expect(verdict.checked.contains(.deniedCertificates))
                #expect(verdict.failures.first?.role == verdict.role(at: index))
                guard mode != .off, index < 2 else { continue }
                #expect(verdict.revocation.allSatisfy { ($0.source == .deniedList) == ($0.certificate == index) })
                let finding = try #require(verdict.revocation.first { $0.certificate == index })
                #expect(finding.isRevoked && finding.source == .deniedList)
                #expect(!verdict.failures.contains { $0.code == .revocationUnavailable && $0.certificate == index })
            }
        }
        // An entry for another certificate doesn't refuse the server.
        var trust = try lab.trust(leaf)
        let stranger = try TrustLab.unrelatedRoot().certificate
        trust.denied = try kind.list(stranger, issuer: stranger)
        let verdict = trust.evaluate()
        #expect(verdict.isTrusted && verdict.checked.contains(.deniedCertificates))
    }

    @Test("No exception accepts a denied certificate", arguments: DenialKind.allCases)
    func exceptions(kind: DenialKind) throws {
        let lab = try TrustLab()
        // A date that an exception covers, and a leaf that an exception makes its own anchor.
        for (leaf, anchors) in [(try lab.expiredLeaf(), [lab.root.certificate]), (try lab.leaf(), [])] {
            for (index, link) in Self.links(lab, leaf).prefix(2).enumerated() {
                // Without the root, the key of the intermediate's issuer isn't known.
                if kind == .parentAndSerial, index == 1, anchors.isEmpty { continue }
                var trust = try Trust.lab([leaf, lab.intermediate.certificate], anchors: anchors)
                try trust.setExceptions(trust.evaluate().exceptions())
                #expect(trust.evaluate().result == .proceed)
                trust.denied = try kind.list(link.0, issuer: link.1)
                let verdict = trust.evaluate()
                #expect(!verdict.isTrusted)
                #expect(verdict.headline?.code == .certificateDenied, "\(index), \(anchors.count) anchors")
                #expect(throws: TrustExceptionsError.self) { try verdict.exceptions() }
            }
        }
    }

    @Test("A pinned leaf that is exempt from checks isn't exempt from denials", arguments: DenialKind.allCases)
    func exempted(kind: DenialKind) throws {
        let lab = try TrustLab()
        for leaf in [try lab.leaf(), try lab.expiredLeaf()] {
            for exempting in Exempting.allCases {
                let evaluator = try exempting.evaluator(leaf)
                #expect(evaluator.evaluate(try lab.trust(leaf)).isTrusted)
                for (index, link) in Self.links(lab, leaf).enumerated() {
                    var trust = try lab.trust(leaf)
                    trust.denied = try kind.list(link.0, issuer: link.1)
                    let verdict = evaluator.evaluate(trust)
                    Self.expectDenied(verdict, at: index, "\(exempting) \(index)")
                    #expect(verdict.matchedPin == nil)
                }
            }
        }
    }

    @Test("A disabled evaluator's refusal names every denied certificate, the leaf first")
    func severalDenied() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        var trust = try lab.trust(leaf)
        trust.denied = DeniedList(certificates: [lab.root.certificate, lab.intermediate.certificate, leaf])
        let verdict = DisabledTrustEvaluator.insecurelyTrustingAnyServer.evaluate(trust)
        #expect(verdict.result == .fatalFailure)
        #expect(verdict.failureCodes == [.certificateDenied, .certificateDenied, .certificateDenied])
        #expect(verdict.failures.map(\.certificate) == [0, 1, 2])
    }

    @Test("Neither a disabled evaluator nor a delegate accepts a denied certificate", arguments: DenialKind.allCases)
    func insecure(kind: DenialKind) throws {
        let lab = try TrustLab()
        let disabled = DisabledTrustEvaluator.insecurelyTrustingAnyServer
        for leaf in [try lab.leaf(), try lab.expiredLeaf()] {
            for (index, link) in Self.links(lab, leaf).enumerated() {
                var trust = try lab.trust(leaf)
                #expect(disabled.evaluate(trust).isTrusted)
                trust.denied = try kind.list(link.0, issuer: link.1)
                Self.expectDenied(disabled.evaluate(trust), at: index, "disabled \(index)")
                let manager = try ServerTrustManager(evaluators: [TrustLab.host: DefaultTrustEvaluator()])
                let verdict = manager.evaluateWithoutFetching(trust, delegate: .accept)
                #expect(!verdict.isTrusted)
                #expect(verdict.failureCodes.contains(.certificateDenied), "delegate \(index)")
            }
            // An entry for another certificate doesn't refuse the server.
            var trust = try lab.trust(leaf)
            let stranger = try TrustLab.unrelatedRoot().certificate
            trust.denied = try kind.list(stranger, issuer: stranger)
            #expect(disabled.evaluate(trust).isTrusted)
        }
        // Without an anchor, there are only the presented certificates.
        let leaf = try lab.leaf()
        for link in Self.links(lab, leaf).prefix(kind == .parentAndSerial ? 1 : 2) {
            var trust = try Trust.lab([leaf, lab.intermediate.certificate], anchors: [])
            trust.denied = try kind.list(link.0, issuer: link.1)
            #expect(disabled.evaluate(trust).failureCodes == [.certificateDenied])
            let manager = try ServerTrustManager(evaluators: [TrustLab.host: DefaultTrustEvaluator()])
            #expect(manager.evaluateWithoutFetching(trust, delegate: .accept).failureCodes.contains(.certificateDenied))
        }
    }

    @Test("A disabled evaluator refuses a server that presents a distrusted certificate, or a CA whose leaf is denied")
    func presented() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        // The path contains neither of these certificates.
        let stranger = try TrustLab.unrelatedRoot().certificate
        let namesake = try TestAuthority.root(.authority("Test Intermediate")).certificate
        let disabled = DisabledTrustEvaluator.insecurelyTrustingAnyServer
        var trust = try Trust.lab([leaf, lab.intermediate.certificate, stranger, namesake], anchors: [])
        #expect(disabled.evaluate(trust).isTrusted)
        #expect(trust.evaluate().path == [leaf, lab.intermediate.certificate])
        var denying = trust
        denying.denied = try DenialKind.parentAndSerial.list(leaf, issuer: namesake)
        #expect(disabled.evaluate(denying).failureCodes == [.certificateDenied])
        trust.anchors = trust.anchors.applying(try DistrustForm.jsonCertificate.list(stranger))
        #expect(disabled.evaluate(trust).failureCodes == [.certificateDenied])
        trust.presentedChain = PresentedChain([leaf, lab.intermediate.certificate])
        #expect(disabled.evaluate(trust).isTrusted)
    }

    @Test("A self-signed leaf counts as issued by a CA with its name only if the server or the caller supplies the CA")
    func selfSigned() throws {
        let (leaf, namesake) = (try TrustLab.selfSigned(), try TrustLab.selfSigned())
        func verdict(_ presented: [Certificate], _ intermediates: [Certificate]) throws -> TrustVerdict {
            var trust = try Trust.lab(presented, anchors: [leaf, namesake])
            trust.intermediates = intermediates
            trust.denied = try DenialKind.parentAndSerial.list(leaf, issuer: namesake)
            return trust.evaluate()
        }
        #expect(try verdict([leaf], []).isTrusted)
        #expect(try verdict([leaf, namesake], []).failureCodes == [.certificateDenied])
        #expect(try verdict([leaf], [namesake]).failureCodes == [.certificateDenied])
    }

    @Test("If evidence revokes a denied certificate, the finding says so")
    func revokedAndDenied() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        var trust = try lab.trust(leaf)
        trust.revocation = .bestEffort
        trust.revocationData.crls = [try lab.intermediate.crl { $0.revoke(leaf) }.der]
        trust.denied = DeniedList(certificates: [leaf])
        let verdict = trust.evaluate()
        #expect(Set(verdict.failureCodes) == [.certificateDenied, .certificateRevoked])
        #expect(verdict.revocation.first?.source == .crl)
    }

    @Test("A rule in report-only mode and a rule without a name check refuse a denied certificate like any other rule")
    func otherRules() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let rules: [HostRule] = [
            .reportOnly(try SPKIPinsTrustEvaluator(SPKIPinSet(pinsRiskingLockout: [.unused()]))),
            .enforced(DefaultTrustEvaluator(validateHost: false)),
            .enforced(try SPKIPinsTrustEvaluator(SPKIPinSet(pinsRiskingLockout: [SPKIPin(leaf)]))),
        ]
        for rule in rules {
            let manager = try ServerTrustManager(rules: [TrustLab.host: rule])
            var trust = try lab.trust(leaf)
            #expect(manager.evaluate(trust).isTrusted)
            trust.denied = DeniedList(keys: [SPKIPin(lab.root.certificate)])
            #expect(manager.evaluate(trust).failureCodes == [.certificateDenied])
        }
    }

    // MARK: - Other paths

    @Test("Of two paths through a cross-signed CA, the one without the denied certificate counts")
    func crossSigned() throws {
        let lab = try CrossSignedLab()
        for trust in try lab.trusts() {
            for (denied, left) in [(lab.underA, lab.pathB), (lab.underB, lab.pathA)] {
                var trust = trust
                trust.denied = try DenialKind.issuerAndSerial.list(denied.certificate, issuer: denied.certificate)
                #expect(trust.evaluate().path == left)
                #expect(trust.validPaths().map(\.certificates) == [left])
                // A path without the denied certificate is trusted, also with evaluation disabled.
                #expect(DisabledTrustEvaluator.insecurelyTrustingAnyServer.evaluate(trust).isTrusted)
            }
            var both = trust
            both.denied = DeniedList(keys: [SPKIPin(lab.underA.certificate)])
            #expect(both.evaluate().failureCodes == [.certificateDenied])
            #expect(both.validPaths().isEmpty)
        }
    }

    @Test("The verdict contains a warning about a key known for interception") func interception() throws {
        let lab = try TrustLab()
        var trust = try lab.trust(try lab.leaf())
        trust.denied = try DeniedList(
            DeniedListBytes.crlSet(DeniedListBytes.member("KnownInterceptionSPKIs", lab.root.certificate)))
        let verdict = trust.evaluate()
        #expect(verdict.isTrusted)
        // The root wasn't sent, so it has a name and no number.
        let name = try #require(lab.root.certificate.subject.values(of: .commonName).first)
        #expect(
            verdict.warnings.contains { $0.contains("intercepting") && $0.hasPrefix("certificate \"\(name)\" has ") })
        #expect(verdict.warnings.count == 1)
    }

    // MARK: - Managers

    @Test("A manager's list applies at once and in addition to the trust object's, and invalidates remembered verdicts")
    func replaced() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let manager = try ServerTrustManager(evaluators: [TrustLab.host: DefaultTrustEvaluator()])
        let trust = try lab.trust(leaf)
        for _ in 0..<2 { #expect(manager.evaluate(trust).isTrusted) }
        manager.replaceRules(by: manager, denied: DeniedList(keys: [SPKIPin(lab.root.certificate)]))
        for _ in 0..<2 { #expect(manager.evaluate(trust).failureCodes == [.certificateDenied]) }
        #expect(manager.evaluateWithoutFetching(trust, delegate: .accept).failureCodes == [.certificateDenied])
        manager.replaceRules(by: manager, denied: DeniedList(keys: [try .unused()]))
        for _ in 0..<2 { #expect(manager.evaluate(trust).isTrusted) }
        var other = trust
        other.denied = DeniedList(keys: [SPKIPin(leaf)])
        for _ in 0..<2 { #expect(manager.evaluate(other).failureCodes == [.certificateDenied]) }
        #expect(manager.evaluate(trust).isTrusted)
        manager.replaceRules(by: manager, denied: DeniedList(keys: [SPKIPin(leaf)]))
        #expect(manager.denied == DeniedList(keys: [SPKIPin(leaf)]))
        #expect(manager.evaluate(trust).failureCodes == [.certificateDenied])
    }

    @Test("Neither a delegate nor a stored exception bypasses a manager's denied list") func delegates() throws {
        let lab = try TrustLab()
        let leaf = try lab.expiredLeaf()
        for certificate in [leaf, lab.intermediate.certificate, lab.root.certificate] {
            let manager = try ServerTrustManager(evaluators: [TrustLab.host: DefaultTrustEvaluator()])
            #expect(manager.evaluateWithoutFetching(try lab.trust(leaf), delegate: .accept).isTrusted)
            manager.replaceRules(by: manager, denied: DeniedList(keys: [SPKIPin(certificate)]))
            let verdict = manager.evaluateWithoutFetching(try lab.trust(leaf), delegate: .accept)
            #expect(!verdict.isTrusted && verdict.failureCodes.contains(.certificateDenied))
        }
    }
}
