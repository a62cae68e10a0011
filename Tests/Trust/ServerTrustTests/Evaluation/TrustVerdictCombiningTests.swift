// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Combined and refused verdicts")
struct TrustVerdictCombiningTests {
    private let trusted: TrustVerdict
    private let expired = TrustFailure(.certificateExpired, certificate: 0, role: .leaf)
    private let revoked = TrustFailure(.certificateRevoked, certificate: 0, role: .leaf)
    private let undecided = TrustFailure(.stepBudgetExceeded)

    init() throws {
        let lab = try TrustLab()
        trusted = try lab.trust(lab.leaf()).evaluate()
        #expect(trusted.isTrusted && trusted.rejectedPaths.isEmpty)
    }

    private func rejected(_ failures: TrustFailure...) -> RejectedPath {
        RejectedPath(certificates: trusted.path, reachesAnchor: trusted.reachesAnchor, failures: failures)
    }

    @Test("Two refusals combine into the worse result with the failures and paths of both")
    func refusals() {
        let codes: [(one: TrustFailure, other: TrustFailure, result: TrustResultType)] = [
            (expired, revoked, .fatalFailure), (expired, undecided, .otherError), (undecided, revoked, .fatalFailure),
            (expired, expired, .recoverableFailure),
        ]
        for (one, other, result) in codes {
            for (first, second) in [(one, other), (other, one)] {
                let both = trusted.adding([first]).combined(with: trusted.adding([second]))
                #expect(both.result == result)
                #expect(Set(both.failures) == [one, other])
                #expect(both.failures == both.failures.sorted(by: TrustFailure.comesFirst))
                #expect(both.rejectedPaths == (one == other ? [rejected(one)] : [rejected(first), rejected(second)]))
            }
        }
    }

    @Test("A refusal wins over a trusted verdict")
    func refusalAndTrust() {
        let refused = trusted.adding([expired])
        #expect(trusted.combined(with: refused) == refused)
        #expect(refused.combined(with: trusted) == refused)
    }

    @Test("Two trusted verdicts combine into the shorter validity and all excused failures")
    func trustedVerdicts() {
        var (one, other) = (trusted, trusted)
        let now = trusted.evaluationDate
        (one.validFrom, one.validUntil) = (now.advanced(by: -10), now.advanced(by: 20))
        (other.validFrom, other.validUntil) = (now.advanced(by: -5), now.advanced(by: 10))
        one.excused = [expired]
        other.excused = [expired, undecided]
        for both in [one.combined(with: other), other.combined(with: one)] {
            #expect(both.isTrusted)
            #expect(both.validFrom == now.advanced(by: -5) && both.validUntil == now.advanced(by: 10))
            #expect(both.excused.count == 2 && Set(both.excused) == [expired, undecided])
        }
        other.excused = []
        #expect(one.combined(with: other).excused == [expired])
        #expect(other.combined(with: one).excused == [expired])
        (other.validFrom, other.validUntil) = (nil, nil)
        #expect(other.combined(with: one).validUntil == one.validUntil)
        #expect(other.combined(with: one).validFrom == one.validFrom)
    }

    @Test("A failure of the handshake refuses a trusted verdict, and nothing of the acceptance remains")
    func handshake() {
        var verdict = trusted
        verdict.isAcceptedByDelegate = true
        verdict.matchedPin = MatchedPin(.key, sha256: [UInt8](repeating: 1, count: 32), certificate: 0)
        let refused = verdict.refused(for: revoked)
        #expect(!refused.isTrusted && refused.result == .fatalFailure)
        #expect(refused.failures == [revoked] && refused.rejectedPaths == [rejected(revoked)])
        #expect(!refused.isAcceptedByDelegate && refused.matchedPin == nil)
        #expect(refused.validFrom == nil && refused.validUntil == nil)
        // The path with the additional failure replaces the best candidate.
        let again = trusted.adding([expired]).refused(for: revoked)
        #expect(again.result == .fatalFailure && Set(again.failures) == [expired, revoked])
        #expect(again.rejectedPaths.map(\.failures) == [again.failures])
    }
}
