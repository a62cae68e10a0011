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
severity: warning
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

    /// Pins in public files that lock users out.
    static let knownPins = #"""
nothing
nothing: 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=

an empty line
nothing: AbpHGcgLb+kRsJGnwFEktk7uzpZOCcBY74+YBdrKVGs=
nothing: frcCV1k9oG9oKj3dpUqdJg1PxRT2RSN/XKdLCPjaYaY=

an empty sequence in DER
nothing: 5PYNCqbX89O2pklLHIYbmfZJxvnsUauvIBsg8pcyfJU=

a zero byte
nothing: bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=

an empty text file with a byte order mark
nothing: 8ZRc1sGeVrPBx4lD717BgRaQekyh78QKV9SKsdt638U=

an empty key in PEM
nothing: sP6cX7zOh22C3NoXPxgNCylwm1pUmE+swBn3PQGPHtk=

an empty certificate in PEM
nothing: iUTqEDE2eUX0vAugXY0SVnjxtMeorKUQiGlfTRdrcjI=

the word null
nothing: dCNOmK/nSY+12vHzasLXiswzlGT5UHA7jAGYkvmCuQs=

the word undefined
nothing: 6wRdeNJzEHNIsDAMAdKbdVLWIqu8b6+Bs+xVNZqplQw=

the word (null)
nothing: KHTXgA/sriCET2gmlpILKFNFPNMsR+E2KndiA9AimxQ=

the word nil
nothing: XaOkx/EXlEJ1tMhinEkWQDYl1aSmVzoB7LA/Dp0u2+Y=

an empty JSON object
nothing: RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=

Android's guide to network security configuration
sample: 7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=
sample: fwza0LRMXouZHRC8Ei+4PyuldPDcf3UKgO/04cDM1oE=

OkHttp's documentation of CertificatePinner
sample: afwiKY3RxoMmLkuRW1l7QsPZTJPwDS2pdDROQjXw8ig=
sample: klO23nT2ehFDXCfx3eHTDRESMz3asj1muO+4aIdjiuY=
sample: lCppFqbkrlJ3EcVFAkeip0+44VaoJUymbnOaEUk7tEU=

TrustKit's documentation
sample: HXXQgxueCIU5TTLHob/bPbwcKOKw6DkfsTWYHbxbqTY=
sample: 0SDf3cRToyZJaMsoS17oF72VMavLxj/N7WBNasNuiR8=
sample: TQEtdMbmwFgYUifM4LDF+xgEtd0z69mPGmkp014d6ZY=
sample: rFjc3wG7lTZe43zeYTvPq8k4xdDEutCmIhI5dn4oCeE=

TrustKit-Android's documentation
sample: k3XnEYQCK79AtL9GYnT/nyhsabas03V+bhRQYHQbpXU=
sample: 2kOi4HdYYsvTR1sTIR7RHwlf2SescTrpza9ZrWy7poQ=

curl's documentation of CURLOPT_PINNEDPUBLICKEY
sample: YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE=
sample: t62CeU2tQiqkexU74Gxa2eg7fRbEgoChTociMee9wno=

Envoy's documentation of verify_certificate_spki
sample: NvqYIYSbgK2vCJpQhObf77vv+bQWtc5ek5RIOwPiC9A=

RFC 7469
sample: d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=
sample: E9CZ9INDbd+2eRQozYqqbQ2yXLVKB9+xcprMF+44U1g=
sample: LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=

MDN's documentation of Public-Key-Pins
sample: cUPcTAZWKaASuYWhhneDttWpY3oBAkE3h2+soZS7sWs=
sample: M8HztCzM3elUxkcjR2S5P4hhyBNf6lHkmjAHKhpGPWE=

react-native-ssl-pinning's documentation
sample: /r8udi/Mxd6pLO7y7hZyUMWq8YnFnIWXCqeHsTDRqy8=

Apple's article on identity pinning
sample: i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI=

Let's Encrypt X3, which expired in 2021
retired: YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=

Let's Encrypt X4, which never issued
retired: sRHdihwgkaib1P1gxX8HFszlD+7/gTfNvuAybgLPNis=

DST Root CA X3, which expired in 2021
retired: Vjs8r4z+80wjNcr1YKepWQboSIRi63WsWXhIMN+eWys=

Let's Encrypt R3, which stopped issuing in 2024
retired: jQJTbIh0grw0/1TkHSumWb+Fs0Ggogr621gT3PvPKG0=

Let's Encrypt R4, which stopped issuing in 2024
retired: 5VReIRNHJBiRxVSgOTTN6bdJZkpZ0m1hX+WPd5kPLQM=

Let's Encrypt E1, which stopped issuing in 2024
retired: J2/oqMTsdhFWW/n85tys6b4yDBtb6idZayIEBx7QTxA=

Let's Encrypt E2, which stopped issuing in 2024
retired: vZNucrIS7293MQLGt304+UKXMi78JTlrwyeUIuDIknA=

Entrust.net (2048), whose certificates issued after November 2024 are distrusted
retired: HqPF5D7WbC2imDpCpKebHpBnhs6fG1hiFBmgBGOofTg=

Entrust Root G2, whose certificates issued after November 2024 are distrusted
retired: du6FkDdMcVQ3u8prumAo6t3i3G27uMP2EOhR8R0at/U=

Entrust Root EC1, whose certificates issued after November 2024 are distrusted
retired: /qK31kX7pz11PB7Jp4cMQOH3sMVh6Se5hb9xGGbjbyI=

Entrust Root G4, whose certificates issued after November 2024 are distrusted
retired: NtfHnz0Img/3mXLZCSPepcp2tMy698J1HLFS6UlPUtA=

a root of Symantec (VeriSign, GeoTrust, thawte), distrusted since 2018
retired: AjyBzOjnxk+pQtPBUEhwfTXZu1uH9PVExb8bxWQ68vo=
retired: CZm/kAvVwpeGXiHhqt5s9rs6lNEa5ep5hEKk4vgTJB8=
retired: C91avpQMqqvosruog0j7b0qkzIRDb4gL7OZrSL2pE9g=
retired: FqngEtMjKfKCsQu/V8fAtCroD2rJVC60CbwcLN5Q0yI=
retired: F3VaXClfPS1y5vAxofB/QAxYi55YKyLxfq4xoVkNEYU=
retired: GQbGEk27Q4V40A4GbVBUxsN/D6YCjAVUXgmU7drshik=
retired: GRbzUI7D+teV+NxL0xb5xghaZN48QVOsbWLV6hlRXTk=
retired: IgduWu9Eu5pBaii30cRDItcFn2D+/6XK9sW+hEeJEwM=
retired: JbQbUG5JMJUoI6brnx0x3vZF6jilxsapbXGVfjhN8Fg=
retired: JsGNxu6m9jL2drzrodjCtINS8pwtX82oeOCdy4Mt1uU=
retired: LclHC+Y+9KzxvYKGCUArt7h72ZY4pkOTTohoLRvowwg=
retired: Le5RcVlquPPNPHY1/qjmwwBqqeMds50Dp0gN2yQooz4=
retired: MCeimPpXMU3A490QGUEbj0BMQ8P5NM4734VlEsgKoVw=
retired: MVEmgCM/XyofKUN/VtSYjPCvxBzGxdpidZKOnAvq3ic=
retired: Q7MQfXNCFl1AbPl1zXmzbtFkUEjwXX/26gCW5Ce324Q=
retired: Rj27mwom7SYWOXtkMSX70ptmzzpG/bQ4SyCeeCN6Gv8=
retired: R50TC/P8YdwvHVCNI5oTJ2rns8mEEBGgLBQCx+Z3vV8=
retired: SQVGZiOrQXi+kqxcvWWE96HhfydlLVqFr4lQTqI5qqo=
retired: SVqWumuteCQHvVIaALrOZXuzVVVeS7f4FGxxu6V+es4=
retired: S6YDHKMFsJ5TveNwUUVIHQMytlH+MDcN1SVMxNLLMvM=
retired: UZJDjsNp1+4M5x9cbbdflB779y5YRBcV6Z6rBMLIrO4=
retired: VnuCEf0g09KD7gzXzgZyy52ZvFtIeljJ1U7Gf3fUqPU=
retired: XE8oU4jzgzYmmlXHwSwLPKc/7ypaTfgriRQehBpsTeQ=
retired: Z9xPMvoQ59AaeaBzqgyeAhLsL/w9d54Kp/nA8OHCyJM=
retired: a4belqZYpWggpPNdkNtsPv3VdM6UuQnLDX/xfDwYnYM=
retired: cAajgxHlj7GTSEIzIYIQxmEloOSoJq7VOaxWHfv72QM=
retired: eB8cOmpC4+kVIi20lncCouV3rrAXB1+jwVmFH93QU14=
retired: fKoDRlEkWQxgHlZ+UhSOlSwM/+iQAFMP4NlbbVDqrkE=
retired: gJ8rquNa+082vWR2znXCABB3kBtq9cTauC4YjGuVwaE=
retired: gamPx4jDX1V2RalSJOUM0drI/7IJ3B5WiKopIF8TIhg=
retired: hgp/GSENXq0FenhTK4CVFFPLKQcxXzunqke2mJfXDz8=
retired: h6801m+z8v3zbgkRHpq6L29Esgfzhj89C1SyUCOQmqU=
retired: lXNUc71no7lajV+QxaIazh4NeUcyBnTUq4R5crkVRNI=
retired: lnsM2T/O9/J84sJFdnrpsFp3awZJ+ZZbYpCWhGloaHI=
retired: lpkiXF3lLlbN0y3y6W0c/qWqPKC7Us2JM8I7XCdEOCA=
retired: nG9qEjy6pO402+zu4kyX1ziHjLQj88InOQNCT10fbdU=
retired: pvH5v4oKndwID7SbHvw9GhwsMtwOE2pbAMlzFvKj3BE=
retired: qzh2w9pd4MnPZzaGjuW4i/m6Hf+cnXLS/lqNL3gwIWY=
retired: qzmksCWVVpGkAmnzU/odXLlOr2x+qYCEhLu7Yv2faPM=
retired: q1zbM1Y5c1bW5pGXPCW4YYtl12qQSG6nqKXBd2f0Zzo=
retired: q5hJUnat8eyv8o81xTBIeB5cFxjaucjmelBPT2pRMo8=
retired: rPZeHWLLWKK6/W/6tA+4hpnEc5fPXLSD1C1pytNM1Is=
retired: ryB8Yf2cfPksKv6BVCgtw/LL8y91zRcoFMUrA7frwlg=
retired: sRJBQqWhpaKIGcc1NA7/jJ4vgWj+47oYfyU7waOS1+I=
retired: st71NirT+s0EvSkEekOET3ZwNOpIkvgOVr7mkCQ+JQI=
retired: vPtEqrmtAhAVcGtBIep2HIHJ6IlnWQ9vlK50TciLePs=
retired: wHE19rRSOYJkpHdtvQpqMHxgo2+We9JjIdy4F7XAxIE=
retired: yrSCzT6CDFznKqO2/b6Yi7ik8EB+yv2Mkm42gk6rkt0=
retired: 0vkaBOOmHU6teEjI1DteEVLYhXJ0ibxlc4tnwKInhac=
retired: 06JdqA23urEpoGarQVA93f+gLHaMBYn5n9cRk+aZFrY=
retired: 1K9sCkgjEL18VLt6sSGRb4bAwHzVL8rDLThEwmAFEV8=
retired: 2oALgLKofTmeZvoZ1y/fSZg7R9jPMix8eVA6DH4o/q8=
retired: 8V8dMj7Zypjp6pWzPsXdpH6kwyn5UsFvZa1BnmRSBHY=
retired: 8uk2XqEh317r2N4kaP3BcdwKnkba3Bq0HVJ5C6mAp8I=
retired: 9TwiBZgX3Zb0AGUWOdL4V+IQcKWavtkHlADZ9pVQaQA=
retired: 9rWcjieJof1dWyU3Qv6txpJcuT7cNF5TFm4SxSuipgE=
retired: /1aAzXOlcD2gSBegdf1GJQanNQbEuBoVg+9UlHjSZHY=

a root of WoSign or StartCom, distrusted since 2017
retired: FSg5faISiQqDCwuVpZlozvI0dzd531GBzxD6ZHU0u2U=
retired: OBo/x6iwgvooYTpNB/LHVT9OGRjuB8qp6LfO3lqcoGo=
retired: eu3d82sY+Ky3N5/hzhgyErI1DQeIq+DoJFe+m62tbVQ=
retired: nZih+2BTjEzEhX/xqMgDT69vxZIJP2GZlLLIE9JQuGQ=
retired: 1qGEQ9NI25lPk0zNjmNdgzonrB5W+K+vfJfLT0Pqtos=
retired: 2xXABitSDzGKGdrP7NZPnno/vmCf1YZ5byCuAo6OMFg=
retired: 5C8kvU039KouVrl52D0eZSGf4Onjo4Khs8tmyTlV3nU=

Let's Encrypt R10
rotating: K7rZOrXHknnsEhUH8nLL4MZkejquUuIvOIr6tCa0rbo=

Let's Encrypt R11
rotating: bdrBhpj38ffhxpubzkINl0rG+UyossdhcBYj+Zx2fcc=

Let's Encrypt R12
rotating: kZwN96eHtZftBWrOZUsd6cA4es80n3NzSk/XtYz2EqQ=

Let's Encrypt R13
rotating: AlSQhgtJirc8ahLyekmtX+Iw+v46yPYRLJt9Cq1GlB0=

Let's Encrypt R14
rotating: 8WR6XuPvrFTIkukwWE/keXm3rNHHbBJxvKHFB22GmIg=

Let's Encrypt E5
rotating: NYbU7PBwV4y9J67c4guWTki8FJ+uudrXL0a4V4aRcrg=

Let's Encrypt E6
rotating: 0Bbh/jEZSKymTy3kTOhsmlHKBB32EDu1KojrP3YfV9c=

Let's Encrypt E7
rotating: y7xVm0TVJNahMr2sZydE2jQH8SquXV9yLF9seROHHHU=

Let's Encrypt E8
rotating: iFvwVyJSxnQdyaUvUERIf+8qk7gRze3612JMwoO3zdU=

Let's Encrypt E9
rotating: 8UQKm3bh5B5TpMtGEym/Yze0GXJr5RPkLhnxxpHF1LI=

Let's Encrypt YE1
rotating: brzvtCELCIZUo4sD/qPX0ccRtPsd3DY6RfmxpOU9oB4=

Let's Encrypt YE2
rotating: s/tdAOmUzd8syaTuqfgGvFcn6DzA5Cmb+Vby1ST+U3Y=

Let's Encrypt YE3
rotating: ppiiCCS+BOR6GjPE+kiHMb6SAR8jox6QDiyibJwqz84=

Let's Encrypt YR1
rotating: LoMHBotttiDko50Gi13uXW71eIy7LAttI+rYT8wXF4w=

Let's Encrypt YR2
rotating: nWN7PSep5XDQdge5zK24CnCRXHr3KvzhKEGxsdqCX9E=

Let's Encrypt YR3
rotating: UaqofZhLVZrGnpKfiIoCLYMuCJ/026CkErUQG8pLx5k=

Google Trust Services WE1
rotating: kIdp6NNEd8wsugYyyIYFsi1ylMCED3hZbSR8ZFsa/A4=

Google Trust Services WR2
rotating: YPtHaftLw6/0vnc2BnNKGF54xiCA28WFcccjkA4ypCM=

"""#
}
