// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust
import TrustSupport

/// The state of a client: its built-in list, and the documents that lead from there to the list in force.
///
/// Old keys vouch for new ones: a document is accepted if enough of the signers that its predecessor names have signed it, **and** enough
/// of those that it names itself (as in TUF's root role). The second condition keeps a typing error in a key from locking every client
/// out, as no key could sign the next list. A client that has missed some lists needs those of them that changed the keys, which a
/// document carries as `rotations`. Their dates don't matter, as they never come into force.
struct PinListState: Sendable {
    let builtIn: BuiltInPinList
    /// The documents that changed the signers, then the one in force; none for the built-in list.
    private(set) var chain: [SignedPinList] = []
    /// The accepted list in force; nil for the built-in one.
    private(set) var list: PinList?

    init(_ builtIn: BuiltInPinList) { self.builtIn = builtIn }

    var signers: PinSigners { list?.signers ?? builtIn.signers }
    var sequence: Int { list?.sequence ?? builtIn.sequence }
    /// The latest signed time. The clock's time is not recorded: a clock that runs ahead once would refuse every list from then on.
    var issued: Time { list?.issued ?? builtIn.issued }
    /// The document to be stored.
    var document: SignedPinList? { chain.last?.with(rotations: chain.dropLast()) }

    /// The result of a valid document.
    enum Outcome: Sendable {
        /// The list replaces the one in force.
        case newer(PinList)
        /// The list is in force already.
        case unchanged(PinList)
    }

    /// Accepts a document if it is valid.
    /// - Parameter now: the time of the clock; nil for a document that was accepted before, whose dates aren't checked again.
    mutating func accept(_ document: SignedPinList, at now: Time?) throws(PinListError) -> Outcome {
        var next = self
        // As its own rotation the list would be accepted without a check of its expiry.
        for rotation in document.rotations where rotation.payload != document.payload {
            // Rotations from before the built-in list are signed by unknown keys. If this one was needed, the signatures of the list itself
            // aren't by known keys either.
            guard try Self.signatures(on: rotation, by: next.signers) >= next.signers.threshold else { continue }
            let list = try next.verifiedList(of: rotation)
            guard list.sequence > next.sequence else { continue }
            try next.checkOrder(of: list, in: rotation)
            if let now, now < list.notBefore {
                throw PinListError(
                    .notYetValid, "the rotation \(list.sequence) is not valid before \(list.notBefore)")
            }
            try Self.checkNextSigners(of: list, in: rotation)
            next.append(rotation, list)
        }
        let document = document.withoutRotations
        let list = try next.verifiedList(of: document)
        // A list with the built-in sequence number changes nothing; if the built-in list was made from a document, it has to be that one.
        let inForce = next.list == nil ? builtIn.payload ?? document.payload : next.chain.last?.payload
        if list.sequence == next.sequence, document.payload == inForce {
            self = next
            return .unchanged(list)
        }
        try next.checkOrder(of: list, in: document)
        if let now { try next.checkDates(of: list, at: now) }
        try Self.checkNextSigners(of: list, in: document)
        next.append(document, list)
        guard next.chain.count <= SignedPinList.maximumRotations + 1 else {
            throw PinListError(.tooLarge, "over \(SignedPinList.maximumRotations) rotations since the app was built")
        }
        // A document that couldn't be read again must not be stored.
        guard (next.document?.bytes.count ?? 0) <= SignedPinList.maximumSize else {
            throw PinListError(
                .tooLarge, "with the rotations that lead to it over \(SignedPinList.maximumSize) bytes")
        }
        self = next
        return .newer(list)
    }

    private mutating func append(_ document: SignedPinList, _ list: PinList) {
        // The last document stays only if it changed the keys.
        if let before = signersBeforeLast, signers.isEquivalent(to: before) { chain.removeLast() }
        signersBeforeLast = signers
        chain.append(document)
        self.list = list
    }

    /// The signers whose signatures the last document of the chain needed.
    private var signersBeforeLast: PinSigners?
}

// MARK: - Signatures

extension PinListState {
    /// Returns the list of a document after its signatures are verified.
    private func verifiedList(of document: SignedPinList) throws(PinListError) -> PinList {
        let count = try Self.signatures(on: document, by: signers)
        guard count > 0 else {
            throw PinListError(
                .unknownSigner,
                "signed by \(document.signatures.isEmpty ? "no key" : document.claimedSigners.map { clipped($0) }.joined(separator: ", ")), expected \(signers.keys.map(\.id).joined(separator: ", "))"
            )
        }
        guard count >= signers.threshold else {
            throw PinListError(
                .belowThreshold, "signed by \(count) of the keys that may, expected \(signers.threshold)")
        }
        let list = try PinList(payload: document.payloadBytes)
        guard list.audience.isExactly(builtIn.audience) else {
            throw PinListError(
                .foreignAudience, "for \(clipped(list.audience)), expected \(builtIn.audience)")
        }
        return list
    }

    private static func checkNextSigners(of list: PinList, in document: SignedPinList) throws(PinListError) {
        let count = try signatures(on: document, by: list.signers)
        guard count >= list.signers.threshold else {
            throw PinListError(
                .unprovenSigners,
                "signed by \(count) of the keys that it names for the next list, expected \(list.signers.threshold)")
        }
    }

    /// Returns the number of keys that have signed. Signatures by other keys are ignored; an invalid one in the name of one of these is an
    /// error.
    private static func signatures(
        on document: SignedPinList, by signers: PinSigners
    ) throws(PinListError) -> Int {
        var count = 0
        for signature in document.signatures {
            guard let key = signers.key(signature.keyID) else { continue }
            guard key.algorithm == signature.algorithm else {
                throw PinListError(
                    .algorithmNotAllowed,
                    "alg \(signature.algorithm.rawValue), expected \(key.algorithm.rawValue) for \(key.id)")
            }
            // RFC 7515 § 5.1: the header and the payload as they were sent, with a full stop between them.
            guard key.verifies(signature.bytes, over: Array("\(signature.protected).\(document.payload)".utf8)) else {
                throw PinListError(.signatureInvalid, "the signature is not that of \(key.id)")
            }
            count += 1
        }
        return count
    }
}

// MARK: - Order and dates

extension PinListState {
    private func checkOrder(of list: PinList, in document: SignedPinList) throws(PinListError) {
        guard list.sequence >= sequence else {
            throw PinListError(.rollback, "sequence \(list.sequence), and \(sequence) is in force")
        }
        guard list.sequence > sequence else {
            throw PinListError(.sequenceReused, "sequence \(list.sequence) is in force with other contents")
        }
        guard list.issued >= issued else {
            throw PinListError(.issuedEarlier, "issued \(list.issued), and what is in force was issued \(issued)")
        }
    }

    private func checkDates(of list: PinList, at now: Time) throws(PinListError) {
        guard now >= issued else {
            throw PinListError(.clockSetBack, "the clock says \(now), and what is in force was issued \(issued)")
        }
        guard now >= list.notBefore else {
            throw PinListError(.notYetValid, "not valid before \(list.notBefore), and the clock says \(now)")
        }
        guard now <= list.expires else {
            throw PinListError(.expired, "expired \(list.expires), and the clock says \(now)")
        }
    }
}
