// SPDX-License-Identifier: Apache-2.0

// The CRLs that may cover one certificate, and the rules for superseding CRLs.
//
// Only a newer list with the same issuer name, signing key and scope supersedes a list. A CA that has changed its key
// may publish one list per key, and a CA that has split its list publishes one list per part. None of these lists
// replaces another, whichever is newer. A newer list has a later thisUpdate and no lower number. If two lists
// contradict each other in that, both count. A complete CRL and a matching delta CRL act as one list. So:
//
// 1. A newer complete CRL supersedes a complete CRL.
// 2. A newer complete CRL supersedes a delta CRL. So does a newer delta CRL with the same or an older base, or one that
//   matches an available complete CRL. In each case, the newer list contains everything in the older delta CRL.
//
// For the good status, an expired list supersedes older ones. To undo a revocation, a list must be current and able to
// establish the good status.
//
// A list with a reservation (RevocationReservation.swift) supersedes no other list and lifts no hold. A newer list
// doesn't supersede a list that is dated in the future or that the engine doesn't fully understand.

/// An available CRL whose issuer name allows it to cover one certificate.
struct RelevantList {
    let crl: CertificateRevocationList
    /// Whether the CRL covers the certificate. The CRL must match the name and scope of one of the certificate's
    /// distribution points, or of the default point that every certificate is assumed to have.
    let isInScope: Bool
    /// The reasons that the list covers at all these points together.
    let reasons: ReasonSet
    /// Whether the certificate names the list's issuer as the issuer of an indirect CRL.
    let isDesignated: Bool
    /// Whether the list's next update is still in the future.
    let isCurrent: Bool
    /// The reservations about the list itself, regardless of its signer.
    let ownReservations: [RevocationReservation]
    /// The entry for the certificate, or nil if the list has no entry or the engine hasn't searched it yet.
    var entry: RevokedCertificate?

    /// The authorized signer, or nil until the engine finds it.
    private(set) var signer: ListSigner?
    /// The obstacle to report if the engine finds no authorized signer.
    private(set) var obstacle = RevocationObstacle.crlSignerNotFound

    /// Whether a newer list of the same issuer, key and scope replaces this one as a source of the good status.
    var isSuperseded = false
    /// Whether a newer, current list replaces this one as a source of a revocation.
    var isSupersededForRevocation = false
    /// For a complete CRL, the indices of current delta CRLs that match it and aren't superseded.
    var deltas: [Int] = []

    enum SignerSearch {
        case found(ListSigner)
        case failure(RevocationObstacle)
    }

    init(
        _ crl: CertificateRevocationList, isInScope: Bool, reasons: ReasonSet, isDesignated: Bool,
        reservations: [RevocationReservation], at time: Time
    ) {
        self.crl = crl
        self.ownReservations = reservations
        self.isInScope = isInScope
        self.reasons = reasons
        self.isDesignated = isDesignated
        self.isCurrent = crl.fields.nextUpdate.map { $0 >= time } ?? false
    }

    /// The reservations that limit the list to revoking. Empty for a list that may also establish the good status.
    var reservations: [RevocationReservation] { ownReservations + (signer?.reservations ?? []) }

    /// Whether the list may supersede others of the same key and scope.
    fileprivate var mayVouch: Bool { reservations.isEmpty && crl.hasUsableNumber }

    /// Whether lists of the same key and scope may supersede this one.
    fileprivate var allowsSuperseding: Bool { ownReservations.allSatisfy(\.allowsSuperseding) }

    mutating func record(_ result: SignerSearch) {
        switch result {
        case .found(let signer): self.signer = signer
        case .failure(.crlSignatureInvalid) where obstacle != .crlSignerNotFound: break
        case .failure(let obstacle): self.obstacle = obstacle
        }
    }

    /// Removes the results of comparisons with other lists.
    mutating func forgetOthers() {
        (isSuperseded, isSupersededForRevocation) = (false, false)
        deltas = []
    }

    /// Whether the list has a later date and no lower number. A missing number is lower than any number.
    func isNewer(than other: RelevantList) -> Bool {
        crl.fields.thisUpdate > other.crl.fields.thisUpdate && !CRLNumber.isLess(crl.number, other.crl.number)
    }
}

enum CRLNumber {
    /// Whether one nonnegative number, as the contents of an INTEGER, is less than another. A missing number is less
    /// than any number.
    static func isLess(_ left: [UInt8]?, _ right: [UInt8]?) -> Bool {
        guard let right else { return false }
        guard let left else { return true }
        let (shortLeft, shortRight) = (left.drop { $0 == 0 }, right.drop { $0 == 0 })
        return shortLeft.count == shortRight.count
            ? shortLeft.lexicographicallyPrecedes(shortRight) : shortLeft.count < shortRight.count
    }
}

extension CertificateRevocationList {
    /// Whether the CRL has no number, or one that isn't critical (§ 5.2.3). RFC 5280 requires issuers to number v2
    /// CRLs, but the algorithm of § 6.3.3 has no such check. For lists without numbers, only the date decides which is
    /// newer.
    var hasUsableNumber: Bool { !fields.extensions.isNumberCritical }

    /// The size of ``scope``, in bytes.
    var scopeSize: Int { fields.extensions.issuingDistributionPoint?.whole.count ?? 0 }

    /// The contents of the issuing distribution point. Empty if the CRL has no such extension, because DER can't encode
    /// an empty one.
    var scope: [UInt8] { fields.extensions.issuingDistributionPoint.map { copy($0.whole) } ?? [] }
}

// MARK: - Superseding

/// The lists of one issuer, key and scope.
private struct ListGroup {
    var completes: [Int] = []
    var deltas: [Int] = []
}

private struct ListGroupKey: Hashable {
    let key: [UInt8]
    let scope: [UInt8]
}

extension RevocationChecker {
    /// Determines which lists with a signer are superseded, and which delta CRLs match which complete CRLs.
    func supersede(_ lists: inout [RelevantList]) {
        for group in groups(of: lists) {
            supersedeCompletes(group, &lists)
            let deltas = group.deltas.sorted { isNewerDate(lists[$0], lists[$1]) }
            supersedeDeltas(deltas, group, &lists)
            for complete in group.completes where !lists[complete].isSupersededForRevocation {
                fit(deltas, to: complete, &lists)
            }
        }
    }

    private func groups(of lists: [RelevantList]) -> [ListGroup] {
        var groups: [ListGroup] = []
        var known: [ListGroupKey: [(first: Int, group: Int)]] = [:]
        for index in lists.indices {
            guard let signer = lists[index].signer, lists[index].allowsSuperseding else { continue }
            let crl = lists[index].crl
            let key = ListGroupKey(key: signer.key, scope: crl.scope)
            var group: Int?
            for (first, other) in known[key] ?? [] {
                let firstCRL = lists[first].crl
                guard isSameName(crl.span, crl.fields.issuer, firstCRL.span, firstCRL.fields.issuer) else { continue }
                group = other
                break
            }
            let place = group ?? groups.count
            if group == nil {
                known[key, default: []].append((index, place))
                groups.append(ListGroup())
            }
            if crl.isDelta { groups[place].deltas.append(index) } else { groups[place].completes.append(index) }
        }
        return groups
    }

    private func isNewerDate(_ left: RelevantList, _ right: RelevantList) -> Bool {
        left.crl.fields.thisUpdate > right.crl.fields.thisUpdate
    }

    /// Compares the lists in one pass from the latest to the earliest, as a CA's lists of a whole year may be
    /// available. A list is compared with the highest number of all later lists.
    private func supersedeCompletes(_ group: ListGroup, _ lists: inout [RelevantList]) {
        /// The highest number of the lists so far, or nil before the first.
        struct Highest {
            var number: [UInt8]??
            mutating func add(_ other: [UInt8]?) {
                guard case .some(let known) = number else { return number = .some(other) }
                if CRLNumber.isLess(known, other) { number = .some(other) }
            }
            func supersedes(_ other: [UInt8]?) -> Bool {
                guard case .some(let known) = number else { return false }
                return !CRLNumber.isLess(known, other)
            }
        }
        var (all, current) = (Highest(), Highest())
        var waiting: [Int] = []
        for index in group.completes.sorted(by: { isNewerDate(lists[$0], lists[$1]) }) {
            // Lists with the same date don't supersede each other.
            if let first = waiting.first, isNewerDate(lists[first], lists[index]) {
                for index in waiting where lists[index].mayVouch {
                    all.add(lists[index].crl.number)
                    if lists[index].isCurrent { current.add(lists[index].crl.number) }
                }
                waiting = []
            }
            let number = lists[index].crl.number
            lists[index].isSuperseded = all.supersedes(number)
            lists[index].isSupersededForRevocation = current.supersedes(number)
            waiting.append(index)
        }
    }

    private func supersedeDeltas(_ deltas: [Int], _ group: ListGroup, _ lists: inout [RelevantList]) {
        let completes = group.completes.filter { !lists[$0].isSupersededForRevocation && lists[$0].mayVouch }
        for delta in deltas {
            for other in completes + deltas where other != delta && lists[other].mayVouch {
                guard step() else { return }
                guard lists[other].isNewer(than: lists[delta]),
                    !lists[other].crl.isDelta || replaces(other, delta, completes, lists)
                else { continue }
                lists[delta].isSuperseded = true
                if lists[other].isCurrent { lists[delta].isSupersededForRevocation = true }
            }
        }
    }

    /// Whether a newer delta CRL contains everything in another delta CRL: it has the same or an older base, or it
    /// matches a complete CRL.
    private func replaces(_ newer: Int, _ delta: Int, _ completes: [Int], _ lists: [RelevantList]) -> Bool {
        if !CRLNumber.isLess(lists[delta].crl.deltaBaseNumber, lists[newer].crl.deltaBaseNumber) { return true }
        return completes.contains { step() && fits(lists[newer].crl, lists[$0].crl) }
    }

    private func fit(_ deltas: [Int], to complete: Int, _ lists: inout [RelevantList]) {
        for delta in deltas where !lists[delta].isSuperseded && lists[delta].isCurrent && lists[delta].mayVouch {
            guard step() else { return }
            if fits(lists[delta].crl, lists[complete].crl) { lists[complete].deltas.append(delta) }
        }
    }

    /// Whether a delta CRL extends a complete CRL of the same issuer, key and scope (§ 6.3.3 (c)). The delta CRL must
    /// be based on this complete CRL or an older one, and be newer than it (§ 5.2.4). Both must have the same authority
    /// key identifier, or none.
    private func fits(_ delta: CertificateRevocationList, _ complete: CertificateRevocationList) -> Bool {
        guard complete.hasUsableNumber, delta.hasUsableNumber, let number = complete.number,
            let base = delta.deltaBaseNumber, let own = delta.number
        else { return false }
        let (left, right) = (
            delta.fields.extensions.authorityKeyIdentifier, complete.fields.extensions.authorityKeyIdentifier
        )
        return !CRLNumber.isLess(number, base) && CRLNumber.isLess(number, own)
            && left.isPresent == right.isPresent
            && (!left.isPresent || bytesEqual(delta.span, left, complete.span, right))
    }
}
