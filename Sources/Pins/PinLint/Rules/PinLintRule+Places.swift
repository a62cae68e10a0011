// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// The rules for hosts, reports, anchors, files, and servers.

extension PinLintRule {
    /// The rules for hosts.
    static let hosts: [PinLintRule] = [
        publicSuffix, wholeDomain, leafPinsBelow, oneLabel, missingWWW, parentAndChild, notEnforced, enforcedAnyway,
        lastDomainOnly,
        exempted, unlistedRefused, refusedByApple,
    ]

    static let publicSuffix = PinLintRule(
        "hosts/public-suffix", .error, "a rule covers names that belong to other owners",
        why:
            "Names directly below a public suffix belong to different owners. The pins lock users out of these owners' servers.",
        fix: "name the registered domain, which has one more label")

    static let wholeDomain = PinLintRule(
        "hosts/whole-domain", .note, "a rule covers everything below a registered domain",
        why:
            "Its pins apply to every name that the domain has or will have: mail, status pages, and hosts of other providers, often with other CAs.",
        fix:
            "name the hosts that the app connects to, or make sure that all names below the domain have the pinned keys"
    )

    static let leafPinsBelow = PinLintRule(
        "hosts/leaf-pins-below", .warning, "server keys are pinned for all names below a domain",
        why: "Apps refuse servers below the domain unless they have one of these exact keys.",
        fix: "name the hosts that have the key, or pin a CA's key")

    static let oneLabel = PinLintRule(
        "hosts/one-label", .note, "a pattern with one star covers only one label below a domain",
        why: "In OkHttp and similar formats, no pin protects the domain itself and names further below.",
        fix: "write **. instead of *. if the app connects to them, or add a rule")

    static let missingWWW = PinLintRule(
        "hosts/www-uncovered", .note, "a domain is pinned, but www below it isn't",
        why:
            "Many domains redirect to www or from it, perhaps to a server with another CA. No pin protects that server.",
        fix: "if the app ever connects to www, add a rule for it with its own pins")

    static let parentAndChild = PinLintRule(
        "hosts/parent-child", .warning, "rules for a domain and for a name below it disagree",
        why:
            "If you change one of them, you easily forget the other. Formats also combine them in different ways.",
        fix: "give both the same pins, or limit the parent's rule so that it doesn't cover the name")

    static let notEnforced = PinLintRule(
        "hosts/not-enforced", .note, "pins are only reported, not enforced",
        why: "Apps also connect to a server that doesn't match the pins.",
        fix: "enforce the pins once no more failures are reported")

    static let enforcedAnyway = PinLintRule(
        "hosts/enforced-anyway", .warning, "pins that TrustKit only reports are enforced by Android",
        why:
            "enforcePinning applies only to TrustKit. Android 7 and later enforce the pin-set, so a pin that you only want to try out locks users out.",
        fix: "remove the pin-set until the pins are right, or set enforcePinning=\"true\"")

    static let lastDomainOnly = PinLintRule(
        "hosts/last-domain-only", .warning, "TrustKit-Android reads only one of several domains",
        why:
            "Android 7 and later pin all of them. TrustKit doesn't report failures of the other domains, and doesn't pin them on older versions.",
        fix: "give each <domain> its own domain-config, pin-set and trustkit-config")

    static let exempted = PinLintRule(
        "hosts/exempted", .note, "names below a pinned domain are not pinned",
        why: "Apps connect to them without pins, and they may share cookies and logins with pinned hosts.",
        fix: "pin them too, or make sure that the app sends them no sensitive data")

    static let unlistedRefused = PinLintRule(
        "hosts/unlisted-refused", .note, "hosts without a rule are refused",
        why: "A redirect, an image or a library that connects to another host fails.",
        fix: "list every host that the app and its libraries connect to")

    static let refusedByApple = PinLintRule(
        "hosts/refused-by-apple", .warning, "a server's certificate violates Apple's dated rules",
        why:
            "Apple's systems refuse it even with the right pins, unless the user or an administrator has installed its root.",
        fix: "have it reissued with serverAuth for at most 397 days: servertrust verify --apple")

    /// The rules for reports.
    static let reports: [PinLintRule] = [reportHostPinned, reportNotHTTPS, reportDefault]

    static let reportHostPinned = PinLintRule(
        "reports/pinned-host", .warning, "failures are reported to a host with the same pins",
        why: "When the pins fail, so does the report about it, exactly when you need it.",
        fix: "report to a host without enforced pins")

    static let reportNotHTTPS = PinLintRule(
        "reports/not-https", .warning, "reports are not sent over https",
        why: "An attacker who intercepts the app's connections can read, change or drop the reports about it.",
        fix: "use an https URL")

    static let reportDefault = PinLintRule(
        "reports/default-address", .note, "failures are reported to TrustKit's vendor",
        why:
            "By default TrustKit also sends each report, with the host, the app and the certificates, to a server of its vendor.",
        fix: "disable the default report URI: TSKDisableDefaultReportUri, or disableDefaultReportUri in trustkit-config"
    )

    /// The rules for anchors.
    static let anchors: [PinLintRule] = [
        overridesPins, debugAnchors, userAnchors, bundledAnchors, rootNotInStore, rootExpires, rootLeaves,
    ]

    static let overridesPins = PinLintRule(
        "anchors/override-pins", .error, "pins don't count for paths to some anchors",
        why: "The pins don't restrict anyone who gets a certificate from one of these anchors.",
        fix: "remove overridePins, and put anchors for debugging into debug-overrides")

    static let debugAnchors = PinLintRule(
        "anchors/debug", .note, "additional anchors while the app is being debugged",
        why:
            "Debug builds trust more anchors than released builds. Pins don't protect a debug build in the wrong hands.",
        fix: "never distribute a build that can be debugged")

    static let userAnchors = PinLintRule(
        "anchors/user", .note, "anchors that the user adds are trusted",
        why: "The app trusts a CA that the owner or another person has installed on the device. Only pins stop it.",
        fix: "trust only the system's anchors, unless users must add their own CA")

    static let bundledAnchors = PinLintRule(
        "anchors/bundled", .note, "the app's own anchors are trusted",
        why:
            "Only an update of the app can replace a certificate in the app. When it expires, the app refuses hosts under it. The holder of its key can impersonate any host that trusts it.",
        fix: "note the end date of each anchor, and ship its successor before that date")

    static let rootNotInStore = PinLintRule(
        "anchors/not-in-store", .warning, "a pinned root is not in the system's store",
        why: "No path to the system's anchors ends in it, so this pin matches only under the app's own anchors.",
        fix: "pin a root that is in the store, or add the root to the rule as its anchor")

    static let rootExpires = PinLintRule(
        "anchors/root-expires", .warning, "a pinned root expires soon",
        why: "CAs stop issuing under a root years before it expires. Paths then end in another root.",
        fix: "also pin the root that follows it")

    static let rootLeaves = PinLintRule(
        "anchors/root-leaves", .warning, "a pinned root leaves the stores",
        why:
            "Mozilla withdraws trust for web sites from roots whose key is older than 15 years (Mozilla Root Store Policy § 7.4 and its transition schedule). Other stores do the same. CAs move to newer roots before that.",
        fix: "ask the CA which root follows, and also pin that root")

    /// The rules for files, including one for each code of a reader's problems.
    static let files: [PinLintRule] =
        [disagreement, subset, debugResource]
        + ErrorCode.pinFile.filter { !severeOddities.contains($0) }.map { unreadable($0) }
        + oddCodes.map { odd($0) }

    static let disagreement = PinLintRule(
        "files/disagree", .warning, "two files contradict each other about a host",
        why: "A key that one part of the app or one platform accepts locks another one out.",
        fix: "generate both from one source: servertrust pins convert")

    static let debugResource = PinLintRule(
        "files/debug-resource", .note, "parts of a NAME_debug resource that Android doesn't read",
        why:
            "If the xml/NAME configuration exists, Android reads only debug-overrides from xml/NAME_debug. It does so only in debuggable apps, and only if NAME has no debug-overrides.",
        fix: "keep only debug-overrides in it, or name the file in the manifest of the debug build")

    static let subset = PinLintRule(
        "files/subset", .note, "two files differ because one format can't express what the other does",
        why:
            "One platform does less than the other, or something different, because its format can't express what the other one does.",
        fix: "no change in these files can help; if the difference matters, protect the hosts in another way")

    /// Returns the rule for a code of a reader's problems: `file/bad-base64`.
    static func unreadable(_ code: ErrorCode) -> PinLintRule {
        PinLintRule(
            "file/" + code.kebab, .error, "a file that can't be used: \(code.words)",
            why:
                "The format's owner skips the value or refuses the file, or the value can't be used as a pin here. No other rule was applied to the file.",
            fix: remedy(of: code))
    }

    /// Returns the remedy for a code of a reader's problems, in the form of a rule's remedy.
    private static func remedy(of code: ErrorCode) -> String { remedies[code.name] ?? "repair the value" }

    /// The remedies from the guides to the codes. A remedy that only refers to the linter is left out.
    private static let remedies = Dictionary(
        uniqueKeysWithValues: PinFileGuide.all.map { guide in
            let texts = guide.remedies.filter { !$0.contains("servertrust pins lint") }
            return (guide.code, texts.map(clause).joined(separator: "; or "))
        })

    /// Returns a sentence as a clause: `Add the key.` as `add the key`.
    private static func clause(_ sentence: String) -> String {
        let plain = sentence.filter { $0 != "`" }
        return plain.prefix(1).lowercased() + plain.dropFirst().dropLast(plain.hasSuffix(".") ? 1 : 0)
    }

    /// The codes that occur with the grade `odd`.
    private static let oddCodes: [ErrorCode] = [
        .pinFileUnreadable, .pinFileUnknownKey, .pinFileMissingKey, .pinFileWrongType, .pinFileBadValue,
        .pinFileBadBase64, .pinFileBadDigest, .pinFileBadDate, .pinFileDuplicateHost,
        .pinFileEmptyList, .pinFileDuplicatePin, .pinFileUnmatchablePin, .pinFileUnmatchableHost, .pinFileNothingPinned,
        .pinFileMisplacedKey, .pinFileBadURI,
        .pinFileContradiction, .pinFileTooFewPins, .pinFileNotLiteral, .pinFileDuplicateKey,
    ]

    /// The codes of values that leave hosts unpinned although the file pins them. They occur only with the grade `odd`.
    private static let severeOddities: Set<ErrorCode> = [
        .pinFileUnmatchablePin, .pinFileUnmatchableHost, .pinFileNothingPinned, .pinFileMisplacedKey,
        .pinFileNotLiteral,
    ]

    /// Returns the rule for a code of an odd problem, which the format's owner accepts: `odd/unknown-key`.
    static func odd(_ code: ErrorCode) -> PinLintRule {
        let id = "odd/" + code.kebab
        return severe.first { $0.id == id }
            ?? PinLintRule(
                id, .warning, "a value that the format's owner accepts but authors rarely intend: \(code.words)",
                why: "The file is used, but the value may not do what its author intended.",
                fix: remedy(of: code))
    }

    /// The rules for ``severeOddities``.
    private static let severe: [PinLintRule] = [
        PinLintRule(
            "odd/unmatchable-pin", .error, "a pin that isn't 32 bytes in base64, which the format's owner skips",
            why: "No key matches it, so it can't match a server or serve as a backup.",
            fix: remedy(of: .pinFileUnmatchablePin)),
        PinLintRule(
            "odd/unmatchable-host", .error, "a domain in a form that no host has",
            why: "The format's owner compares it with the host letter by letter, so the domain is not pinned.",
            fix: remedy(of: .pinFileUnmatchableHost)),
        PinLintRule(
            "odd/nothing-pinned", .error, "an entry that pins no host",
            why: "Its pins look as if they were in force, but they aren't.",
            fix: remedy(of: .pinFileNothingPinned)),
        PinLintRule(
            "odd/misplaced-key", .error, "pins in a place where the format's owner doesn't look for them",
            why: "The hosts are not pinned, and no error says so.",
            fix: remedy(of: .pinFileMisplacedKey)),
        PinLintRule(
            "odd/not-literal", .warning, "a host or pin in source code that isn't a literal",
            why: "Its value is unknown, so no rule checks it, and the file is never enforced.",
            fix: remedy(of: .pinFileNotLiteral)),
    ]

    /// The rules for live servers.
    static let live: [PinLintRule] = [untrusted, redirectUncovered, redirectInsecure, unreachable]

    static let untrusted = PinLintRule(
        "live/not-trusted", .error, "a server has no valid path",
        why: "Clients refuse it with and without pins.",
        fix: "find the reason: servertrust check HOST")

    static let redirectUncovered = PinLintRule(
        "live/redirect-uncovered", .warning, "a redirect leads to a host that no rule covers",
        why: "The app gets the final response over a connection without pins.",
        fix: "add a rule for the host, or request the final address directly")

    static let redirectInsecure = PinLintRule(
        "live/redirect-insecure", .error, "a redirect leaves https, leads nowhere or forms a loop",
        why: "An attacker on the network can answer there, and no pin protects the app.",
        fix: "make the server redirect to an https address under a pinned host")

    static let unreachable = PinLintRule(
        "live/unreachable", .error, "a server couldn't be reached",
        why: "Lint can't check whether the server matches its pins.",
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
