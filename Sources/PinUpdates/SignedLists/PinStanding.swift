// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// What a client holds: its floor, and the documents that lead from there to the list in force.
///
/// Old keys vouch for new ones: a document is accepted if the signers that its predecessor names have signed it in sufficient number **and**
/// those that it names itself have, too. (TUF's root role does the same.) The second keeps a typing error in a key from locking every
/// client out, as the next list could be signed by nobody. A client that has missed some lists needs those of them that changed the keys,
/// which a document carries as `rotations`; dates don't matter for these, as they come into force for no moment.
struct PinStanding: Sendable {
    let floor: PinFloor
    /// Documents that changed the signers, then the one in force; none for the floor.
    private(set) var chain: [SignedPinList] = []
    /// The list in force; nil for the floor.
    private(set) var list: PinList?

    init(_ floor: PinFloor) { self.floor = floor }

    var signers: PinSigners { list?.signers ?? floor.signers }
    var sequence: Int { list?.sequence ?? floor.sequence }
    /// The latest moment that was vouched for. Not the clock's: one that runs ahead once would refuse every list from then on.
    var issued: Time { list?.issued ?? floor.issued }
    /// As it is stored.
    var document: SignedPinList? { chain.last?.with(rotations: chain.dropLast()) }

    enum Outcome: Sendable {
        case newer(PinList)
        /// The list that is in force already.
        case unchanged(PinList)
    }

    /// Goes over to a document if everything is right with it.
    /// - Parameter now: nil for a document that was accepted before, of which dates aren't asked again.
    mutating func accept(_ document: SignedPinList, at now: Time?) throws(PinListRefusal) -> Outcome {
        var next = self
        // As a rotation of its own the list would come in without its expiry being asked.
        for rotation in document.rotations where rotation.payload != document.payload {
            // Those before our time are signed by keys of which we don't know enough any more. Should this one have been needed, the
            // list itself isn't signed by those whom we know.
            guard try Self.signatures(on: rotation, by: next.signers) >= next.signers.threshold else { continue }
            let list = try next.verifiedList(of: rotation)
            guard list.sequence > next.sequence else { continue }
            try next.checkOrder(of: list, in: rotation)
            if let now, now < list.notBefore {
                throw PinListRefusal(
                    .notYetValid, "the rotation \(list.sequence) is not valid before \(list.notBefore)")
            }
            try Self.checkNextSigners(of: list, in: rotation)
            next.append(rotation, list)
        }
        let document = document.withoutRotations
        let list = try next.verifiedList(of: document)
        // Nothing is taken from a list that has the floor's number; if the floor was made from a list, it has to be that one.
        let inForce = next.list == nil ? floor.payload ?? document.payload : next.chain.last?.payload
        if list.sequence == next.sequence, document.payload == inForce {
            self = next
            return .unchanged(list)
        }
        try next.checkOrder(of: list, in: document)
        if let now { try next.checkDates(of: list, at: now) }
        try Self.checkNextSigners(of: list, in: document)
        next.append(document, list)
        guard next.chain.count <= SignedPinList.maximumRotations + 1 else {
            throw PinListRefusal(.tooLarge, "over \(SignedPinList.maximumRotations) rotations since the app was built")
        }
        // What can't be read again must not be kept.
        guard (next.document?.bytes.count ?? 0) <= SignedPinList.maximumSize else {
            throw PinListRefusal(
                .tooLarge, "with the rotations that lead to it over \(SignedPinList.maximumSize) bytes")
        }
        self = next
        return .newer(list)
    }

    private mutating func append(_ document: SignedPinList, _ list: PinList) {
        // What stands last stays only if it leads from one set of keys to another.
        if let before = signersBeforeLast, signers.asksTheSame(as: before) { chain.removeLast() }
        signersBeforeLast = signers
        chain.append(document)
        self.list = list
    }

    /// Whose signatures the last document of the chain needed.
    private var signersBeforeLast: PinSigners?
}

// MARK: - Signatures

extension PinStanding {
    /// The list, read only after those have signed it who have to.
    private func verifiedList(of document: SignedPinList) throws(PinListRefusal) -> PinList {
        let count = try Self.signatures(on: document, by: signers)
        guard count > 0 else {
            throw PinListRefusal(
                .unknownSigner,
                "signed by \(document.claimedSigners.map(StrictJSON.shown).joined(separator: ", ")), expected \(signers.keys.map(\.id).joined(separator: ", "))"
            )
        }
        guard count >= signers.threshold else {
            throw PinListRefusal(
                .belowThreshold, "signed by \(count) of the keys that may, expected \(signers.threshold)")
        }
        let list = try PinList(payload: document.payloadBytes)
        guard list.audience.isExactly(floor.audience) else {
            throw PinListRefusal(
                .foreignAudience, "for \(StrictJSON.shown(list.audience)), expected \(floor.audience)")
        }
        return list
    }

    private static func checkNextSigners(of list: PinList, in document: SignedPinList) throws(PinListRefusal) {
        let count = try signatures(on: document, by: list.signers)
        guard count >= list.signers.threshold else {
            throw PinListRefusal(
                .unprovenSigners,
                "signed by \(count) of the keys that it names for the next list, expected \(list.signers.threshold)")
        }
    }

    /// How many of the keys have signed. Signatures by others don't count and don't matter; a wrong one in the name of one of these does.
    private static func signatures(
        on document: SignedPinList, by signers: PinSigners
    ) throws(PinListRefusal) -> Int {
        var count = 0
        for signature in document.signatures {
            guard let key = signers.key(signature.keyID) else { continue }
            guard key.algorithm == signature.algorithm else {
                throw PinListRefusal(
                    .algorithmNotAllowed,
                    "alg \(signature.algorithm.rawValue), expected \(key.algorithm.rawValue) for \(key.id)")
            }
            // RFC 7515 § 5.1: the header and the payload as they were sent, with a full stop between them.
            guard key.verifies(signature.bytes, over: Array("\(signature.protected).\(document.payload)".utf8)) else {
                throw PinListRefusal(.signatureInvalid, "the signature is not that of \(key.id)")
            }
            count += 1
        }
        return count
    }
}

// MARK: - Order and dates

extension PinStanding {
    private func checkOrder(of list: PinList, in document: SignedPinList) throws(PinListRefusal) {
        guard list.sequence >= sequence else {
            throw PinListRefusal(.rollback, "sequence \(list.sequence), and \(sequence) is in force")
        }
        guard list.sequence > sequence else {
            throw PinListRefusal(.sequenceReused, "sequence \(list.sequence) is in force with other contents")
        }
        guard list.issued >= issued else {
            throw PinListRefusal(.issuedEarlier, "issued \(list.issued), and what is in force was issued \(issued)")
        }
    }

    private func checkDates(of list: PinList, at now: Time) throws(PinListRefusal) {
        guard now >= issued else {
            throw PinListRefusal(.clockSetBack, "the clock says \(now), and what is in force was issued \(issued)")
        }
        guard now >= list.notBefore else {
            throw PinListRefusal(.notYetValid, "not valid before \(list.notBefore), and the clock says \(now)")
        }
        guard now <= list.expires else {
            throw PinListRefusal(.expired, "expired \(list.expires), and the clock says \(now)")
        }
    }
}
