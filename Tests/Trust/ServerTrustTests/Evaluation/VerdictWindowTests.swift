// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// A verdict begins with the last and ends with the first of everything that it depends on, whichever it is. A memory
/// relies on both dates.
@Suite("Window of a verdict")
struct VerdictWindowTests {
    private let now = TestAuthority.now

    @Test(
        "Evidence that is older than the leaf or valid for longer doesn't extend the window", arguments: [true, false])
    func evidence(isStapled: Bool) throws {
        let (from, until) = (now.advanced(by: -60), now.advanced(by: 60))
        let scene = try TrustScene(leaf: .leaf(TrustScene.name).from(from).until(until))
        let (early, late) = (now.advanced(by: -86_400), now.advanced(by: 86_400))
        let crls = try [scene.intermediate, scene.root].map {
            try $0.crl { ($0.thisUpdate, $0.nextUpdate) = (early, late) }.der
        }
        let response = try scene.intermediate.ocspResponse {
            $0.producedAt = early
            $0.add(scene.leaf) { ($0.thisUpdate, $0.nextUpdate) = (early, late) }
        }
        let trust = scene.trust {
            $0.revocation = .bestEffort
            if isStapled { $0.presentedChain.staple = .given(response.der) } else { $0.revocationData.crls = crls }
        }
        let memory = VerdictMemory()
        let verdict = trust.evaluate(rememberingIn: memory)
        #expect(verdict.isTrusted && verdict.unchangedFrom == from && verdict.unchangedUntil == until)
        #expect(verdict.revocation[0].status == .good)
        for (time, code) in [
            (from.advanced(by: -1), TrustFailure.Code.certificateNotYetValid),
            (until.advanced(by: 1), .certificateExpired),
        ] {
            var other = trust
            other.verifyDate = .at(time)
            #expect(other.evaluate(rememberingIn: memory).codes == [code])
        }
    }

    @Test("A list of logs that is usable for longer than the leaf is valid doesn't extend the window")
    func transparency() throws {
        let (from, until) = (now.advanced(by: -60), now.advanced(by: 60))
        let scene = try TransparencyScene { ($0.notBefore, $0.notAfter) = (from, until) }
        let verdict = scene.trust(scene.settings()).evaluate()
        #expect(verdict.isTrusted && verdict.transparency?.status == .complies)
        #expect(verdict.unchangedFrom == from && verdict.unchangedUntil == until)
    }

    @Test("A verdict with an excused failure ends with the exception, and other certificates still limit it")
    func excused() throws {
        let past = now.advanced(by: -1)
        let rows: [(leaf: Time, authority: Time, expires: Time?, end: Time)] = [
            (past, now.advanced(by: 50), now.advanced(by: 90), now.advanced(by: 50)),
            (past, now.advanced(by: 50), now.advanced(by: 20), now.advanced(by: 20)),
            (past, now.advanced(by: 50), nil, now.advanced(by: 50)),
            (now.advanced(by: 30), past, now.advanced(by: 90), now.advanced(by: 30)),
            (now.advanced(by: 30), past, nil, now.advanced(by: 30)),
        ]
        for row in rows {
            let scene = try TrustScene(
                intermediate: .authority("CA").until(row.authority), leaf: .leaf(TrustScene.name).until(row.leaf))
            var trust = scene.trust()
            trust.setExceptions(try trust.evaluate().exceptions(expires: row.expires))
            let verdict = trust.evaluate()
            #expect(verdict.result == .proceed && verdict.unchangedUntil == row.end, "\(row)")
        }
    }

    @Test("An excused failure other than a date doesn't extend the validity of its certificate")
    func excusedName() throws {
        let (from, until) = (now.advanced(by: -60), now.advanced(by: 60))
        for isAnchored in [true, false] {
            let scene = try TrustScene(leaf: .leaf("other.example").from(from).until(until))
            var trust = scene.trust { if !isAnchored { $0.anchors = .only([]) } }
            trust.setExceptions(try trust.evaluate().exceptions())
            let verdict = trust.evaluate()
            #expect(verdict.result == .proceed && verdict.excused.contains { $0.code == .hostMismatch })
            #expect(verdict.unchangedFrom == from && verdict.unchangedUntil == until)
        }
    }
}
