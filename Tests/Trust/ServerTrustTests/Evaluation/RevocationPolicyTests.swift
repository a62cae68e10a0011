// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust
@testable import ServerTrustTesting

/// Best-effort and required revocation checks, their reports, and the lifetime of verdicts.
@Suite("Revocation")
struct RevocationPolicyTests {
    let scene: TrustScene
    /// Empty CRLs of both CAs.
    let good: [[UInt8]]
    /// The CRL of the leaf's issuer, which lists the leaf.
    let revoking: [UInt8]

    init() throws {
        let scene = try TrustScene()
        self.scene = scene
        self.good = [try scene.intermediate.crl().der, try scene.root.crl { $0.nextUpdate = Self.rootEnd }.der]
        self.revoking = try scene.intermediate.crl { $0.revoke(scene.leaf, reason: .keyCompromise) }.der
    }

    private static let rootEnd = TestAuthority.now.advanced(by: 3 * 86_400)
    private static let yesterday = TestAuthority.now.advanced(by: -86_400)

    private func trust(_ check: RevocationPolicy.Mode, _ crls: [[UInt8]], _ change: (inout Trust) -> Void = { _ in })
        -> Trust
    {
        scene.trust {
            $0.revocation.mode = check
            $0.revocationData.crls = crls
            change(&$0)
        }
    }

    // MARK: - Decisions

    @Test("A filter revokes the certificates that it lists")
    func filter() throws {
        let log = try TestLog("Log", operatedBy: "Operator")
        let scene = try TrustScene(leaf: .leaf(TrustScene.name).with { $0.timestamps = [log.timestamp()] })
        func number(_ value: Int64, _ size: Int64) -> [UInt8] {
            (1...size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - $0))) }
        }
        // Format 4: the dates of one log, one issuer without columns, which lists all serial numbers, and no columns.
        let dates = number(0, 8) + number(TestAuthority.now.secondsSinceEpoch * 1_000, 8)
        let entry = scene.intermediate.certificate.subjectPublicKeyInfoSHA256 + number(1, 4) + number(0, 16)
        let filter = [4, 0] + number(1, 2) + log.logID + dates + number(1, 4) + entry + number(0, 5)
        let trust = try scene.prepared { $0.revocationData.filters = [try RevocationFilter(filter)] }
        #expect(trust.evaluate().codes == [.certificateRevoked])
        #expect(scene.trust().evaluate().isTrusted)
    }

    @Test(
        "With revocation off, the verdict says that revocation isn't checked, but available evidence of a revocation still refuses the server"
    )
    func off() throws {
        let staple = try scene.intermediate.ocspResponse { $0.add(scene.leaf, .revoked) }.der
        let list = try CertificateRevocationList(der: revoking)
        let revoked = [
            trust(.off, [revoking]), trust(.off, good) { $0.presentedChain.staple = .given(staple) },
            trust(.off, []) { $0.presentedChain.staple = .given(staple) },
            trust(.off, []) { $0.revocationData.ocspResponses = [[1, 2], staple] },
            trust(.off, [[0x30, 0x00]]) { $0.revocationData.lists = [list] },
        ]
        for trust in revoked {
            let verdict = trust.evaluate()
            #expect(verdict.codes == [.certificateRevoked])
            #expect(verdict.result == .fatalFailure)
            #expect(verdict.revocation.map(\.isRevoked) == [true, false])
            #expect(verdict.revocation.last?.status == .unchecked)
            #expect(verdict.notChecked.contains(.revocation) && !verdict.checked.contains(.revocation))
            #expect(verdict.warnings.isEmpty)
        }
        let others = [
            trust(.off, good), trust(.off, []), trust(.off, [[0x30, 0x00]]) { $0.presentedChain.staple = .given([1]) },
        ]
        for trust in others {
            let verdict = trust.evaluate()
            #expect(verdict.result == .unspecified)
            #expect(verdict.revocation.isEmpty && verdict.revocationGaps.isEmpty && verdict.warnings.isEmpty)
            #expect(verdict.notChecked.contains(.revocation) && !verdict.checked.contains(.revocation))
        }
    }

    @Test(
        "Only the disabled evaluator accepts a revoked server, and its verdict says so",
        arguments: RevocationPolicy.Mode.allCases)
    func disabled(check: RevocationPolicy.Mode) throws {
        let verdict = DisabledTrustEvaluator.insecurelyTrustingAnyServer.evaluate(trust(check, [revoking]))
        #expect(verdict.result == .proceed)
        #expect(verdict.excused.map(\.code).contains(.certificateRevoked))
        #expect(verdict.revocation.first?.isRevoked == true)
        let plain = DisabledTrustEvaluator.insecurelyTrustingAnyServer.evaluate(trust(check, []))
        #expect(!Set(verdict.warnings).isSubset(of: plain.warnings))
        #expect(try JSONDecoder().decode(TrustVerdict.self, from: JSONEncoder().encode(verdict)) == verdict)
        let defaults = DefaultTrustEvaluator().evaluate(trust(check, [revoking]))
        #expect(defaults.headline?.code == .certificateRevoked)
    }

    @Test(
        "Revocation counts as checked if there is good evidence about every certificate",
        arguments: [RevocationPolicy.Mode.bestEffort, .required])
    func checked(check: RevocationPolicy.Mode) {
        let verdict = trust(check, good).evaluate()
        #expect(verdict.result == .unspecified)
        #expect(verdict.revocation.map(\.status) == [.good, .good])
        #expect(verdict.revocation.map(\.source) == [.crl, .crl])
        #expect(verdict.checked.contains(.revocation) && !verdict.notChecked.contains(.revocation))
    }

    @Test("Presented certificates with a CRL signer's name don't hide the caller's own signer")
    func fakeSigners() throws {
        let template = CertificateTemplate.crlSigner("Test Intermediate").with { $0.organization = "Test" }
        let signer = try scene.root.issue(template)
        let crl = try signer.crl { $0.revoke(scene.leaf, reason: .keyCompromise) }.der
        // A signature check with P-521 costs as much as twenty with P-256, so these exhaust the budget.
        let fakes = try (0..<25).map { _ in try TestAuthority.root(template, key: .p521()).certificate }
        let verdict = scene.trust(scene.chain + fakes) {
            $0.revocation = .bestEffort
            $0.revocationData.crls = [crl]
            $0.intermediates = [signer.certificate]
        }.evaluate()
        #expect(!verdict.isTrusted)
    }

    @Test("A revoked certificate is refused even under best effort, as a fatal failure with date and reason")
    func revoked() throws {
        for check in [RevocationPolicy.Mode.bestEffort, .required] {
            let verdict = trust(check, [revoking, good[1]]).evaluate()
            #expect(verdict.result == .fatalFailure)
            #expect(
                verdict.failures == [
                    TrustFailure(
                        .certificateRevoked, certificate: 0, role: .leaf, expected: .time(Self.yesterday),
                        found: .text("keyCompromise"))
                ])
            #expect(verdict.revocation.first?.status == .revoked(at: Self.yesterday, reason: .keyCompromise))
            #expect(verdict.unchangedUntil == nil)
        }
    }

    @Test("A revoked leaf is reported as revoked even if two CA certificates share a name, in any order")
    func sharedName() throws {
        for hasKeyIdentifier in [true, false] {
            let template: (inout CertificateTemplate) -> Void = { $0.hasAuthorityKeyIdentifier = hasKeyIdentifier }
            let authorities = try (0..<2).map { _ in try scene.root.intermediate(.authority("Shared")) }
            let leaf = try authorities[0].issue(.leaf(TrustScene.name).with(template)).certificate
            let crls = [try authorities[0].crl { $0.revoke(leaf, reason: .keyCompromise) }.der, good[1]]
            for others in [authorities, authorities.reversed()] {
                for check in [RevocationPolicy.Mode.bestEffort, .required] {
                    let verdict = scene.trust([leaf] + others.map(\.certificate)) {
                        $0.revocation.mode = check
                        $0.revocationData.crls = crls
                    }.evaluate()
                    #expect(verdict.codes == [.certificateRevoked])
                    #expect(verdict.path == [leaf, authorities[0].certificate, scene.root.certificate])
                    #expect(verdict.revocation.first?.isRevoked == true)
                }
            }
        }
    }

    @Test("A wrong signature stays the headline if nothing is revoked")
    func wrongSignature() throws {
        let authorities = try (0..<2).map { _ in try scene.root.intermediate(.authority("Shared")) }
        let leaf = try authorities[0].issue(.leaf(TrustScene.name)).certificate
        let verdict = scene.trust([leaf, authorities[1].certificate]) { $0.revocation = .bestEffort }.evaluate()
        #expect(verdict.codes == [.signatureInvalid])
    }

    @Test(
        "Evidence that exceeds the work budget refuses the server even under best effort, but the user can agree to that"
    )
    func exhausted() throws {
        let forged = try (0..<450).map { number in
            try scene.intermediate.crl {
                $0.number = UInt64(number)
                $0.hasWrongSignature = true
            }.der
        }
        for check in [RevocationPolicy.Mode.off, .bestEffort] {
            let verdict = trust(check, forged).evaluate()
            #expect(verdict.codes == [.revocationUnavailable])
            #expect(verdict.result == .recoverableFailure)
        }
        #expect(trust(.bestEffort, Array(forged.prefix(20))).evaluate().isTrusted)
        // The engine finds the true list among them at any position.
        #expect(trust(.bestEffort, forged + [revoking]).evaluate().codes == [.certificateRevoked])
        #expect(trust(.bestEffort, [revoking] + forged).evaluate().codes == [.certificateRevoked])
    }

    @Test("A list from the CA's other key can prove a certificate good, and the verdict notes the other key")
    func otherKey() throws {
        let renewed = try scene.root.intermediate(.authority("Test Intermediate"))
        let verdict = trust(.required, [try renewed.crl().der, good[1]]) { $0.intermediates = [renewed.certificate] }
            .evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.revocation.map(\.notes) == [[.crlSignedWithOtherKey], []])
        #expect(try JSONDecoder().decode(TrustVerdict.self, from: JSONEncoder().encode(verdict)) == verdict)
        #expect(!trust(.required, [try renewed.crl().der, good[1]]).evaluate().isTrusted)
    }

    @Test("A revoked CA is refused with its own index")
    func revokedAuthority() throws {
        let root = try scene.root.crl { $0.revoke(scene.intermediate.certificate) }.der
        let verdict = trust(.bestEffort, [good[0], root]).evaluate()
        #expect(verdict.failures.map(\.code) == [.certificateRevoked])
        #expect(verdict.failures.first?.certificate == 1)
        // With only the leaf in scope, the check requires no evidence about its CA. Evidence that revokes the CA still
        // counts.
        let leafAlone = trust(.required, [good[0], root]) { $0.revocation.scope = .leaf }.evaluate()
        #expect(leafAlone.codes == [.certificateRevoked])
        #expect(leafAlone.failures.first?.certificate == 1)
        let unknown = trust(.required, [good[0]]) { $0.revocation.scope = .leaf }.evaluate()
        #expect(unknown.isTrusted)
        #expect(unknown.revocation.map(\.status) == [.good, .unchecked])
    }

    @Test("Best effort accepts an unknown status, and a required check refuses it, each with a reason")
    func unobtainable() {
        let relaxed = trust(.bestEffort, [good[0]]).evaluate()
        #expect(relaxed.result == .unspecified)
        #expect(relaxed.revocation.map(\.status) == [.good, .unobtainable([.noEvidence])])
        #expect(relaxed.notChecked.contains(.revocation) && !relaxed.checked.contains(.revocation))
        let strict = trust(.required, [good[0]]).evaluate()
        #expect(strict.result == .recoverableFailure)
        #expect(
            strict.failures == [
                TrustFailure(
                    .revocationUnavailable, certificate: 1, role: .intermediate, found: .list(["noEvidence"]))
            ])
        #expect(strict.revocation.map(\.status) == relaxed.revocation.map(\.status))
    }

    @Test("Unreadable evidence is a warning, and the verdict names it if an answer is missing")
    func malformed() {
        let verdict = trust(.bestEffort, [[0x30, 0x00]]) {
            $0.revocationData.ocspResponses = [[1]]
            $0.presentedChain.staple = .given([2])
        }.evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.warnings.count == 4)
        #expect(verdict.revocationGaps == [.noAddress])
        #expect(verdict.revocation.first?.status == .unobtainable([.noEvidence, .evidenceMalformed]))
    }

    @Test("At most 16 warnings are about unreadable evidence", arguments: [(15, 15), (16, 16), (17, 16)])
    func manyMalformed(count: Int, warnings: Int) {
        let verdict = trust(.bestEffort, [[UInt8]](repeating: [0x30, 0x00], count: count)).evaluate()
        // One more warning is about the missing address.
        #expect(verdict.isTrusted && verdict.warnings.count == warnings + 1)
    }

    @Test("Of two cross-signed paths, the engine chooses the one without a revoked CA")
    func otherPath() throws {
        let other = try TestAuthority.root(.authority("Other Root"))
        let crossed = try scene.intermediate.crossSigned(by: other)
        let first = try scene.root.crl { $0.revoke(scene.intermediate.certificate) }.der
        let verdict = trust(.bestEffort, [good[0], first, try other.crl().der]) {
            $0.presentedChain = PresentedChain([scene.leaf, scene.intermediate.certificate, crossed.certificate])
            $0.anchors = .only([scene.root.certificate, other.certificate])
        }.evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.path.last == other.certificate)
        #expect(verdict.revocation.map(\.status) == [.good, .good])
    }

    @Test("Lists that are already indexed cost as much as the same lists in DER")
    func lists() throws {
        let lists = try good.map { try CertificateRevocationList(der: $0) }
        #expect(trust(.required, []) { $0.revocationData.lists = lists }.evaluate().isTrusted)
        let bad = [try CertificateRevocationList(der: revoking)]
        #expect(trust(.bestEffort, []) { $0.revocationData.lists = bad }.evaluate().codes == [.certificateRevoked])
    }

    // MARK: - Exceptions and exemptions

    @Test("The user can't agree to a revocation, and an exception for another failure doesn't cover it")
    func exceptions() throws {
        let verdict = trust(.bestEffort, [revoking]).evaluate()
        #expect(throws: TrustExceptionsError.self) { try verdict.exceptions() }
        let late = scene.leaf.notAfter.advanced(by: 60)
        let expired = scene.trust(at: late).evaluate()
        let agreed = try expired.exceptions()
        var trust = scene.trust(at: late)
        trust.setExceptions(agreed)
        #expect(trust.evaluate().result == .proceed)
        trust.revocation = .bestEffort
        trust.revocationData.crls = [revoking]
        #expect(trust.evaluate().codes.contains(.certificateRevoked))
        #expect(trust.evaluate().result == .fatalFailure)
    }

    @Test("A pinned leaf is refused if it or the CA above it is revoked")
    func pinned() throws {
        let evaluator = try PinnedCertificatesTrustEvaluator(
            certificates: [scene.leaf], performDefaultValidation: false)
        let authority = try scene.root.crl { $0.revoke(scene.intermediate.certificate) }.der
        #expect(evaluator.evaluate(trust(.bestEffort, good)).isTrusted)
        for crls in [[revoking], [authority]] {
            #expect(evaluator.evaluate(trust(.bestEffort, crls)).codes == [.certificateRevoked])
        }
    }

    @Test("An expired pinned leaf is accepted, unless it is also revoked")
    func pinnedAndExpired() throws {
        let scene = try TrustScene(leaf: .expired)
        let evaluator = try PinnedCertificatesTrustEvaluator(
            certificates: [scene.leaf], performDefaultValidation: false)
        let revoking = try scene.intermediate.crl { $0.revoke(scene.leaf) }.der
        let relaxed = scene.trust { $0.revocation = .bestEffort }
        #expect(evaluator.evaluate(relaxed).result == .proceed)
        let revoked = scene.trust {
            $0.revocation = .bestEffort
            $0.revocationData.crls = [revoking]
        }
        #expect(evaluator.evaluate(revoked).codes.first == .certificateRevoked)
        #expect(evaluator.evaluate(revoked).result == .fatalFailure)
    }

    // MARK: - Validity

    @Test("A verdict is valid only within the window of its evidence")
    func validity() {
        let verdict = trust(.required, good).evaluate()
        #expect(verdict.unchangedUntil == Self.rootEnd)
        #expect(verdict.unchangedFrom == TestAuthority.now.advanced(by: -3600 - 300))
        #expect(!trust(.required, good) { $0.verifyDate = .at(Self.rootEnd.advanced(by: 1)) }.evaluate().isTrusted)
    }

    @Test("A best-effort verdict without an answer is valid until available evidence begins to count")
    func validityWithoutAnswer() throws {
        let begin = TestAuthority.now.advanced(by: 86_400)
        let future = try scene.intermediate.crl {
            $0.thisUpdate = begin
            $0.revoke(scene.leaf, at: begin)
        }.der
        let verdict = trust(.bestEffort, [future]).evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.unchangedUntil == begin.advanced(by: -301))
        #expect(
            trust(.bestEffort, [future]) { $0.verifyDate = .at(begin.advanced(by: -300)) }.evaluate().codes
                == [.certificateRevoked])
    }

    @Test(
        "A verdict that trusts a server despite a list from the future is valid until the revocation begins",
        arguments: [RevocationPolicy.Mode.off, .bestEffort])
    func validityBeforeRevocation(check: RevocationPolicy.Mode) throws {
        let begin = TestAuthority.now.advanced(by: 3600)
        let future = try scene.intermediate.crl {
            $0.thisUpdate = TestAuthority.now.advanced(by: 86_400)
            $0.revoke(scene.leaf, at: begin)
        }.der
        let verdict = trust(check, [future]).evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.unchangedUntil == begin.advanced(by: -1))
        #expect(trust(check, [future]) { $0.verifyDate = .at(begin) }.evaluate().codes == [.certificateRevoked])
    }

    @Test("A verdict cache never reuses a verdict past its evidence's end or for other evidence")
    func memory() throws {
        let memory = VerdictMemory()
        let known = trust(.required, good)
        #expect(known.evaluate(rememberingIn: memory).isTrusted)
        #expect(memory.count == 1)
        // The same evaluation, answered from the cache.
        #expect(known.evaluate(rememberingIn: memory).revocation.map(\.status) == [.good, .good])
        #expect(trust(.bestEffort, [revoking]).evaluate(rememberingIn: memory).codes == [.certificateRevoked])
        #expect(trust(.required, []).evaluate(rememberingIn: memory).codes.contains(.revocationUnavailable))
        #expect(trust(.off, good).evaluate(rememberingIn: memory).revocation.isEmpty)
        #expect(
            !trust(.required, good) { $0.verifyDate = .at(Self.rootEnd.advanced(by: 1)) }
                .evaluate(rememberingIn: memory).isTrusted)
        let bad = try scene.intermediate.ocspResponse { $0.add(scene.leaf, .revoked) }.der
        #expect(
            trust(.required, good) { $0.presentedChain.staple = .given(bad) }.evaluate(rememberingIn: memory).codes
                == [.certificateRevoked])
        #expect(
            trust(.required, good) { $0.revocation.scope = .leaf }.evaluate(rememberingIn: memory).revocation.last?
                .status == .unchecked)
    }

    @Test("The cache keeps no verdict with megabytes of its own evidence, but shared lists cost nothing")
    func memorySize() throws {
        let memory = VerdictMemory()
        let padding = [[UInt8]](repeating: [UInt8](repeating: 0, count: 70_000), count: 1)
        #expect(trust(.bestEffort, good + padding).evaluate(rememberingIn: memory).isTrusted)
        #expect(memory.count == 0)
        let lists = try good.map { try CertificateRevocationList(der: $0) }
        #expect(trust(.required, []) { $0.revocationData.lists = lists }.evaluate(rememberingIn: memory).isTrusted)
        #expect(memory.count == 1)
    }

    @Test("The shared cache of parsed evidence returns the same object for the same bytes, and is bounded")
    func parsedOnce() throws {
        let memory = RevocationMemory(maximumSize: 4096)
        let first = try memory.list(der: good[0])
        #expect(try memory.list(der: Array(good[0])) === first)
        for _ in 0..<20 { _ = try memory.list(der: scene.root.crl().der) }
        #expect(try memory.list(der: good[0]) !== first)
        let staple = try scene.intermediate.ocspResponse { $0.add(scene.leaf) }.der
        #expect(try memory.response(der: staple) === memory.response(der: Array(staple)))
    }

    @Test("The cache keeps the lists that were used last, up to its size, and no list larger than half of it")
    func cacheSize() throws {
        // Signatures with Ed25519 have the same size.
        let signer = try TestAuthority.root(key: .ed25519())
        let lists = try [UInt64](1...3).map { number in try signer.crl { $0.number = number }.der }
        let size = lists[0].count
        #expect(lists.allSatisfy { $0.count == size })
        let memory = RevocationMemory(maximumSize: 2 * size)
        for list in lists.prefix(2) { _ = try memory.list(der: list) }
        #expect(lists.map { memory.knownList(der: $0) != nil } == [true, true, false])
        #expect(memory.knownList(der: lists[0]) != nil)
        _ = try memory.list(der: lists[2])
        #expect(lists.map { memory.knownList(der: $0) != nil } == [true, false, true])
        let small = RevocationMemory(maximumSize: 2 * size - 1)
        _ = try small.list(der: lists[0])
        #expect(small.knownList(der: lists[0]) == nil)
    }

    @Test("An evaluation keeps the findings of 64 paths, among them always the newest")
    func manyPaths() throws {
        let evaluation = RevocationEvaluation(
            .bestEffort, staple: nil, RevocationData(), certificates: [], at: TestAuthority.now, memory: nil)
        let paths = try (0..<66).map { _ in
            [try scene.intermediate.issue(.leaf(TrustScene.name)).certificate] + scene.path.dropFirst()
        }
        for path in paths { #expect(evaluation.findings(onPathOf: path).map(\.certificate) == [0, 1]) }
        let isKnown = paths.map { evaluation.knownFindings(for: $0).count == 2 }
        #expect(isKnown == Array(repeating: true, count: 63) + [false, false, true])
        #expect(evaluation.findings(onPathOf: []).isEmpty)
    }

    // MARK: - Records

    @Test("Findings survive a JSON round trip")
    func codable() throws {
        let findings = [
            RevocationFinding(
                certificate: 0, status: .good, source: .staple, validFrom: Self.yesterday, validUntil: Self.rootEnd),
            RevocationFinding(
                certificate: 1, status: .revoked(at: Self.yesterday, reason: .superseded), source: .crl,
                validFrom: Self.yesterday),
            RevocationFinding(certificate: 2, status: .revoked(at: Self.yesterday, reason: nil), source: .ocsp),
            RevocationFinding(certificate: 3, status: .unobtainable([.noEvidence, .ocspTryLater])),
            RevocationFinding(certificate: 4, status: .unchecked),
            RevocationFinding(certificate: 5, status: .exempt(.noRevAvail)),
            RevocationFinding(certificate: 6, status: .exempt(.shortLived)),
            RevocationFinding(certificate: 7, status: .revoked(at: nil, reason: nil), source: .filter),
        ]
        let data = try JSONEncoder().encode(findings)
        #expect(try JSONDecoder().decode([RevocationFinding].self, from: data) == findings)
        let verdict = trust(.required, good).evaluate()
        #expect(
            try JSONDecoder().decode(TrustVerdict.self, from: JSONEncoder().encode(verdict)) == verdict)
    }

    @Test("A record with a revoked certificate and a trusted result can't be decoded")
    func contradiction() throws {
        let verdict = trust(.required, good).evaluate()
        var text = String(decoding: try JSONEncoder().encode(verdict), as: UTF8.self)
        let status = #""status":"good""#
        text = text.replacingOccurrences(
            of: status, with: #""status":"revoked","revokedAt":"2026-01-01T00:00:00Z""#)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(TrustVerdict.self, from: Data(text.utf8))
        }
    }
}
