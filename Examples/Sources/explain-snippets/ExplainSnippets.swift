// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting

/// The customizations of trust that `servertrust explain` shows for servers that you can't fix.
///
/// Each is between two marks, and a test compares it with the guide. Here it runs with a server that needs it.
@main
struct ExplainSnippets {
    let root: TestAuthority
    let now = TestAuthority.now

    static func main() throws {
        let snippets = ExplainSnippets(root: try TestAuthority.root(.authority("Our Root")))
        try snippets.exception()
        try snippets.privateAnchors()
        try snippets.pinnedLeaf()
        try snippets.pinnedLeafUnderAnyName()
        try snippets.expectedName()
        try snippets.missingIntermediate()
        try snippets.verifyDate()
        try snippets.plainProfile()
        try snippets.purpose()
        try snippets.certificatePolicies()
        try snippets.longerPaths()
        try snippets.notStrict()
        try snippets.pinsWithBackup()
        try snippets.renewedCertificate()
        try snippets.twoAuthorities()
        try snippets.attributes()
        try snippets.hostRule()
        try snippets.revocationData()
        try snippets.anchorsFile()
        try snippets.publishedButOne()
        try snippets.reportedPublication()
    }

    /// Returns a trust object for a chain below the root.
    func trust(_ chain: [Certificate], _ host: String) throws -> Trust {
        var trust = Trust(presentedChain: chain, host: try Hostname(host))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(now)
        return trust
    }

    func show(_ name: String, _ verdict: TrustVerdict) {
        print("\(name): \(verdict.headline.map { $0.code.name } ?? verdict.result.rawValue)")
    }

    func exception() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try ExceptionStore(file: folder.appendingPathComponent("exceptions.json").path)
        let expired = CertificateTemplate.leaf("api.example.com").with { $0.notAfter = now.advanced(by: .days(-1)) }
        var trust = try trust([root.issue(expired).certificate], "api.example.com")
        show("expired", trust.evaluate())
        // snippet: exception
        // The user has read the failures and accepts exactly these,
        // for this certificate at this host, for a week.
        let agreed = try trust.evaluate().exceptions(
            expires: now.advanced(by: .days(7)))
        try store.add(agreed)
        trust.setExceptions(agreed)
        // end of snippet
        show("exception", trust.evaluate())
    }

    func privateAnchors() throws {
        let ourRoot = root.certificate
        let build = try root.issue(.leaf("build.corp.example")).certificate
        var trust = try trust([build], "build.corp.example")
        trust.anchors = .only([])
        // snippet: private-anchors
        // For this host, the path has to end in our root.
        // Other hosts keep the system's anchors.
        let manager = try ServerTrustManager(evaluators: [
            "build.corp.example": PinnedCertificatesTrustEvaluator(
                certificates: [ourRoot], acceptSelfSigned: true),
            "*.example.com": DefaultTrustEvaluator(),
        ])
        // end of snippet
        show("private-anchors", manager.evaluate(trust))
    }

    func pinnedLeaf() throws {
        let printer = try TestAuthority.selfSigned(.leaf("printer.corp.example")).certificate
        // snippet: pinned-leaf
        // Accepts exactly this certificate at this host, under its
        // name, and ignores its other failures.
        let manager = try ServerTrustManager(evaluators: [
            "printer.corp.example": PinnedCertificatesTrustEvaluator(
                certificates: [printer], performDefaultValidation: false)
        ])
        // end of snippet
        show("pinned-leaf", manager.evaluate(try trust([printer], "printer.corp.example")))
    }

    func pinnedLeafUnderAnyName() throws {
        let device = try TestAuthority.selfSigned(.leaf("device-4711")).certificate
        // snippet: pinned-leaf-under-any-name
        // Accepts exactly this certificate at this address, under any
        // name.
        let manager = try ServerTrustManager(evaluators: [
            "192.0.2.7": PinnedCertificatesTrustEvaluator(
                certificates: [device], performDefaultValidation: false,
                validateHost: false)
        ])
        // end of snippet
        show("pinned-leaf-under-any-name", manager.evaluate(try trust([device], "192.0.2.7")))
    }

    func expectedName() throws {
        let api = try root.issue(.leaf("api.example.com")).certificate
        // snippet: expected-name
        // The connection goes to the address, but the certificate has
        // to be valid for the server's name.
        let manager = try ServerTrustManager(evaluators: [
            "192.0.2.7": DefaultTrustEvaluator(
                expecting: Hostname("api.example.com"))
        ])
        // end of snippet
        show("expected-name", manager.evaluate(try trust([api], "192.0.2.7")))
    }

    func missingIntermediate() throws {
        let issuing = try root.intermediate(.authority("Issuing CA 1"))
        let issuingCA = issuing.certificate
        var trust = try trust([issuing.issue(.leaf("api.example.com")).certificate], "api.example.com")
        // snippet: missing-intermediate
        // Only a candidate for the path. The root still has to be
        // trusted.
        trust.intermediates = [issuingCA]
        // end of snippet
        show("missing-intermediate", trust.evaluate())
    }

    func verifyDate() throws {
        let early = CertificateTemplate.leaf("api.example.com").with { $0.notBefore = now.advanced(by: .seconds(60)) }
        var trust = try trust([root.issue(early).certificate], "api.example.com")
        let authenticatedTime = now.advanced(by: .hours(1))
        // snippet: verify-date
        // For a device whose clock isn't set yet: the date comes from
        // an authenticated source.
        trust.verifyDate = .at(authenticatedTime)
        // end of snippet
        show("verify-date", trust.evaluate())
    }

    func plainProfile() throws {
        let ourRoot = root.certificate
        var trust = try trust([root.issue(.leaf("api.example.com")).certificate], "api.example.com")
        // snippet: plain-profile
        // RFC 5280 without the public web's rules, only for
        // servers of this private CA.
        trust.policy.profile = .rfc5280
        trust.anchors = .only([ourRoot])
        // end of snippet
        show("plain-profile", trust.evaluate())
    }

    func purpose() throws {
        let ourRoot = root.certificate
        let client = CertificateTemplate.leaf("api.example.com").with { $0.extendedKeyUsage = [.clientAuth] }
        var trust = try trust([root.issue(client).certificate], "api.example.com")
        // snippet: purpose
        // A peer with a client certificate from our own CA.
        trust.policy.purpose = .clientAuth
        trust.anchors = .only([ourRoot])
        // end of snippet
        show("purpose", trust.evaluate())
    }

    func certificatePolicies() throws {
        var trust = try trust([root.issue(.leaf("api.example.com")).certificate], "api.example.com")
        guard let oldPolicy = OID("2.16.840.1.101.3.2.1.48.1"), let newPolicy = OID("2.16.840.1.101.3.2.1.48.2") else {
            return
        }
        // snippet: certificate-policies
        // The new issuing CA's policy is also acceptable.
        trust.policy.certificatePolicies.acceptable = [
            oldPolicy, newPolicy,
        ]
        // end of snippet
        show("certificate-policies", trust.evaluate())
    }

    func longerPaths() throws {
        let first = try root.intermediate(.authority("Policy CA"))
        let second = try first.intermediate(.authority("Issuing CA 1"))
        let leaf = try second.issue(.leaf("api.example.com")).certificate
        var trust = try trust([leaf, second.certificate, first.certificate], "api.example.com")
        // snippet: longer-paths
        // One more intermediate than before.
        trust.policy.maximumIntermediates = 2
        // end of snippet
        show("longer-paths", trust.evaluate())
    }

    func notStrict() throws {
        var trust = try trust([root.issue(.leaf("api.example.com")).certificate], "api.example.com")
        trust.policy.isStrict = true
        // snippet: not-strict
        // The strict rules are for CAs. Without them, the engine
        // validates the path as browsers do.
        trust.policy.isStrict = false
        // end of snippet
        show("not-strict", trust.evaluate())
    }

    func pinsWithBackup() throws {
        let api = try root.issue(.leaf("api.example.com")).certificate
        let next = try root.issue(.leaf("api.example.com")).certificate
        let (pinInService, pinInReserve) = (SPKIPin(api), SPKIPin(next))
        // snippet: pins-with-backup
        // The key in service, and a backup key that no server has.
        let manager = try ServerTrustManager(evaluators: [
            "api.example.com": SPKIPinsTrustEvaluator(
                SPKIPinSet(pins: [pinInService], backup: [pinInReserve]))
        ])
        // end of snippet
        show("pins-with-backup", manager.evaluate(try trust([api], "api.example.com")))
    }

    func renewedCertificate() throws {
        let current = try root.issue(.leaf("api.example.com")).certificate
        let renewed = try root.issue(.leaf("api.example.com")).certificate
        // snippet: renewed-certificate
        // Pin both certificates until the server has the new one.
        let manager = try ServerTrustManager(evaluators: [
            "api.example.com": PinnedCertificatesTrustEvaluator(
                certificates: [current, renewed])
        ])
        // end of snippet
        show("renewed-certificate", manager.evaluate(try trust([renewed], "api.example.com")))
    }

    func twoAuthorities() throws {
        let (currentCA, nextCA) = (root.certificate, try TestAuthority.root(.authority("Next Root")).certificate)
        let api = try root.issue(.leaf("api.example.com")).certificate
        // snippet: two-authorities
        // The current CA, and the CA that the server moves to.
        let manager = try ServerTrustManager(evaluators: [
            "api.example.com": CertificateAuthorityTrustEvaluator(
                authorities: [currentCA, nextCA])
        ])
        // end of snippet
        show("two-authorities", manager.evaluate(try trust([api], "api.example.com")))
    }

    func attributes() throws {
        let partnerCA = root.certificate
        let template = CertificateTemplate.leaf("partner.example.com").with { $0.organization = "Partner, Inc." }
        let partner = try root.issue(template).certificate
        // snippet: attributes
        // Fewer requirements for one host. The CA and organization
        // still have to match.
        let manager = try ServerTrustManager(evaluators: [
            "partner.example.com": CompositeTrustEvaluator(evaluators: [
                CertificateAuthorityTrustEvaluator(
                    authorities: [partnerCA]),
                AttributeTrustEvaluator([.organization("Partner, Inc.")]),
            ])
        ])
        // end of snippet
        show("attributes", manager.evaluate(try trust([partner], "partner.example.com")))
    }

    func hostRule() throws {
        let files = try root.issue(.leaf("files.example.com")).certificate
        // snippet: host-rule
        // A rule for one more host. Others are still refused.
        let manager = try ServerTrustManager(evaluators: [
            "api.example.com": DefaultTrustEvaluator(),
            "files.example.com": DefaultTrustEvaluator(),
        ])
        // end of snippet
        show("host-rule", manager.evaluate(try trust([files], "files.example.com")))
    }

    func revocationData() throws {
        var trust = try trust([root.issue(.leaf("api.example.com")).certificate], "api.example.com")
        let crl = try root.crl().der
        // snippet: revocation-data
        // A current CRL of the CA, fetched in advance. The revocation
        // check is still required.
        trust.revocation = .required
        trust.revocationData = RevocationData(crls: [crl])
        // end of snippet
        show("revocation-data", trust.evaluate())
    }

    func anchorsFile() throws {
        var trust = try trust([root.issue(.leaf("api.example.com")).certificate], "api.example.com")
        let bytes = root.certificate.der
        // snippet: anchors-file
        // For machines without roots, ship the anchors with the
        // program.
        let roots = try CertificateFile.certificates(
            in: bytes, name: "roots.pem")
        trust.anchors = .only(roots)
        // end of snippet
        show("anchors-file", trust.evaluate())
    }

    func publishedButOne() throws {
        let log = try TestLog("Our log", operatedBy: "Us")
        let logs = try CTLogList(json: TestLog.list([log]), now: now)
        let oldHost = try Hostname("old.example.com")
        let trust = try trust([root.issue(.leaf("old.example.com")).certificate], "old.example.com")
        // snippet: published-but-one
        // Certificates of public CAs have to be published, except for
        // one host. Its other checks still apply.
        let published = TransparencyTrustEvaluator(
            logs: logs, policy: .mozilla, mode: .require,
            exemptHosts: [HostPattern(oldHost)])
        // end of snippet
        show("published-but-one", published.evaluate(trust))
    }

    func reportedPublication() throws {
        var trust = try trust([root.issue(.leaf("api.example.com")).certificate], "api.example.com")
        // snippet: reported-publication
        // TrustVerdict.reported lists what require would refuse.
        trust.settings.transparency = TransparencySettings(
            logs: nil, policy: .mozilla, mode: .report)
        // end of snippet
        show("reported-publication", trust.evaluate())
    }
}
