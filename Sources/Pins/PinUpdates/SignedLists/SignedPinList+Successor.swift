// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension SignedPinList {
    /// Returns the rotations of the next list: those of this list, then this list unless the last rotation has the same keys.
    /// - Throws: ``PinListError`` if the contents of the list or of its last rotation can't be read. No signature is checked.
    package func rotationsOfSuccessor() throws(PinListError) -> [SignedPinList] {
        let keys = PinListKeys(try unverifiedList())
        if let last = rotations.last, PinListKeys(try last.unverifiedList()).isEquivalent(to: keys) { return rotations }
        return rotations + [self]
    }
}

extension BuiltInPinList {
    /// Creates the list of an app for which `list` is the next one: the same audience, pins and signers, and the number before. It has no
    /// root keys, so that those of the list have to be proven by signatures.
    package init(precedingFirst list: PinList) {
        self.init(
            audience: list.audience, configuration: list.configuration, signers: list.signers,
            sequence: list.sequence - 1, issued: list.issued)
    }
}

extension PinList {
    /// The sequence numbers that are left for later lists.
    package var remainingSequences: Int { Self.maximumSequence - sequence }

    /// Whether fewer than ``sequenceReserve`` numbers are left for later lists.
    package var isInSequenceReserve: Bool { Self.isReserved(sequence) }

    /// Returns whether a number is one of the last ``sequenceReserve``. False for numbers that no list can have.
    package static func isReserved(_ sequence: Int) -> Bool {
        (maximumSequence - sequenceReserve + 1...maximumSequence).contains(sequence)
    }
}

extension ErrorCode {
    /// Whether further signatures can make the list acceptable.
    package var isMissingSignatures: Bool {
        [.pinListUnprovenSigners, .pinListBelowThreshold, .pinListUnknownSigner, .pinListRootRequired].contains(self)
    }
}
