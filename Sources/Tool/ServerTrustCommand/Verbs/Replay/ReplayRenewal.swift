// SPDX-License-Identifier: Apache-2.0

// A forecast for leaves that another CA may issue. No CA has signed such a leaf, so the engine can't accept it, and
// nothing here makes it. The forecast combines three answers:
//
// 1. The engine validates the path from the other CA to an anchor, with all other changes and all signatures.
// 2. The engine evaluates a copy of the leaf with that path. The copy names the other CA as its issuer and is valid from
//    the evaluated date. The engine refuses the path, because the CA didn't sign the copy. If this is its only failure,
//    names, constraints, purposes, lengths and dates permit the leaf. The conditions of the anchor and denied
//    certificates have their own evaluation of the copy.
// 3. The pins are compared with the path, as in the forecasts of lint.
//
// The recorded path doesn't matter. Its CA may be distrusted, expired or revoked: that is the usual reason for a move.

import PKIX
import PinLint
import ServerTrust
import ServerTrustPins

/// The change of `--renew`: the leaves of some CAs come from other CAs.
struct ReplayRenewal: Sendable {
    /// A CA that no longer issues.
    struct Move: Sendable {
        let selector: CertificateSelector
        /// The CA that issues instead (`--to`), or nil for the CAs of the same organization.
        var next: Certificate?
    }

    /// The move of a record's leaf to other CAs.
    struct LeafMove: Sendable {
        let renewal: ReplayRenewal
        /// The issuer of the recorded leaf.
        let issuer: Certificate
        /// The moves of this issuer.
        let moves: [Move]
    }

    let moves: [Move]
    fileprivate let successors: SuccessorIndex

    /// - Parameters:
    ///   - moves: the CAs that no longer issue.
    ///   - certificates: the CAs that may issue instead, and those above them. They aren't trusted.
    init(_ moves: [Move], successors certificates: [Certificate]) {
        self.moves = moves
        successors = SuccessorIndex(certificates)
    }

    var selectors: [CertificateSelector] { moves.map(\.selector) }

    /// Returns the move of a record's leaf, or nil if it keeps its CA. The recorded path names the issuer. A record
    /// without a path has the CA that the leaf names.
    func move(of record: TrustRecord) -> LeafMove? {
        let ders = record.chain.dropFirst() + record.intermediates + (record.anchors ?? []) + (record.ruleAnchors ?? [])
        let certificates = ders.compactMap { try? Certificate(der: $0) }
        let leaf = record.chain.first.flatMap { try? Certificate(der: $0) }
        let digest = record.recorded.path.dropFirst().first
        let issuers = certificates.filter { certificate in
            digest.map { Hex.encode(certificate.sha256) == $0 } ?? (certificate.subject == leaf?.issuer)
        }
        for issuer in issuers {
            let moves = moves.filter { $0.selector.matches(issuer) }
            if !moves.isEmpty { return LeafMove(renewal: self, issuer: issuer, moves: moves) }
        }
        return nil
    }

    /// Returns the reason why a record without a forecast isn't known, or nil if its leaf keeps its CA.
    func obstacle(to record: TrustRecord) -> String? {
        guard let leaf = record.chain.first.flatMap({ try? Certificate(der: $0) }),
            selectors.contains(where: { $0.matches(leaf.issuer) }), move(of: record) == nil
        else { return nil }
        return "the record doesn't contain the leaf's issuer"
    }

    /// Returns the failures of a leaf that a CA issues at the evaluated time. Empty if the leaf is trusted.
    /// - Parameters:
    ///   - trust: the trust object with all other changes.
    ///   - hasAllAnchors: whether a CA without a path to an anchor is refused. Otherwise nothing is known about it.
    ///   - record: the changed record.
    /// - Throws: ``Obstacle`` if there is no forecast.
    func failures(
        of leaf: Certificate, _ trust: Trust, issuedBy issuer: Certificate, hasAllAnchors: Bool = false,
        _ pins: ReplayChanges.Pins?, _ record: TrustRecord
    ) throws(Obstacle) -> [RenewalForecast.Failure] {
        // A host that the pin file denies isn't evaluated.
        if let denied = try pins.failure(of: [], record), denied.code == .hostNotListed { return [denied] }
        let above = validation(of: issuer, trust)
        // The engine compares pins before it reports these.
        let late: Set<TrustFailure.Code> = [.certificateRevoked, .revocationUnavailable, .certificateDenied]
        guard above.isTrusted || !above.path.isEmpty && above.failures.allSatisfy({ late.contains($0.code) }) else {
            guard above.reachesAnchor || hasAllAnchors else {
                throw Obstacle(reason: "no recorded or given anchor is above \(issuer); name its root with --anchors")
            }
            return above.failures.map { RenewalForecast.Failure($0.aboveLeaf) }
        }
        guard !trust.policy.certificatePolicies.requireExplicit else {
            throw Obstacle(reason: "a forecast can't require certificate policies")
        }
        guard let renewed = leaf.renewed(by: issuer, from: trust.settings.verifyDate.time) else {
            throw Obstacle(reason: "the leaf can't name \(issuer) as its issuer")
        }
        let copy = refusal(of: renewed, above.path, trust)
        let path = copy.rejectedPaths.first { $0.certificates == [renewed] + above.path }
        guard let path, path.reachesAnchor, !copy.isTrusted else {
            throw Obstacle(reason: "the engine tried no path with \(issuer)")
        }
        let others = path.failures.filter { !$0.isMissingSignature }
        // The engine reports the missing signature unless another failure ended its checks.
        guard !others.isEmpty || path.failures.contains(where: \.isMissingSignature) else {
            throw Obstacle(reason: "the engine didn't check the path with \(issuer)")
        }
        guard others.isEmpty else { return others.map { RenewalForecast.Failure($0) } }
        if let anchor = above.path.last, let verdict = conditions(of: anchor, on: renewed, trust), !verdict.isTrusted {
            return verdict.failures.map { RenewalForecast.Failure($0) }
        }
        let failures = above.failures.map { RenewalForecast.Failure($0.aboveLeaf) }
        guard let unmatched = try pins.failure(of: [leaf] + above.path, record) else { return failures }
        let isDenied = failures.contains { $0.code == .certificateDenied }
        return isDenied && unmatched.code != .pinsExpired ? failures + [unmatched] : [unmatched] + failures
    }

    /// Evaluates the path above a CA, with all signatures. The CA is the first certificate of the path.
    private func validation(of issuer: Certificate, _ trust: Trust) -> TrustVerdict {
        var settings = trust.settings
        settings.identity = .insecurelyAnyName
        settings.policy = ValidationPolicy(profile: .rfc5280, purpose: .any)
        settings.transparency = nil
        // Records have no evidence about other CAs.
        if settings.revocation.mode == .required { settings.revocation.mode = .bestEffort }
        settings.intermediates += successors.paths(above: issuer).flatMap { $0.dropFirst() }
        // Conditions are about leaves.
        if let store = try? settings.anchors.store(), store.anchors.contains(where: { !$0.conditions.isEmpty }) {
            settings.anchors = TrustAnchors(
                AnchorStore(store.anchors.map { TrustAnchor($0.certificate) }, distrusted: store.distrusted))
        }
        let presented = PresentedChain([issuer] + trust.presentedChain.certificates.dropFirst())
        return Trust(presentedChain: presented, optionalHost: trust.host, settings: settings).evaluate()
    }

    /// Evaluates a leaf that no CA has signed, with one path.
    private func refusal(of leaf: Certificate, _ path: [Certificate], _ trust: Trust) -> TrustVerdict {
        var trust = trust
        trust.presentedChain = PresentedChain([leaf] + path.dropLast())
        trust.intermediates = []
        return trust.evaluate()
    }

    /// Evaluates a leaf that no CA has signed with the conditions of an anchor, and with the denied certificates. The
    /// engine checks both only on paths with valid signatures. So the leaf is its own anchor here, which needs none.
    /// - Returns: the verdict, or nil if nothing is denied, and the anchor has no conditions.
    private func conditions(of anchor: Certificate, on leaf: Certificate, _ trust: Trust) -> TrustVerdict? {
        guard let store = try? trust.settings.anchors.store(),
            let known = store.anchors.first(where: { $0.certificate == anchor }),
            !known.conditions.isEmpty || trust.settings.denied != nil
        else { return nil }
        var settings = trust.settings
        settings.anchors = TrustAnchors(
            AnchorStore([TrustAnchor(leaf, conditions: known.conditions, isPublic: known.isPublic)]))
        settings.intermediates = []
        settings.transparency = nil
        settings.revocation.mode = .off
        return Trust(presentedChain: PresentedChain([leaf]), optionalHost: trust.host, settings: settings).evaluate()
    }

    /// The reason why a record has no forecast.
    struct Obstacle: Error {
        let reason: String
    }
}

extension ReplayRenewal.LeafMove {
    /// The CAs that may issue at a time, and those above them.
    func candidates(at time: Time) -> [Certificate] {
        let next = renewal.moves.compactMap(\.next) + renewal.successors.successors(of: issuer, at: time)
        return next.flatMap { [$0] + renewal.successors.paths(above: $0).flatMap(\.self) }
    }

    /// Returns the forecast for a record.
    /// - Parameters:
    ///   - trust: the trust object with all other changes.
    ///   - record: the changed record.
    /// - Returns: the forecast with the next CA that is refused, or the one with the newest CA if none is.
    /// - Throws: ``ReplayRenewal/Obstacle`` if no next CA has a forecast.
    func forecast(
        _ trust: Trust, _ pins: ReplayChanges.Pins?, _ record: TrustRecord
    ) throws(ReplayRenewal.Obstacle) -> RenewalForecast {
        guard let leaf = trust.presentedChain.leaf else {
            throw ReplayRenewal.Obstacle(reason: "the leaf can't be read")
        }
        var next = moves.compactMap(\.next)
        if moves.contains(where: { $0.next == nil }) {
            let time = trust.settings.verifyDate.time
            next += renewal.successors.successors(of: issuer, at: time).filter { !next.contains($0) }
        }
        guard !next.isEmpty else {
            throw ReplayRenewal.Obstacle(reason: "--ccadb has no valid CA after \(issuer); name the next one with --to")
        }
        var first: RenewalForecast?
        var obstacle: ReplayRenewal.Obstacle?
        for issuer in next {
            do throws(ReplayRenewal.Obstacle) {
                let failures = try renewal.failures(of: leaf, trust, issuedBy: issuer, pins, record)
                let forecast = RenewalForecast(issuer: issuer, failures: failures)
                guard forecast.isTrusted else { return forecast }
                first = first ?? forecast
            } catch {
                obstacle = obstacle ?? error
            }
        }
        if let first { return first }
        throw obstacle ?? ReplayRenewal.Obstacle(reason: "no forecast")
    }
}

/// A forecast for a leaf that another CA issues.
struct RenewalForecast: Sendable {
    /// A reason to refuse the leaf.
    struct Failure: Sendable {
        let code: TrustFailure.Code
        let message: String

        init(_ code: TrustFailure.Code, _ message: String) {
            self.code = code
            self.message = message
        }

        init(_ failure: TrustFailure) { self.init(failure.code, "\(failure)") }
    }

    /// The CA that issues the leaf.
    let issuer: Certificate
    let failures: [Failure]

    var isTrusted: Bool { failures.isEmpty }

    /// The first failure with the CA, or nil if the leaf is trusted.
    var message: String? { failures.first.map { "forecast for a leaf from \(issuer): \($0.message)" } }
}

// MARK: - Pins

extension ReplayChanges.Pins? {
    /// Returns the failure of a path that doesn't match the pins, or nil.
    /// - Parameter record: the changed record, with its own pins.
    func failure(
        of path: [Certificate], _ record: TrustRecord
    ) throws(ReplayRenewal.Obstacle) -> RenewalForecast.Failure? {
        let failure = RenewalForecast.Failure(.pinNotMatched, "no pin matches the path")
        guard case .rules(let rules) = self, case .name(let host) = record.host else {
            let ended = record.pinRules.filter { $0.hasEnded(at: record.time) }
            if let expiry = ended.lazy.compactMap(\.expiry).first(where: \.refusesAfterwards) {
                return RenewalForecast.Failure(.pinsExpired, "the pins expired at \(expiry.time)")
            }
            return record.pinRules.allSatisfy { ended.contains($0) || $0.isMatched(by: path) } ? nil : failure
        }
        let effective = EffectivePins(of: host, in: rules.configuration, format: rules.format, at: record.time)
        switch effective.outcome {
        case .notPinned, .reported: return nil
        case .refused:
            let code = effective.reason == .expired ? TrustFailure.Code.pinsExpired : .hostNotListed
            return RenewalForecast.Failure(
                code, rules.remark(on: host, at: record.time) ?? "\(rules.name) refuses \(host)")
        case .unknown: throw ReplayRenewal.Obstacle(reason: "\(rules.name) has parts that a forecast can't read")
        case .pinned: break
        }
        guard let rule = effective.rule else {
            throw ReplayRenewal.Obstacle(reason: "\(rules.name) has no rule for \(host)")
        }
        let missing = ForecastPath(elements: path.map { .certificate($0) }).missingScopes(of: rule)
        guard let scope = missing.first else { return nil }
        let areCertificates = rule.pins.filter { $0.scope == scope }
            .allSatisfy { if case .certificate = $0.value { true } else { false } }
        return areCertificates
            ? RenewalForecast.Failure(.certificateNotPinned, "no pinned certificate is in the path") : failure
    }
}

// MARK: - Copies of leaves

extension TrustFailure {
    /// The failure of a path without its leaf, in the path with it.
    fileprivate var aboveLeaf: TrustFailure {
        var failure = self
        failure.certificate = certificate.map { $0 + 1 }
        failure.role = role == .leaf ? .intermediate : role
        return failure
    }

    /// Whether the failure is the leaf's signature, which another CA hasn't made.
    fileprivate var isMissingSignature: Bool { code == .signatureInvalid && certificate == 0 }
}

extension Certificate {
    /// The maximum validity of a renewed leaf in seconds. The shortest limit of a root program is 47 days.
    private static let renewedValidity: Int64 = 47 * 86_400

    /// Returns a copy that another CA issues at a time. The signature stays, so it is wrong. The copy is valid as long as
    /// the original, but for at most 47 days.
    /// - Returns: the copy, or nil if it would differ in other fields.
    func renewed(by issuer: Certificate, from time: Time) -> Certificate? {
        let length = notAfter.secondsSinceEpoch - notBefore.secondsSinceEpoch
        let end = time.advanced(by: min(max(length, 0), Self.renewedValidity))
        guard let whole = TLV(der[...])?.contents, let signed = TLV(whole)?.contents,
            let name = signed.firstRange(of: self.issuer.der), let old = TLV(signed[name.upperBound...]),
            old.tag == TLV.Tag.sequence, let start = Self.encoded(time), let stop = Self.encoded(end)
        else { return nil }
        let validity = DERBytes.value(TLV.Tag.sequence, start, stop)
        var fields = Array(signed)
        // The validity follows the issuer (RFC 5280 § 4.1).
        fields.replaceSubrange(
            name.lowerBound - signed.startIndex..<old.contents.endIndex - signed.startIndex,
            with: issuer.subject.der + validity)
        // The identifiers of keys nearly always have the same size. Others can stay, because they are only hints.
        if let old = authorityKeyIdentifier?.keyIdentifier, let new = issuer.subjectKeyIdentifier,
            old.count == new.count, let start = fields.firstRange(of: [0x06, 0x03, 0x55, 0x1d, 0x23])?.upperBound,
            let place = fields[start...].firstRange(of: old)
        {
            fields.replaceSubrange(place, with: new)
        }
        let rest = Array(der[signed.endIndex..<whole.endIndex])
        let copy = try? Certificate(
            der: DERBytes.value(TLV.Tag.sequence, DERBytes.value(TLV.Tag.sequence, fields), rest))
        guard let copy, copy.issuer == issuer.subject, copy.subject == subject, copy.serialNumber == serialNumber,
            copy.subjectPublicKeyInfo == subjectPublicKeyInfo, copy.notBefore == time, copy.notAfter == end
        else { return nil }
        return copy
    }

    /// Returns a time as UTCTime until 2049, and as GeneralizedTime later (RFC 5280 § 4.1.2.5). Nil for other centuries.
    private static func encoded(_ time: Time) -> [UInt8]? {
        // 2026-11-28T16:00:00Z
        let digits = Array(time.description.utf8.filter { (0x30...0x39).contains($0) })
        guard digits.count == 14, digits.starts(with: "20".utf8) || digits.starts(with: "19".utf8) else { return nil }
        let isShort = digits.lexicographicallyPrecedes("2050".utf8)
        let text = digits.dropFirst(isShort ? 2 : 0) + [UInt8(ascii: "Z")]
        return [isShort ? 0x17 : 0x18, UInt8(text.count)] + text
    }
}
