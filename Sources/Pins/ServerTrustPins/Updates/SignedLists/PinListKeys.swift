// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// The root role, as in TUF (The Update Framework, § 5.3). Root keys are needed only when keys change, and can stay
// offline in between.
//
// | list | root keys in force | signatures that it needs |
// |---|---|---|
// | names the keys in force | no, yes | the signers in force |
// | names others | no | the signers in force, the signers that it names, the root keys that it names if any |
// | names others | yes | the root keys in force, the signers that it names, the root keys that it names if they are others |
// | names no root keys | yes | refused |
//
// An attacker who has stolen the signers' keys can change pins until root keys name other signers. The thief can't name
// signers or root keys, and can't remove either. The thief can use up the sequence numbers. No list can follow the last
// number, not even a list that root keys have signed. In that case, the only remedy is a new release of the app.

// The signers in a list sign the next list. The root keys, if there are any, approve changes to the signers and the root
// keys.

extension PinList {
    /// Returns whether both require the same numbers of signatures by the same keys, in any order.
    func hasSameKeys(as other: PinList) -> Bool { signers.isEquivalent(to: other.signers) && hasSameRoot(as: other) }

    private func hasSameRoot(as other: PinList) -> Bool {
        switch (root, other.root) {
        case (nil, nil): true
        case (let root?, let other?): root.isEquivalent(to: other)
        default: false
        }
    }

    /// The numbers of signatures by the keys in force.
    struct Signatures: Sendable {
        let bySigners: Int
        let byRoot: Int
        /// Whether the signers have signed as required.
        let isSigned: Bool
        /// Whether the root keys have signed as required. False without root keys.
        let isSignedByRoot: Bool
        /// Whether the signatures are enough for some kind of list, so that the contents are worth reading.
        var areEnough: Bool { isSigned || isSignedByRoot }
    }

    /// Returns the numbers of signatures that these keys have made on a document.
    /// - Throws: ``PinListError`` for an invalid signature that names one of these keys.
    func signatures(on document: SignedPinList) throws(PinListError) -> Signatures {
        let bySigners = try document.signatures(by: signers)
        let byRoot = if let root { try document.signatures(by: root) } else { 0 }
        return Signatures(
            bySigners: bySigners, byRoot: byRoot, isSigned: bySigners >= signers.threshold,
            isSignedByRoot: root.map { byRoot >= $0.threshold } ?? false)
    }

    /// Returns the error for a document that too few of the signers have signed.
    func shortage(_ signatures: Signatures, on document: SignedPinList) -> PinListError {
        guard signatures.bySigners + signatures.byRoot > 0 else {
            let claimed = document.claimedSigners.map { clipped($0) }.joined(separator: ", ")
            return PinListError(
                .pinListUnknownSigner,
                "signed by \(claimed.isEmpty ? "no key" : claimed), expected \(signers.names)",
                expected: .list(signers.keys.map(\.id)), found: .list(document.claimedSigners.map { clipped($0) }))
        }
        return PinListError(
            .pinListBelowThreshold,
            "signed by \(signatures.bySigners) of the authorized keys, expected \(signers.threshold)",
            expected: .number(signers.threshold), found: .number(signatures.bySigners))
    }

    /// Checks that the keys in force permit a list, and that the keys that the list names exist.
    /// - Parameters:
    ///   - signatures: the signatures by the keys in force, which are enough for some kind of list.
    ///   - next: the contents of the document.
    ///   - document: the document.
    func check(
        _ signatures: Signatures, permit next: PinList, in document: SignedPinList
    ) throws(PinListError) {
        if let root {
            guard next.root != nil else {
                throw PinListError(
                    .pinListRootDropped, "the list names no root keys, expected \(root.threshold) of \(root.names)",
                    expected: .list(root.keys.map(\.id)))
            }
            if !next.hasSameKeys(as: self) {
                guard signatures.isSignedByRoot else {
                    throw PinListError(
                        .pinListRootRequired,
                        "names other keys, but is signed by \(signatures.byRoot) root keys, expected \(root.threshold) of \(root.names)",
                        expected: .number(root.threshold), found: .number(signatures.byRoot))
                }
            } else if !signatures.isSigned {
                throw shortage(signatures, on: document)
            }
        }
        try Self.prove(next.signers, "keys it names for the next list", in: document)
        if let root = next.root, !next.hasSameRoot(as: self) {
            try Self.prove(root, "root keys it names", in: document)
        }
    }

    /// Checks that enough of the keys that a list names have signed it. Otherwise, a typing error in a key could make
    /// it impossible to sign the next list.
    private static func prove(
        _ keys: PinSigners, _ role: String, in document: SignedPinList
    ) throws(PinListError) {
        let count = try document.signatures(by: keys)
        guard count >= keys.threshold else {
            throw PinListError(
                .pinListUnprovenSigners, "signed by \(count) of the \(role), expected \(keys.threshold)",
                expected: .number(keys.threshold), found: .number(count))
        }
    }
}

extension PinSigners {
    fileprivate var names: String { keys.map(\.id).joined(separator: ", ") }
}

extension SignedPinList {
    /// Returns the number of keys that have signed. Ignores signatures by other keys. An invalid signature that names
    /// one of these keys causes an error.
    fileprivate func signatures(by signers: PinSigners) throws(PinListError) -> Int {
        var count = 0
        for signature in signatures {
            guard let key = signers.key(signature.keyID) else { continue }
            guard key.algorithm == signature.algorithm else {
                throw PinListError(
                    .pinListAlgorithmNotAllowed,
                    "alg \(signature.algorithm.rawValue), expected \(key.algorithm.rawValue) for \(key.id)",
                    expected: .text(key.algorithm.rawValue), found: .text(signature.algorithm.rawValue))
            }
            // RFC 7515 § 5.1: the header and the payload as they were sent, with a period between them.
            guard key.verifies(signature.bytes, over: Array("\(signature.protected).\(payload)".utf8)) else {
                throw PinListError(
                    .pinListSignatureInvalid, "the signature isn't by \(key.id)", expected: .text(key.id))
            }
            count += 1
        }
        return count
    }
}
