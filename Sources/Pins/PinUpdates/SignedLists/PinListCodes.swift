// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

extension ErrorCode {
    // The document.

    /// The document is over ``SignedPinList/maximumSize``, or has too many signatures, rotations or denied keys.
    public static let pinListTooLarge = ErrorCode("pinListTooLarge")
    /// The document ends before its JSON does, as a truncated download.
    public static let pinListTruncated = ErrorCode("pinListTruncated")
    /// The document is no JWS in the general JSON serialization (RFC 7515 § 7.2.1), has a duplicate key or invalid base64url.
    public static let pinListMalformed = ErrorCode("pinListMalformed")
    /// The JWS is no pin list (`typ`).
    public static let pinListForeignType = ErrorCode("pinListForeignType")
    /// The `crit` of a signature or `critical` of the list names an unknown member.
    public static let pinListUnknownCriticalField = ErrorCode("pinListUnknownCriticalField")
    /// The list has an unknown version.
    public static let pinListUnknownVersion = ErrorCode("pinListUnknownVersion")
    /// A member of the list is missing or invalid.
    public static let pinListInvalid = ErrorCode("pinListInvalid")
    /// The hosts and pins can't be read or enforced.
    public static let pinListPinsInvalid = ErrorCode("pinListPinsInvalid")

    // Signatures.

    /// The algorithm is `none`, unknown, or not the key's.
    public static let pinListAlgorithmNotAllowed = ErrorCode("pinListAlgorithmNotAllowed")
    /// No signature is by an authorized key.
    public static let pinListUnknownSigner = ErrorCode("pinListUnknownSigner")
    /// A signature in the name of an authorized key is not by that key.
    public static let pinListSignatureInvalid = ErrorCode("pinListSignatureInvalid")
    /// Fewer authorized keys have signed than required.
    public static let pinListBelowThreshold = ErrorCode("pinListBelowThreshold")
    /// Too few of the keys that the list names for the next one have signed it, so their existence is unproven.
    public static let pinListUnprovenSigners = ErrorCode("pinListUnprovenSigners")
    /// Too few of the root keys in force have signed a list that names other signers or other root keys.
    public static let pinListRootRequired = ErrorCode("pinListRootRequired")
    /// The list names no root keys, and the app or the list in force does.
    public static let pinListRootDropped = ErrorCode("pinListRootDropped")

    // The contents.

    /// The list is for another app.
    public static let pinListForeignAudience = ErrorCode("pinListForeignAudience")
    /// The list is older than the one in force.
    public static let pinListRollback = ErrorCode("pinListRollback")
    /// Another list with this sequence number is in force.
    public static let pinListSequenceReused = ErrorCode("pinListSequenceReused")
    /// The list has a higher sequence number, and was issued before the list in force.
    public static let pinListIssuedEarlier = ErrorCode("pinListIssuedEarlier")
    /// The clock is before the time at which the list in force was issued, so dates can't be checked.
    public static let pinListClockSetBack = ErrorCode("pinListClockSetBack")
    /// The list is not valid yet.
    public static let pinListNotYetValid = ErrorCode("pinListNotYetValid")
    /// The list has expired; it may be a replay.
    public static let pinListExpired = ErrorCode("pinListExpired")
    /// The list doesn't pin a host that the app always pins, or not firmly.
    public static let pinListHostUnpinned = ErrorCode("pinListHostUnpinned")
    /// The list's Certificate Transparency logs can't be read or used.
    public static let pinListLogsInvalid = ErrorCode("pinListLogsInvalid")
    /// The list has no logs, and the list in force has.
    public static let pinListLogsDropped = ErrorCode("pinListLogsDropped")
    /// The list's denied certificates can't be read.
    public static let pinListDeniedInvalid = ErrorCode("pinListDeniedInvalid")
    /// The list's manifest of filters can't be read.
    public static let pinListFiltersInvalid = ErrorCode("pinListFiltersInvalid")

    // The store.

    /// The store's file can't be read, or other users may write it.
    public static let pinListStoreUnreadable = ErrorCode("pinListStoreUnreadable")
    /// The store's file can't be written.
    public static let pinListStoreNotWritable = ErrorCode("pinListStoreNotWritable")

    /// The name without `pinList`, as messages have it: `rollback`.
    package var inPinList: String { self == .pinListInvalid ? "listInvalid" : without("pinList") }
}
