// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension ErrorCode {
    // The document.

    /// The document is larger than ``SignedPinList/maximumSize``, or has too many signatures, rotations or denied keys.
    static let pinListTooLarge = ErrorCode("pinListTooLarge")
    /// The document ends before its JSON does, as in a truncated download.
    static let pinListTruncated = ErrorCode("pinListTruncated")
    /// The document isn't a JWS in the general JSON serialization (RFC 7515 § 7.2.1), or it has a duplicate key or
    /// invalid base64url.
    static let pinListMalformed = ErrorCode("pinListMalformed")
    /// The JWS isn't a pin list (`typ`).
    static let pinListForeignType = ErrorCode("pinListForeignType")
    /// The `crit` of a signature or the `critical` of the list names an unknown member.
    static let pinListUnknownCriticalField = ErrorCode("pinListUnknownCriticalField")
    /// The list has an unknown version.
    static let pinListUnknownVersion = ErrorCode("pinListUnknownVersion")
    /// A member of the list is missing or invalid.
    static let pinListInvalid = ErrorCode("pinListInvalid")
    /// The hosts and pins can't be read or enforced.
    package static let pinListPinsInvalid = ErrorCode("pinListPinsInvalid")

    // Signatures.

    /// The algorithm is `none`, is unknown, or doesn't fit the key.
    static let pinListAlgorithmNotAllowed = ErrorCode("pinListAlgorithmNotAllowed")
    /// None of the signatures was made with an authorized key.
    package static let pinListUnknownSigner = ErrorCode("pinListUnknownSigner")
    /// A signature names an authorized key, but wasn't made with that key.
    public static let pinListSignatureInvalid = ErrorCode("pinListSignatureInvalid")
    /// Fewer authorized keys have signed than required.
    package static let pinListBelowThreshold = ErrorCode("pinListBelowThreshold")
    /// Too few of the keys that the list names for the next list have signed it, so their existence is unproven.
    package static let pinListUnprovenSigners = ErrorCode("pinListUnprovenSigners")
    /// The list names other signers or root keys, but too few of the root keys in force have signed it.
    package static let pinListRootRequired = ErrorCode("pinListRootRequired")
    /// The list names no root keys, although the app or the list in force does.
    package static let pinListRootDropped = ErrorCode("pinListRootDropped")

    // The contents.

    /// The list is for another app.
    static let pinListForeignAudience = ErrorCode("pinListForeignAudience")
    /// The list is older than the one in force.
    public static let pinListRollback = ErrorCode("pinListRollback")
    /// Another list with this sequence number is in force.
    package static let pinListSequenceReused = ErrorCode("pinListSequenceReused")
    /// The list has a higher sequence number, but was issued before the list in force.
    static let pinListIssuedEarlier = ErrorCode("pinListIssuedEarlier")
    /// The clock shows a time before the list in force was issued, so dates can't be checked.
    static let pinListClockSetBack = ErrorCode("pinListClockSetBack")
    /// The list is not valid yet.
    public static let pinListNotYetValid = ErrorCode("pinListNotYetValid")
    /// The list has expired. It may be a replay.
    public static let pinListExpired = ErrorCode("pinListExpired")
    /// The list doesn't pin a host that the app always pins, or doesn't pin it firmly.
    package static let pinListHostUnpinned = ErrorCode("pinListHostUnpinned")
    /// The list's Certificate Transparency logs can't be read or used.
    package static let pinListLogsInvalid = ErrorCode("pinListLogsInvalid")
    /// The list has no logs, but the list in force does.
    package static let pinListLogsDropped = ErrorCode("pinListLogsDropped")
    /// The list's denied certificates can't be read.
    package static let pinListDeniedInvalid = ErrorCode("pinListDeniedInvalid")
    /// The list's manifest of filters can't be read.
    static let pinListFiltersInvalid = ErrorCode("pinListFiltersInvalid")

    // The store.

    /// The store's file can't be read, or other users may write to it.
    public static let pinListStoreUnreadable = ErrorCode("pinListStoreUnreadable")
    /// The store's file can't be written.
    public static let pinListStoreNotWritable = ErrorCode("pinListStoreNotWritable")

    /// The name without `pinList`, as messages show it: `rollback`.
    var inPinList: String { self == .pinListInvalid ? "listInvalid" : without("pinList") }
}
