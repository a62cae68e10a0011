// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    private static let signAgain =
        "Sign a new list: `servertrust pins list sign`. The command checks the list in the same way as clients."

    /// The guides to errors of signed pin lists. After each error, the list in force stays in force.
    static let pinLists: [ErrorGuide] = [
        ErrorGuide(
            "pinListTooLarge",
            meaning: "The list is larger than 8 MiB, or has too many signatures, rotations or denied keys.",
            remedies: [
                "Split the hosts into separate lists for several apps.",
                "Release the app with a newer built-in list, so that it needs fewer rotations.",
            ]),
        ErrorGuide(
            "pinListTruncated",
            meaning: "The document is incomplete, for example after an interrupted download.",
            remedies: ["Download it again.", "Upload the file again, and compare its size with the original."]),
        ErrorGuide(
            "pinListMalformed",
            meaning:
                "The document isn't a JWS in the general JSON serialization (RFC 7515 § 7.2.1), or was changed after signing.",
            remedies: [
                "Look at what the server sends. It may be a login page or an error page instead of a list.", signAgain,
            ]),
        ErrorGuide(
            "pinListForeignType",
            meaning: "The signatures are for another kind of document: `typ` isn't `pin-list+jws`.",
            remedies: [signAgain, "Don't use the keys of pin lists to sign other documents."]),
        ErrorGuide(
            "pinListUnknownCriticalField",
            meaning: "The list has a member that a client must understand, but this version doesn't know it.",
            remedies: ["Update the app or the command.", "For older clients, sign a list without the member."]),
        ErrorGuide(
            "pinListUnknownVersion",
            meaning: "This version doesn't support the list's version.",
            remedies: ["Update the app or the command.", "For older clients, sign a list of version 1."]),
        ErrorGuide(
            "pinListInvalid", aliases: ["listInvalid"],
            meaning: "A member of the list is missing or invalid. The error names its position.",
            remedies: ["Correct the member that the message names, and sign the list again.", signAgain]),
        ErrorGuide(
            "pinListPinsInvalid",
            meaning: "The hosts and pins in the list can't be read or enforced.",
            remedies: [
                "Check the pin file before you sign it: `servertrust pins lint FILE`.",
                "Use `--own-rules` if the app creates its rules itself (`PinStore`'s `makeManager`).",
            ]),
        ErrorGuide(
            "pinListAlgorithmNotAllowed",
            meaning: "A signature names `none`, an unknown algorithm, or an algorithm that doesn't match its key.",
            remedies: ["Sign with ES256 or EdDSA, depending on the key: `servertrust pins list sign`."]),
        ErrorGuide(
            "pinListUnknownSigner",
            meaning:
                "No signature was made with a key that may sign. The client knows other keys, or the list isn't yours.",
            remedies: [
                "Sign with the keys that the previous list names: `--key`.",
                "Pass the lists that changed the keys as rotations: `--previous`.",
                "If you didn't sign the list, find out where it comes from.",
            ]),
        ErrorGuide(
            "pinListSignatureInvalid",
            meaning:
                "A signature that names a known key doesn't verify with that key. The list was changed, or the wrong bytes were signed.",
            remedies: [
                "Download the list again, and compare it with the original.",
                "Sign the bytes that `servertrust pins list prepare` writes for this key.",
            ]),
        ErrorGuide(
            "pinListBelowThreshold",
            meaning: "Fewer keys signed the list than the client requires.",
            remedies: [
                "Add the missing signatures: `servertrust pins list sign --add-to`, or `servertrust pins list attach`."
            ]),
        ErrorGuide(
            "pinListUnprovenSigners",
            meaning:
                "The list names keys for the next list, but too few of them signed this one. A typo in a key would lock out every client.",
            remedies: ["Also sign with the next keys. Use `--key` now, or `servertrust pins list attach` later."]),
        ErrorGuide(
            "pinListRootRequired",
            meaning: "The list names new keys, but too few of the root keys in force signed it.",
            remedies: [
                "Sign with the root keys. Use `--key` now, or `servertrust pins list attach` later.",
                "If the change was a mistake, name the same keys as in the previous list.",
            ]),
        ErrorGuide(
            "pinListRootDropped",
            meaning:
                "The list names no root keys, but the client has some. You can replace root keys, but not remove them.",
            remedies: ["Name the root keys again: `--root-key`."]),
        ErrorGuide(
            "pinListForeignAudience",
            meaning: "The list is for another app.",
            remedies: [
                "Sign a list with this app's audience: `--audience`.",
                "Check which address the app downloads from.",
            ]),
        ErrorGuide(
            "pinListRollback",
            meaning:
                "The list, its logs or its filters are older than those in force. A cache or an attacker is replaying an old list.",
            remedies: ["Publish the newest list.", "Sign with a higher number: `--sequence`."]),
        ErrorGuide(
            "pinListSequenceReused",
            meaning: "Another list with the same number is already in force.",
            remedies: ["Sign with a higher number: `--sequence`."]),
        ErrorGuide(
            "pinListIssuedEarlier",
            meaning: "The list has a higher number than the list in force, but an earlier date.",
            remedies: ["Set the clock of the computer that signs, and sign the list again."]),
        ErrorGuide(
            "pinListClockSetBack",
            meaning: "The device's clock is before the date of the list in force, so the client can't check dates.",
            remedies: ["Set the device's clock."]),
        ErrorGuide(
            "pinListNotYetValid",
            meaning: "Clients accept the list only from a later date on.",
            remedies: ["Wait until that date.", "Set the device's clock.", "Sign with an earlier `--not-before`."]),
        ErrorGuide(
            "pinListExpired",
            meaning: "The list has expired. The source withholds newer lists, or you haven't published one.",
            remedies: [
                "Sign and publish a new list with a later `--expires`.",
                "Check caches between the client and the source.",
            ]),
        ErrorGuide(
            "pinListHostUnpinned",
            meaning: "The list doesn't pin a host that the app always pins, or its rule can expire or be overridden.",
            remedies: [
                "Give the host an enforced rule. It must not become unpinned when it expires, and no anchors may override its pins."
            ]),
        ErrorGuide(
            "pinListLogsInvalid",
            meaning: "The Certificate Transparency logs in the list can't be read or used.",
            remedies: ["Check the list of logs: `servertrust roots logs check`."]),
        ErrorGuide(
            "pinListLogsDropped",
            meaning: "The list has no Certificate Transparency logs, but the list in force has some.",
            remedies: ["Add the logs: `--ct-logs`.", "To suspend their effect, use `--ct-report-only`."]),
        ErrorGuide(
            "pinListDeniedInvalid",
            meaning: "The denied certificates in the list can't be read.",
            remedies: ["Pass OneCRL's JSON or a CRLSet: `--denied`."]),
        ErrorGuide(
            "pinListFiltersInvalid",
            meaning: "The manifest of revocation filters in the list can't be read.",
            remedies: ["Pass the `manifest.json` from the folder of filters."]),
        ErrorGuide(
            "pinListStoreUnreadable",
            meaning: "The store's file can't be read, is too large, or is writable by other users.",
            remedies: [
                "Give the file and its folder to the app's user, and remove write permission for other users.",
                "Delete the file. The app then uses the built-in list.",
            ]),
        ErrorGuide(
            "pinListStoreNotWritable",
            meaning: "The store's file can't be written.",
            remedies: ["Give the app's user permission to write to the file's folder.", "Free space on the disk."]),
    ]
}
