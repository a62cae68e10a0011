// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension SignedPinList {
    /// Returns the rotations for the next list: the rotations of this list, then this list. If the last rotation has
    /// the same keys, this list is left out.
    /// - Throws: ``PinListError`` if the contents of the list or of its last rotation can't be read. No signature is
    ///   checked.
    package func rotationsOfSuccessor() throws(PinListError) -> [SignedPinList] {
        let list = try unverifiedList()
        if let last = rotations.last, try last.unverifiedList().hasSameKeys(as: list) { return rotations }
        return rotations + [self]
    }
}

extension BuiltInPinList {
    /// Creates the built-in list of an app that accepts `list` as its next list. It has the same audience, pins and
    /// signers, and the previous sequence number. It has no root keys, so signatures have to prove the root keys of
    /// `list`.
    package init(precedingFirst list: PinList) {
        self.init(
            audience: list.audience, configuration: list.configuration, signers: list.signers,
            sequence: list.sequence - 1, issued: list.issued)
    }
}

extension PinList {
    /// The number of sequence numbers left for later lists.
    package var remainingSequences: Int { Self.maximumSequence - sequence }

    /// Whether fewer than ``sequenceReserve`` numbers are left for later lists.
    package var isInSequenceReserve: Bool { Self.isReserved(sequence) }

    /// Returns whether a number is one of the last ``sequenceReserve`` numbers. False for numbers that no list can
    /// have.
    package static func isReserved(_ sequence: Int) -> Bool {
        (maximumSequence - sequenceReserve + 1...maximumSequence).contains(sequence)
    }
}

extension ErrorCode {
    /// Whether more signatures can make the list acceptable.
    package var isMissingSignatures: Bool {
        [.pinListUnprovenSigners, .pinListBelowThreshold, .pinListUnknownSigner, .pinListRootRequired].contains(self)
    }
}
