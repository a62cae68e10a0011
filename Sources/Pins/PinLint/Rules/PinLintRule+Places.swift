// SPDX-License-Identifier: Apache-2.0

import Explanations
import PinModel
import ServerTrust

// The rules for hosts, reports, anchors, files, and servers.

extension PinLintRule {
    /// The rules for hosts.
    package static let hosts: [PinLintRule] = [
        publicSuffix, wholeDomain, leafPinsBelow, oneLabel, missingWWW, parentAndChild, notEnforced, enforcedAnyway,
        lastDomainOnly,
        exempted, unlistedRefused, refusedByApple,
    ]

    package static let publicSuffix = PinLintRule(
        "hosts/public-suffix", .error, "a rule reaches names of strangers",
        why:
            "Names right below a public suffix belong to those who register them. The pins lock users out of their servers.",
        fix: "name the domain that is registered, one label more")

    package static let wholeDomain = PinLintRule(
        "hosts/whole-domain", .note, "a rule is for everything below a registered domain",
        why:
            "Its pins hold for every name that the domain has or will have: mail, status pages, what others host under it, often with other CAs.",
        fix: "name the hosts that the app talks to, or make sure that all of them have the pinned keys")

    package static let leafPinsBelow = PinLintRule(
        "hosts/leaf-pins-below", .warning, "keys of servers are pinned for all names below a domain",
        why: "Servers below it are locked out unless they share one of these very keys.",
        fix: "name the hosts that have the key, or pin a CA's key")

    package static let oneLabel = PinLintRule(
        "hosts/one-label", .note, "a pattern with one star covers one label below a domain only",
        why: "No pin protects the domain itself and names further below, in OkHttp and formats like it.",
        fix: "write **. in place of *. if the app connects to them, or add a rule")

    package static let missingWWW = PinLintRule(
        "hosts/www-uncovered", .note, "a domain is pinned, and www below it isn't",
        why: "Many domains redirect to www or from it, perhaps to a server of another CA, and no pin protects it.",
        fix: "add a rule for www, with its own pins, if the app ever gets there")

    package static let parentAndChild = PinLintRule(
        "hosts/parent-child", .warning, "rules for a domain and for a name below it disagree",
        why:
            "Whoever changes one of them easily forgets the other, and how they combine differs from format to format.",
        fix: "give both the same pins, or make the parent's rule not reach the name")

    package static let notEnforced = PinLintRule(
        "hosts/not-enforced", .note, "pins are reported and not enforced",
        why: "A server without the pins is talked to all the same.",
        fix: "enforce the pins once no more failures are reported")

    package static let enforcedAnyway = PinLintRule(
        "hosts/enforced-anyway", .warning, "pins that TrustKit only reports are enforced by Android",
        why:
            "enforcePinning is for TrustKit alone. Android enforces a pin-set from version 7 on, so a pin that was to be tried out locks users out.",
        fix: "remove the pin-set until the pins are right, or set enforcePinning=\"true\"")

    package static let lastDomainOnly = PinLintRule(
        "hosts/last-domain-only", .warning, "TrustKit-Android takes one of several domains",
        why:
            "Android 7 and later pin all of them. TrustKit doesn't report failures of the others, and on older versions doesn't pin them.",
        fix: "give each <domain> its own domain-config, pin-set and trustkit-config")

    package static let exempted = PinLintRule(
        "hosts/exempted", .note, "names below a pinned domain are not pinned",
        why: "They are talked to without pins, and may share cookies and logins with those that are pinned.",
        fix: "pin them too, or make sure that the app sends nothing of value there")

    package static let unlistedRefused = PinLintRule(
        "hosts/unlisted-refused", .note, "hosts without a rule are refused",
        why: "A redirect, a picture or a library that goes elsewhere fails.",
        fix: "list every host that the app and its libraries talk to")

    package static let refusedByApple = PinLintRule(
        "hosts/refused-by-apple", .warning, "a server's certificate breaks the dated rules of Apple's systems",
        why:
            "Apple's systems refuse it with the right pins as well, unless the user or an administrator has installed its root.",
        fix: "have it reissued with serverAuth for at most 397 days: servertrust verify --apple")

    /// The rules for reports.
    package static let reports: [PinLintRule] = [reportHostPinned, reportNotHTTPS, reportDefault]

    package static let reportHostPinned = PinLintRule(
        "reports/pinned-host", .warning, "failures are reported to a host under the same pins",
        why: "When the pins fail, so does the report of it, just when it is needed.",
        fix: "report to a host without enforced pins")

    package static let reportNotHTTPS = PinLintRule(
        "reports/not-https", .warning, "reports are not sent over https",
        why: "Whoever intercepts the app's connections reads, changes or drops the reports about it.",
        fix: "use an https URL")

    package static let reportDefault = PinLintRule(
        "reports/default-address", .note, "failures are reported to TrustKit's vendor",
        why:
            "By default TrustKit sends each report, with the host, the app and the certificates, to a server of its vendor as well.",
        fix: "disable the default report URI: TSKDisableDefaultReportUri, or disableDefaultReportUri in trustkit-config"
    )

    /// The rules for anchors.
    package static let anchors: [PinLintRule] = [
        overridesPins, debugAnchors, userAnchors, bundledAnchors, rootNotInStore, rootExpires, rootLeaves,
    ]

    package static let overridesPins = PinLintRule(
        "anchors/override-pins", .error, "pins don't count for paths to some anchors",
        why: "Whoever gets a certificate under one of these anchors isn't held to the pins.",
        fix: "remove overridePins; for debugging, put the anchors into debug-overrides")

    package static let debugAnchors = PinLintRule(
        "anchors/debug", .note, "further anchors while the app is debugged",
        why: "Debug builds trust more than what users get. A debug build in the wrong hands is not pinned.",
        fix: "never distribute a build that can be debugged")

    package static let userAnchors = PinLintRule(
        "anchors/user", .note, "anchors that the user adds are trusted",
        why: "A CA that was installed on the device, by its owner or by another person, is trusted; only pins stop it.",
        fix: "trust only the system's anchors, unless users must add their own CA")

    package static let bundledAnchors = PinLintRule(
        "anchors/bundled", .note, "anchors of the app's own are trusted",
        why:
            "A certificate in the app is replaced by an update of the app alone. When it ends, hosts under it are refused; a holder of its key can be any host that trusts it.",
        fix: "note the end date of each one, and ship its successor before")

    package static let rootNotInStore = PinLintRule(
        "anchors/not-in-store", .warning, "a pinned root is not in the system's store",
        why: "No path to the system's anchors ends in it, so this pin is met only under anchors of the app's own.",
        fix: "pin a root that is in the store, or give the rule the root as its anchor")

    package static let rootExpires = PinLintRule(
        "anchors/root-expires", .warning, "a pinned root expires soon",
        why: "CAs stop issuing under a root years before its end. Paths then end in another one.",
        fix: "also pin the root that follows it")

    package static let rootLeaves = PinLintRule(
        "anchors/root-leaves", .warning, "a pinned root leaves the stores",
        why:
            "Mozilla withdraws trust for web sites from roots whose key is older than 15 years (Mozilla Root Store Policy § 7.4 and its transition schedule), other stores do alike. CAs move to newer roots before.",
        fix: "ask the CA which root follows, and also pin that one")

    /// The rules for files, with one for each code of a reader's problems.
    package static let files: [PinLintRule] =
        [disagreement, subset, debugResource]
        + ErrorCode.pinFile.filter { !severeOddities.contains($0) }.map { unreadable($0) }
        + oddCodes.map { odd($0) }

    package static let disagreement = PinLintRule(
        "files/disagree", .warning, "two files say different things about a host",
        why: "One part of the app, or one platform, is locked out by a key that another one accepts.",
        fix: "generate both from one source: servertrust pins convert")

    package static let debugResource = PinLintRule(
        "files/debug-resource", .note, "parts of a resource NAME_debug that Android doesn't read",
        why:
            "From xml/NAME_debug, beside the configuration xml/NAME, Android reads only debug-overrides, in debuggable apps, and only if NAME has none.",
        fix: "keep only debug-overrides in it, or name the file in the manifest of the debug build")

    package static let subset = PinLintRule(
        "files/subset", .note, "two files differ where a format can't say the same",
        why: "One platform does less, or something else, than the other. Its format has no words for it.",
        fix: "change nothing in these files; if it matters, protect what is missing in another way")

    /// Returns the rule for a code of a reader's problems: `file/bad-base64`.
    package static func unreadable(_ code: ErrorCode) -> PinLintRule {
        PinLintRule(
            "file/" + code.kebab, .error, "a file that can't be used: \(code.words)",
            why:
                "The format's owner skips the value or refuses the file, or the value can't be used as a pin here. No other rule was applied to the file.",
            fix: remedy(of: code))
    }

    /// Returns the remedy for a code of a reader's problems in the form of a rule's.
    private static func remedy(of code: ErrorCode) -> String { remedies[code] ?? "repair the value" }

    /// The remedies of the guides to the codes. One that leads back to the linter is left out.
    private static let remedies = Dictionary(
        uniqueKeysWithValues: ErrorCode.pinFile.map { code in
            let texts = (ErrorGuide.of(code.name)?.remedies ?? []).filter { !$0.contains("servertrust pins lint") }
            return (code, texts.map(clause).joined(separator: "; or "))
        })

    /// Returns a sentence as a clause: `Add the key.` as `add the key`.
    private static func clause(_ sentence: String) -> String {
        let plain = sentence.filter { $0 != "`" }
        return plain.prefix(1).lowercased() + plain.dropFirst().dropLast(plain.hasSuffix(".") ? 1 : 0)
    }

    /// The codes that occur in the grade `odd`.
    private static let oddCodes: [ErrorCode] = [
        .pinFileUnreadable, .pinFileUnknownKey, .pinFileMissingKey, .pinFileWrongType, .pinFileBadValue,
        .pinFileBadBase64, .pinFileBadDigest, .pinFileBadDate, .pinFileDuplicateHost,
        .pinFileEmptyList, .pinFileDuplicatePin, .pinFileUnmatchablePin, .pinFileUnmatchableHost, .pinFileNothingPinned,
        .pinFileMisplacedKey, .pinFileBadURI,
        .pinFileContradiction, .pinFileTooFewPins, .pinFileNotLiteral, .pinFileDuplicateKey,
    ]

    /// The codes of values by which hosts are not pinned as the file says. They occur in the grade `odd` alone.
    private static let severeOddities: Set<ErrorCode> = [
        .pinFileUnmatchablePin, .pinFileUnmatchableHost, .pinFileNothingPinned, .pinFileMisplacedKey,
        .pinFileNotLiteral,
    ]

    /// Returns the rule for a code of an odd problem, which the format's owner accepts: `odd/unknown-key`.
    package static func odd(_ code: ErrorCode) -> PinLintRule {
        let id = "odd/" + code.kebab
        return severe.first { $0.id == id }
            ?? PinLintRule(
                id, .warning, "a value that the format's owner accepts, and that is rarely meant: \(code.words)",
                why: "The file is used. What the value does may differ from what its author had in mind.",
                fix: remedy(of: code))
    }

    /// The rules for ``severeOddities``.
    private static let severe: [PinLintRule] = [
        PinLintRule(
            "odd/unmatchable-pin", .error, "a pin that isn't 32 bytes in base64, and that the format's owner skips",
            why: "No key meets it, so it can't match a server or serve as a backup.",
            fix: remedy(of: .pinFileUnmatchablePin)),
        PinLintRule(
            "odd/unmatchable-host", .error, "a domain in a form that no host has",
            why: "The format's owner compares it with the host letter by letter, so the domain is not pinned.",
            fix: remedy(of: .pinFileUnmatchableHost)),
        PinLintRule(
            "odd/nothing-pinned", .error, "an entry by which the format's owner pins no host",
            why: "Its pins look as if they were in force, but they aren't.",
            fix: remedy(of: .pinFileNothingPinned)),
        PinLintRule(
            "odd/misplaced-key", .error, "pins in a place where the format's owner doesn't look for them",
            why: "The hosts are not pinned, and no error says so.",
            fix: remedy(of: .pinFileMisplacedKey)),
        PinLintRule(
            "odd/not-literal", .warning, "a host or pin in source code that isn't a literal",
            why: "Lint doesn't know its value, so no rule checks it, and the file is never enforced.",
            fix: remedy(of: .pinFileNotLiteral)),
    ]

    /// The rules for live servers.
    package static let live: [PinLintRule] = [untrusted, redirectUncovered, redirectInsecure, unreachable]

    package static let untrusted = PinLintRule(
        "live/not-trusted", .error, "a server has no valid path",
        why: "Clients refuse it with and without pins.",
        fix: "see servertrust check HOST")

    package static let redirectUncovered = PinLintRule(
        "live/redirect-uncovered", .warning, "a redirect leads to a host that no rule covers",
        why: "The app gets its final answer over a connection without pins.",
        fix: "add a rule for the host, or request the final address directly")

    package static let redirectInsecure = PinLintRule(
        "live/redirect-insecure", .error, "a redirect leads away from https, nowhere or in a circle",
        why: "An attacker on the network can answer there, and no pin protects the app.",
        fix: "make the server redirect to an https address under a pinned host")

    package static let unreachable = PinLintRule(
        "live/unreachable", .error, "a server couldn't be reached",
        why: "Lint can't tell whether the server meets its pins.",
        fix: "try again from a network that reaches the server")
}

extension ErrorCode {
    /// The name in kebab case: `bad-base64`.
    var kebab: String { split("-") }
    /// The name in words: `bad base64`.
    var words: String { split(" ") }

    private func split(_ separator: String) -> String {
        inPinFile.reduce(into: "") { $0 += $1.isUppercase ? separator + $1.lowercased() : String($1) }
    }
}
