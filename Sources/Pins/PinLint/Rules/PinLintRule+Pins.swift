// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

// The rules for pins and their expiry.

extension PinLintRule {
    /// The rules for pins.
    static let pins: [PinLintRule] = [
        noBackup, leafOnly, notInPath, dependsOnPath, unmatched, backupIsPinned, backupSameIssuer, denied,
        wholeCertificate, certificateExpired, certificateExpires, renewal, pinOfNothing, placeholder, sample,
        retiredAuthority, rotatingAuthority, leafAndAuthority, authorityAsLeaf, notOfKey,
    ]

    static let notOfKey = PinLintRule(
        "pins/not-of-key", .error, "a pin is the SHA-256 of something other than a key",
        why: "A pin is the SHA-256 of a SubjectPublicKeyInfo. No key has this hash, so no server matches the pin.",
        fix: "create the pin from the certificate: servertrust pins make FILE")

    static let pinOfNothing = PinLintRule(
        "pins/of-nothing", .error, "a pin is the hash of an empty input",
        why: "The command failed, and its empty output was hashed. No key matches the pin.",
        fix: "create the pin again, and check the output of the first command: servertrust pins make HOST")

    static let placeholder = PinLintRule(
        "pins/placeholder", .error, "a pin is a placeholder",
        why: "No key matches it. Next to a real pin, it looks like a backup that doesn't exist.",
        fix: "replace it with a pin, or remove it: servertrust pins make --with-backup")

    static let sample = PinLintRule(
        "pins/sample", .error, "a pin is a sample from documentation",
        why: "It is the key of another server, or of a CA that closed years ago.",
        fix: "replace it with a pin of your server: servertrust pins make HOST")

    static let retiredAuthority = PinLintRule(
        "pins/retired-authority", .error, "a pin is the key of a CA that no longer issues certificates",
        why: "No valid path contains it, so it can't match a server or serve as a backup.",
        fix: "pin a key that the CA uses today, or the server's own key")

    static let rotatingAuthority = PinLintRule(
        "pins/rotating-authority", .warning, "the reserve is an intermediate that its CA replaces without notice",
        why:
            "With each renewal, the CA chooses among several intermediates, and it replaces all of them every few years. A renewal can lock every app out.",
        fix: "pin the CA's roots, or keep your own key in reserve")

    static let leafAndAuthority = PinLintRule(
        "pins/leaf-and-authority", .warning, "both a server's key and a CA's key must match",
        why:
            "The system checks both lists. A new server key locks users out, and so does a new CA.",
        fix: "keep one list, or add a backup to each")

    static let authorityAsLeaf = PinLintRule(
        "pins/authority-as-leaf", .error, "a CA's key is pinned as the server's",
        why:
            "The format's owner compares the pin only with the server's key, which is never the CA's. No server matches it.",
        fix: "pin the key as a CA's where the format has a list for CAs, or pin the server's own key")

    static let noBackup = PinLintRule(
        "pins/no-backup", .warning, "no backup pin",
        why: "When the key is lost, stolen or replaced, every installed app is locked out until it is updated.",
        fix: "add the pin of a key that you keep in reserve: servertrust pins make --with-backup")

    static let leafOnly = PinLintRule(
        "pins/leaf-only", .warning, "only server keys are pinned",
        why:
            "The server's key changes more often than any other key in the path. Apps need each new key in advance.",
        fix: "also pin one of the CA's keys, or keep the backup's key safe and publish the next pin with every change")

    static let notInPath = PinLintRule(
        "pins/not-in-path", .error, "no pin is in any valid path",
        why: "Every app with these pins refuses the server.",
        fix: "pin a key of the valid path: servertrust pins make HOST")

    static let dependsOnPath = PinLintRule(
        "pins/depends-on-path", .warning, "a pin is in some valid paths but not in others",
        why:
            "The path that a device finds depends on its anchors and on the certificates that the server sends. Devices that find another path refuse the server.",
        fix: "pin a key that is in all valid paths, or one key of each path")

    static let unmatched = PinLintRule(
        "pins/unmatched", .note, "a pin matches no certificate of any valid path",
        why: "It is a backup, a leftover, or a mistake that shows only when you need the pin.",
        fix: "check whose key it is, mark it as a backup if the format can, or remove it")

    static let backupIsPinned = PinLintRule(
        "pins/backup-is-pinned", .warning, "the key of a backup is already pinned",
        why: "It isn't a backup, because you lose it together with the key it should replace.",
        fix: "create a separate key for the backup: servertrust pins make --with-backup")

    static let backupSameIssuer = PinLintRule(
        "pins/backup-same-issuer", .warning, "all pins depend on one CA",
        why: "If that CA is distrusted, closes or changes its certificates, you lose the backup together with the pin.",
        fix: "add the pin of your own key, or of a CA with another root")

    package static let denied = PinLintRule(
        "pins/denied-key", .error, "a pinned key is on a deny list",
        why: "Others have the key and can impersonate the server to every app that pins it.",
        fix: "replace the pin, and the key if your server uses it")

    static let wholeCertificate = PinLintRule(
        "pins/server-certificate", .warning, "a server's certificate is pinned byte for byte",
        why: "It changes with every renewal, even if the key stays.",
        fix: "pin its key or a CA's certificate")

    static let certificateExpired = PinLintRule(
        "pins/certificate-expired", .error, "a pinned certificate has expired",
        why: "No valid path contains it any longer, so no server matches this pin.",
        fix: "remove the pin, and make sure that the server matches another one")

    static let certificateExpires = PinLintRule(
        "pins/certificate-expires", .warning, "a pinned certificate expires soon",
        why: "After that date no server matches the pin, and apps without another pin refuse the server.",
        fix: "pin its successor, and ship that pin before the date")

    static let renewal = PinLintRule(
        "pins/renewal", .note, "the pin that matches, and when the match ends",
        why: "The next certificate may have another key or another CA. Apps need its pin in advance.",
        fix: "ship the next pin in the apps before that date")

    /// The rules for the expiry of pins.
    static let expiry: [PinLintRule] = [expired, expiresSoon, expiresLate, expiryFailsOpen, noExpiry]

    static let expired = PinLintRule(
        "expiry/passed", .error, "pins have expired",
        why: "The hosts are no longer pinned, or no longer reachable.",
        fix: "renew the pins and their date, or remove them")

    static let expiresSoon = PinLintRule(
        "expiry/near", .warning, "pins expire soon",
        why: "Not all apps are updated on the day of a release.",
        fix: "renew the pins and their date, and ship them before that day")

    static let expiresLate = PinLintRule(
        "expiry/far", .note, "pins expire in more than two years",
        why:
            "An expiry removes pins that you no longer maintain. This one is too far away to take effect within the life of an app version.",
        fix: "choose a date within two years")

    static let noExpiry = PinLintRule(
        "expiry/none", .note, "pins without an expiry",
        why:
            "An app that isn't updated stays locked out when the keys change. With an expiry, it connects without pins from that day on.",
        fix: "give the pins an expiry within two years, unless you prefer a lockout to connections without pins")

    static let expiryFailsOpen = PinLintRule(
        "expiry/fails-open", .note, "hosts are not pinned after the expiry",
        why: "The expiry removes the pins silently, and so does a device's clock that is set forward.",
        fix: "ship new pins before the date, or use a format that can refuse afterwards (json)")
}
