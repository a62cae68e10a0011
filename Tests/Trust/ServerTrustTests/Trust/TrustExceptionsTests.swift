// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

@Suite("Trust exceptions")
struct TrustExceptionsTests {
    /// A user agrees to an expired certificate. Afterwards the server presents another certificate, or another host or
    /// failure occurs.
    @Test("An exception for an expired certificate covers only that certificate")
    func impostorSequence() throws {
        let lab = try TrustLab()
        let leaf = try lab.expiredLeaf()
        var trust = try lab.trust(leaf)

        // The user sees the failure …
        let met = trust.evaluate()
        #expect(met.result == .recoverableFailure)
        #expect(met.failureCodes == [.certificateExpired])
        // … and agrees for thirty days.
        let end = TestAuthority.now.advanced(by: 30 * 86_400)
        let agreed = try met.exceptions(expires: end)
        #expect(agreed.host == TrustLab.host)
        #expect(agreed.leafSHA256 == Hex.encode(leaf.sha256))
        #expect(agreed.failures.map(\.code) == ["certificateExpired"])
        #expect(agreed.created == TestAuthority.now && agreed.expires == end)
        #expect(trust.setExceptions(agreed) == .fits)
        let proceeds = trust.evaluate()
        #expect(proceeds.result == .proceed)
        #expect(proceeds.excused == met.failures)
        #expect(proceeds.failures.isEmpty)
        #expect(proceeds.path == [leaf, lab.intermediate.certificate, lab.root.certificate])
        #expect(proceeds.unchangedUntil == end)

        // Another certificate for the same host that has also expired, even with the same key.
        for other in [try lab.expiredLeaf(), try lab.expiredLeaf(key: lab.intermediate.identity.key)] {
            var impostor = try lab.trust(other)
            #expect(impostor.setExceptions(agreed) == .otherLeaf)
            #expect(impostor.exceptions == nil)
            #expect(impostor.evaluate().failureCodes == [.certificateExpired])
            // The server presents it under exceptions that were set for the right certificate.
            var swapped = trust
            swapped.presentedChain = PresentedChain([other, lab.intermediate.certificate, leaf])
            #expect(swapped.evaluate().failureCodes == [.certificateExpired])
            #expect(!swapped.evaluate().isTrusted)
        }

        // The same certificate from another host.
        var elsewhere = try lab.trust(leaf, host: "api.example.com")
        #expect(elsewhere.setExceptions(agreed) == .otherHost)
        #expect(elsewhere.exceptions == nil)
        #expect(elsewhere.evaluate().failureCodes == [.certificateExpired, .hostMismatch])
        // Even a host that the certificate is valid for.
        let both = try lab.leaf {
            $0.dnsNames = [TrustLab.host, "api.example.com"]
            $0.notAfter = TrustLab.past
        }
        let forOne = try lab.trust(both).evaluate().exceptions()
        var forOther = try lab.trust(both, host: "api.example.com")
        #expect(forOther.setExceptions(forOne) == .otherHost)
        #expect(!forOther.evaluate().isTrusted)

        // The same certificate compared with another name.
        var renamed = trust
        renamed.identity = .name(try Hostname("api.example.com"))
        #expect(renamed.evaluate().failureCodes.contains(.hostMismatch))
        #expect(!renamed.evaluate().isTrusted)

        // The same certificate below a root that isn't trusted.
        var unanchored = trust
        unanchored.anchors = .only([try TrustLab.unrelatedRoot().certificate])
        #expect(!unanchored.evaluate().isTrusted)
        #expect(Set(unanchored.evaluate().failureCodes) == [.certificateExpired, .unknownIssuer])

        // The same certificate without its intermediate.
        var cut = trust
        cut.presentedChain = PresentedChain([leaf])
        #expect(!cut.evaluate().isTrusted)

        // The same certificate below another certificate of its CA that has also expired.
        let expiredCA = try lab.root.intermediate(
            .authority("Test Intermediate").with { $0.notAfter = TrustLab.past }, key: lab.intermediate.identity.key)
        var older = trust
        older.presentedChain = PresentedChain([leaf, expiredCA.certificate])
        #expect(older.evaluate().failureCodes == [.certificateExpired, .certificateExpired])

        // The same certificate for another purpose.
        var purpose = trust
        purpose.policy.purpose = .clientAuth
        #expect(!purpose.evaluate().isTrusted)

        // Much later it is still the only failure, until the last second of the agreement.
        for time in [TestAuthority.now.advanced(by: 20 * 86_400), end] {
            trust.verifyDate = .at(time)
            #expect(trust.evaluate().result == .proceed)
            #expect(trust.evaluate().excusedCodes == [.certificateExpired])
        }
        trust.verifyDate = .at(end.advanced(by: 1))
        #expect(trust.evaluate().failureCodes == [.certificateExpired])
        #expect(trust.evaluate().result == .recoverableFailure)
        #expect(trust.setExceptions(agreed) == .expired)

        // On the first day again, after the exception is withdrawn.
        trust.verifyDate = .at(TestAuthority.now)
        #expect(trust.evaluate().isTrusted)
        trust.settings.exceptions = nil
        #expect(!trust.evaluate().isTrusted)
    }

    @Test("Exceptions without an end apply as long as nothing else is wrong")
    func withoutEnd() throws {
        let lab = try TrustLab()
        var trust = try lab.trust(lab.expiredLeaf())
        #expect(trust.setExceptions(try trust.evaluate().exceptions()) == .fits)
        trust.verifyDate = .at(TestAuthority.notAfter)
        #expect(trust.evaluate().result == .proceed)
        #expect(trust.evaluate().unchangedUntil == TestAuthority.notAfter)
        // The CAs expire.
        trust.verifyDate = .at(TestAuthority.notAfter.advanced(by: 1))
        #expect(trust.evaluate().failureCodes == [.certificateExpired, .certificateExpired, .certificateExpired])
        // A clock that is set back: nothing was wrong then, and before its first day something else was.
        trust.verifyDate = .at(TrustLab.past)
        #expect(trust.evaluate().result == .unspecified)
        trust.verifyDate = .at(TestAuthority.notBefore.advanced(by: -1))
        #expect(!trust.evaluate().isTrusted)
    }

    @Test("A self-signed leaf that the user agreed to is still refused once it has expired")
    func selfSignedExpires() throws {
        let lab = try TrustLab()
        let end = TestAuthority.now.advanced(by: 86_400)
        let leaf = try TrustLab.selfSigned { $0.notAfter = end }
        var trust = try Trust.lab([leaf], anchors: [lab.root.certificate])
        #expect(trust.evaluate().failureCodes == [.selfSignedLeaf])
        trust.setExceptions(try trust.evaluate().exceptions())
        #expect(trust.evaluate().result == .proceed)
        #expect(trust.evaluate().excusedCodes == [.selfSignedLeaf])
        #expect(trust.evaluate().path == [leaf])
        #expect(trust.evaluate().unchangedUntil == end)
        trust.verifyDate = .at(end)
        #expect(trust.evaluate().isTrusted)
        trust.verifyDate = .at(end.advanced(by: 1))
        #expect(Set(trust.evaluate().failureCodes) == [.certificateExpired, .selfSignedLeaf])
        #expect(!trust.evaluate().isTrusted)
    }

    @Test("A self-signed leaf that the user agreed to makes no other certificate trusted and isn't an issuer")
    func selfSignedIsNoAnchor() throws {
        let lab = try TrustLab()
        let key = TestKey.p256()
        let authority = try TestAuthority.root(
            .leaf(TrustLab.host).with {
                $0.isAuthority = true
                $0.keyUsage = [.digitalSignature, .keyCertSign]
            }, key: key)
        var trust = try Trust.lab([authority.certificate], anchors: [lab.root.certificate])
        trust.setExceptions(try trust.evaluate().exceptions())
        #expect(trust.evaluate().isTrusted)
        let child = try authority.issue(.leaf(TrustLab.host)).certificate
        for leaf in [child, try TrustLab.selfSigned(key: key)] {
            var other = trust
            other.presentedChain = PresentedChain([leaf, authority.certificate])
            #expect(!other.evaluate().isTrusted)
            #expect(other.setExceptions(try #require(trust.exceptions)) == .otherLeaf)
        }
    }

    // MARK: Fatal failures

    static let fatalRows: [(sentence: String, code: TrustFailure.Code, trust: @Sendable (TrustLab) throws -> Trust)] = [
        ("a wrong signature", .signatureInvalid, { try $0.trust($0.expiredLeaf().withFlippedSignatureBit()) }),
        ("a key of 1024 bits", .rsaKeyTooSmall, { try $0.trust($0.expiredLeaf(key: RSAKeys.bits1024.get())) }),
        (
            "a self-signed key of 1024 bits", .rsaKeyTooSmall,
            { try .lab([TrustLab.selfSigned(key: RSAKeys.bits1024.get())], anchors: [$0.root.certificate]) }
        ),
        (
            "SHA-1", .signatureUsesSHA1,
            { _ in
                let root = try TestAuthority.root(key: RSAKeys.bits2048.get())
                let leaf = try root.issue(.leaf(TrustLab.host).with { $0.signsWithSHA1 = true }).certificate
                return try .lab([leaf], anchors: [root.certificate])
            }
        ),
        (
            "SHA-1 below an unknown root", .signatureUsesSHA1,
            {
                let root = try TestAuthority.root(.authority("Unknown"), key: RSAKeys.bits2048.get())
                let leaf = try root.issue(.leaf(TrustLab.host).with { $0.signsWithSHA1 = true }).certificate
                return try .lab([leaf], anchors: [$0.root.certificate])
            }
        ),
        (
            "an unknown critical extension", .criticalExtensionUnhandled,
            {
                let unknown = Extension(
                    identifier: OID("1.3.6.1.4.1.99999.1") ?? .anyPolicy, isCritical: true, value: [0x05, 0x00])
                return try $0.trust($0.leaf { $0.extensions = [unknown] })
            }
        ),
        ("no certificate", .presentedChainEmpty, { try .lab([], anchors: [$0.root.certificate]) }),
        (
            "an exhausted budget", .byteBudgetExceeded,
            {
                var trust = try $0.trust($0.expiredLeaf())
                trust.policy.budget.bytes = 10
                return trust
            }
        ),
    ]

    @Test("The user can't agree to fatal and undecided failures", arguments: fatalRows)
    func fatal(sentence: String, code: TrustFailure.Code, trust: @Sendable (TrustLab) throws -> Trust) throws {
        let verdict = try trust(TrustLab()).evaluate()
        #expect(verdict.failureCodes.contains(code))
        let barred = verdict.failures.filter { $0.code.severity != .recoverable }
        #expect(throws: TrustExceptionsError(.exceptionNotPermitted, barred)) { try verdict.exceptions() }
    }

    @Test("The user can't agree to a missed pin")
    func missedPin() throws {
        let lab = try TrustLab()
        let stranger = try TrustLab.unrelatedRoot().certificate
        let evaluators: [any TrustEvaluator] = [
            try PublicKeysTrustEvaluator(keys: [stranger.subjectPublicKeyInfo]),
            try PinnedCertificatesTrustEvaluator(certificates: [stranger]),
            SPKIPinsTrustEvaluator(try SPKIPinSet(pins: [SPKIPin(stranger)], backup: [.unused()])),
            try CertificateAuthorityTrustEvaluator(authorities: [stranger]),
            AttributeTrustEvaluator([.organization("Example, Inc.")]),
            AttributeTrustEvaluator([.extendedValidation]),
        ]
        for evaluator in evaluators {
            let verdict = evaluator.evaluate(try lab.trust(lab.leaf()))
            #expect(throws: TrustExceptionsError(.exceptionNotPermitted, verdict.failures)) { try verdict.exceptions() }
            let composite = try CompositeTrustEvaluator(evaluators: [evaluator, DefaultTrustEvaluator()])
                .evaluate(lab.trust(lab.leaf()))
            #expect(throws: TrustExceptionsError(.exceptionNotPermitted, composite.failures)) {
                try composite.exceptions()
            }
        }
    }

    @Test("A trusted verdict and a verdict without a host yield no exceptions")
    func nothingToAgreeTo() throws {
        let lab = try TrustLab()
        #expect(throws: TrustExceptionsError(.exceptionNotNeeded)) {
            try lab.trust(lab.leaf()).evaluate().exceptions()
        }
        var trust = Trust(
            insecurelyWithoutHost: PresentedChain([try lab.expiredLeaf(), lab.intermediate.certificate]))
        trust.anchors = .only([lab.root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        trust.signatureMemory = nil
        #expect(throws: TrustExceptionsError(.exceptionHostMissing)) { try trust.evaluate().exceptions() }
        let agreed = try lab.trust(lab.expiredLeaf()).evaluate().exceptions()
        #expect(trust.setExceptions(agreed) == .otherHost)
    }

    // MARK: Exceptions and pins

    @Test("An excused expiry never bypasses a missed pin", arguments: SPKIPinsTrustEvaluator.Scope.allCases)
    func pinsStillHold(scope: SPKIPinsTrustEvaluator.Scope) throws {
        let lab = try TrustLab()
        let leaf = try lab.expiredLeaf()
        var trust = try lab.trust(leaf)
        trust.setExceptions(try trust.evaluate().exceptions())
        let path = [leaf, lab.intermediate.certificate, lab.root.certificate]
        for (index, pinned) in path.enumerated() {
            let evaluator = SPKIPinsTrustEvaluator(
                try SPKIPinSet(pins: [SPKIPin(pinned)], backup: [.unused()]), scope: scope)
            let isHeld = scope == .anywhere || (scope == .leaf) == (index == 0)
            let verdict = evaluator.evaluate(trust)
            #expect(verdict.result == (isHeld ? .proceed : .fatalFailure))
            #expect(verdict.matchedPin?.certificate == (isHeld ? index : nil))
            #expect(isHeld || verdict.failureCodes.contains(.pinNotMatched))
        }
        let missed = SPKIPinsTrustEvaluator(try SPKIPinSet(pins: [.unused(1)], backup: [.unused()]), scope: scope)
        #expect(missed.evaluate(trust).failureCodes.first == .pinNotMatched)
    }

    @Test("An exception created before there were pins doesn't excuse a missed pin")
    func everyPinStillHolds() throws {
        let lab = try TrustLab()
        let stranger = try TrustLab.unrelatedRoot().certificate
        let evaluators: [any TrustEvaluator] = [
            try PublicKeysTrustEvaluator(keys: [stranger.subjectPublicKeyInfo]),
            try PublicKeysTrustEvaluator(keys: [stranger.subjectPublicKeyInfo], performDefaultValidation: false),
            try PinnedCertificatesTrustEvaluator(certificates: [stranger]),
            try PinnedCertificatesTrustEvaluator(certificates: [stranger], acceptSelfSigned: true),
            try PinnedCertificatesTrustEvaluator(certificates: [stranger], performDefaultValidation: false),
            SPKIPinsTrustEvaluator(try SPKIPinSet(pins: [SPKIPin(stranger)], backup: [.unused()])),
            try CertificateAuthorityTrustEvaluator(authorities: [stranger]),
            try CertificateAuthorityTrustEvaluator(onlyAnchors: [stranger]),
            AttributeTrustEvaluator([.organization("Example, Inc.")]),
            AttributeTrustEvaluator([.extendedValidation]), RefusingEvaluator(TrustFailure(.evaluatorRefused)),
        ]
        let chains = [
            [try lab.expiredLeaf(), lab.intermediate.certificate], [try TrustLab.selfSigned(), stranger],
            [try lab.leaf()], [try lab.leaf(), lab.intermediate.certificate, stranger],
        ]
        for chain in chains {
            var trust = try Trust.lab(chain, anchors: [try TrustLab.unrelatedRoot().certificate])
            trust.setExceptions(try trust.evaluate().exceptions())
            #expect(trust.evaluate().result == .proceed)
            for evaluator in evaluators {
                #expect(!evaluator.evaluate(trust).isTrusted)
                #expect(
                    try !CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), evaluator]).evaluate(trust)
                        .isTrusted)
            }
        }
    }

    /// Leaves without an anchor.
    static let unanchored: [(sentence: String, chain: @Sendable (TrustLab) throws -> [Certificate])] = [
        ("a self-signed leaf", { _ in [try TrustLab.selfSigned()] }),
        ("a self-signed leaf that may sign", { _ in [try TrustLab.selfSignedAuthority()] }),
        (
            "a leaf that is also presented as its CA",
            { _ in
                let leaf = try TrustLab.selfSignedAuthority()
                return [leaf, leaf]
            }
        ),
        ("a leaf without its CA", { [try $0.leaf()] }),
        ("a leaf with its CA", { [try $0.leaf(), $0.intermediate.certificate] }),
        ("a leaf with CA and root", { [try $0.leaf(), $0.intermediate.certificate, $0.root.certificate] }),
    ]

    @Test("A leaf without an anchor that the user agreed to doesn't match any CA's pin", arguments: unanchored)
    func noAuthority(sentence: String, chain: @Sendable (TrustLab) throws -> [Certificate]) throws {
        let chain = try chain(TrustLab())
        var trust = try Trust.lab(chain, anchors: [TrustLab.unrelatedRoot().certificate])
        trust.setExceptions(try trust.evaluate().exceptions())
        #expect(trust.evaluate().result == .proceed)
        #expect(trust.evaluate().path == [chain[0]])
        for certificate in chain {
            let pins = try SPKIPinSet(pins: [SPKIPin(certificate)], backup: [.unused()])
            #expect(!SPKIPinsTrustEvaluator(pins, scope: .authority).evaluate(trust).isTrusted)
            let authority = try CertificateAuthorityTrustEvaluator(authorities: [certificate])
            #expect(!authority.evaluate(trust).isTrusted)
            for scope in [SPKIPinsTrustEvaluator.Scope.leaf, .anywhere] {
                let verdict = SPKIPinsTrustEvaluator(pins, scope: scope).evaluate(trust)
                #expect(verdict.isTrusted == (certificate == chain[0]))
            }
        }
    }

    @Test("A missed pin on an excepted leaf without an anchor is reported, and the user can't agree to it")
    func missedPinIsTold() throws {
        var trust = try Trust.lab([TrustLab.selfSigned()], anchors: [TrustLab.unrelatedRoot().certificate])
        trust.setExceptions(try trust.evaluate().exceptions())
        let pins = try SPKIPinSet(pins: [.unused(1)], backup: [.unused()])
        let verdict = SPKIPinsTrustEvaluator(pins).evaluate(trust)
        #expect(verdict.result == .fatalFailure)
        #expect(verdict.failureCodes.contains(.pinNotMatched))
        #expect(throws: TrustExceptionsError.self) { try verdict.exceptions() }
    }

    @Test("The user can't agree to a missed pin on a leaf that is its own anchor", arguments: [false, true])
    func ownAnchorPin(isAuthority: Bool) throws {
        let leaf = isAuthority ? try TrustLab.selfSignedAuthority() : try TrustLab.selfSigned()
        var trust = try Trust.lab([leaf], anchors: [leaf])
        let evaluator = SPKIPinsTrustEvaluator(
            try SPKIPinSet(pins: [SPKIPin(leaf)], backup: [.unused()]), scope: .authority)
        let verdict = evaluator.evaluate(trust)
        #expect(verdict.result == .fatalFailure)
        #expect(verdict.failureCodes == [.pinNotMatched])
        if let agreed = try? verdict.exceptions() { trust.setExceptions(agreed) }
        #expect(!evaluator.evaluate(trust).isTrusted)
    }

    @Test("A self-signed leaf that the user agreed to doesn't assert its own policy", arguments: [false, true])
    func noPolicy(isAuthority: Bool) throws {
        let claims = [Extension.certificatePolicies(.extendedValidation)]
        let leaf =
            isAuthority
            ? try TrustLab.selfSignedAuthority { $0.extensions = claims }
            : try TrustLab.selfSigned { $0.extensions = claims }
        for requirement: AttributeTrustEvaluator.Requirement in [.extendedValidation, .policy(.extendedValidation)] {
            let evaluator = AttributeTrustEvaluator([requirement])
            var trust = try Trust.lab([leaf], anchors: [TrustLab.unrelatedRoot().certificate])
            // Repeated agreement to the reported failures makes no difference.
            for _ in 0..<3 {
                if let agreed = try? evaluator.evaluate(trust).exceptions() { trust.setExceptions(agreed) }
                #expect(!evaluator.evaluate(trust).isTrusted)
            }
            #expect(!trust.evaluate().assertsExtendedValidation)
        }
    }

    @Test("Agreeing to the failures in its verdicts never excuses an evaluator's refusal", arguments: unanchored)
    func agreeingAgainAndAgain(sentence: String, chain: @Sendable (TrustLab) throws -> [Certificate]) throws {
        let chain = try chain(TrustLab())
        let stranger = try TrustLab.unrelatedRoot().certificate
        let pins = try SPKIPinSet(pins: [SPKIPin(chain[0])], backup: [.unused()])
        let evaluators: [any TrustEvaluator] = [
            SPKIPinsTrustEvaluator(pins, scope: .authority),
            try CertificateAuthorityTrustEvaluator(authorities: [chain[0]]),
            try PublicKeysTrustEvaluator(keys: [stranger.subjectPublicKeyInfo]),
            try PinnedCertificatesTrustEvaluator(certificates: [stranger]),
            AttributeTrustEvaluator([.organization("Example, Inc.")]),
            RefusingEvaluator(TrustFailure(.evaluatorRefused)),
        ]
        for evaluator in evaluators {
            for anchors in [[stranger], [chain[0]]] {
                var trust = try Trust.lab(chain, anchors: anchors)
                for _ in 0..<4 {
                    if let agreed = try? evaluator.evaluate(trust).exceptions() { trust.setExceptions(agreed) }
                    #expect(!evaluator.evaluate(trust).isTrusted)
                }
            }
        }
    }

    @Test("An exception from an evaluation without a name doesn't cover another name")
    func agreedWithoutName() throws {
        let lab = try TrustLab()
        var trust = try lab.trust(lab.expiredLeaf(), host: "api.example.com")
        let anyName = DefaultTrustEvaluator(validateHost: false)
        trust.setExceptions(try anyName.evaluate(trust).exceptions())
        #expect(anyName.evaluate(trust).result == .proceed)
        #expect(trust.evaluate().failureCodes.contains(.hostMismatch))
        #expect(!DefaultTrustEvaluator().evaluate(trust).isTrusted)
        #expect(
            try !CompositeTrustEvaluator(evaluators: [anyName, DefaultTrustEvaluator()]).evaluate(trust).isTrusted)
    }

    // MARK: Bytes

    @Test("Exceptions survive a JSON round trip, for all failures", arguments: unanchored)
    func json(sentence: String, chain: @Sendable (TrustLab) throws -> [Certificate]) throws {
        let chain = try chain(TrustLab())
        for host in [TrustLab.host, "api.example.com", "192.0.2.1", "2001:db8::1"] {
            for time in [TestAuthority.now, TestAuthority.notAfter.advanced(by: 86_400)] {
                for expires in [nil, time, TestAuthority.notAfter.advanced(by: 200 * 86_400)] {
                    var trust = try Trust.lab(
                        chain, anchors: [TrustLab.unrelatedRoot().certificate], host: host, at: time)
                    let agreed = try trust.evaluate().exceptions(expires: expires)
                    let read = try JSONDecoder().decode(TrustExceptions.self, from: JSONEncoder().encode(agreed))
                    #expect(read == agreed)
                    #expect(trust.setExceptions(read) == .fits)
                    #expect(trust.evaluate().result == .proceed)
                }
            }
        }
    }

    @Test("Exceptions that were forged to name a fatal code don't excuse any failure")
    func tampered() throws {
        let lab = try TrustLab()
        for (_, code, make) in Self.fatalRows {
            var trust = try make(lab)
            guard let leaf = trust.presentedChain.leaf else { continue }
            // Every failure of the verdict, as if the user had agreed to it.
            let failures = trust.evaluate().rejectedPaths.flatMap { path in
                path.failures.map { (failure: $0, certificate: $0.certificate.map { path.certificates[$0] }) }
            }
            let excuses = try failures.flatMap { failure, certificate in
                // For that certificate, for each other one, and for the whole path.
                try ([certificate] + trust.presentedChain.certificates + [nil]).map { certificate in
                    var excuse: [String: Any] = ["code": failure.code.name]
                    excuse["certificateSHA256"] = certificate.map { Hex.encode($0.sha256) }
                    excuse["expected"] = try failure.expected.map(Self.json)
                    excuse["found"] = try failure.found.map(Self.json)
                    return excuse
                }
            }
            let text = try JSONSerialization.data(withJSONObject: [
                "host": TrustLab.host, "leafSHA256": Hex.encode(leaf.sha256), "failures": excuses,
                "created": TestAuthority.now.description,
            ])
            let forged = try JSONDecoder().decode(TrustExceptions.self, from: text)
            #expect(forged.failures.contains { $0.code == code.name })
            #expect(trust.setExceptions(forged) == .fits)
            #expect(!trust.evaluate().isTrusted)
            #expect(trust.evaluate().failureCodes.contains(code))
        }
    }

    @Test("Exceptions that were forged to name a missed pin don't excuse any failure")
    func tamperedPin() throws {
        let lab = try TrustLab()
        var trust = try lab.trust(lab.leaf())
        let evaluator = SPKIPinsTrustEvaluator(try SPKIPinSet(pins: [.unused(1)], backup: [.unused()]))
        let failure = try #require(evaluator.evaluate(trust).headline)
        let text = try JSONSerialization.data(withJSONObject: [
            "host": TrustLab.host, "leafSHA256": Hex.encode(trust.presentedChain.leaf?.sha256 ?? []),
            "failures": [
                [
                    "code": failure.code.name, "expected": try Self.json(#require(failure.expected)),
                    "found": try Self.json(#require(failure.found)),
                ]
            ],
            "created": TestAuthority.now.description,
        ])
        trust.setExceptions(try JSONDecoder().decode(TrustExceptions.self, from: text))
        #expect(trust.exceptions != nil)
        #expect(evaluator.evaluate(trust).failureCodes == [.pinNotMatched])
    }

    @Test("Exceptions with one changed value don't excuse any failure")
    func changedValues() throws {
        let lab = try TrustLab()
        let leaf = try lab.expiredLeaf()
        let trust = try lab.trust(leaf, host: "api.example.com")
        let agreed = try trust.evaluate().exceptions()
        let text = String(decoding: try JSONEncoder().encode(agreed), as: UTF8.self)
        let changes = [
            ("certificateExpired", "certificateNotYetValid"), ("hostMismatch", "subjectAlternativeNameMissing"),
            (leaf.notAfter.description, leaf.notAfter.advanced(by: 1).description),
            ("\"found\":[\"www.example.com\"]", "\"found\":[\"evil.example.com\"]"),
            (
                "\"certificateSHA256\":\"\(Hex.encode(leaf.sha256))\"",
                "\"certificateSHA256\":\"\(Hex.encode(lab.root.certificate.sha256))\""
            ),
            ("\"certificateSHA256\":\"\(Hex.encode(leaf.sha256))\"", "\"certificateSHA256\":null"),
        ]
        for (old, new) in changes {
            #expect(text.contains(old))
            var other = trust
            let changed = Data(text.replacingOccurrences(of: old, with: new).utf8)
            #expect(other.setExceptions(try JSONDecoder().decode(TrustExceptions.self, from: changed)) == .fits)
            #expect(!other.evaluate().isTrusted)
        }
        var same = trust
        same.setExceptions(try JSONDecoder().decode(TrustExceptions.self, from: Data(text.utf8)))
        #expect(same.evaluate().result == .proceed)
    }

    private static func json(_ value: TrustFailure.Value) throws -> Any {
        try JSONSerialization.jsonObject(with: JSONEncoder().encode(value), options: .fragmentsAllowed)
    }

    // MARK: Chains without an anchor, and revocation

    @Test("A chain without an anchor that the user agreed to is refused if it has another intermediate")
    func otherIntermediate() throws {
        let lab = try TrustLab()
        let leaf = try lab.leaf()
        let anchors = [try TrustLab.unrelatedRoot().certificate]
        var trust = try Trust.lab([leaf, lab.intermediate.certificate], anchors: anchors)
        #expect(trust.evaluate().failureCodes == [.unknownIssuer])
        trust.setExceptions(try trust.evaluate().exceptions())
        #expect(trust.evaluate().result == .proceed)
        #expect(trust.evaluate().excusedCodes == [.unknownIssuer])
        let others: [[Certificate]] = [
            [try lab.root.intermediate(key: lab.intermediate.identity.key).certificate],
            [try TestAuthority.root(.authority("Else")).intermediate(key: lab.intermediate.identity.key).certificate],
            [try lab.root.intermediate().certificate], [], [lab.intermediate.certificate, lab.root.certificate],
        ]
        for other in others {
            trust.presentedChain = PresentedChain([leaf] + other)
            #expect(!trust.evaluate().isTrusted)
        }
        // An additional unrelated certificate changes nothing.
        trust.presentedChain = PresentedChain([leaf, lab.intermediate.certificate] + anchors)
        #expect(trust.evaluate().result == .proceed)
    }

    @Test("The user can agree to an expired intermediate in a chain without an anchor, and nothing crashes")
    func expiredIntermediateWithoutAnchor() async {
        await #expect(processExitsWith: .success) {
            let lab = try TrustLab(intermediate: .authority("Old").with { $0.notAfter = TrustLab.past })
            let leaf = try lab.leaf()
            var trust = try Trust.lab(
                [leaf, lab.intermediate.certificate], anchors: [TrustLab.unrelatedRoot().certificate])
            #expect(Set(trust.evaluate().failureCodes) == [.certificateExpired, .unknownIssuer])
            trust.setExceptions(try trust.evaluate().exceptions())
            let verdict = trust.evaluate()
            #expect(verdict.result == .proceed)
            #expect(Set(verdict.excusedCodes) == [.certificateExpired, .unknownIssuer])
            // Excused failures name certificates in the path.
            #expect(verdict.excused.allSatisfy { verdict.path.indices.contains($0.certificate ?? 0) })
            #expect(!verdict.description.isEmpty)
            trust.verifyDate = .at(TestAuthority.notAfter.advanced(by: 1))
            #expect(!trust.evaluate().isTrusted)
        }
    }

    @Test("The user must separately accept a required revocation check that can't be made")
    func revocation() throws {
        let lab = try TrustLab()
        let leaf = try lab.expiredLeaf()
        var trust = try lab.trust(leaf)
        trust.setExceptions(try trust.evaluate().exceptions())
        #expect(trust.evaluate().result == .proceed)
        trust.revocation = .required
        let refused = trust.evaluate()
        #expect(!refused.isTrusted)
        #expect(refused.failureCodes.contains(.revocationUnavailable))
        let both = try refused.exceptions()
        #expect(Set(both.failures.map(\.code)) == ["certificateExpired", "revocationUnavailable"])
        trust.setExceptions(both)
        #expect(trust.evaluate().result == .proceed)
        #expect(Set(trust.evaluate().excusedCodes) == [.certificateExpired, .revocationUnavailable])
        // The exceptions cover neither another leaf nor failures of the path below it.
        trust.presentedChain = PresentedChain([try lab.leaf(), lab.intermediate.certificate])
        #expect(trust.evaluate().failureCodes == [.revocationUnavailable, .revocationUnavailable])
    }

    @Test("A self-signed leaf that the user agreed to is refused if a revocation check is required")
    func revocationOfUnanchored() throws {
        var trust = try Trust.lab([TrustLab.selfSigned()], anchors: [TrustLab.unrelatedRoot().certificate])
        trust.setExceptions(try trust.evaluate().exceptions())
        #expect(trust.evaluate().isTrusted)
        trust.revocation = .required
        #expect(!trust.evaluate().isTrusted)
    }

    // MARK: Several values in one failure

    /// A CA that may only issue for these names, and a leaf below it.
    private func constrained(_ permitted: String..., leaf names: String...) throws -> (lab: TrustLab, leaf: Certificate)
    {
        let lab = try TrustLab(intermediate: .authority("Test Intermediate").with { $0.permittedDNSNames = permitted })
        return (lab, try lab.leaf { $0.dnsNames = names })
    }

    @Test("An exception for a wrong name contains all names of the leaf")
    func allNames() throws {
        let (lab, leaf) = try constrained("example.com", leaf: "www.example.com", "a.evil.example", "b.evil.example")
        var trust = try lab.trust(leaf)
        let met = trust.evaluate()
        #expect(met.failureCodes == [.nameNotPermitted])
        #expect(met.headline?.found == .list(["DNS:a.evil.example", "DNS:b.evil.example"]))
        let agreed = try met.exceptions()
        let read = try JSONDecoder().decode(TrustExceptions.self, from: JSONEncoder().encode(agreed))
        #expect(read == agreed)
        #expect(trust.setExceptions(read) == .fits)
        #expect(trust.evaluate().result == .proceed)
    }

    @Test("An exception for one name, as in earlier versions, covers only a leaf with that wrong name")
    func earlierForm() throws {
        /// The encoding from when exceptions had only the first wrong name.
        func earlier(_ trust: Trust, _ name: String) throws -> TrustExceptions {
            let agreed = try trust.evaluate().exceptions()
            let excuse = try #require(agreed.failures.first)
            let expected = try Self.json(#require(excuse.expected))
            let text = try JSONSerialization.data(withJSONObject: [
                "host": agreed.host, "leafSHA256": agreed.leafSHA256, "created": agreed.created.description,
                "failures": [
                    [
                        "code": excuse.code, "certificateSHA256": excuse.certificateSHA256 ?? "",
                        "expected": expected, "found": name,
                    ]
                ],
            ])
            return try JSONDecoder().decode(TrustExceptions.self, from: text)
        }
        let one = try constrained("example.com", leaf: "www.example.com", "a.evil.example")
        var trust = try one.lab.trust(one.leaf)
        #expect(trust.setExceptions(try earlier(trust, "DNS:a.evil.example")) == .fits)
        #expect(trust.evaluate().result == .proceed)
        var fresh = try one.lab.trust(one.leaf)
        #expect(fresh.setExceptions(try earlier(fresh, "DNS:b.evil.example")) == .fits)
        #expect(!fresh.evaluate().isTrusted)

        let two = try constrained("example.com", leaf: "www.example.com", "a.evil.example", "b.evil.example")
        var other = try two.lab.trust(two.leaf)
        #expect(other.setExceptions(try earlier(other, "DNS:a.evil.example")) == .fits)
        #expect(other.evaluate().failureCodes == [.nameNotPermitted])
    }

    @Test("Exceptions keep and compare whole lists, even if messages shorten long lists")
    func longLists() throws {
        let names = (0..<60).map { "n\($0).evil.example" }
        let lab = try TrustLab(
            intermediate: .authority("Test Intermediate").with { $0.permittedDNSNames = ["example.com"] })
        let leaf = try lab.leaf { $0.dnsNames = [TrustLab.host] + names }
        var trust = try lab.trust(leaf)
        let agreed = try trust.evaluate().exceptions()
        #expect(agreed.failures.first?.found == .list(names.map { "DNS:" + $0 }))
        let data = try JSONEncoder().encode(agreed)
        trust.setExceptions(try JSONDecoder().decode(TrustExceptions.self, from: data))
        #expect(trust.evaluate().result == .proceed)
        // A list without one of the wrong names isn't enough.
        let text = String(decoding: data, as: UTF8.self)
        let shorter = text.replacingOccurrences(of: ",\"DNS:n59.evil.example\"", with: "")
        #expect(shorter != text)
        var other = try lab.trust(leaf)
        #expect(other.setExceptions(try JSONDecoder().decode(TrustExceptions.self, from: Data(shorter.utf8))) == .fits)
        #expect(!other.evaluate().isTrusted)
    }

    // MARK: Setting

    @Test("Exceptions that don't fit leave the earlier ones unchanged")
    func keepsEarlier() throws {
        let lab = try TrustLab()
        var trust = try lab.trust(lab.expiredLeaf())
        let agreed = try trust.evaluate().exceptions()
        trust.setExceptions(agreed)
        #expect(trust.setExceptions(try lab.trust(lab.expiredLeaf()).evaluate().exceptions()) == .otherLeaf)
        #expect(trust.exceptions == agreed)
        #expect(trust.evaluate().result == .proceed)
    }

    @Test("The host is the same in any spelling")
    func hostSpelling() throws {
        let lab = try TrustLab()
        let leaf = try lab.expiredLeaf()
        let agreed = try lab.trust(leaf, host: "WWW.Example.COM.").evaluate().exceptions()
        var trust = try lab.trust(leaf)
        #expect(trust.setExceptions(agreed) == .fits)
        #expect(trust.evaluate().result == .proceed)
        for other in ["example.com", "wwww.example.com", "www.example.com.evil.example", "192.0.2.1"] {
            var elsewhere = try lab.trust(leaf, host: other)
            #expect(elsewhere.setExceptions(agreed) == .otherHost)
        }
    }

    @Test("Of two cross-signed paths, the excepted one is excused, in any order")
    func crossSigned() throws {
        let key = TestKey.p256()
        let rootA = try TestAuthority.root(.authority("Root A"))
        let rootB = try TestAuthority.root(.authority("Root B"))
        let underA = try rootA.intermediate(.authority("CA").with { $0.notAfter = TrustLab.past }, key: key)
        let underB = try rootB.intermediate(.authority("CA").with { $0.notAfter = TrustLab.past }, key: key)
        let leaf = try underA.issue(.leaf(TrustLab.host)).certificate
        let anchors = [rootA.certificate, rootB.certificate]
        let agreed = try Trust.lab([leaf, underA.certificate], anchors: anchors).evaluate().exceptions()
        for others in [[underA, underB], [underB, underA]] {
            var trust = try Trust.lab([leaf] + others.map(\.certificate), anchors: anchors)
            #expect(!trust.evaluate().isTrusted)
            trust.setExceptions(agreed)
            #expect(trust.evaluate().result == .proceed)
            #expect(trust.evaluate().path == [leaf, underA.certificate, rootA.certificate])
            // A pin that only the other path contains is missed.
            let pinned = try PublicKeysTrustEvaluator(keys: [rootB.certificate.subjectPublicKeyInfo])
            #expect(!pinned.evaluate(trust).isTrusted)
        }
        var other = try Trust.lab([leaf, underB.certificate], anchors: anchors)
        other.setExceptions(agreed)
        #expect(other.evaluate().failureCodes == [.certificateExpired])
    }
}
