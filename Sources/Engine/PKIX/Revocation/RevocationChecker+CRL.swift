// SPDX-License-Identifier: Apache-2.0

// Evaluates CRLs with the algorithm of RFC 5280 § 6.3.3, over all available CRLs.
//
// A list revokes a certificate if an authorized signer has signed it, no other list supersedes it, and it names the
// certificate. This holds in spite of any other evidence and of any reservation about the list. It also holds if the
// certificate points to another part of a split list.
//
// For the good status, the engine first uses lists signed with the key that signed the certificate, and the indirect
// CRLs that the certificate names. It uses lists signed with another authorized key only if no current list signed with
// the issuer's key is available. After a key change, those lists may cover only certificates signed with their own key.
// Last, the engine uses lists signed with the certificate's own key (PKITS 4.14.30).

extension RevocationChecker {
    /// Returns the status of a certificate from the available CRLs, or nil if they don't determine it.
    func crlAnswer(_ target: RevocationTarget, _ obstacles: inout [RevocationObstacle]) -> RevocationAnswer? {
        guard !evidence.crls.isEmpty else { return nil }
        var lists = relevantLists(target, &obstacles)
        // Other certificates are examined only if the path's own certificates don't decide. A client can present many
        // of them.
        findSignersInPath(&lists, target)
        var revoked = revocation(of: target, &lists)
        if revoked?.isExpiredHold ?? true, lists.contains(where: { $0.signer == nil }) {
            findAuthorizedSigners(&lists, target)
            revoked = revocation(of: target, &lists)
        }
        if let revoked, !revoked.isExpiredHold { return revoked }
        // A list with its own reservation reports that reservation as its obstacle.
        for list in lists
        where list.signer == nil && !list.crl.isDelta && list.isInScope && list.ownReservations.isEmpty {
            obstacles.append(list.obstacle)
        }
        let good = goodAnswer(for: target, lists, &obstacles)
        guard let revoked else { return good }
        return good?.lifts(revoked) == true ? good : revoked
    }
}

// MARK: - Revoking

extension RevocationChecker {
    private func revocation(of target: RevocationTarget, _ lists: inout [RelevantList]) -> RevocationAnswer? {
        for index in lists.indices where lists[index].signer != nil && lists[index].entry == nil {
            lists[index].entry = entry(of: lists[index].crl, target.certificate)
        }
        for index in lists.indices { lists[index].forgetOthers() }
        supersede(&lists)
        // Reports the newest revoking list, and a delta CRL before the complete CRL it extends. Lists with a
        // reservation come last.
        let isReserved = lists.map { !$0.reservations.isEmpty }
        let order = lists.indices.sorted { left, right in
            guard isReserved[left] == isReserved[right] else { return isReserved[right] }
            let (left, right) = (lists[left].crl, lists[right].crl)
            return left.fields.thisUpdate == right.fields.thisUpdate
                ? left.isDelta && !right.isDelta : left.fields.thisUpdate > right.fields.thisUpdate
        }
        // An expired hold comes after all others, because a good status may end it.
        let revoking = order.filter { revokes(lists[$0], lists) }
        let expired = revoking.filter { isExpiredHold(lists[$0]) }
        for index in revoking.filter({ !expired.contains($0) }) + expired {
            guard let entry = lists[index].entry, let signer = lists[index].signer else { continue }
            let reservations = lists[index].reservations.notes
            let scope: [RevocationNote] = lists[index].isInScope ? [] : [.crlScopeMismatch]
            let isPremature = lists[index].reservations.contains(where: \.isPremature)
            var answer = RevocationAnswer(
                status: .revoked(at: entry.revocationDate, reason: entry.reason), source: .crl,
                validFrom: isPremature ? entry.revocationDate : start(of: lists[index]), validUntil: nil,
                notes: notes(for: signer) + scope + reservations)
            if expired.contains(index) { answer.notes.append(RevocationReservation.holdExpired.note) }
            answer.date = expired.map { lists[$0].crl.fields.thisUpdate }.max()
            return answer
        }
        return nil
    }

    /// Whether a list revokes the certificate, (i) to (k). removeFromCRL only lifts a hold (§ 5.3.1).
    private func revokes(_ list: RelevantList, _ lists: [RelevantList]) -> Bool {
        guard list.signer != nil, !list.isSupersededForRevocation, let entry = list.entry,
            entry.reason != .removeFromCRL, counts(entry.revocationDate, list.reservations)
        else { return false }
        guard entry.reason == .certificateHold else { return true }
        return list.deltas.isEmpty || !list.deltas.allSatisfy { lists[$0].entry?.reason == .removeFromCRL }
    }
}

extension RevocationChecker {
    /// Whether a list that revokes the certificate only puts it on hold and has expired.
    private func isExpiredHold(_ list: RelevantList) -> Bool {
        list.entry?.reason == .certificateHold && !isUpToDate(list) && !list.reservations.contains(where: \.isPremature)
    }
}

// MARK: - The status good

/// The state of § 6.3.2: the reasons covered so far.
private struct CRLCoverage {
    var reasons = ReasonSet.none
    var date: Time?
    var validFrom: Time?
    var validUntil: Time?
    var notes: [RevocationNote] = []

    mutating func add(_ more: ReasonSet, of date: Time, from: Time, until: Time, _ added: [RevocationNote]) {
        // (e): a list isn't used if earlier lists already cover all its reasons.
        guard !more.isSubset(of: reasons) else { return }
        reasons = reasons.union(more)
        self.date = min(self.date ?? date, date)
        validFrom = max(validFrom ?? from, from)
        validUntil = min(validUntil ?? until, until)
        for note in added where !notes.contains(note) { notes.append(note) }
    }
}

extension RevocationChecker {
    private func goodAnswer(
        for target: RevocationTarget, _ lists: [RelevantList], _ obstacles: inout [RevocationObstacle]
    ) -> RevocationAnswer? {
        // The newest list comes first, so that the answer stays valid longest.
        let completes = lists.filter { $0.isInScope && !$0.crl.isDelta && $0.ownReservations.isEmpty }
            .sorted { $0.crl.fields.thisUpdate > $1.crl.fields.thisUpdate }
        var coverage = CRLCoverage()
        let isOwn = { (list: RelevantList) in list.signer?.isTargetsKey == true }
        let isFirst = { (list: RelevantList) in
            list.signer?.isIssuersKey == true || (list.isDesignated && !isOwn(list))
        }
        func cover(by members: [RelevantList]) {
            for list in members where coverage.reasons != .all {
                self.cover(&coverage, list, lists, of: target, &obstacles)
            }
        }
        cover(by: completes.filter(isFirst))
        let hasCurrent = completes.contains {
            $0.signer?.isIssuersKey == true && !$0.isSuperseded && isUpToDate($0)
        }
        if !hasCurrent {
            cover(by: completes.filter { !isFirst($0) && !isOwn($0) })
            cover(by: completes.filter(isOwn))
        }
        guard coverage.reasons == .all, let from = coverage.validFrom, let until = coverage.validUntil else {
            if coverage.reasons != .none { obstacles.append(.crlReasonsNotCovered) }
            return nil
        }
        return RevocationAnswer(
            status: .good, source: .crl, validFrom: from, validUntil: until, notes: coverage.notes,
            date: coverage.date)
    }

    /// Adds the reasons that a list covers, (l), or the obstacle to using the list.
    private func cover(
        _ coverage: inout CRLCoverage, _ list: RelevantList, _ lists: [RelevantList], of target: RevocationTarget,
        _ obstacles: inout [RevocationObstacle]
    ) {
        guard let signer = list.signer, !list.isSuperseded else { return }
        if let reservation = list.reservations.first {
            return obstacles.append(reservation.obstacle(from: list.crl.fields.thisUpdate))
        }
        guard list.crl.hasUsableNumber else { return obstacles.append(.crlNumberMalformed) }
        guard let next = list.crl.fields.nextUpdate, isUpToDate(list) else {
            return obstacles.append(.crlExpired.dated(list.crl.fields.nextUpdate))
        }
        let deltas = list.deltas.map { lists[$0] }
        // Delta CRLs bring a complete CRL up to their own date.
        let updated = deltas.map(\.crl.fields.thisUpdate).min() ?? list.crl.fields.thisUpdate
        let last = lastSecond(ofEvidenceFrom: updated, target)
        guard last.map({ $0 >= time }) ?? true else { return obstacles.append(.crlTooOld) }
        guard signer.canEstablishGood else { return obstacles.append(.signerUnchecked) }
        // With delta CRLs, the answer is valid only until they expire.
        let planned = deltas.compactMap(\.crl.fields.nextUpdate).min() ?? next
        let until = last.map { min(planned, $0) } ?? planned
        let from = deltas.map(start(of:)).reduce(start(of: list), max)
        coverage.add(list.reasons, of: updated, from: from, until: until, notes(for: signer))
    }

    /// Whether a list is current, or a delta CRL brings an expired complete CRL up to date (§ 6.3.3 (a)).
    private func isUpToDate(_ list: RelevantList) -> Bool { list.isCurrent || !list.deltas.isEmpty }

    private func start(of list: RelevantList) -> Time {
        policy.firstSecond(ofEvidenceFrom: list.crl.fields.thisUpdate)
    }

    private func notes(for signer: ListSigner) -> [RevocationNote] {
        let own: [RevocationNote] =
            signer.isIssuersKey ? [] : signer.isTargetsKey ? [.crlSelfSigned] : [.crlSignedWithOtherKey]
        return own + signer.notes.filter { !own.contains($0) }
    }
}
