// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    private static let signAgain = "Sign a new list: `servertrust pins list sign`. The command checks it as clients do."

    /// The guides to errors of signed pin lists. The list in force stays after each of them.
    static let pinLists: [ErrorGuide] = [
        ErrorGuide(
            "pinListTooLarge",
            meaning: "The list is over 8 MiB, or has too many signatures, rotations or denied keys.",
            remedies: [
                "Split the hosts into several apps' lists.",
                "Release the app with a newer built-in list, so that fewer rotations are needed.",
            ]),
        ErrorGuide(
            "pinListTruncated",
            meaning: "The document ends early, as after an interrupted download.",
            remedies: ["Download it again.", "Upload the file again, and compare its size with the original."]),
        ErrorGuide(
            "pinListMalformed",
            meaning:
                "The document is no JWS in the general JSON serialization (RFC 7515 § 7.2.1), or was changed after signing.",
            remedies: ["Look at what the server sends: a login page or an error page is no list.", signAgain]),
        ErrorGuide(
            "pinListForeignType",
            meaning: "The signatures are for another kind of document: `typ` isn't `pin-list+jws`.",
            remedies: [signAgain, "Don't sign other documents with the keys of pin lists."]),
        ErrorGuide(
            "pinListUnknownCriticalField",
            meaning: "The list has a member that a client must understand, and this version doesn't know it.",
            remedies: ["Update the app or the command.", "Sign a list without the member for older clients."]),
        ErrorGuide(
            "pinListUnknownVersion",
            meaning: "The list has a version that is unknown here.",
            remedies: ["Update the app or the command.", "Sign a list of version 1 for older clients."]),
        ErrorGuide(
            "pinListInvalid", aliases: ["listInvalid"],
            meaning: "A member of the list is missing or invalid. The error has its place.",
            remedies: ["Correct the member that the message names, and sign again.", signAgain]),
        ErrorGuide(
            "pinListPinsInvalid",
            meaning: "The hosts and pins of the list can't be read or enforced.",
            remedies: [
                "Check the file of pins before signing: `servertrust pins lint FILE`.",
                "Use `--own-rules` if the app makes its rules itself (`makeManager` of `PinStore`).",
            ]),
        ErrorGuide(
            "pinListAlgorithmNotAllowed",
            meaning: "A signature names `none`, an unknown algorithm, or another one than its key's.",
            remedies: ["Sign with ES256 or EdDSA, as the key requires: `servertrust pins list sign`."]),
        ErrorGuide(
            "pinListUnknownSigner",
            meaning: "No signature is by a key that may sign. The client knows other keys, or the list isn't yours.",
            remedies: [
                "Sign with the keys that the list before names: `--key`.",
                "Keep the lists that changed the keys as rotations: `--previous`.",
                "If you didn't sign the list, look for the source of it.",
            ]),
        ErrorGuide(
            "pinListSignatureInvalid",
            meaning:
                "A signature in the name of a known key isn't by that key over this list. The list was changed, or the wrong bytes were signed.",
            remedies: [
                "Download the list again, and compare it with the original.",
                "Sign the bytes of `servertrust pins list prepare` for this key.",
            ]),
        ErrorGuide(
            "pinListBelowThreshold",
            meaning: "Fewer keys have signed than the client requires.",
            remedies: [
                "Add the missing signatures: `servertrust pins list sign --add-to`, or `servertrust pins list attach`."
            ]),
        ErrorGuide(
            "pinListUnprovenSigners",
            meaning:
                "The list names keys for the next list, and too few of them have signed this one. A typing error in a key would lock every client out.",
            remedies: ["Also sign with the next keys: use `--key`, or `servertrust pins list attach` later."]),
        ErrorGuide(
            "pinListRootRequired",
            meaning: "The list names other keys, and too few of the root keys in force have signed it.",
            remedies: [
                "Sign with the root keys: use `--key`, or `servertrust pins list attach` later.",
                "Name the same keys as the list before if the change was a mistake.",
            ]),
        ErrorGuide(
            "pinListRootDropped",
            meaning: "The list names no root keys, and the client has some. Root keys can only be replaced by others.",
            remedies: ["Name the root keys again: `--root-key`."]),
        ErrorGuide(
            "pinListForeignAudience",
            meaning: "The list is for another app.",
            remedies: [
                "Sign a list with this app's audience: `--audience`.",
                "Check the address from which the app downloads.",
            ]),
        ErrorGuide(
            "pinListRollback",
            meaning:
                "The list, its logs or its filters are older than those in force. A cache or an attacker replays an old list.",
            remedies: ["Publish the newest list.", "Sign with a higher number: `--sequence`."]),
        ErrorGuide(
            "pinListSequenceReused",
            meaning: "Another list with the same number is in force.",
            remedies: ["Sign with a higher number: `--sequence`."]),
        ErrorGuide(
            "pinListIssuedEarlier",
            meaning: "The list has a higher number than the list in force, and an earlier date.",
            remedies: ["Set the clock of the computer that signs, and sign again."]),
        ErrorGuide(
            "pinListClockSetBack",
            meaning: "The device's clock is before the date of the list in force, so dates can't be checked.",
            remedies: ["Set the clock of the device."]),
        ErrorGuide(
            "pinListNotYetValid",
            meaning: "The list is accepted from a later date on.",
            remedies: ["Wait until that date.", "Set the device's clock.", "Sign with an earlier `--not-before`."]),
        ErrorGuide(
            "pinListExpired",
            meaning: "The list's date has passed. The source holds newer lists back, or you haven't published one.",
            remedies: [
                "Sign and publish a new list with a later `--expires`.",
                "Check caches between the client and the source.",
            ]),
        ErrorGuide(
            "pinListHostUnpinned",
            meaning: "The list doesn't pin a host that the app always pins, or its rule can end or be overridden.",
            remedies: [
                "Give the host an enforced rule, without an expiry after which it is unpinned and without anchors that override pins."
            ]),
        ErrorGuide(
            "pinListLogsInvalid",
            meaning: "The list's Certificate Transparency logs can't be read or used.",
            remedies: ["Check the list of logs: `servertrust roots logs check`."]),
        ErrorGuide(
            "pinListLogsDropped",
            meaning: "The list has no Certificate Transparency logs, and the list in force has some.",
            remedies: ["Name the logs: `--ct-logs`.", "Suspend their effect: `--ct-report-only`."]),
        ErrorGuide(
            "pinListDeniedInvalid",
            meaning: "The list's denied certificates can't be read.",
            remedies: ["Pass OneCRL's JSON or a CRLSet: `--denied`."]),
        ErrorGuide(
            "pinListFiltersInvalid",
            meaning: "The list's manifest of revocation filters can't be read.",
            remedies: ["Pass the `manifest.json` of the filters' folder."]),
        ErrorGuide(
            "pinListStoreUnreadable",
            meaning: "The store's file can't be read, is too large, or other users may write it.",
            remedies: [
                "Give the file and its folder to the app's user, writable for no other user.",
                "Delete the file: the built-in list is in force then.",
            ]),
        ErrorGuide(
            "pinListStoreNotWritable",
            meaning: "The store's file can't be written.",
            remedies: ["Give the app's user permission to write the file's folder.", "Free space on the disk."]),
    ]
}
