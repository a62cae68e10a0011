// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Evaluators that expect a name other than the connection's host.
@Suite("An evaluator that expects a name")
struct ExpectedNameTests {
    enum Kind: Sendable, CaseIterable {
        case byDefault, pinned, pinnedAnchor, pinnedAlone, keys, keysAlone, revocation, composite
    }

    private func evaluator(_ kind: Kind, _ lab: TrustLab, _ leaf: Certificate, _ name: Hostname) throws
        -> any TrustEvaluator
    {
        switch kind {
        case .byDefault: DefaultTrustEvaluator(expecting: name)
        case .pinned: try PinnedCertificatesTrustEvaluator(certificates: [leaf], expecting: name)
        case .pinnedAnchor:
            try PinnedCertificatesTrustEvaluator(
                certificates: [lab.root.certificate], acceptSelfSigned: true, expecting: name)
        case .pinnedAlone:
            try PinnedCertificatesTrustEvaluator(
                certificates: [leaf], performDefaultValidation: false, expecting: name)
        case .keys: try PublicKeysTrustEvaluator(keys: [leaf.subjectPublicKeyInfo], expecting: name)
        case .keysAlone:
            try PublicKeysTrustEvaluator(
                keys: [leaf.subjectPublicKeyInfo], performDefaultValidation: false, expecting: name)
        case .revocation: RevocationTrustEvaluator(expecting: name)
        case .composite:
            try CompositeTrustEvaluator(evaluators: [
                SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [SPKIPin(leaf)])),
                DefaultTrustEvaluator(expecting: name),
            ])
        }
    }

    @Test("The leaf must be valid for the expected name, whatever the host", arguments: Kind.allCases)
    func expecting(kind: Kind) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let right = try evaluator(kind, lab, leaf, Hostname(TrustLab.host))
        let wrong = try evaluator(kind, lab, leaf, Hostname("other.example"))
        for host in [TrustLab.host, "api.elsewhere.example", "192.0.2.7"] {
            let trust = try lab.trust(leaf, host: host)
            let trusted = right.evaluate(trust)
            #expect(trusted.isTrusted && trusted.excused.isEmpty)
            #expect(trusted.referenceName?.description == TrustLab.host)
            #expect(trusted.host?.description == host)
            #expect(trusted.checked.contains(.identity) && !trusted.notChecked.contains(.identity))
            let refused = wrong.evaluate(trust)
            #expect(refused.failureCodes == [.hostMismatch])
            #expect(refused.referenceName?.description == "other.example")
        }
    }

    @Test("The expected name replaces the name in the settings, even if they check none", arguments: Kind.allCases)
    func settings(kind: Kind) throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let right = try evaluator(kind, lab, leaf, Hostname(TrustLab.host))
        let wrong = try evaluator(kind, lab, leaf, Hostname("other.example"))
        for identity in [.insecurelyAnyName, .connectedHost, .name(try Hostname("third.example"))]
            as [ReferenceIdentity]
        {
            var trust = try lab.trust(leaf, host: "api.elsewhere.example")
            trust.identity = identity
            #expect(right.evaluate(trust).isTrusted)
            #expect(wrong.evaluate(trust).failureCodes == [.hostMismatch])
        }
    }

    @Test("A name that one of several members expects must match in addition to the other members' names")
    func composite() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf { $0.dnsNames = ["a.example", "b.example"] }
        let (a, b, c) = (try Hostname("a.example"), try Hostname("b.example"), try Hostname("c.example"))
        let rows: [([any TrustEvaluator], Bool)] = [
            ([DefaultTrustEvaluator(expecting: a), DefaultTrustEvaluator(expecting: b)], true),
            ([DefaultTrustEvaluator(expecting: a), DefaultTrustEvaluator(expecting: c)], false),
            // The default evaluator also checks the host, a.example.
            ([DefaultTrustEvaluator(), DefaultTrustEvaluator(expecting: b)], true),
            ([DefaultTrustEvaluator(validateHost: false), DefaultTrustEvaluator(expecting: c)], false),
            ([DefaultTrustEvaluator(validateHost: false), DefaultTrustEvaluator(expecting: b)], true),
        ]
        for (members, isTrusted) in rows {
            for members in [members, members.reversed()] {
                let verdict = try CompositeTrustEvaluator(evaluators: members).evaluate(
                    lab.trust(leaf, host: "a.example"))
                #expect(verdict.isTrusted == isTrusted)
                #expect(!verdict.isTrusted || verdict.referenceName != nil)
            }
        }
        let elsewhere = try CompositeTrustEvaluator(evaluators: [
            DefaultTrustEvaluator(), DefaultTrustEvaluator(expecting: a),
        ]).evaluate(lab.trust(leaf, host: "c.example"))
        #expect(elsewhere.failureCodes == [.hostMismatch])
    }

    @Test("A leaf that is pinned without default validation still needs the expected name")
    func exemption() throws {
        let lab = try TrustLab()
        let leaf = try lab.expiredLeaf()
        let trust = try lab.trust(leaf, host: "api.elsewhere.example")
        for kind in [Kind.pinnedAlone, .keysAlone] {
            let right = try evaluator(kind, lab, leaf, Hostname(TrustLab.host)).evaluate(trust)
            #expect(right.result == .proceed && right.excusedCodes == [.certificateExpired])
            let wrong = try evaluator(kind, lab, leaf, Hostname("other.example")).evaluate(trust)
            #expect(!wrong.isTrusted && wrong.failureCodes.contains(.hostMismatch))
        }
    }

    @Test("In a report-only rule, the expected name doesn't affect the decision")
    func reportOnly() throws {
        let scene = try TrustScene()
        let name = try Hostname("other.example")
        let manager = try ServerTrustManager(
            rules: [TrustScene.name: .reportOnly(DefaultTrustEvaluator(expecting: name))])
        let verdict = manager.evaluate(scene.trust())
        #expect(verdict.isTrusted && verdict.reported.map(\.code) == [.hostMismatch])
        #expect(verdict.referenceName == scene.host)
    }

    @Test("A delegate can't accept a name other than the one that a rule expects, but it can under default evaluation")
    func delegate() throws {
        let scene = try TrustScene()
        let other = try Hostname("other.example")
        for (evaluator, isAccepted) in [
            (DefaultTrustEvaluator(expecting: try Hostname("third.example")), false), (DefaultTrustEvaluator(), true),
        ] {
            let manager = try ServerTrustManager(evaluators: ["other.example": evaluator])
            let verdict = manager.evaluateWithoutFetching(scene.trust(host: other), delegate: .accept)
            #expect(verdict.isTrusted == isAccepted)
        }
    }
}
