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
        (one.unchangedFrom, one.unchangedUntil) = (now.advanced(by: -10), now.advanced(by: 20))
        (other.unchangedFrom, other.unchangedUntil) = (now.advanced(by: -5), now.advanced(by: 10))
        one.excused = [expired]
        other.excused = [expired, undecided]
        (one.result, other.result) = (.proceed, .proceed)
        for both in [one.combined(with: other), other.combined(with: one)] {
            #expect(both.isTrusted)
            #expect(both.unchangedFrom == now.advanced(by: -5) && both.unchangedUntil == now.advanced(by: 10))
            #expect(both.excused.count == 2 && Set(both.excused) == [expired, undecided])
        }
        other.excused = []
        other.result = .unspecified
        for both in [one.combined(with: other), other.combined(with: one)] {
            #expect(both.excused == [expired] && both.result == .proceed)
        }
        (other.unchangedFrom, other.unchangedUntil) = (nil, nil)
        #expect(other.combined(with: one).unchangedUntil == one.unchangedUntil)
        #expect(other.combined(with: one).unchangedFrom == one.unchangedFrom)
    }

    @Test("The stricter of two transparency findings counts, and the first of equally strict ones")
    func transparency() {
        let finding = TransparencyFinding.withoutList([], .mozilla)
        // The strictest first.
        let ranks: [[TransparencyFinding.Status]] = [
            [.notEnough, .notDiverse, .noneInUse, .noRFC6962Log], [.complies],
            [.listOutOfDate, .noLogList, .anchorNotPublic, .hostExempt],
        ]
        for (rank, statuses) in ranks.enumerated() {
            for (otherRank, others) in ranks.enumerated() {
                for status in statuses {
                    for other in others {
                        let stricter = TransparencyFinding.stricter(finding.with(status), finding.with(other))
                        #expect(stricter?.status == (rank <= otherRank ? status : other))
                    }
                }
            }
        }
        #expect(TransparencyFinding.stricter(nil, finding) == finding)
        #expect(TransparencyFinding.stricter(finding, nil) == finding)
        var (one, other) = (trusted.adding([expired]), trusted.adding([revoked]))
        (one.transparency, other.transparency) = (finding.with(.complies), finding.with(.notDiverse))
        for both in [one.combined(with: other), other.combined(with: one)] {
            #expect(both.transparency?.status == .notDiverse)
        }
    }

    @Test("Of two anchor findings about one path, the one with more dates from timestamps counts, or the first")
    func anchors() {
        let now = trusted.evaluationDate
        func finding(_ clocks: IssuanceLimit.Clock...) -> AnchorFinding {
            AnchorFinding(
                isPublic: true, lists: [],
                limits: clocks.map {
                    AnchorFinding.Limit(date: now, side: .notAfter, issued: now, clock: $0, isStandIn: false)
                }, permitsExtendedValidation: true)
        }
        func combined(_ one: AnchorFinding?, _ other: AnchorFinding?) -> AnchorFinding? {
            var (first, second) = (trusted, trusted)
            (first.anchor, second.anchor) = (one, other)
            return first.combined(with: second).anchor
        }
        let (none, one, two) = (finding(.notBefore), finding(.timestamps), finding(.timestamps, .timestamps))
        for (less, more) in [(none, one), (one, two), (none, two)] {
            #expect(combined(less, more) == more && combined(more, less) == more)
        }
        let sameCount = finding(.notBefore, .timestamps)
        #expect(combined(one, sameCount) == one && combined(sameCount, one) == sameCount)
        #expect(combined(nil, one) == one && combined(one, nil) == one)
        // The finding about another path doesn't count.
        var other = trusted
        other.path.removeLast()
        other.anchor = two
        #expect(trusted.combined(with: other).anchor == trusted.anchor)
    }

    @Test("An added failure refuses a trusted verdict, and neither dates nor an acceptance remain")
    func adding() {
        var verdict = trusted
        verdict.isAcceptedByDelegate = true
        verdict.excused = [expired]
        verdict.revocationGaps = [.noSource]
        let refused = verdict.adding([revoked])
        #expect(!refused.isTrusted && refused.failures == [revoked] && refused.rejectedPaths == [rejected(revoked)])
        #expect(!refused.isAcceptedByDelegate && refused.excused.isEmpty && refused.revocationGaps.isEmpty)
        #expect(refused.unchangedFrom == nil && refused.unchangedUntil == nil)
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
        #expect(refused.unchangedFrom == nil && refused.unchangedUntil == nil)
        // The path with the additional failure replaces the best candidate.
        let again = trusted.adding([expired]).refused(for: revoked)
        #expect(again.result == .fatalFailure && Set(again.failures) == [expired, revoked])
        #expect(again.rejectedPaths.map(\.failures) == [again.failures])
    }
}
