// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/pack-book. Don't edit this file. Edit the texts in Book and run the script.
//
// swift-format-ignore-file

/// The texts of the book that this module shows, in the form that `Book` reads.
enum PackedBook {
    /// The guides to the codes of problems in pin files.
    static let pinFiles = #"""
pinFileUnreadable
meaning: The file is missing, or can't be read as XML, JSON, a property list or source code.
remedy: Fix the file at the line that the message names.
remedy: If the format was detected incorrectly, name it: `--from`.

pinFileTooLarge
meaning: The file is larger than 32 MiB, is nested too deeply, or has too many problems to report.
remedy: Split the file, or remove the parts that aren't about pins.
remedy: List all problems with their lines: `servertrust pins lint FILE`.

pinFileFormatUnclear
meaning: The file has none of the known formats, or fits several of them.
remedy: Name the format with the command's `--from` option or `PinConfiguration`'s `format` parameter. `servertrust help pins convert --all` lists the formats.

pinFileEntity
meaning: The XML declares or uses an entity. An entity could load other files or use up memory.
remedy: Remove the document type, and replace the entities with their values.

pinFileUnknownKey
meaning: The file has a key, element or attribute that the format doesn't define. This is often a typo.
remedy: Correct or remove the key.
remedy: List all problems with their lines: `servertrust pins lint FILE`.

pinFileMissingKey
meaning: The file lacks a key that the format requires.
remedy: Add the key that the message names.
remedy: List all problems with their lines: `servertrust pins lint FILE`.

pinFileDuplicateKey
meaning: A key occurs twice. Different readers use different values.
remedy: Remove one of the two keys.
remedy: List all problems with their lines: `servertrust pins lint FILE`.

pinFileWrongType
meaning: A value has a different type than the format defines, such as a string instead of a list.
remedy: Use the type that the message names.
remedy: List all problems with their lines: `servertrust pins lint FILE`.

pinFileBadValue
meaning: A value has the right type, but the format doesn't define it.
remedy: Use one of the values that the message names.
remedy: List all problems with their lines: `servertrust pins lint FILE`.

pinFileBadBase64
meaning: A pin isn't base64 of 32 bytes in the form that the format requires.
remedy: Copy the whole pin again.
remedy: Create it again: `servertrust pins make HOST`.

pinFileWrongLength
meaning: A pin isn't 32 bytes long, so it isn't a SHA-256 digest.
remedy: Copy the whole pin again.
remedy: Create it again: `servertrust pins make HOST`.

pinFileBadDigest
meaning: A pin uses a digest other than SHA-256.
remedy: Create the pin again with SHA-256: `servertrust pins make HOST`.

pinFileBadDate
meaning: A value isn't a date in the format's form.
remedy: Write the date as the message says, such as `2027-12-31`.

pinFileBadHost
meaning: A value isn't a host name, or is a name that the format's implementation can't match.
remedy: Write the host without scheme, port and path.
remedy: Use the format's wildcards. `servertrust help pins convert --all` lists them.

pinFileUnmatchableHost
meaning: The format's implementation accepts the domain, but no host can have this form. Its rule never applies.
remedy: Write the name as in URLs: in lower case, without a trailing dot.

pinFileMisplacedKey
meaning: The file has pins in a place where the format's implementation doesn't look. The file can't be enforced.
remedy: Move the pins to the place that the message names.
remedy: List all problems with their lines: `servertrust pins lint FILE`.

pinFileNothingPinned
meaning: The format's implementation accepts an entry, but the entry pins no host. The file can't be enforced.
remedy: Write the host without scheme, port, path or star, and add pins for it.
remedy: Remove the entry.

pinFileDuplicateHost
meaning: A domain occurs twice, perhaps in a different case or with a trailing dot.
remedy: Write one entry for the domain, with all its pins.

pinFileEmptyList
meaning: A list has no elements, so it pins nothing.
remedy: Add at least one element.
remedy: Remove the list.

pinFileDuplicatePin
meaning: A pin occurs twice. A repeated pin isn't a backup.
remedy: Replace one of the two with the pin of a second key.

pinFileUnmatchablePin
meaning: A pin isn't base64 of 32 bytes. The format's implementation skips it, and no key matches it.
remedy: Create the pin again: `servertrust pins make HOST`.

pinFileTooFewPins
meaning: The host has fewer pins than the format's implementation requires.
remedy: Add the pin of a backup key.

pinFileBadCertificate
meaning: Data in the file isn't a certificate in DER.
remedy: Convert the certificate: `openssl x509 -in FILE -outform der`.
remedy: Find out what the data is: `servertrust inspect FILE`.

pinFileBadURI
meaning: A value isn't a URL to which reports can be sent.
remedy: Write an absolute URL with `https` and a host.

pinFileNotLiteral
meaning: A host or pin in the source code isn't a literal, so its value isn't known. The file can't be enforced.
remedy: Write hosts and pins as literals, or as constants in the same file.
remedy: Keep the pins in a pin file, and read the pin file instead.

pinFileContradiction
meaning: Keys exclude each other, or a domain lacks the parent domain that it requires.
remedy: Remove one of the keys that the message names.
remedy: List all problems with their lines: `servertrust pins lint FILE`.

"""#

    /// The texts of the lint rules.
    static let rules = #"""
pins/no-backup
severity: warning
title: no backup pin
why: When the key is lost, stolen or replaced, every installed app is locked out until it is updated.
fix: add the pin of a key that you keep in reserve: servertrust pins make --with-backup

pins/leaf-only
severity: warning
precision: medium
title: only server keys are pinned
why: The server's key changes more often than any other key in the path. Apps need each new key in advance.
fix: also pin one of the CA's keys, or keep the backup's key safe and publish the next pin with every change

pins/not-in-path
severity: error
title: no pin is in any valid path
why: Every app with these pins refuses the server.
fix: pin a key of the valid path: servertrust pins make HOST

pins/depends-on-path
severity: warning
title: a pin is in some valid paths but not in others
why: The path that a device finds depends on its anchors and on the certificates that the server sends. Devices that find another path refuse the server.
fix: pin a key that is in all valid paths, or one key of each path

pins/unmatched
severity: note
precision: medium
title: a pin matches no certificate of any valid path
why: It is a backup, a leftover, or a mistake that shows only when you need the pin.
fix: check whose key it is, mark it as a backup if the format can, or remove it

pins/backup-is-pinned
severity: warning
title: the key of a backup is already pinned
why: It isn't a backup, because you lose it together with the key it should replace.
fix: create a separate key for the backup: servertrust pins make --with-backup

pins/backup-same-issuer
severity: warning
precision: medium
title: all pins depend on one CA
why: If that CA is distrusted, closes or changes its certificates, you lose the backup together with the pin.
fix: add the pin of your own key, or of a CA with another root

pins/denied-key
severity: error
security: 9.1
title: a pinned key is on a deny list
why: Others have the key and can impersonate the server to every app that pins it.
fix: replace the pin, and the key if your server uses it

pins/server-certificate
severity: warning
title: a server's certificate is pinned byte for byte
why: It changes with every renewal, even if the key stays.
fix: pin its key or a CA's certificate

pins/certificate-expired
severity: error
title: a pinned certificate has expired
why: No valid path contains it any longer, so no server matches this pin.
fix: remove the pin, and make sure that the server matches another one

pins/certificate-expires
severity: warning
title: a pinned certificate expires soon
why: After that date no server matches the pin, and apps without another pin refuse the server.
fix: pin its successor, and ship that pin before the date

pins/renewal
severity: note
title: the pin that matches, and when the match ends
why: The next certificate may have another key or another CA. Apps need its pin in advance.
fix: ship the next pin in the apps before that date

pins/of-nothing
severity: error
title: a pin is the hash of an empty input
why: The command failed, and its empty output was hashed. No key matches the pin.
fix: create the pin again, and check the output of the first command: servertrust pins make HOST

pins/placeholder
severity: error
title: a pin is a placeholder
why: No key matches it. Next to a real pin, it looks like a backup that doesn't exist.
fix: replace it with a pin, or remove it: servertrust pins make --with-backup

pins/sample
severity: error
title: a pin is a sample from documentation
why: It is the key of another server, or of a CA that closed years ago.
fix: replace it with a pin of your server: servertrust pins make HOST

pins/retired-authority
severity: error
title: a pin is the key of a CA that no longer issues certificates
why: No valid path contains it, so it can't match a server or serve as a backup.
fix: pin a key that the CA uses today, or the server's own key

pins/rotating-authority
severity: warning
precision: medium
title: the reserve is an intermediate that its CA replaces without notice
why: With each renewal, the CA chooses among several intermediates, and it replaces all of them every few years. A renewal can lock every app out.
fix: pin the CA's roots, or keep your own key in reserve

pins/leaf-and-authority
severity: warning
title: both a server's key and a CA's key must match
why: The system checks both lists. A new server key locks users out, and so does a new CA.
fix: keep one list, or add a backup to each

pins/authority-as-leaf
severity: error
title: a CA's key is pinned as the server's
why: The format's owner compares the pin only with the server's key, which is never the CA's. No server matches it.
fix: pin the key as a CA's where the format has a list for CAs, or pin the server's own key

pins/not-of-key
severity: error
title: a pin is the SHA-256 of something other than a key
why: A pin is the SHA-256 of a SubjectPublicKeyInfo. No key has this hash, so no server matches the pin.
fix: create the pin from the certificate: servertrust pins make FILE

expiry/passed
severity: error
security: 7.0
title: pins have expired
why: The hosts are no longer pinned, or no longer reachable.
fix: renew the pins and their date, or remove them

expiry/near
severity: warning
title: pins expire soon
why: Not all apps are updated on the day of a release.
fix: renew the pins and their date, and ship them before that day

expiry/far
severity: note
title: pins expire in more than two years
why: An expiry removes pins that you no longer maintain. This one is too far away to take effect within the life of an app version.
fix: choose a date within two years

expiry/fails-open
severity: note
security: 4.8
title: hosts are not pinned after the expiry
why: The expiry removes the pins silently, and so does a device's clock that is set forward.
fix: ship new pins before the date, or use a format that can refuse afterwards (json)

expiry/none
severity: note
title: pins without an expiry
why: An app that isn't updated stays locked out when the keys change. With an expiry, it connects without pins from that day on.
fix: give the pins an expiry within two years, unless you prefer a lockout to connections without pins

hosts/public-suffix
severity: error
title: a rule covers names that belong to other owners
why: Names directly below a public suffix belong to different owners. The pins lock users out of these owners' servers.
fix: name the registered domain, which has one more label

hosts/whole-domain
severity: note
precision: medium
title: a rule covers everything below a registered domain
why: Its pins apply to every name that the domain has or will have: mail, status pages, and hosts of other providers, often with other CAs.
fix: name the hosts that the app connects to, or make sure that all names below the domain have the pinned keys

hosts/leaf-pins-below
severity: warning
title: server keys are pinned for all names below a domain
why: Apps refuse servers below the domain unless they have one of these exact keys.
fix: name the hosts that have the key, or pin a CA's key

hosts/one-label
severity: note
title: a pattern with one star covers only one label below a domain
why: In OkHttp and similar formats, no pin protects the domain itself and names further below.
fix: write **. instead of *. if the app connects to them, or add a rule

hosts/www-uncovered
severity: note
security: 3.1
precision: medium
title: a domain is pinned, but www below it isn't
why: Many domains redirect to www or from it, perhaps to a server with another CA. No pin protects that server.
fix: if the app ever connects to www, add a rule for it with its own pins

hosts/parent-child
severity: warning
precision: medium
title: rules for a domain and for a name below it disagree
why: If you change one of them, you easily forget the other. Formats also combine them in different ways.
fix: give both the same pins, or limit the parent's rule so that it doesn't cover the name

hosts/not-enforced
severity: note
security: 5.3
title: pins are only reported, not enforced
why: Apps also connect to a server that doesn't match the pins.
fix: enforce the pins once no more failures are reported

hosts/enforced-anyway
severity: warning
title: pins that TrustKit only reports are enforced by Android
why: enforcePinning applies only to TrustKit. Android 7 and later enforce the pin-set, so a pin that you only want to try out locks users out.
fix: remove the pin-set until the pins are right, or set enforcePinning="true"

hosts/last-domain-only
severity: warning
title: TrustKit-Android reads only one of several domains
why: Android 7 and later pin all of them. TrustKit doesn't report failures of the other domains, and doesn't pin them on older versions.
fix: give each <domain> its own domain-config, pin-set and trustkit-config

hosts/exempted
severity: note
security: 4.3
title: names below a pinned domain are not pinned
why: Apps connect to them without pins, and they may share cookies and logins with pinned hosts.
fix: pin them too, or make sure that the app sends them no sensitive data

hosts/unlisted-refused
severity: note
precision: medium
title: hosts without a rule are refused
why: A redirect, an image or a library that connects to another host fails.
fix: list every host that the app and its libraries connect to

hosts/refused-by-apple
severity: warning
title: a server's certificate violates Apple's dated rules
why: Apple's systems refuse it even with the right pins, unless the user or an administrator has installed its root.
fix: have it reissued with serverAuth for at most 397 days: servertrust verify --apple

cleartext/pinned-host
severity: warning
security: 6.5
title: connections without TLS are permitted to a pinned host
why: Pins don't apply to a request to http://, so an attacker on the network can read and answer it.
fix: forbid it for the host: cleartextTrafficPermitted="false", or no NSExceptionAllowsInsecureHTTPLoads

cleartext/by-default
severity: warning
security: 5.3
title: connections without TLS are permitted to all other hosts
why: An attacker on the network can read and replace requests and responses over http://.
fix: forbid it in base-config or App Transport Security, and permit it only for the hosts that need it

cleartext/host
severity: note
security: 3.7
title: connections without TLS are permitted to a host
why: An attacker on the network can read and replace its requests and responses over http://.
fix: use https, unless the responses are signed, as CRLs and OCSP responses are

reports/pinned-host
severity: warning
title: failures are reported to a host with the same pins
why: When the pins fail, so does the report about it, exactly when you need it.
fix: report to a host without enforced pins

reports/not-https
severity: warning
security: 4.3
title: reports are not sent over https
why: An attacker who intercepts the app's connections can read, change or drop the reports about it.
fix: use an https URL

reports/default-address
severity: note
title: failures are reported to TrustKit's vendor
why: By default TrustKit also sends each report, with the host, the app and the certificates, to a server of its vendor.
fix: disable the default report URI: TSKDisableDefaultReportUri, or disableDefaultReportUri in trustkit-config

anchors/override-pins
severity: error
security: 8.1
title: pins don't count for paths to some anchors
why: The pins don't restrict anyone who gets a certificate from one of these anchors.
fix: remove overridePins, and put anchors for debugging into debug-overrides

anchors/debug
severity: note
security: 2.4
title: additional anchors while the app is being debugged
why: Debug builds trust more anchors than released builds. Pins don't protect a debug build in the wrong hands.
fix: never distribute a build that can be debugged

anchors/user
severity: note
security: 4.3
title: anchors that the user adds are trusted
why: The app trusts a CA that the owner or another person has installed on the device. Only pins stop it.
fix: trust only the system's anchors, unless users must add their own CA

anchors/bundled
severity: note
security: 2.4
title: the app's own anchors are trusted
why: Only an update of the app can replace a certificate in the app. When it expires, the app refuses hosts under it. The holder of its key can impersonate any host that trusts it.
fix: note the end date of each anchor, and ship its successor before that date

anchors/not-in-store
severity: warning
precision: medium
title: a pinned root is not in the system's store
why: No path to the system's anchors ends in it, so this pin matches only under the app's own anchors.
fix: pin a root that is in the store, or add the root to the rule as its anchor

anchors/root-expires
severity: warning
title: a pinned root expires soon
why: CAs stop issuing under a root years before it expires. Paths then end in another root.
fix: also pin the root that follows it

anchors/root-leaves
severity: warning
title: a pinned root leaves the stores
why: Mozilla withdraws trust for web sites from roots whose key is older than 15 years (Mozilla Root Store Policy § 7.4 and its transition schedule). Other stores do the same. CAs move to newer roots before that.
fix: ask the CA which root follows, and also pin that root

files/disagree
severity: warning
precision: medium
title: two files contradict each other about a host
why: A key that one part of the app or one platform accepts locks another one out.
fix: generate both from one source: servertrust pins convert

files/subset
severity: note
title: two files differ because one format can't express what the other does
why: One platform does less than the other, or something different, because its format can't express what the other one does.
fix: no change in these files can help; if the difference matters, protect the hosts in another way

files/debug-resource
severity: note
precision: medium
title: parts of a NAME_debug resource that Android doesn't read
why: If the xml/NAME configuration exists, Android reads only debug-overrides from xml/NAME_debug. It does so only in debuggable apps, and only if NAME has no debug-overrides.
fix: keep only debug-overrides in it, or name the file in the manifest of the debug build

odd/unmatchable-pin
severity: error
title: a pin that isn't 32 bytes in base64, which the format's owner skips
why: No key matches it, so it can't match a server or serve as a backup.

odd/unmatchable-host
severity: error
security: 7.0
title: a domain in a form that no host has
why: The format's owner compares it with the host letter by letter, so the domain is not pinned.

odd/nothing-pinned
severity: error
title: an entry that pins no host
why: Its pins look as if they were in force, but they aren't.

odd/misplaced-key
severity: error
security: 7.0
title: pins in a place where the format's owner doesn't look for them
why: The hosts are not pinned, and no error says so.

odd/not-literal
severity: warning
title: a host or pin in source code that isn't a literal
why: Its value is unknown, so no rule checks it, and the file is never enforced.

live/not-trusted
severity: error
title: a server has no valid path
why: Clients refuse it with and without pins.
fix: find the reason: servertrust check HOST

live/redirect-uncovered
severity: warning
security: 5.3
title: a redirect leads to a host that no rule covers
why: The app gets the final response over a connection without pins.
fix: add a rule for the host, or request the final address directly

live/redirect-insecure
severity: error
security: 7.4
title: a redirect leaves https, leads nowhere or forms a loop
why: An attacker on the network can answer there, and no pin protects the app.
fix: make the server redirect to an https address under a pinned host

live/unreachable
severity: error
title: a server couldn't be reached
why: Lint can't check whether the server matches its pins.
fix: try again from a network that reaches the server

forecast/survives
severity: note
title: changes to the server's certificates that the pins survive
why: After these changes, apps accept the server without an update.
fix: nothing

forecast/renewal
severity: warning
title: the next certificate breaks the pins unless its key is pinned
why: Only the server's key matches the pins. A renewal with a new key locks every app out on that day.
fix: renew with the same key, or ship the next key's pin first: servertrust pins make --with-backup

forecast/issuer
severity: warning
title: the CA's next intermediate breaks the pins
why: CAs alternate between several intermediates and replace them without notice. Any renewal can then lock every app out.
fix: pin the root above the intermediates, or keep your own key in reserve

forecast/root
severity: note
title: the CA's next root breaks the pins
why: Roots leave the stores about 15 years after their creation, and CAs move to the next root before that.
fix: also pin the CA's next root, or keep your own key in reserve

accept/nothing
severity: note
title: a comment accepts a finding that doesn't occur
why: The comment is a leftover, or its place or host is wrong. It would hide the finding if it returned later.
fix: remove the comment, or put it directly before the place of the finding

accept/unknown
severity: warning
title: a comment names no finding that can be accepted
why: Its author believes that a finding is accepted, but it isn't.
fix: write the rule's identifier: servertrust pins lint --list

"""#
}
