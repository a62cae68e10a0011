// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The transparency check of one evaluation. It verifies the timestamps once for each issuer's key. Remembered
/// timestamps aren't verified again.
///
/// The number of signatures is bounded: at most 32 timestamps from each of three origins. During the search for a path,
/// timestamps are verified only for issuers that signed the leaf.
final class TransparencyEvaluation: Sendable {
    private typealias Entry = TransparencyMemory.Entry

    private let settings: TransparencySettings
    private let leaf: Certificate
    private let handshake: TimestampList?
    private let ocsp: TimestampList?
    /// Candidates for the leaf's issuer, for leaves without a path.
    private let candidates: [Certificate]
    private let time: Time
    private let isExempt: Bool
    private let memory: TransparencyMemory?
    /// One entry for each issuer's key, and whether the memory lacks it.
    private let known = Locked<[(entry: Entry, isNew: Bool)]>([])

    /// The reason why timestamps of the handshake are left out, for people. nil if none are.
    let warning: String?

    /// Creates the check of a leaf.
    /// - Parameters:
    ///   - settings: the list, the policy and the mode.
    ///   - leaf: the certificate that must be published.
    ///   - handshake: the `SignedCertificateTimestampList` of the handshake, in the encoding of TLS.
    ///   - responses: OCSP responses in DER, from the handshake and from the settings. The first one with timestamps
    ///     for the leaf counts.
    ///   - candidates: certificates that may be the leaf's issuer if there is no path.
    ///   - host: the host, for exemptions.
    ///   - time: the verify date.
    ///   - memory: the memory of verified timestamps, or nil to verify each one.
    init(
        _ settings: TransparencySettings, leaf: Certificate, handshake: [UInt8]?, responses: [[UInt8]],
        candidates: [Certificate] = [], host: Hostname?, at time: Time, memory: TransparencyMemory?
    ) {
        self.settings = settings
        self.leaf = leaf
        self.candidates = candidates
        self.time = time
        self.memory = memory
        self.isExempt = host.map { host in settings.exemptHosts.contains { $0.matches(host) } } ?? false
        var warning: String?
        self.handshake = handshake.flatMap { bytes in
            do throws(DERError) { return try TimestampList(tls: bytes) } catch {
                warning = "timestamps from the handshake left out: \(error)"
                return nil
            }
        }
        self.warning = warning
        self.ocsp =
            responses.prefix(Self.maximumResponses).lazy.compactMap { der in
                (try? RevocationMemory.shared.response(der: der))?.timestamps(for: leaf.serialNumber)
            }.first
    }

    /// The maximum number of OCSP responses that are searched for timestamps.
    private static let maximumResponses = 16

    /// Whether failures refuse the path.
    var isRequired: Bool { settings.mode == .require }

    private func entry(issuer: Certificate, _ logs: CTLogList) -> Entry {
        if let known = knownEntry(issuer: issuer) { return known.entry }
        let (entry, isNew) = findEntry(issuer: issuer, logs)
        known.withLock { $0.append((entry, isNew)) }
        return entry
    }

    private func knownEntry(issuer: Certificate) -> (entry: Entry, isNew: Bool)? {
        known.withLock { $0.first { $0.entry.subject.issuer.hasSameKey(as: issuer) } }
    }

    private func findEntry(issuer: Certificate, _ logs: CTLogList) -> (entry: Entry, isNew: Bool) {
        let subject = TransparencyMemory.Subject(
            leaf: leaf, issuer: issuer, handshake: handshake, ocsp: ocsp, logs: logs, policy: settings.policy,
            ignoresListAge: settings.ignoresListAge)
        let remembered = memory?.entry(for: subject)
        if let remembered, remembered.holds(at: time) { return (remembered, false) }
        let evidence = remembered?.evidence ?? evidence(issuer: issuer, logs)
        let finding = settings.policy.finding(
            evidence, leaf: leaf, list: logs, at: time, ignoringAge: settings.ignoresListAge)
        let window = window(evidence, logs)
        return (Entry(subject, evidence, finding, from: window.from, until: window.until), true)
    }

    private func evidence(issuer: Certificate, _ logs: CTLogList) -> TimestampEvidence {
        TimestampEvidence(of: leaf, issuer: issuer, lists: lists, logs: logs)
    }

    private var lists: [(SignedCertificateTimestamp.Origin, TimestampList)] {
        let lists: [(SignedCertificateTimestamp.Origin, TimestampList?)] = [
            (.embedded, leaf.embeddedTimestamps), (.handshake, handshake), (.ocsp, ocsp),
        ]
        return lists.compactMap { origin, list in list.map { (origin, $0) } }
    }

    /// Returns the interval of verify dates in which the same timestamps count, and in which the list
    /// stays usable or stays too old.
    private func window(_ evidence: TimestampEvidence, _ logs: CTLogList) -> (from: Time?, until: Time?) {
        var changes = evidence.items.filter(\.isValid).map(\.timestamp.firstSecond)
        if !settings.ignoresListAge { changes.append(settings.policy.endOfUse(of: logs)) }
        return (
            from: changes.filter { $0 <= time }.max(),
            until: changes.filter { $0 > time }.min().map { $0.advanced(by: -1) }
        )
    }

    /// Remembers the timestamps of a trusted path's leaf.
    func remember(issuer: Certificate) {
        guard let memory, let known = knownEntry(issuer: issuer), known.isNew else { return }
        memory.remember(known.entry)
    }
}

// MARK: - Dates of issuance

extension TransparencyEvaluation {
    /// Returns the dates of valid timestamps up to the verify date, in whole seconds rounded up. Conditions on anchors
    /// use them. Returns nil if there is no usable list.
    ///
    /// Timestamps of pending or rejected logs don't count. A retired log's timestamp counts only if it is embedded, and
    /// if it and a timestamp of a log in use are older than the retirement. Otherwise, the key of a retired log could
    /// be used to make a timestamp with any date.
    func dates(issuer: Certificate) -> [Time]? {
        guard let logs = settings.logs, settings.ignoresListAge || time < logs.endOfDating else { return nil }
        let valid = entry(issuer: issuer, logs).evidence.items.filter {
            $0.isValid && $0.timestamp.firstSecond <= time
        }
        let inUse = valid.filter { $0.log?.state.kind.isInUse == true }
        guard let issuance = inUse.map(\.timestamp.firstSecond).min() else { return [] }
        let retired = valid.filter { item in
            guard let state = item.log?.state, state.kind == .retired, item.origin == .embedded else { return false }
            return item.timestamp.firstSecond < state.since && issuance < state.since
        }
        return (inUse + retired).map(\.timestamp.firstSecond)
    }

    /// The last second at which the list dates certificates. nil if there is no list, if it is too old, or if it counts
    /// at any age.
    var endOfDating: Time? {
        guard let logs = settings.logs, !settings.ignoresListAge, time < logs.endOfDating else { return nil }
        return logs.endOfDating.advanced(by: -1)
    }

    /// Returns the dates of valid timestamps for an issuer.
    var datesByIssuer: @Sendable (Certificate) -> [Time]? {
        { issuer in
            self.dates(issuer: issuer == self.leaf ? self.issuer(on: [issuer], reachesAnchor: true) : issuer)
        }
    }
}

extension SignedCertificateTimestamp {
    /// The first whole second at or after the timestamp's date.
    fileprivate var firstSecond: Time {
        time.advanced(by: milliseconds.isMultiple(of: 1000) ? 0 : 1)
    }
}

extension CTLogList {
    /// The first second at which the list is too old to date certificates. Under every policy, this is the limit of
    /// Chrome and Mozilla, because their conditions require dates.
    fileprivate var endOfDating: Time { date.advanced(by: .days(70)) }
}

extension CTPolicy {
    /// The first second at which a list is too old.
    fileprivate func endOfUse(of list: CTLogList) -> Time {
        list.date.advanced(by: maximumListAge)
    }
}

// MARK: - Findings

extension TransparencyEvaluation {
    /// Returns the finding for the leaf of a path.
    /// - Parameters:
    ///   - issuer: the leaf's issuer on the path, or the leaf itself if it is its own anchor.
    ///   - isPublic: whether the path's anchor is public.
    func finding(issuer: Certificate, isPublic: Bool) -> TransparencyFinding {
        let finding =
            settings.logs.map { entry(issuer: issuer, $0).finding } ?? .withoutList(lists, settings.policy)
        if isExempt { return finding.with(.hostExempt) }
        return isPublic || settings.includesPrivateAnchors ? finding : finding.with(.anchorNotPublic)
    }

    /// Returns the leaf's issuer on a path: the next certificate. If the path ends at the leaf or doesn't reach an
    /// anchor, returns the first certificate with the issuer's name whose key makes a timestamp valid.
    ///
    /// The choice is safe without checking the issuer's signature on the leaf. A valid timestamp is a log's statement
    /// that it publishes the certificate's bytes with an issuer that has this key.
    func issuer(on path: [Certificate], reachesAnchor: Bool) -> Certificate {
        let next = path.dropFirst().first
        if let next, reachesAnchor { return next }
        let named = candidates.lazy.filter { $0.subject == self.leaf.issuer && $0 != self.leaf && $0 != next }
        let issuers = [next].compactMap(\.self) + named.prefix(Self.maximumIssuers)
        guard let logs = settings.logs else { return issuers.first ?? leaf }
        return issuers.first { entry(issuer: $0, logs).evidence.items.contains(where: \.isValid) }
            ?? issuers.first ?? leaf
    }

    /// The maximum number of certificates outside the path that are tried as the leaf's issuer.
    private static let maximumIssuers = 2

    /// Returns the interval of verify dates in which the finding for an issuer is the same. A bound is nil if there is
    /// none.
    func window(issuer: Certificate) -> (from: Time?, until: Time?) {
        guard let logs = settings.logs else { return (from: nil, until: nil) }
        let entry = entry(issuer: issuer, logs)
        return (from: entry.from, until: entry.until)
    }

    /// Returns the finding for the leaf of a valid path.
    func finding(on path: ValidatedPath) -> TransparencyFinding {
        finding(issuer: issuer(on: path.certificates, reachesAnchor: true), isPublic: path.isPublic)
    }

    /// Returns the failure of a finding, or nil if the certificate complies or nothing was checked. Without a list of
    /// logs, a required check fails.
    func failure(of finding: TransparencyFinding) -> TrustFailure? {
        switch finding.status {
        case .complies, .listOutOfDate, .anchorNotPublic, .hostExempt: return nil
        case .noLogList:
            guard settings.mode == .require else { return nil }
            return TrustFailure(
                .transparencyLogListMissing, certificate: 0, role: .leaf, expected: .text(finding.policy))
        case .notEnough, .notDiverse, .noneInUse, .noRFC6962Log:
            return TrustFailure(
                .transparencyNotMet, certificate: 0, role: .leaf,
                expected: .text("\(finding.required) timestamps by the policy \(finding.policy)"),
                found: .text("\(finding.count), \(finding.status.rawValue)"))
        }
    }
}

extension Trust {
    /// Returns the transparency check, or nil if the settings don't ask for it.
    func transparencyEvaluation(at time: Time) -> TransparencyEvaluation? {
        guard let transparency = settings.transparency, let leaf = presentedChain.leaf,
            // CAs don't publish client certificates.
            settings.policy.purpose != .clientAuth || transparency.includesPrivateAnchors
        else { return nil }
        var responses = settings.revocationData.ocspResponses
        if case .given(let der) = presentedChain.staple { responses.insert(der, at: 0) }
        return TransparencyEvaluation(
            transparency, leaf: leaf, handshake: presentedChain.signedCertificateTimestampList, responses: responses,
            candidates: presentedChain.others + settings.intermediates, host: host, at: time,
            memory: settings.signatureMemory == nil ? nil : .shared)
    }
}

// MARK: - Verdicts

extension ValidatedPath {
    /// Whether the anchor is public. The operating system's anchors are.
    var isPublic: Bool { anchorFacts?.isPublic ?? true }
}

extension Evaluation {
    /// Returns the failure of a path whose leaf wasn't published as required. Returns nil if the settings don't require
    /// it.
    func requiredTransparencyFailure(of path: ValidatedPath) -> TrustFailure? {
        guard let transparency, transparency.isRequired else { return nil }
        return transparency.failure(of: transparency.finding(on: path))
    }

    /// Returns the verdict on a trusted path with its transparency finding.
    func addingTransparency(to given: TrustVerdict, on path: ValidatedPath) -> TrustVerdict {
        guard let transparency else { return given }
        let issuer = transparency.issuer(on: path.certificates, reachesAnchor: true)
        let finding = transparency.finding(issuer: issuer, isPublic: path.isPublic)
        var verdict = given.adding(transparency: finding)
        if !transparency.isRequired, let failure = transparency.failure(of: finding) {
            verdict.reported.append(failure)
        }
        // If a finding doesn't depend on a date of the logs, it doesn't limit the verdict, unless the logs date the
        // certificate.
        if finding.status.isChecked || finding.status == .listOutOfDate || path.isDated {
            let window = transparency.window(issuer: issuer)
            if let from = window.from { verdict.unchangedFrom = max(verdict.unchangedFrom ?? from, from) }
            if let until = window.until { verdict.unchangedUntil = min(verdict.unchangedUntil ?? until, until) }
        }
        if path.isDated, let until = transparency.endOfDating {
            verdict.unchangedUntil = min(verdict.unchangedUntil ?? until, until)
        }
        transparency.remember(issuer: issuer)
        return verdict
    }

    /// Returns the verdict on a rejection with the transparency finding for its best candidate.
    func addingTransparency(to given: TrustVerdict, on path: RejectedPath) -> TrustVerdict {
        guard let transparency else { return given }
        return given.adding(
            transparency: transparency.finding(
                issuer: transparency.issuer(on: path.certificates, reachesAnchor: path.reachesAnchor),
                isPublic: isPublicAnchor(of: path)))
    }

    /// Whether the best candidate of a rejection ends in a public anchor.
    private func isPublicAnchor(of path: RejectedPath) -> Bool {
        guard path.reachesAnchor, let last = path.certificates.last, let store = try? trust.settings.anchors.store()
        else { return false }
        return store.isPublic(last)
    }

    /// Returns warnings about conditions on a path's anchor that couldn't be decided in the way the root program
    /// decides them.
    func conditionWarnings(of path: ValidatedPath) -> [String] {
        guard let facts = path.anchorFacts, facts.decisions.contains(where: \.isStandIn) else { return [] }
        let sources = facts.conditions.map(\.source).joined(separator: ", ")
        return [
            "\(sources.abridged(toBytes: 200)): trust in the anchor depends on the dates of log timestamps, but no usable list of logs is available: notBefore was used instead"
        ]
    }
}

extension ValidatedPath {
    /// Whether a condition on the anchor was decided by a date of issuance that timestamps can supply.
    fileprivate var isDated: Bool { anchorFacts?.decisions.contains { $0.limit.clock != .notBefore } ?? false }
}

extension TrustVerdict {
    /// Returns the verdict with a transparency finding.
    func adding(transparency finding: TransparencyFinding?) -> TrustVerdict {
        var verdict = self
        verdict.transparency = finding
        if finding?.status.isChecked == true {
            verdict.notChecked.removeAll { $0 == .certificateTransparency }
            if !verdict.checked.contains(.certificateTransparency) { verdict.checked.append(.certificateTransparency) }
        }
        return verdict
    }
}
