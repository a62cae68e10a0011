// SPDX-License-Identifier: Apache-2.0

// The rules in the book, in its order.

extension PinLintRule {
    static let noBackup = PinLintRule("pins/no-backup")
    static let leafOnly = PinLintRule("pins/leaf-only")
    static let notInPath = PinLintRule("pins/not-in-path")
    static let dependsOnPath = PinLintRule("pins/depends-on-path")
    static let unmatched = PinLintRule("pins/unmatched")
    static let backupIsPinned = PinLintRule("pins/backup-is-pinned")
    static let backupSameIssuer = PinLintRule("pins/backup-same-issuer")
    package static let denied = PinLintRule("pins/denied-key")
    static let wholeCertificate = PinLintRule("pins/server-certificate")
    static let certificateExpired = PinLintRule("pins/certificate-expired")
    static let certificateExpires = PinLintRule("pins/certificate-expires")
    static let renewal = PinLintRule("pins/renewal")
    static let pinOfNothing = PinLintRule("pins/of-nothing")
    static let placeholder = PinLintRule("pins/placeholder")
    static let sample = PinLintRule("pins/sample")
    static let retiredAuthority = PinLintRule("pins/retired-authority")
    static let rotatingAuthority = PinLintRule("pins/rotating-authority")
    static let leafAndAuthority = PinLintRule("pins/leaf-and-authority")
    static let authorityAsLeaf = PinLintRule("pins/authority-as-leaf")
    static let notOfKey = PinLintRule("pins/not-of-key")

    static let expired = PinLintRule("expiry/passed")
    static let expiresSoon = PinLintRule("expiry/near")
    static let expiresLate = PinLintRule("expiry/far")
    static let expiryFailsOpen = PinLintRule("expiry/fails-open")
    static let noExpiry = PinLintRule("expiry/none")

    static let publicSuffix = PinLintRule("hosts/public-suffix")
    static let wholeDomain = PinLintRule("hosts/whole-domain")
    static let leafPinsBelow = PinLintRule("hosts/leaf-pins-below")
    static let oneLabel = PinLintRule("hosts/one-label")
    static let missingWWW = PinLintRule("hosts/www-uncovered")
    static let parentAndChild = PinLintRule("hosts/parent-child")
    static let notEnforced = PinLintRule("hosts/not-enforced")
    static let enforcedAnyway = PinLintRule("hosts/enforced-anyway")
    static let lastDomainOnly = PinLintRule("hosts/last-domain-only")
    static let exempted = PinLintRule("hosts/exempted")
    static let unlistedRefused = PinLintRule("hosts/unlisted-refused")
    static let refusedByApple = PinLintRule("hosts/refused-by-apple")

    static let cleartextBesidePins = PinLintRule("cleartext/pinned-host")
    static let cleartextByDefault = PinLintRule("cleartext/by-default")
    static let cleartextHost = PinLintRule("cleartext/host")

    static let reportHostPinned = PinLintRule("reports/pinned-host")
    static let reportNotHTTPS = PinLintRule("reports/not-https")
    static let reportDefault = PinLintRule("reports/default-address")

    static let overridesPins = PinLintRule("anchors/override-pins")
    static let debugAnchors = PinLintRule("anchors/debug")
    static let userAnchors = PinLintRule("anchors/user")
    static let bundledAnchors = PinLintRule("anchors/bundled")
    static let rootNotInStore = PinLintRule("anchors/not-in-store")
    static let rootExpires = PinLintRule("anchors/root-expires")
    static let rootLeaves = PinLintRule("anchors/root-leaves")

    static let disagreement = PinLintRule("files/disagree")
    static let subset = PinLintRule("files/subset")
    static let debugResource = PinLintRule("files/debug-resource")

    static let untrusted = PinLintRule("live/not-trusted")
    static let redirectUncovered = PinLintRule("live/redirect-uncovered")
    static let redirectInsecure = PinLintRule("live/redirect-insecure")
    static let unreachable = PinLintRule("live/unreachable")

    static let forecastSurvives = PinLintRule("forecast/survives")
    static let forecastRenewal = PinLintRule("forecast/renewal")
    static let forecastIssuer = PinLintRule("forecast/issuer")
    static let forecastRoot = PinLintRule("forecast/root")

    static let acceptsNothing = PinLintRule("accept/nothing")
    static let acceptsUnknown = PinLintRule("accept/unknown")
}
