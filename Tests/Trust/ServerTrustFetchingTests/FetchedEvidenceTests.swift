// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Fetched evidence")
struct FetchedEvidenceTests {
    @Test("The cache doesn't remember a verdict that would retain a large fetched CRL", arguments: [10, 5000])
    func fetchedLists(_ count: Int) throws {
        let scene = try FetchingRevocationScene()
        let list = try scene.root.identity.crl { template in
            for number in 0..<count {
                template.entries.append(TestCRL.Entry(serialNumber: [1, UInt8(number / 256), UInt8(number % 256)]))
            }
        }
        let memory = VerdictMemory()
        var trust = try scene.trust(.required)
        trust.revocationData.add(.crl(try CertificateRevocationList(der: list.der)))
        #expect(trust.evaluate(rememberingIn: memory).isTrusted)
        #expect(memory.count == (count == 10 ? 1 : 0))
        // A CRL that the caller retains anyway costs nothing.
        trust.revocationData = RevocationData(lists: [try CertificateRevocationList(der: list.der)])
        memory.removeAll()
        #expect(trust.evaluate(rememberingIn: memory).isTrusted)
        #expect(memory.count == 1)
    }

    // MARK: Before a delegate's acceptance

    @Test("The manager fetches a server's revocation data before a delegate's acceptance counts")
    func fetchedRevocation() async throws {
        for isRevoked in [true, false] {
            let scene = try FetchingRevocationScene(ocsp: false)
            scene.fetcher[FetchingRevocationScene.crlURL] = try scene.crl { [leaf = scene.leaf] list in
                if isRevoked { list.revoke(leaf) }
            }
            let name = "other.example.com"
            let manager = try ServerTrustManager(evaluators: [name: DefaultTrustEvaluator()])
            let observer = RecordingObserver()
            manager.events.add(observer)
            var trust = try Trust.lab([scene.leaf], anchors: [scene.root.certificate], host: name)
            trust.revocation = .bestEffort
            let verdict = await manager.evaluateFetching(trust, delegate: .accept, from: scene.resources)
            #expect(verdict.fetched.map(\.url) == [FetchingRevocationScene.crlURL])
            #expect(verdict.isTrusted == !isRevoked && verdict.isAcceptedByDelegate == !isRevoked)
            #expect(verdict.codes.contains(.certificateRevoked) == isRevoked)
            #expect(verdict.checked.contains(.revocation))
            #expect(observer.kinds == (isRevoked ? [.evaluated, .refused] : [.evaluated, .exception, .delegate]))
        }
    }

    @Test("If the issuer is fetched, nothing is left for a delegate to overrule")
    func fetchedIssuer() async throws {
        let scene = try MissingIssuerScene()
        let manager = try ServerTrustManager(evaluators: [TrustScene.name: DefaultTrustEvaluator()])
        let decisions: [(DelegateDecision, TrustResultType)] = [
            (.accept, .unspecified), (.defaultHandling, .unspecified), (.refuse(expected: "consent"), .fatalFailure),
        ]
        for (decision, result) in decisions {
            let verdict = await manager.evaluateFetching(try scene.trust(), delegate: decision, from: scene.resources)
            #expect(verdict.result == result && !verdict.isAcceptedByDelegate)
        }
    }
}
