// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Verdicts on certificates without revocation information, and on evidence that is too old.
@Suite("Exemptions from revocation checks")
struct RevocationExemptionPolicyTests {
    let root: TestAuthority
    let leaf: TestIdentity
    let short: TestIdentity

    init() throws {
        root = try .root()
        leaf = try root.issue(.leaf("www.example.com"))
        short = try root.issue(
            .leaf("www.example.com").with {
                $0.notBefore = TestAuthority.now.advanced(by: -86_400)
                $0.notAfter = TestAuthority.now.advanced(by: 86_400)
            })
    }

    private func trust(_ leaf: TestIdentity, _ change: (inout TrustSettings) -> Void = { _ in }) throws -> Trust {
        var settings = TrustSettings()
        settings.anchors = .only([root.certificate])
        settings.verifyDate = .at(TestAuthority.now)
        settings.revocation = .required
        change(&settings)
        return Trust(
            presentedChain: PresentedChain([leaf.certificate]), host: try Hostname("www.example.com"),
            settings: settings)
    }

    @Test("A required check accepts an exempt leaf, but the verdict doesn't call it checked or good")
    func required() throws {
        let verdict = try trust(short) { $0.revocation.shortLivedExemption = .all }.evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.revocation.map(\.status) == [.exempt(.shortLived)])
        #expect(verdict.revocation.first?.source == nil)
        #expect(!verdict.checked.contains(.revocation) && verdict.notChecked.contains(.revocation))
        #expect(verdict.revocationGaps.isEmpty && verdict.warnings.isEmpty)
        // By default, not with a private anchor, and never with a longer validity.
        #expect(try trust(short).evaluate().failures.map(\.code) == [.revocationUnavailable])
        let long = try trust(leaf) { $0.revocation.shortLivedExemption = .all }.evaluate()
        #expect(long.failures.map(\.code) == [.revocationUnavailable])
    }

    @Test("A revocation refuses an exempt leaf")
    func revoked() throws {
        let list = try CertificateRevocationList(der: root.crl { $0.revoke(short.certificate) }.der)
        for check in [RevocationPolicy.Mode.bestEffort, .required] {
            let verdict = try trust(short) {
                $0.revocation.mode = check
                $0.revocation.shortLivedExemption = .all
                $0.revocationData = RevocationData(lists: [list])
            }.evaluate()
            #expect(verdict.failures.map(\.code) == [.certificateRevoked])
        }
    }

    @Test("The evaluation doesn't fetch evidence about an exempt leaf")
    func needs() throws {
        let named = try root.issue(
            .leaf("www.example.com").with {
                $0.notBefore = TestAuthority.now.advanced(by: -86_400)
                $0.notAfter = TestAuthority.now.advanced(by: 86_400)
                $0.ocspResponders = ["http://ocsp.test/"]
            })
        for (anchors, count) in [(RevocationPolicy.Anchors.all, 0), (.none, 1)] {
            let trust = try trust(named) { $0.revocation.shortLivedExemption = anchors }
            #expect(trust.revocationNeeds(after: trust.evaluate()).count == count)
        }
    }

    @Test("A remembered verdict ends when its evidence becomes too old")
    func memory() throws {
        let memory = VerdictMemory()
        let list = try CertificateRevocationList(
            der: root.crl {
                $0.thisUpdate = TestAuthority.now.advanced(by: -100)
                $0.nextUpdate = TestAuthority.now.advanced(by: 86_400)
            }.der)
        func verdict(after seconds: Int64) throws -> TrustVerdict {
            try trust(leaf) {
                $0.revocationData = RevocationData(lists: [list])
                $0.revocation.maximumAge = .init(leaf: .seconds(200), authority: .seconds(200), anchors: .all)
                $0.verifyDate = .at(TestAuthority.now.advanced(by: seconds))
            }.evaluate(rememberingIn: memory)
        }
        let first = try verdict(after: 0)
        #expect(first.isTrusted && first.unchangedUntil == TestAuthority.now.advanced(by: 100))
        #expect(try verdict(after: 100).isTrusted)
        let late = try verdict(after: 101)
        #expect(late.failures.map(\.code) == [.revocationUnavailable])
        #expect(late.failures.first?.found == .list(["crlTooOld"]))
    }
}
