// SPDX-License-Identifier: Apache-2.0

import PinModel

// The rules for pins and their expiry.

extension PinLintRule {
    /// The rules for pins.
    package static let pins: [PinLintRule] = [
        noBackup, leafOnly, notInPath, dependsOnPath, unmatched, backupIsPinned, backupSameIssuer, denied,
        wholeCertificate, certificateExpired, certificateExpires, renewal, pinOfNothing, placeholder, sample,
        retiredAuthority, rotatingAuthority, leafAndAuthority, authorityAsLeaf, notOfKey,
    ]

    package static let notOfKey = PinLintRule(
        "pins/not-of-key", .error, "a pin is the SHA-256 of something else than a key",
        why: "A pin is the SHA-256 of a SubjectPublicKeyInfo. No key has this one, so no server meets it.",
        fix: "make the pin from the certificate: servertrust pins make FILE")

    package static let pinOfNothing = PinLintRule(
        "pins/of-nothing", .error, "a pin is the hash of an empty input",
        why: "The command that made it failed and hashed its empty output. No key meets it.",
        fix: "make the pin again, and look at what the first command prints: servertrust pins make HOST")

    package static let placeholder = PinLintRule(
        "pins/placeholder", .error, "a pin is a placeholder",
        why: "No key meets it. Beside a real pin it passes for a backup that isn't there.",
        fix: "put a pin in its place, or take it out: servertrust pins make --with-backup")

    package static let sample = PinLintRule(
        "pins/sample", .error, "a pin is a sample of documentation",
        why: "It is the key of another server, or of a CA that closed years ago.",
        fix: "put a pin of one's own server in its place: servertrust pins make HOST")

    package static let retiredAuthority = PinLintRule(
        "pins/retired-authority", .error, "a pin is the key of a CA that issues no more",
        why: "No valid path has it, so it neither admits a server nor stands in for another pin.",
        fix: "pin a key that the CA uses today, or one of the server's own")

    package static let rotatingAuthority = PinLintRule(
        "pins/rotating-authority", .warning, "the reserve is an intermediate that is replaced without notice",
        why:
            "The CA chooses among several intermediates with each renewal, and replaces all of them every few years. A renewal can lock every app out.",
        fix: "pin the CA's roots, or keep a key of one's own in reserve")

    package static let leafAndAuthority = PinLintRule(
        "pins/leaf-and-authority", .warning, "a key of the server and a key of a CA have to match, both",
        why:
            "The two lists are no alternatives: the system checks each of them. A new server key and a new CA lock users out, one as well as the other.",
        fix: "keep one list, or a backup in each of them")

    package static let authorityAsLeaf = PinLintRule(
        "pins/authority-as-leaf", .error, "a key of a CA is pinned as the server's",
        why: "The pin is compared with the server's key alone, which is never the CA's. No server meets it.",
        fix: "pin the key as a CA's where the format has a list for CAs, or pin the server's own key")

    package static let noBackup = PinLintRule(
        "pins/no-backup", .warning, "no backup pin",
        why: "When the key is lost, stolen or replaced, every installed app is locked out until it is updated.",
        fix: "add the pin of a key that is kept ready and not in use: servertrust pins make --with-backup")

    package static let leafOnly = PinLintRule(
        "pins/leaf-only", .warning, "nothing but keys of servers is pinned",
        why:
            "A server's key is replaced more often than any other of the path. Each new one has to be in the apps beforehand.",
        fix: "pin a key of the CA as well, or keep the backup's key safe and publish the next pin with every change")

    package static let notInPath = PinLintRule(
        "pins/not-in-path", .error, "no pin is in any valid path",
        why: "The server is refused by every app with these pins.",
        fix: "pin a key of the valid path: servertrust pins make HOST")

    package static let dependsOnPath = PinLintRule(
        "pins/depends-on-path", .warning, "a pin is in some valid paths and not in others",
        why:
            "Which path is validated depends on the device's anchors and on what the server sends. Devices that find another path refuse the server.",
        fix: "pin a key that all valid paths have, or one of each path")

    package static let unmatched = PinLintRule(
        "pins/unmatched", .note, "a pin equals no certificate of any valid path",
        why: "It is a backup, or left over, or a mistake that is found out when it is needed.",
        fix: "check whose key it is, mark it as a backup where the format can, or take it out")

    package static let backupIsPinned = PinLintRule(
        "pins/backup-is-pinned", .warning, "a backup has a key that is pinned anyway",
        why: "It is no backup: it is lost together with the key that it should stand in for.",
        fix: "make a key of its own for the backup: servertrust pins make --with-backup")

    package static let backupSameIssuer = PinLintRule(
        "pins/backup-same-issuer", .warning, "all pins depend on one CA",
        why: "When that CA is distrusted, closes or changes its certificates, the backup goes with the pin.",
        fix: "add the pin of a key of one's own, or of a CA with another root")

    package static let denied = PinLintRule(
        "pins/denied-key", .error, "a pinned key is on a deny list",
        why: "Somebody else has the key, and with it can be the server for every app that pins it.",
        fix: "replace the pin, and the key if a server of yours has it")

    package static let wholeCertificate = PinLintRule(
        "pins/server-certificate", .warning, "a server's certificate is pinned byte for byte",
        why: "It changes with every renewal, even if the key stays.",
        fix: "pin its key, or a CA's certificate")

    package static let certificateExpired = PinLintRule(
        "pins/certificate-expired", .error, "a pinned certificate has expired",
        why: "No valid path has it any more, so no server meets this pin.",
        fix: "take the pin out, and make sure that another one is met")

    package static let certificateExpires = PinLintRule(
        "pins/certificate-expires", .warning, "a pinned certificate expires soon",
        why: "After that date no server meets the pin, and apps that have no other pin refuse the server.",
        fix: "pin what follows it, and ship that before the date")

    package static let renewal = PinLintRule(
        "pins/renewal", .note, "which pin is met, and when that ends",
        why: "The next certificate may have another key or another CA. Apps have to know it before.",
        fix: "have the next pin in the apps before that date")

    /// The rules for the expiry of pins.
    package static let expiry: [PinLintRule] = [expired, expiresSoon, expiresLate, expiryFailsOpen, noExpiry]

    package static let expired = PinLintRule(
        "expiry/passed", .error, "pins have expired",
        why: "The hosts are either not pinned any more or not reachable any more.",
        fix: "renew the pins and their date, or take them out")

    package static let expiresSoon = PinLintRule(
        "expiry/near", .warning, "pins expire soon",
        why: "Apps are not all updated on the day of a release.",
        fix: "renew the pins and their date, and ship them before that day")

    package static let expiresLate = PinLintRule(
        "expiry/far", .note, "pins expire in more than two years",
        why:
            "An expiry ends pins that are no longer maintained. This one can't within the life of an app's version.",
        fix: "choose a date within two years")

    package static let noExpiry = PinLintRule(
        "expiry/none", .note, "pins without an expiry",
        why:
            "An app that isn't updated stays locked out when the keys change. With an expiry, it is without pins from that day on.",
        fix: "give the pins an expiry within two years, unless a lock-out is preferred to connections without pins")

    package static let expiryFailsOpen = PinLintRule(
        "expiry/fails-open", .note, "after its expiry the hosts are not pinned",
        why: "A device's clock that is set forward, or time, removes the pins silently.",
        fix: "ship new pins before the date, or use a format that can refuse afterwards (json)")
}
