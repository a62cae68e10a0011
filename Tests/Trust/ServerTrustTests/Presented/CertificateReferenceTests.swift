// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

@Suite("References to certificates")
struct CertificateReferenceTests {
    private static let junk: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x01]
    private let scene: TrustScene
    private let other: Certificate

    init() throws {
        scene = try TrustScene()
        other = try TestAuthority.root(.authority("Other \u{202e}\"Root\"\n")).certificate
    }

    private var intermediate: Certificate { scene.intermediate.certificate }

    @Test("The number is the certificate's place in the order sent, and unreadable certificates count")
    func numbers() {
        let chains: [(der: [[UInt8]], words: String)] = [
            ([scene.leaf.der, intermediate.der], "certificate sent as number 2"),
            ([scene.leaf.der, Self.junk, intermediate.der], "certificate sent as number 3"),
            ([scene.leaf.der, Self.junk, other.der, Self.junk, intermediate.der], "certificate sent as number 5"),
            ([scene.leaf.der, intermediate.der, Self.junk, intermediate.der], "certificate sent as number 2"),
            ([Self.junk, intermediate.der], "certificate sent as number 2"),
            ([Self.junk, Self.junk, Self.junk, intermediate.der, Self.junk], "certificate sent as number 4"),
        ]
        for (der, words) in chains {
            #expect(PresentedChain(der: der, memory: nil).reference(to: intermediate) == words)
        }
        let last = PresentedChain(der: [scene.leaf.der, Self.junk, Self.junk], memory: nil)
        #expect(last.unreadable.map(\.place) == ["certificate sent as number 2", "certificate sent as number 3"])
    }

    @Test("A certificate that wasn't sent has a name and no number, and its name can't change the line")
    func names() {
        let chain = PresentedChain(scene.chain)
        #expect(chain.reference(to: scene.root.certificate, .anchor) == "certificate \"Test Root\" (anchor)")
        let hostile = chain.reference(to: other)
        #expect(hostile.count { $0 == "\"" } == 2)
        #expect(hostile.hasPrefix("certificate \"Other ") && !hostile.contains("\n") && !hostile.contains("\u{202e}"))
    }

    @Test("A failure's message refers to the certificate as it was sent, whatever its place in the path")
    func messages() throws {
        let expired = try TrustScene(
            intermediate: .authority("Test Intermediate").until(TestAuthority.now.advanced(by: -60)))
        let sent = [expired.leaf, other, expired.intermediate.certificate]
        let verdict = expired.trust(sent).evaluate()
        let failure = try #require(verdict.headline)
        #expect(failure.code == .certificateExpired && failure.certificate == 1)
        #expect(failure.message.hasPrefix("certificate 1 (intermediate) expired "))
        let chain = PresentedChain(sent)
        #expect(
            failure.message(on: verdict.path, sentIn: chain)
                .hasPrefix("certificate sent as number 3 (intermediate) expired "))
        #expect(failure.message(on: [], sentIn: chain).hasPrefix("the intermediate expired "))
        let supplied = failure.message(on: verdict.path, sentIn: PresentedChain([expired.leaf]))
        #expect(supplied.hasPrefix("certificate \"Test Intermediate\" (intermediate) expired "))
    }

    @Test("Advice names the numbers to delete from the chain's file")
    func advice() {
        let root = scene.root.certificate
        let der = [scene.leaf.der, Self.junk, other.der, intermediate.der, root.der, intermediate.der]
        let chain = PresentedChain(der: der, memory: nil)
        let verdict = scene.trust(presented: chain).evaluate()
        #expect(verdict.isTrusted)
        let advice = verdict.advice(presented: chain).map(\.text)
        #expect(advice.contains("Send each certificate only once: number 6 is a copy of number 4."))
        #expect(
            advice.contains { $0.hasPrefix("Leave the root, the certificate sent as number 5, out of the chain. ") })
        #expect(advice.contains { $0.hasPrefix("Remove the certificate sent as number 3 from the chain: ") })
        #expect(advice.contains("Remove the certificate sent as number 2 from the chain. It can't be read."))
    }

    @Test("Warnings refer to certificates as they were sent")
    func warnings() {
        let chain = PresentedChain(der: [scene.leaf.der, Self.junk, intermediate.der], memory: nil)
        let verdict = scene.trust(presented: chain) { $0.revocation = .bestEffort }.evaluate()
        #expect(verdict.warnings.contains { $0.hasPrefix("certificate sent as number 2 left out: ") })
        #expect(
            verdict.warnings.contains {
                $0.hasPrefix(
                    "no revocation check of certificate sent as number 1 (leaf), certificate sent as number 3 (intermediate): "
                )
            })
    }
}
