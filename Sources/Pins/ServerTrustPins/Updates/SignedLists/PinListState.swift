// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A client's state: its built-in list, and the documents between it and the list in force.
///
/// Old keys vouch for new ones. A document needs enough signatures by the signers that its predecessor names, **and**
/// enough by the signers that it names itself (as in TUF's root role). The second condition protects against a typing
/// error in a key: no key could sign the next list, and every client would be locked out. A client that has missed some
/// lists needs the lists that changed the keys. A document carries them as `rotations`. Their dates don't matter,
/// because they never come into force.
///
/// If root keys are in force, they replace the signers for lists that name other keys, but not for other lists. No list
/// can remove them (``PinList/check(_:permit:in:)``).
struct PinListState: Sendable {
    let builtIn: BuiltInPinList
    /// The documents that changed the signers, then the document in force. Empty for the built-in list.
    private(set) var chain: [SignedPinList] = []
    /// The accepted list in force, or nil for the built-in one.
    private(set) var list: PinList?

    /// The date of the newest filter manifest among all lists that were in force, including before an app update, or
    /// nil for none.
    private(set) var newestFilters: Time?
    /// The document with ``newestFilters``, and the number of documents in the chain before it. Set if later lists have
    /// replaced the document in ``chain``, or if it is older than the built-in list.
    private var filterDocument: (document: SignedPinList, place: Int)?

    init(_ builtIn: BuiltInPinList) {
        self.builtIn = builtIn
        self.newestFilters = builtIn.contents.filters?.manifest.date
        // An app update can bring a built-in list without filters. A document whose signatures can't be read again must
        // not be stored.
        if newestFilters != nil, let document = builtIn.document,
            (try? builtIn.contents.signatures(on: document))?.areEnough == true
        {
            self.filterDocument = (document.withoutRotations, 0)
        }
    }

    /// The contents in force, with the keys that have to sign the next document.
    var inForce: PinList { list ?? builtIn.contents }
    var sequence: Int { inForce.sequence }
    /// The latest signed time. The client doesn't record the clock's time, because a clock that was ahead once would
    /// make the client refuse all later lists.
    private var issued: Time { inForce.issued }
    /// The Certificate Transparency logs in force, or nil for none.
    var logs: PinListLogs? { list?.logs ?? builtIn.contents.logs }
    /// The document to store. Its rotations include the document with the newest manifest, so that a later process
    /// knows that manifest's date.
    var document: SignedPinList? {
        var documents = chain
        if let filterDocument, filterDocument.place < chain.count {
            documents.insert(filterDocument.document, at: filterDocument.place)
        }
        return documents.last?.with(rotations: documents.dropLast())
    }
    /// The document in force, with the rotations that precede it.
    private var chainDocument: SignedPinList? { chain.last?.with(rotations: chain.dropLast()) }

    /// The result for a valid document.
    enum Outcome: Sendable {
        /// The list replaces the one in force.
        case newer(PinList)
        /// The list was already in force.
        case unchanged(PinList)
    }

    /// Accepts a document if it is valid.
    /// - Parameter now: the time of the clock, or nil for a document that was accepted before, whose dates aren't
    ///   checked again.
    mutating func accept(_ document: SignedPinList, at now: Time?) throws(PinListError) -> Outcome {
        var next = self
        // If the list were its own rotation, it would be accepted without a check of its expiry.
        for rotation in document.rotations where rotation.payload != document.payload {
            // Rotations from before the built-in list have signatures by unknown keys. If this rotation was needed, the
            // list itself has no signatures by known keys either.
            let signatures = try next.inForce.signatures(on: rotation)
            guard signatures.areEnough else { continue }
            let list = try next.contents(of: rotation)
            guard list.sequence > next.sequence else { continue }
            try next.checkOrder(of: list, in: rotation)
            if let now, now < list.notBefore {
                throw PinListError(
                    .pinListNotYetValid, "the rotation \(list.sequence) is not valid before \(list.notBefore)",
                    expected: .time(list.notBefore), found: .time(now))
            }
            try next.inForce.check(signatures, permit: list, in: rotation)
            next.append(rotation, list)
        }
        let document = document.withoutRotations
        let signatures = try next.inForce.signatures(on: document)
        guard signatures.areEnough else { throw next.inForce.shortage(signatures, on: document) }
        let list = try next.contents(of: document)
        // A list with the sequence number of the built-in list changes nothing. If the built-in list was created from a
        // document, the list has to be that document.
        let payload = next.list == nil ? builtIn.document?.payload ?? document.payload : next.chain.last?.payload
        if list.sequence == next.sequence, document.payload == payload {
            if next.list == nil, builtIn.document == nil {
                // It isn't known whether this is the built-in list, and the caller receives its contents. The list
                // therefore has to be acceptable.
                if let now { try next.checkDates(of: list, at: now) }
                try next.inForce.check(signatures, permit: list, in: document)
            }
            try builtIn.alwaysPinned.check(list.configuration)
            self = next
            return .unchanged(list)
        }
        try next.checkOrder(of: list, in: document)
        if let now { try next.checkDates(of: list, at: now) }
        try next.inForce.check(signatures, permit: list, in: document)
        try builtIn.alwaysPinned.check(list.configuration)
        next.append(document, list)
        guard next.chain.count <= SignedPinList.maximumRotations + 1 else {
            throw PinListError(
                .pinListTooLarge, "over \(SignedPinList.maximumRotations) rotations since the app was built")
        }
        // A document that couldn't be read again must not be stored. The chain leaves room for the document with the
        // newest manifest. A client that remembers filters therefore accepts every list that other clients accept
        // (``SignedPinList/maximumStoredSize``).
        guard (next.chainDocument?.bytes.count ?? 0) <= SignedPinList.maximumSize else {
            throw PinListError(
                .pinListTooLarge, "over \(SignedPinList.maximumSize) bytes including its rotations")
        }
        self = next
        return .newer(list)
    }

    private mutating func append(_ document: SignedPinList, _ list: PinList) {
        // The last document stays only if it changed the keys.
        if let before = listBeforeLast, inForce.hasSameKeys(as: before) {
            let removed = chain.removeLast()
            if let filters = inForce.filters, filters.manifest.date == newestFilters {
                filterDocument = (removed, chain.count)
            }
        }
        listBeforeLast = inForce
        chain.append(document)
        self.list = list
        if let filters = list.filters {
            newestFilters = filters.manifest.date
            filterDocument = nil
        }
    }

    /// The list whose keys had to sign the last document of the chain.
    private var listBeforeLast: PinList?

    /// Returns the list in a document whose signatures are enough for some kind of list.
    private func contents(of document: SignedPinList) throws(PinListError) -> PinList {
        let list = try PinList(payload: document.payloadBytes)
        guard list.audience.isExactly(builtIn.audience) else {
            throw PinListError(
                .pinListForeignAudience, "for \(clipped(list.audience)), expected \(builtIn.audience)",
                expected: .text(builtIn.audience), found: .text(clipped(list.audience)))
        }
        return list
    }
}

// MARK: - Filters before an update of the app

extension PinListState {
    /// Recalls the newest filter manifest among the lists in a stored document that aren't newer than the built-in
    /// list. The app accepted these lists before it was updated. They don't come into force again. Lists without enough
    /// signatures by the built-in list's keys don't count.
    mutating func recallFilters(in document: SignedPinList) {
        for document in document.rotations + [document.withoutRotations] {
            guard (try? builtIn.contents.signatures(on: document))?.areEnough == true,
                let list = try? contents(of: document), list.sequence <= builtIn.contents.sequence,
                let date = list.filters?.manifest.date
            else { continue }
            recall(date, of: document)
        }
    }

    /// Recalls the manifest that another state with the same built-in list has recalled.
    mutating func recallFilters(of other: PinListState) {
        guard other.chain.isEmpty, let date = other.newestFilters, let document = other.filterDocument?.document else {
            return
        }
        recall(date, of: document)
    }

    private mutating func recall(_ date: Time, of document: SignedPinList) {
        if let newestFilters, newestFilters >= date { return }
        newestFilters = date
        filterDocument = (document, 0)
    }
}

// MARK: - Order and dates

extension PinListState {
    private func checkOrder(of list: PinList, in document: SignedPinList) throws(PinListError) {
        guard list.sequence >= sequence else {
            throw PinListError(
                .pinListRollback, "sequence \(list.sequence), but \(sequence) is in force",
                expected: .number(sequence + 1), found: .number(list.sequence))
        }
        guard list.sequence > sequence else {
            throw PinListError(
                .pinListSequenceReused, "sequence \(list.sequence) is in force with other contents",
                expected: .number(sequence + 1), found: .number(list.sequence))
        }
        guard list.issued >= issued else {
            throw PinListError(
                .pinListIssuedEarlier, "issued \(list.issued), but the list in force was issued \(issued)",
                expected: .time(issued), found: .time(list.issued))
        }
        guard list.logs != nil || logs == nil else {
            throw PinListError(.pinListLogsDropped, "without logs, but the list in force has logs")
        }
        try list.logs?.check(after: logs)
        try list.filters?.check(after: newestFilters)
    }

    private func checkDates(of list: PinList, at now: Time) throws(PinListError) {
        guard now >= issued else {
            throw PinListError(
                .pinListClockSetBack, "the clock shows \(now), but the list in force was issued \(issued)",
                expected: .time(issued), found: .time(now))
        }
        guard now >= list.notBefore else {
            throw PinListError(
                .pinListNotYetValid, "not valid before \(list.notBefore), and the clock shows \(now)",
                expected: .time(list.notBefore), found: .time(now))
        }
        guard now <= list.expires else {
            throw PinListError(
                .pinListExpired, "expired \(list.expires), and the clock shows \(now)", expected: .time(list.expires),
                found: .time(now))
        }
    }
}
