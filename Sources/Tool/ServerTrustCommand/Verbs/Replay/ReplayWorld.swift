// SPDX-License-Identifier: Apache-2.0

// The answer for a record at any time. Recorded leaves and evidence end within weeks, so most records would be refused
// soon. An answer therefore assumes ordinary renewals, and says so:
//
// 1. A leaf that has ended is issued again by the same CA for the same key. The engine checks an unsigned copy, as for
//    `--renew`.
// 2. Evidence and timestamps that were good enough before are fresh again. Revoked certificates stay revoked.
// 3. The client has a current list of logs. A list that is too old would hide failures.

import PKIX
import PinLint
import ServerTrust

/// A record, with the changes of a replay or without them, at any time.
struct ReplayWorld {
    let trust: Trust
    /// The record with its pins.
    private let record: TrustRecord
    private let manager: ServerTrustManager?
    private let pins: ReplayChanges.Pins?
    /// The move of the leaf to another CA, or nil.
    private let move: ReplayRenewal.LeafMove?
    /// Whether the evidence was good enough before, or nil if it wasn't needed yet.
    private var evidence: Evidence?

    /// The answer at a time.
    struct State {
        var kind: TimelineKind
        var code: String?
        var reason: String?
        /// The last second at which certificates and evidence keep the record trusted, or nil.
        var unchangedUntil: Time?
        /// The index of the revoked certificate, or nil for none.
        var revoked: Int?
        /// The verdict that decides, or nil if a forecast does.
        var verdict: TrustVerdict?
    }

    private enum Evidence {
        case enough
        /// The record never had enough.
        case missing(TrustFailure)
        case unknown
    }

    /// The maximum number of certificates that may have issued the leaf.
    private static let maximumIssuers = 8
    /// The maximum number of earlier times at which evidence is examined.
    private static let maximumEarlier = 6
    private static let evidenceCodes: Set<TrustFailure.Code> = [
        .revocationUnavailable, .stapleMissing, .transparencyNotMet, .transparencyLogListMissing,
    ]
    /// Forecasts for the same CA need no other CAs.
    private static let sameAuthority = ReplayRenewal([], successors: [])

    init(
        _ record: TrustRecord, _ trust: Trust, manager: ServerTrustManager? = nil, pins: ReplayChanges.Pins? = nil,
        move: ReplayRenewal.LeafMove? = nil
    ) {
        self.record = record
        self.manager = manager
        self.pins = pins
        self.move = move
        var trust = trust
        trust.settings.transparency?.ignoresListAge = true
        self.trust = trust
    }

    // MARK: - Evaluating

    /// Returns the answer at a time.
    mutating func state(at time: Time) -> State {
        var trust = trust
        trust.verifyDate = .at(time)
        var record = record
        record.time = time
        if let move { return Self.state(move, trust, record, pins) }
        let verdict = manager?.evaluate(trust) ?? record.verdict(on: trust)
        guard !verdict.isTrusted else {
            guard case .hashed(_, isMatched: false) = record.host else {
                return State(kind: .ok, unchangedUntil: verdict.unchangedUntil)
            }
            return State(kind: .breaks, code: TrustFailure.Code.hostMismatch.name, reason: "the leaf has another name")
        }
        guard let leaf = trust.presentedChain.leaf else { return .refused(by: verdict) }
        if leaf.notAfter < time { return renewed(leaf, verdict, trust, record) }
        // Without this condition, a staple that revokes the leaf would be left out with one that isn't current.
        guard verdict.failures.contains(where: { Self.evidenceCodes.contains($0.code) }),
            !verdict.failures.contains(where: { $0.code == .certificateRevoked })
        else {
            return .refused(by: verdict)
        }
        let relaxed = Self.assumingEvidence(trust)
        let other = manager?.evaluate(relaxed) ?? record.verdict(on: relaxed)
        guard other.isTrusted else { return .refused(by: other) }
        return assumed(verdict, at: time)
    }

    /// Returns the answer for a leaf that moves to another CA.
    private static func state(
        _ move: ReplayRenewal.LeafMove, _ trust: Trust, _ record: TrustRecord, _ pins: ReplayChanges.Pins?
    ) -> State {
        do throws(ReplayRenewal.Obstacle) {
            let forecast = try move.forecast(trust, pins, record)
            guard let failure = forecast.failures.first else { return State(kind: .ok) }
            return State(kind: .breaks, code: failure.code.name, reason: forecast.message)
        } catch {
            return State(kind: .notKnown, reason: error.reason)
        }
    }

    /// Returns the answer for a leaf that has ended, and that the same CA issues again.
    private mutating func renewed(
        _ leaf: Certificate, _ verdict: TrustVerdict, _ trust: Trust, _ record: TrustRecord
    ) -> State {
        // A new self-issued leaf isn't the one that clients trust.
        let isAnchor = anchors.contains { $0.certificate == leaf }
        guard leaf.isSelfIssued(atMost: 1_000_000) != true, !isAnchor else { return .refused(by: verdict) }
        let issuers = issuers(of: leaf)
        guard !issuers.isEmpty else {
            let other = verdict.failures.first { $0.certificate != 0 || $0.code != .certificateExpired }
            return other.map { State(kind: .breaks, $0) }
                ?? State(kind: .notKnown, reason: "the record doesn't contain the issuer of its leaf")
        }
        let relaxed = Self.assumingEvidence(trust)
        var first: RenewalForecast.Failure?
        var obstacle: String? = issuers.count > Self.maximumIssuers ? "the leaf has too many possible issuers" : nil
        for issuer in issuers.prefix(Self.maximumIssuers) {
            do throws(ReplayRenewal.Obstacle) {
                let failures = try Self.sameAuthority.failures(
                    of: leaf, relaxed, issuedBy: issuer, hasAllAnchors: true, pins, record)
                guard let failure = failures.first else { return assumed(verdict, at: trust.settings.verifyDate.time) }
                first = first ?? failure
            } catch {
                obstacle = obstacle ?? error.reason
            }
        }
        if let obstacle { return State(kind: .notKnown, reason: obstacle) }
        return State(
            kind: .breaks, code: first?.code.name, reason: first.map { "with a renewed leaf: \($0.message)" },
            revoked: first?.code == .certificateRevoked ? 1 : nil)
    }

    /// Returns the certificates with the name of a leaf's issuer, first those that the server sends.
    private func issuers(of leaf: Certificate) -> [Certificate] {
        var seen: Set<Certificate> = []
        let known = trust.presentedChain.others + trust.settings.intermediates + anchors.lazy.map(\.certificate)
        return known.filter { $0.subject == leaf.issuer && seen.insert($0).inserted }
    }

    // MARK: - Evidence

    /// Whether the verdict depends on evidence.
    var hasEvidence: Bool {
        let data = trust.settings.revocationData
        if case .given = trust.presentedChain.staple { return true }
        return !data.crls.isEmpty || !data.lists.isEmpty || !data.ocspResponses.isEmpty || !data.filters.isEmpty
    }

    /// Returns a trust object that doesn't require evidence. Evidence that revokes a certificate still counts.
    private static func assumingEvidence(_ trust: Trust) -> Trust {
        var trust = trust
        if trust.settings.revocation.mode == .required { trust.settings.revocation.mode = .bestEffort }
        // Callers do this only if the staple is missing or isn't current.
        if trust.presentedChain.leaf?.requiresStaple == true { trust.presentedChain.staple = .unknown }
        trust.settings.transparency = nil
        return trust
    }

    /// Returns the answer for a record that is trusted if evidence is fresh, and if its leaf is renewed.
    /// - Parameter verdict: the verdict without these assumptions.
    private mutating func assumed(_ verdict: TrustVerdict, at time: Time) -> State {
        let found = evidence ?? evidence(before: time)
        evidence = found
        switch found {
        case .enough:
            return State(
                kind: .needsRenewal, code: verdict.headline?.code.name, reason: verdict.headline.map { "\($0)" })
        case .missing(let failure): return State(kind: .breaks, failure)
        case .unknown:
            return State(kind: .notKnown, reason: "whether the recorded evidence was ever enough isn't known")
        }
    }

    /// Returns whether the record had enough evidence at an earlier time, whatever its pins.
    private func evidence(before time: Time) -> Evidence {
        let isRequired =
            trust.settings.revocation.mode == .required || trust.presentedChain.leaf?.requiresStaple == true
            || trust.settings.transparency?.mode == .require
        guard isRequired, let leaf = trust.presentedChain.leaf else { return .enough }
        var times = [record.time, min(time, leaf.notAfter)]
        var start = min(time, leaf.notAfter)
        for _ in 0..<Self.maximumEarlier {
            guard hasEvidence, let from = trust.evidenceWindow(around: start).from, from > leaf.notBefore else { break }
            start = from.advanced(by: -1)
            times.append(start)
        }
        var missing: TrustFailure?
        for time in Set(times).sorted() {
            var trust = trust
            trust.verifyDate = .at(time)
            let verdict = trust.evaluate()
            if verdict.isTrusted { return .enough }
            missing = missing ?? verdict.failures.first { Self.evidenceCodes.contains($0.code) }
        }
        return missing.map { .missing($0) } ?? .unknown
    }

    // MARK: - Dates

    /// Returns whether the leaf has ended at a time.
    func leafHasEnded(at time: Time) -> Bool { trust.presentedChain.leaf.map { $0.notAfter < time } ?? false }

    private var anchors: [TrustAnchor] { (try? trust.settings.anchors.store())?.anchors ?? [] }

    /// The certificates whose dates matter.
    var certificates: [Certificate] {
        let candidates = move?.candidates(at: trust.settings.verifyDate.time) ?? []
        return trust.presentedChain.certificates + trust.settings.intermediates + anchors.map(\.certificate)
            + (move?.moves.compactMap(\.next) ?? []) + candidates
    }

    /// The dates that conditions of anchors compare with the date of issuance.
    var issuanceLimits: [Time] {
        anchors.flatMap { $0.conditions.flatMap { $0.alternatives.flatMap { $0.dates.map(\.date) } } }
    }

    /// The last seconds of pins.
    var pinExpiries: [Time] {
        let own = record.pinRules.compactMap { $0.expiry?.time }
        guard case .rules(let rules) = pins, case .name(let host) = record.host else { return own }
        return own + [rules.table.rule(for: host)?.expiry?.time].compactMap(\.self)
    }
}

extension ReplayWorld.State {
    /// The refusal of a verdict that found a revoked certificate, or nil.
    init?(revokedBy verdict: TrustVerdict) {
        self = .refused(by: verdict)
        guard revoked != nil else { return nil }
    }

    /// A refusal by a verdict.
    fileprivate static func refused(by verdict: TrustVerdict) -> Self {
        var state = Self(kind: .breaks, code: verdict.headline?.code.name, reason: verdict.headline.map { "\($0)" })
        state.verdict = verdict
        state.revoked = verdict.failures.first { $0.code == .certificateRevoked }.map { $0.certificate ?? 0 }
        return state
    }

    fileprivate init(kind: TimelineKind, _ failure: TrustFailure) {
        self.init(kind: kind, code: failure.code.name, reason: "\(failure)")
    }
}
