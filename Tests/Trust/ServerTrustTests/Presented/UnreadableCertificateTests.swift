// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

@Suite("Unreadable issuers")
struct UnreadableCertificateTests {
    private static let junk: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x01]

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isNamed: Bool
        let chain: @Sendable (TrustScene) -> [[UInt8]]

        init(_ testDescription: String, isNamed: Bool, _ chain: @escaping @Sendable (TrustScene) -> [[UInt8]]) {
            self.testDescription = testDescription
            self.isNamed = isNamed
            self.chain = chain
        }
    }

    /// Returns a certificate with a byte after its signature, whose subject is readable.
    @Sendable private static func damaged(_ certificate: Certificate) -> [UInt8] {
        var der = certificate.der + [0]
        (der[2], der[3]) = (UInt8((der.count - 4) >> 8), UInt8((der.count - 4) & 0xff))
        return der
    }

    static let rows: [Row] = [
        Row("the issuer by its name", isNamed: true) { [$0.leaf.der, damaged($0.intermediate.certificate)] },
        Row("the issuer by its name, not next to the leaf", isNamed: true) {
            [$0.leaf.der, $0.root.certificate.der, damaged($0.intermediate.certificate)]
        },
        Row("bytes without a name after the leaf", isNamed: true) { [$0.leaf.der, junk] },
        Row("bytes without a name after another certificate", isNamed: false) {
            [$0.leaf.der, $0.root.certificate.der, junk]
        },
        Row("a certificate with another name after the leaf", isNamed: false) {
            [$0.leaf.der, damaged($0.root.certificate)]
        },
        Row("two certificates, of which the second is the issuer", isNamed: true) {
            [$0.leaf.der, damaged($0.root.certificate), damaged($0.intermediate.certificate)]
        },
        Row("nothing unreadable", isNamed: false) { [$0.leaf.der] },
        Row("the issuer is the sixteenth", isNamed: true) {
            [$0.leaf.der, $0.root.certificate.der] + Array(repeating: junk, count: 15)
                + [damaged($0.intermediate.certificate)]
        },
        Row("the issuer is the seventeenth", isNamed: false) {
            [$0.leaf.der, $0.root.certificate.der] + Array(repeating: junk, count: 16)
                + [damaged($0.intermediate.certificate)]
        },
        Row("the issuer after more junk than any server sends", isNamed: false) {
            [$0.leaf.der, $0.root.certificate.der] + Array(repeating: junk, count: 500)
                + [damaged($0.intermediate.certificate)]
        },
    ]

    @Test("An unreadable presented issuer is the headline, in addition to the unknown issuer", arguments: rows)
    func presented(row: Row) throws {
        let scene = try TrustScene()
        let verdict = scene.trust(presented: PresentedChain(der: row.chain(scene))).evaluate()
        #expect(verdict.codes == (row.isNamed ? [.issuerUnreadable, .unknownIssuer] : [.unknownIssuer]))
        #expect(verdict.result == .recoverableFailure && verdict.rejectedPaths.first?.failures == verdict.failures)
        guard row.isNamed else { return }
        #expect(verdict.headline?.certificate == 0)
        #expect(verdict.headline?.expected == verdict.failures.last?.found)
        let advice = verdict.advice(presented: PresentedChain(der: row.chain(scene)))
        #expect(!advice.contains { $0.subject == .failure(.unknownIssuer) })
        #expect(advice.contains { $0.subject == .failure(.issuerUnreadable) })
    }

    @Test("A valid path doesn't name unreadable certificates")
    func unneeded() throws {
        let scene = try TrustScene()
        let intermediate = scene.intermediate.certificate
        let chain = PresentedChain(der: [scene.leaf.der, Self.damaged(intermediate), intermediate.der])
        #expect(scene.trust(presented: chain).evaluate().isTrusted)
    }

    @Test("A user who agrees to the failures still reaches the server")
    func exceptions() throws {
        let scene = try TrustScene()
        let chain = PresentedChain(der: [scene.leaf.der, Self.junk])
        var trust = scene.trust(presented: chain)
        let agreed = try trust.evaluate().exceptions()
        trust.setExceptions(agreed)
        #expect(trust.evaluate().isTrusted)
    }

    @Test(
        "The verdict names a caller's unreadable certificate only if its name is the issuer's, and a refusal stays a refusal"
    )
    func given() throws {
        let scene = try TrustScene()
        let verdict = scene.trust([scene.leaf]).evaluate()
        func unreadable(_ der: [UInt8]) -> [UnreadableCertificate] {
            guard case .failure(let error) = Result(catching: { () throws(DERError) in try Certificate(der: der) })
            else { return [] }
            return [UnreadableCertificate("anchors[0]", at: 0, der: der, error)]
        }
        let named = verdict.naming(unreadableIssuers: unreadable(Self.damaged(scene.intermediate.certificate)))
        #expect(named.codes == [.issuerUnreadable, .unknownIssuer] && named.result == verdict.result)
        #expect(named.naming(unreadableIssuers: unreadable(Self.damaged(scene.intermediate.certificate))) == named)
        for der in [Self.junk, Self.damaged(scene.root.certificate)] {
            #expect(verdict.naming(unreadableIssuers: unreadable(der)) == verdict)
        }
        // A decoded record may contain any index.
        for index in [-1, 1, Int.max] {
            var outside = verdict
            outside.failures = [TrustFailure(.unknownIssuer, certificate: index, role: .leaf)]
            let issuers = unreadable(Self.damaged(scene.intermediate.certificate))
            #expect(outside.naming(unreadableIssuers: issuers) == outside)
        }
        let trusted = scene.trust().evaluate()
        #expect(trusted.naming(unreadableIssuers: unreadable(Self.damaged(scene.root.certificate))) == trusted)
    }
}
