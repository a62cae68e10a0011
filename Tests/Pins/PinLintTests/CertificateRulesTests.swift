// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint

/// The rules that need certificates: pinned certificates, available certificates, and the system's.
@Suite struct CertificateRulesTests {
    let root: TestAuthority
    let first: TestAuthority
    let second: TestAuthority
    let leaf: TestIdentity
    let stranger: TestAuthority

    static let host = "api.example.com"

    init() throws {
        root = try TestAuthority.root(.authority("Root"))
        first = try root.intermediate(.authority("CA 1"))
        second = try root.intermediate(.authority("CA 2"))
        leaf = try first.issue(.leaf(Self.host))
        stranger = try TestAuthority.root(.authority("Stranger"))
    }

    private func linter(_ certificates: [Certificate] = []) -> PinLinter {
        var linter = PinLinter(at: TestAuthority.now)
        linter.anchors = [root.certificate]
        linter.anchorsArePublic = false
        linter.certificates = certificates
        return linter
    }

    /// Returns the findings for a file with one rule for the host.
    private func findings(_ linter: PinLinter, _ pins: String..., host: String = Self.host) -> [PinFinding] {
        let row = LintRow(
            "", .noBackup, at: [], .json,
            LintRow.json(
                "{\"hosts\": [\"\(host)\"], \"mode\": \"enforced\", \"pins\": [\(pins.joined(separator: ", "))]}"))
        var linter = linter
        linter.servers = linter.servers(in: row.source)
        return linter.findings(in: row.source)
    }

    private func has(_ rule: PinLintRule, _ findings: [PinFinding]) -> Bool { has(rule, rule.severity, findings) }

    private func has(_ rule: PinLintRule, _ severity: PinFinding.Severity, _ findings: [PinFinding]) -> Bool {
        findings.contains { $0.rule == rule && $0.severity == severity && $0.location.line == 2 }
    }

    private func lacks(_ rule: PinLintRule, _ findings: [PinFinding]) -> Bool {
        // An unreadable file has no other findings either.
        findings.allSatisfy { $0.rule != rule && !$0.rule.id.hasPrefix("file/") }
    }

    private func key(_ certificate: Certificate, scope: String = "anywhere", role: String? = nil) -> String {
        let role = role.map { ", \"role\": \"\($0)\"" } ?? ""
        return "{\"key\": \"\(SPKIPin(certificate))\", \"scope\": \"\(scope)\"\(role)}"
    }

    @Test("A key and a certificate with that key don't count as a pin and a backup") func sameKey() throws {
        let found = findings(linter(), key(leaf.certificate), LintRow.pin(leaf.certificate))
        #expect(has(.backupIsPinned, found))
        #expect(has(.noBackup, found))
        let other = findings(linter(), key(leaf.certificate), LintRow.pin(first.certificate))
        #expect(lacks(.backupIsPinned, other))
    }

    @Test("A pinned server certificate causes a finding, and a pinned CA certificate causes none")
    func wholeCertificate() {
        #expect(has(.wholeCertificate, findings(linter(), LintRow.pin(leaf.certificate), LintRow.pin(1))))
        #expect(lacks(.wholeCertificate, findings(linter(), LintRow.pin(first.certificate), LintRow.pin(1))))
    }

    @Test("An expired certificate causes an error, and one that expires soon causes a warning") func certificateDates()
        throws
    {
        let old = try first.issue(.leaf(Self.host).with { $0.notAfter = TestAuthority.now.advanced(by: -1) })
            .certificate
        let soon = try first.issue(.leaf(Self.host).with { $0.notAfter = TestAuthority.now.advanced(by: 86_400) })
            .certificate
        #expect(has(.certificateExpired, findings(linter(), LintRow.pin(old), LintRow.pin(1))))
        #expect(has(.certificateExpires, findings(linter(), LintRow.pin(soon), LintRow.pin(1))))
        let good = findings(linter(), LintRow.pin(leaf.certificate), LintRow.pin(1))
        #expect(lacks(.certificateExpired, good) && lacks(.certificateExpires, good))
    }

    @Test("Pins that match only server keys cause a finding") func leafOnly() throws {
        let spare = try first.issue(.leaf("spare.example.com")).certificate
        #expect(has(.leafOnly, .note, findings(linter([leaf.certificate, spare]), key(leaf.certificate), key(spare))))
        #expect(
            !has(
                .leafOnly, .note,
                findings(linter([leaf.certificate, first.certificate]), key(leaf.certificate), key(first.certificate))))
    }

    @Test("A CA's key that is compared only with the server's key causes a finding") func authorityAsLeaf() throws {
        let known = [leaf.certificate, first.certificate, root.certificate]
        let spare = LintRow.pin(1, scope: "leaf")
        let ca = key(first.certificate, scope: "leaf")
        #expect(has(.authorityAsLeaf, findings(linter(known), ca, spare)))
        #expect(lacks(.leafOnly, findings(linter(known), ca)))
        #expect(lacks(.authorityAsLeaf, findings(linter(known), key(leaf.certificate, scope: "leaf"), spare)))
        for scope in ["authority", "anywhere"] {
            #expect(lacks(.authorityAsLeaf, findings(linter(known), key(first.certificate, scope: scope), spare)))
        }
        // Without its certificate, the key could be a server's key.
        #expect(lacks(.authorityAsLeaf, findings(linter(), ca, spare)))
        // A self-signed certificate could be a server's, unless it is a public root.
        let own = key(root.certificate, scope: "leaf")
        #expect(lacks(.authorityAsLeaf, findings(linter(known), own, spare)))
        var publicRoots = linter(known)
        publicRoots.anchorsArePublic = true
        #expect(has(.authorityAsLeaf, findings(publicRoots, own, spare)))
    }

    @Test("The linter recognizes a SHA-1 digest used instead of a pin if the certificate is available")
    func shortDigests()
        throws
    {
        let certificate = leaf.certificate
        let digests = [certificate.subjectPublicKeyInfo.der, certificate.der].map { Digests.insecureSHA1(of: $0) }
        for digest in digests {
            for pin in ["sha256/\(Base64.encode(digest))", "sha1/\(Base64.encode(digest))", Hex.encode(digest)] {
                let row = LintRow("", .noBackup, at: [], .okHttp, "\(Self.host) \(pin)")
                let meant = "\(SPKIPin(certificate))"
                let found = linter([certificate]).findings(in: row.source)
                #expect(found.contains { $0.rule.id.hasPrefix("file/") && $0.fix.contains(meant) }, "\(found)")
                #expect(!linter().findings(in: row.source).contains { $0.fix.contains(meant) })
            }
        }
    }

    @Test("The linter finds a pin that doesn't hash a key if the certificate is available") func mistakes() throws {
        func pin(_ digest: [UInt8]) -> String {
            "{\"key\": \"sha256/\(Base64.encode(digest))\", \"scope\": \"anywhere\"}"
        }
        let bits = leaf.certificate.subjectPublicKeyInfo.keyDescription.contents
        let wrong = [pin(leaf.certificate.sha256), pin(Digests.sha256(bits))]
        for pin in wrong {
            let found = findings(linter([leaf.certificate, first.certificate]), pin, LintRow.pin(1))
            #expect(has(.notOfKey, found))
            #expect(found.contains { $0.rule == .notOfKey && $0.fix.contains("\(SPKIPin(leaf.certificate))") })
            // It doesn't count as a backup either.
            #expect(has(.noBackup, found))
            #expect(lacks(.notOfKey, findings(linter([first.certificate]), pin, LintRow.pin(1))))
        }
        // The fingerprint of a root in the store.
        #expect(has(.notOfKey, findings(linter(), pin(root.certificate.sha256), LintRow.pin(1))))
        let right = findings(
            linter([leaf.certificate, first.certificate]), key(leaf.certificate), key(first.certificate))
        #expect(lacks(.notOfKey, right))
        // A pinned certificate causes no finding.
        #expect(lacks(.notOfKey, findings(linter([leaf.certificate]), LintRow.pin(leaf.certificate), LintRow.pin(1))))
    }

    /// Owners that compare a pin only with the server's key, each with a file with one pin, `$1` in base64.
    static let leafOwners: [(format: PinFormat, text: String)] = [
        (.curl, "curl --pinnedpubkey \"sha256//$1\" https://api.example.com/"),
        (.git, "[http \"https://api.example.com\"]\n\tpinnedPubkey = sha256//$1"),
        (.envoy, "{\"sni\": \"api.example.com\", \"trusted_ca\": {}, \"verify_certificate_spki\": [\"$1\"]}"),
        (
            .ats,
            "{\"NSPinnedDomains\": {\"api.example.com\": {\"NSPinnedLeafIdentities\": [{\"SPKI-SHA256-BASE64\": \"$1\"}]}}}"
        ),
    ]

    @Test("A public CA's key locks every client out if it is compared with the server's key", arguments: leafOwners)
    func authorityLocksOut(_ owner: (format: PinFormat, text: String)) throws {
        func rules(_ pinned: Certificate, _ linter: PinLinter) -> [PinLintRule] {
            let text = owner.text.replacing("$1", with: SPKIPin(pinned).description.dropFirst("sha256/".count))
            return linter.findings(
                in: PinLintSource.sources(reading: Array(text.utf8), as: owner.format, file: "pins")
            ).map(\.rule)
        }
        var publicRoots = linter()
        publicRoots.anchorsArePublic = true
        var authorities = linter()
        authorities.successors = [root.certificate, first.certificate, leaf.certificate]
        for (pinned, linter) in [
            (root.certificate, publicRoots), (root.certificate, authorities), (first.certificate, authorities),
        ] {
            let found = rules(pinned, linter)
            #expect(found.contains(.authorityAsLeaf), "\(found)")
            // Neither a backup nor a CA's key next to it prevents the lockout.
            #expect(!found.contains(.noBackup) && !found.contains(.leafOnly), "\(found)")
        }
        let known = linter([leaf.certificate])
        #expect(!rules(leaf.certificate, known).contains(.authorityAsLeaf))
        #expect(!rules(leaf.certificate, authorities).contains(.authorityAsLeaf))
        let advice = known.findings(
            in: PinLintSource.sources(
                reading: Array(
                    owner.text.replacing("$1", with: SPKIPin(leaf.certificate).description.dropFirst(7)).utf8),
                as: owner.format, file: "pins")
        ).first { $0.rule == .leafOnly }
        // Only the system's format has a list for CAs.
        #expect((advice?.fix == PinLintRule.leafOnly.fix) == (owner.format == .ats))
    }

    @Test("A pin and a backup under the same CA cause a finding") func sameIssuer() throws {
        let known = [first.certificate, second.certificate]
        #expect(has(.backupSameIssuer, findings(linter(known), key(first.certificate), key(second.certificate))))
        let other = try stranger.intermediate(.authority("CA 3")).certificate
        #expect(
            !has(
                .backupSameIssuer,
                findings(linter(known + [other, stranger.certificate]), key(first.certificate), key(other))))
    }

    @Test("A backup with unknown certificates causes no finding about its issuer") func unknownBackup() {
        #expect(lacks(.backupSameIssuer, findings(linter([first.certificate]), key(first.certificate), LintRow.pin(1))))
    }

    @Test("A cross-signed CA doesn't depend on either issuer") func crossSignedIssuer() throws {
        let other = try first.crossSigned(by: stranger)
        let known = [first.certificate, other.certificate, second.certificate, stranger.certificate]
        #expect(lacks(.backupSameIssuer, findings(linter(known), key(first.certificate), key(second.certificate))))
    }

    @Test("A server whose path matches no pin causes a finding") func notInPath() {
        let known = [leaf.certificate, first.certificate]
        #expect(has(.notInPath, findings(linter(known), LintRow.pin(1), LintRow.pin(2))))
        let good = findings(linter(known), key(first.certificate), LintRow.pin(2))
        #expect(lacks(.notInPath, good))
        #expect(has(.renewal, good))
    }

    @Test("Each scope needs its own pin") func scopes() {
        let known = [leaf.certificate, first.certificate]
        #expect(
            has(
                .notInPath,
                findings(linter(known), key(leaf.certificate, scope: "authority"), LintRow.pin(2, scope: "authority"))))
        #expect(
            has(
                .notInPath,
                findings(linter(known), key(leaf.certificate, scope: "leaf"), LintRow.pin(2, scope: "authority"))))
        #expect(
            !has(
                .notInPath,
                findings(linter(known), key(leaf.certificate, scope: "leaf"), key(root.certificate, scope: "authority"))
            ))
    }

    @Test("A leaf that Apple's systems refuse causes a finding in their files, but not in an Android file")
    func appleRules() throws {
        let ats = LintRow.ats(LintRow.atsDomain(Self.host, authority: [1, 2]))
        let kit = LintRow.trustKit(LintRow.kitDomain(Self.host, 1, 2))
        let android = LintRow.android(LintRow.domain(Self.host, below: false, 1, 2))
        func finds(_ leaf: TestIdentity, _ format: PinFormat, _ text: String, isPublic: Bool = false) -> Bool {
            var linter = linter([leaf.certificate, first.certificate])
            linter.anchorsArePublic = isPublic
            let source = LintRow("", .refusedByApple, at: [], format, text).source
            linter.servers = linter.servers(in: source)
            #expect(linter.servers.count == 1)
            let found = linter.findings(in: source).filter { $0.rule == .refusedByApple }
            #expect(found.allSatisfy { $0.severity == .warning && $0.subject == Self.host })
            return !found.isEmpty
        }
        let unnamed = try first.issue(.leaf(Self.host).with { $0.extendedKeyUsage = nil })
        let long = try first.issue(
            .leaf(Self.host).with { $0.notAfter = TestAuthority.notBefore.advanced(by: .days(826)) })
        let year = try first.issue(
            .leaf(Self.host).with { $0.notAfter = TestAuthority.notBefore.advanced(by: .days(500)) })
        for (format, text) in [(PinFormat.ats, ats), (.trustKit, kit)] {
            #expect(!finds(leaf, format, text))
            #expect(finds(unnamed, format, text))
            #expect(finds(long, format, text))
            #expect(!finds(year, format, text))
            #expect(finds(year, format, text, isPublic: true))
        }
        #expect(!finds(unnamed, .android, android))
    }

    @Test("Findings about paths require certificates") func noCertificates() {
        #expect(lacks(.notInPath, findings(linter(), LintRow.pin(1), LintRow.pin(2))))
    }

    @Test("A pin in only one of two valid paths causes a finding") func dependsOnPath() throws {
        let cross = try first.crossSigned(by: stranger)
        var both = linter([leaf.certificate, first.certificate, cross.certificate])
        both.anchors = [root.certificate, stranger.certificate]
        #expect(has(.dependsOnPath, findings(both, key(stranger.certificate), LintRow.pin(1))))
        #expect(lacks(.dependsOnPath, findings(both, key(first.certificate), LintRow.pin(1))))
    }

    @Test(
        "One unmatched pin counts as the backup, two cause findings, and a marked one is checked according to its role")
    func unmatched() {
        let known = linter([leaf.certificate, first.certificate])
        #expect(lacks(.unmatched, findings(known, key(first.certificate), LintRow.pin(1))))
        #expect(has(.unmatched, findings(known, key(first.certificate), LintRow.pin(1), LintRow.pin(2))))
        #expect(has(.unmatched, .warning, findings(known, key(first.certificate), LintRow.pin(1, role: "inUse"))))
        #expect(lacks(.unmatched, findings(known, key(first.certificate), LintRow.pin(1, role: "backup"))))
    }

    @Test("A leaf's renewal causes a note with its date, or a warning if it is near and there is no backup")
    func renewal() throws {
        let soon = try first.issue(.leaf(Self.host).with { $0.notAfter = TestAuthority.now.advanced(by: 86_400) })
            .certificate
        let found = findings(linter([soon, first.certificate]), key(soon))
        #expect(has(.renewal, .warning, found))
        #expect(found.contains { $0.rule == .renewal && $0.message.contains(soon.notAfter.description) })
        #expect(has(.renewal, .note, findings(linter([soon, first.certificate]), key(soon), LintRow.pin(1))))
        let stable = findings(linter([soon, first.certificate]), key(soon), key(first.certificate))
        #expect(stable.contains { $0.rule == .renewal && $0.message.contains(first.certificate.notAfter.description) })
    }

    // MARK: - Roots

    @Test("A pinned root that isn't in the root store causes a finding") func notInStore() {
        #expect(has(.rootNotInStore, findings(linter(), LintRow.pin(stranger.certificate), LintRow.pin(1))))
        #expect(lacks(.rootNotInStore, findings(linter(), LintRow.pin(root.certificate), LintRow.pin(1))))
        var none = linter()
        none.anchors = nil
        #expect(lacks(.rootNotInStore, findings(none, LintRow.pin(stranger.certificate), LintRow.pin(1))))
    }

    @Test("A pinned root that expires soon causes a finding") func rootExpires() throws {
        let old = try TestAuthority.root(
            .authority("Old").with { $0.notAfter = TestAuthority.now.advanced(by: 86_400) })
        var linter = linter()
        linter.anchors = [old.certificate, root.certificate]
        #expect(has(.rootExpires, findings(linter, key(old.certificate), LintRow.pin(1))))
        #expect(lacks(.rootExpires, findings(linter, key(root.certificate), LintRow.pin(1))))
    }

    struct Lifecycle: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let made: String
        /// The severity, or nil if there is no finding.
        let severity: PinFinding.Severity?
    }

    static let lifecycles = [
        Lifecycle(testDescription: "a root of 2005 left on 2025-04-15", made: "2005-12-31", severity: .warning),
        Lifecycle(testDescription: "a root of 2007 left on 2026-04-15", made: "2006-01-01", severity: .warning),
        Lifecycle(testDescription: "a root of 2009 leaves on 2027-04-15", made: "2009-12-31", severity: .note),
        Lifecycle(testDescription: "a root of 2011 leaves on 2028-04-15", made: "2010-01-01", severity: .note),
        Lifecycle(testDescription: "a root of 2012 leaves on 2029-04-15", made: "2012-01-01", severity: nil),
        Lifecycle(testDescription: "a root of 2020 leaves after 15 years", made: "2020-01-01", severity: nil),
    ]

    @Test("Mozilla's schedule determines the finding for a public root", arguments: lifecycles) func rootLeaves(
        _ row: Lifecycle
    ) throws {
        let made = try Time(rfc3339: row.made)
        let old = try TestAuthority.root(
            .authority("Old").with {
                $0.notBefore = made
                $0.notAfter = made.advanced(by: 30 * 365 * 86_400)
            })
        var linter = linter()
        linter.anchors = [old.certificate]
        linter.anchorsArePublic = true
        let found = findings(linter, key(old.certificate), LintRow.pin(1)).filter { $0.rule == .rootLeaves }
        #expect(found.map(\.severity) == (row.severity.map { [$0] } ?? []))
        linter.anchorsArePublic = false
        #expect(!findings(linter, key(old.certificate), LintRow.pin(1)).contains { $0.rule == .rootLeaves })
    }

    /// The certificates that form the host's paths.
    private var chain: [Certificate] { [leaf.certificate, first.certificate] }

    @Test("A renewal that pins survive only with the same key causes a warning, or a note if a reserve key exists")
    func forecastRenewal() {
        #expect(has(.forecastRenewal, findings(linter(chain), key(leaf.certificate))))
        #expect(has(.forecastRenewal, .note, findings(linter(chain), key(leaf.certificate), LintRow.pin(1))))
        #expect(lacks(.forecastRenewal, findings(linter(chain), key(first.certificate))))
    }

    @Test(
        "A move to another intermediate causes a warning if the pins don't survive it, and a note under a pinned root")
    func forecastIssuer() {
        let found = findings(linter(chain + [second.certificate]), key(first.certificate))
        #expect(has(.forecastIssuer, found))
        #expect(found.contains { $0.rule == .forecastIssuer && $0.message.contains("CA 2") })
        #expect(has(.forecastSurvives, found))
        let under = findings(linter(chain + [second.certificate]), key(root.certificate))
        #expect(lacks(.forecastIssuer, under) && has(.forecastSurvives, under))
        #expect(lacks(.forecastSurvives, findings(linter(chain), key(leaf.certificate))))
    }

    @Test("A move to another root causes a finding if such a root is known, or if the root expires within two years")
    func forecastRoot() throws {
        func authority(_ name: String, years: Int64) -> CertificateTemplate {
            CertificateTemplate.authority(name).with {
                $0.organization = "House"
                $0.notAfter = TestAuthority.now.advanced(by: years * 365 * 86_400)
            }
        }
        func findings(_ root: TestAuthority, _ others: [Certificate] = []) throws -> [PinFinding] {
            let issuer = try root.intermediate(authority("CA", years: 1))
            let leaf = try issuer.issue(.leaf(Self.host)).certificate
            var linter = linter(others + [leaf, issuer.certificate])
            linter.anchors = [root.certificate]
            return self.findings(linter, key(root.certificate))
        }
        let old = try TestAuthority.root(authority("Root 1", years: 1))
        let young = try TestAuthority.root(authority("Root 2", years: 9))
        #expect(has(.forecastRoot, try findings(old)))
        #expect(lacks(.forecastRoot, try findings(young)))
        #expect(has(.forecastRoot, try findings(young, [old.certificate])))
    }
}
