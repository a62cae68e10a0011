// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// The reason why a signed pin list is not accepted. The list in force then stays.
public struct PinListError: Error, Sendable, Hashable {
    /// The kind of error, stable for programs. The set of codes may grow.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name.
        public let name: String
        private init(_ name: String) { self.name = name }
        /// The name.
        public var description: String { name }

        // The document.

        /// The document is over ``SignedPinList/maximumSize``, or has too many signatures, rotations or denied keys.
        package static let tooLarge = Code("tooLarge")
        /// The document ends before its JSON does, as a truncated download.
        package static let truncated = Code("truncated")
        /// The document is no JWS in the general JSON serialization (RFC 7515 § 7.2.1), has a duplicate key or invalid base64url.
        package static let malformed = Code("malformed")
        /// The JWS is no pin list (`typ`).
        package static let foreignType = Code("foreignType")
        /// The `crit` of a signature or `critical` of the list names an unknown member.
        package static let unknownCriticalField = Code("unknownCriticalField")
        /// The list has an unknown version.
        package static let unknownVersion = Code("unknownVersion")
        /// A member of the list is missing or invalid.
        package static let listInvalid = Code("listInvalid")
        /// The hosts and pins can't be read or enforced.
        package static let pinsInvalid = Code("pinsInvalid")

        // Signatures.

        /// The algorithm is `none`, unknown, or not the key's.
        package static let algorithmNotAllowed = Code("algorithmNotAllowed")
        /// No signature is by an authorized key.
        package static let unknownSigner = Code("unknownSigner")
        /// A signature in the name of an authorized key is not by that key.
        public static let signatureInvalid = Code("signatureInvalid")
        /// Fewer authorized keys have signed than required.
        package static let belowThreshold = Code("belowThreshold")
        /// Too few of the keys that the list names for the next one have signed it, so their existence is unproven.
        package static let unprovenSigners = Code("unprovenSigners")

        /// Too few of the root keys in force have signed a list that names other signers or other root keys.
        package static let rootRequired = Code("rootRequired")
        /// The list names no root keys, and the app or the list in force does.
        package static let rootDropped = Code("rootDropped")

        // The contents.

        /// The list is for another app.
        package static let foreignAudience = Code("foreignAudience")
        /// The list is older than the one in force.
        package static let rollback = Code("rollback")
        /// Another list with this sequence number is in force.
        package static let sequenceReused = Code("sequenceReused")
        /// The list has a higher sequence number, and was issued before the list in force.
        package static let issuedEarlier = Code("issuedEarlier")
        /// The clock is before the time at which the list in force was issued, so dates can't be checked.
        package static let clockSetBack = Code("clockSetBack")
        /// The list is not valid yet.
        package static let notYetValid = Code("notYetValid")
        /// The list has expired; it may be a replay.
        public static let expired = Code("expired")

        /// The list doesn't pin a host that the app always pins, or not firmly.
        package static let hostUnpinned = Code("hostUnpinned")

        /// The list's Certificate Transparency logs can't be read or used.
        package static let logsInvalid = Code("logsInvalid")
        /// The list has no logs, and the list in force has.
        package static let logsDropped = Code("logsDropped")

        /// The list's denied certificates can't be read.
        package static let deniedInvalid = Code("deniedInvalid")

        /// The list's manifest of filters can't be read.
        package static let filtersInvalid = Code("filtersInvalid")

        // The store.

        /// The store's file can't be read, or other users may write it.
        package static let storeUnreadable = Code("storeUnreadable")
        /// The store's file can't be written.
        package static let storeNotWritable = Code("storeNotWritable")
    }

    /// The kind of error.
    public let code: Code
    /// The value that was found and the one that was expected, for people; its wording may change.
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension PinListError: CustomStringConvertible {
    /// `DETAIL [CODE]`
    public var description: String { "\(detail) [\(code)]" }
}
