// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustHTTP
import Testing

@testable import ServerTrustTesting

@Suite("The public web preset with revocation checks")
struct FetchingPresetTests {
    private static let host = "www.example.com"

    /// Returns the verdict on a server whose only responder is on loopback. The preset's fetcher doesn't connect there.
    private func verdict(_ preset: ServerTrustConfiguration, staple isRevoked: Bool? = nil) async throws -> TrustVerdict
    {
        let root = try TestAuthority.root()
        let leaf = try root.issue(
            .leaf(Self.host).with { $0.ocspResponders = ["http://127.0.0.1:1/ocsp"] })
        var configuration = preset
        configuration.anchors = .only([root.certificate])
        configuration.verifyDate = .at(TestAuthority.now)
        var chain = PresentedChain(root.chain(leaf))
        if let isRevoked {
            chain.staple = .given(
                try root.ocspResponse { $0.add(leaf.certificate, isRevoked ? .revoked : .good) }.der)
        }
        return await configuration.evaluate(chain, host: try Hostname(Self.host))
    }

    @Test("The preset contains the policy, a source of evidence, the system's anchors and a rule for every host")
    func settings() throws {
        let preset = ServerTrustConfiguration.publicWeb(revocation: .required)
        #expect(preset.revocation == .required)
        #expect(preset.warnings.isEmpty)
        #expect(!preset.manager.allHostsMustBeEvaluated)
        #expect(preset.anchors.lists == TrustAnchors.system.lists)
        let source = try #require(preset.fetching as? TrustFetchCoordinator)
        let other = ServerTrustConfiguration.publicWeb(revocation: .bestEffort)
        #expect(other.revocation == .bestEffort)
        #expect(try #require(other.fetching as? TrustFetchCoordinator) !== source)
    }

    @Test(
        "The fetcher refuses loopback, so a required revocation check refuses the server, and best effort reports the gap"
    )
    func loopback() async throws {
        let required = try await verdict(.publicWeb(revocation: .required))
        #expect(required.failures.map(\.code) == [.revocationUnavailable])
        #expect(required.fetched.map(\.failure?.code) == [.fetchForbiddenAddress])
        let bestEffort = try await verdict(.publicWeb(revocation: .bestEffort))
        #expect(bestEffort.isTrusted)
        #expect(bestEffort.fetched.map(\.failure?.code) == [.fetchForbiddenAddress])
        #expect(!bestEffort.revocationGaps.isEmpty)
        let off = try await verdict(.publicWeb(revocation: .off))
        #expect(off.isTrusted && off.fetched.isEmpty && off.notChecked.contains(.revocation))
    }

    @Test("The preset follows a staple without fetching, whether the staple says revoked or good")
    func staple() async throws {
        let revoked = try await verdict(.publicWeb(revocation: .required), staple: true)
        #expect(revoked.failures.map(\.code) == [.certificateRevoked])
        let good = try await verdict(.publicWeb(revocation: .required), staple: false)
        #expect(good.isTrusted && good.fetched.isEmpty && good.checked.contains(.revocation))
    }

    @Test("A list of distrusted roots also applies with the preset")
    func conditions() async throws {
        let root = try TestAuthority.root()
        let list = try RootList(
            Array(
                """
                { "schemaVersion": 1, "program": "Test", "date": "2026-11-01", "complete": false, "roots": {},
                  "distrusted": ["\(Hex.encode(root.certificate.sha256))"] }
                """.utf8))
        let preset = ServerTrustConfiguration.publicWeb(revocation: .off, conditions: list)
        if (try? TrustAnchors.system.count) != nil { #expect(preset.anchors.lists.contains("Test, 2026-11-01")) }
        #expect(preset.fetching != nil)
        var configuration = preset
        configuration.verifyDate = .at(TestAuthority.now)
        let chain = PresentedChain(root.chain(try root.issue(.leaf(Self.host))))
        #expect(await !configuration.evaluate(chain, host: try Hostname(Self.host)).isTrusted)
    }
}
