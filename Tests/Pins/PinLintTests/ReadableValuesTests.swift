// SPDX-License-Identifier: Apache-2.0

import PinLint
import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@Suite("Readable values for callers") struct ReadableValuesTests {
    private static let android = """
        <network-security-config><domain-config>
        <domain includeSubdomains="true">example.com</domain>
        <pin-set expiration="2027-03-31"><pin digest="SHA-256">{LEAF}</pin><pin digest="SHA-256">{CA}</pin></pin-set>
        </domain-config></network-security-config>
        """

    @Test("A rule's description contains its hosts, its pins and what happens when it expires")
    func rule() throws {
        let scene = try PinFixture.shared()
        let text = scene.filled(Self.android)
        let sources = PinLintSource.sources(reading: Array(text.utf8), file: "config.xml")
        let rule = try #require(sources.first?.configuration?.rules.first)
        #expect(sources.first?.file == "config.xml" && sources.first?.format == .android)
        #expect(rule.hosts.map(\.name.description) == ["example.com"])
        #expect(rule.hosts.map(\.includesName) == [true] && rule.hosts.map(\.below) == [.anyDepth])
        #expect(rule.mode == .enforced && rule.location?.file == "config.xml")
        #expect(rule.pins.map(\.value) == [.key(SPKIPin(scene.leaf)), .key(SPKIPin(scene.authority.certificate))])
        #expect(rule.expiry?.onExpiry == .failOpen)
        #expect(rule.expiry.map { $0.hasPassed(at: $0.time.advanced(by: 1)) && !$0.hasPassed(at: $0.time) } == true)
        #expect(rule.description == "**.example.com: 2 pins, enforced, until 2027-03-31T00:00:00Z, then unpinned")
    }

    @Test("A probed server's description contains its certificates, their validation and its response")
    func probedServer() throws {
        let scene = try PinFixture.shared()
        let valid = ProbedServer(
            presentedChain: PresentedChain(scene.chain), validation: .valid(paths: [scene.chain]),
            response: ProbedServer.Response(status: 301, location: "https://example.org/"))
        #expect(valid.presentedChain.leaf == scene.leaf && valid.validation == .valid(paths: [scene.chain]))
        #expect(valid.response?.status == 301 && valid.response?.location == "https://example.org/")
        #expect(valid.description == "2 certificates, 1 valid path, status 301")
        let refused = ProbedServer(
            presentedChain: PresentedChain([scene.leaf]), validation: .failed(TrustFailure(.unknownIssuer)),
            interruption: "closed")
        #expect(refused.interruption == "closed" && refused.response == nil)
        #expect(
            refused.description.hasPrefix("1 certificate, ") && refused.description.hasSuffix("[unknownIssuer], closed")
        )
    }
}
