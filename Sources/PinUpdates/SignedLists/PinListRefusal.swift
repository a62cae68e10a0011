// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// Why a signed pin list is not accepted. Whatever was in force before it stays in force.
public struct PinListRefusal: Error, Sendable, Hashable {
    /// What kind of thing is wrong, stable for programs. More may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        public let name: String
        private init(_ name: String) { self.name = name }
        public var description: String { name }

        // The document.

        /// Over ``SignedPinList/maximumSize``, or more signatures or rotations than are read.
        public static let tooLarge = Code("tooLarge")
        /// It ends before its JSON does: a download that was cut off.
        public static let truncated = Code("truncated")
        /// No JWS in the general JSON serialization (RFC 7515 § 7.2.1), or a key twice, or base64url that isn't.
        public static let malformed = Code("malformed")
        /// A JWS that is something else than a pin list (`typ`).
        public static let foreignType = Code("foreignType")
        /// `crit` of a signature, or `critical` of the list, names what this version doesn't know.
        public static let unknownCriticalField = Code("unknownCriticalField")
        /// The list is of another version than this program reads.
        public static let unknownVersion = Code("unknownVersion")
        /// A member of the list is missing or of no use.
        public static let listInvalid = Code("listInvalid")
        /// The hosts and pins can't be read or enforced.
        public static let pinsInvalid = Code("pinsInvalid")

        // Signatures.

        /// `none`, an algorithm that isn't used here, or another one than the key's.
        public static let algorithmNotAllowed = Code("algorithmNotAllowed")
        /// None of the signatures is by a key that may sign.
        public static let unknownSigner = Code("unknownSigner")
        /// A signature in the name of a key that may sign isn't that key's.
        public static let signatureInvalid = Code("signatureInvalid")
        /// Fewer keys have signed than have to.
        public static let belowThreshold = Code("belowThreshold")
        /// The keys that the list names for the next one haven't signed it in sufficient number: nobody may have them.
        public static let unprovenSigners = Code("unprovenSigners")

        // What is said.

        /// For another app.
        public static let foreignAudience = Code("foreignAudience")
        /// Older than the list that is in force.
        public static let rollback = Code("rollback")
        /// Another list of this sequence number is in force.
        public static let sequenceReused = Code("sequenceReused")
        /// A higher sequence number, and issued before the list in force.
        public static let issuedEarlier = Code("issuedEarlier")
        /// The machine's clock is before the day on which the list in force was issued: nothing can be said about dates.
        public static let clockSetBack = Code("clockSetBack")
        /// Its time has not come.
        public static let notYetValid = Code("notYetValid")
        /// Its time has passed: an old document, perhaps played again.
        public static let expired = Code("expired")

        // The store.

        /// The store's file can't be read or is not this user's alone to write.
        public static let storeUnreadable = Code("storeUnreadable")
        /// The store's file can't be written.
        public static let storeNotWritable = Code("storeNotWritable")

        /// All of them, in the order in which they are looked for.
        public static let all: [Code] = [
            .tooLarge, .truncated, .malformed, .foreignType, .unknownCriticalField, .algorithmNotAllowed,
            .unknownSigner, .signatureInvalid, .belowThreshold, .unknownVersion, .listInvalid, .foreignAudience,
            .rollback, .sequenceReused, .issuedEarlier, .clockSetBack, .notYetValid, .expired, .unprovenSigners,
            .pinsInvalid, .storeUnreadable, .storeNotWritable,
        ]
    }

    public let code: Code
    /// What was found and what was expected, for people; its wording may change.
    public let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension PinListRefusal: CustomStringConvertible {
    public var description: String { "\(detail) [\(code)]" }
}
