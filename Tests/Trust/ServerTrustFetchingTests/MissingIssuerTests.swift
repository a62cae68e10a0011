// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// A leaf, two CAs and a root. Every certificate names its issuer's address, and the server sends only the leaf.
struct MissingIssuerScene {
    static let upperURL = "http://ca.example.com/upper.cer"
    static let lowerURL = "http://ca.example.com/lower.p7c"
    static let rootURL = "http://ca.example.com/root.cer"

    let root: TestAuthority
    let upper: TestAuthority
    let lower: TestAuthority
    let leaf: Certificate
    let fetcher = CannedFetcher()
    let resources: TrustFetchCoordinator

    init(limits: TrustResourceLimits = .patient, _ change: (inout CertificateTemplate) -> Void = { _ in })
        throws
    {
        self.root = try .root()
        self.upper = try root.intermediate(.authority("Upper").with { $0.caIssuers = [Self.rootURL] })
        self.lower = try upper.intermediate(.authority("Lower").with { $0.caIssuers = [Self.upperURL] })
        self.leaf = try lower.issue(
            .leaf(TrustScene.name).with {
                $0.caIssuers = ["ldap://ca.example.com/lower", Self.lowerURL]
                change(&$0)
            }
        ).certificate
        fetcher[Self.upperURL] = .bytes(upper.certificate.der)
        fetcher[Self.lowerURL] = .bytes(lower.certificate.der)
        self.resources = TrustFetchCoordinator(fetcher: fetcher, limits: limits, clock: { TestAuthority.now })
    }

    func trust(_ others: [Certificate] = [], anchors: [Certificate]? = nil) throws -> Trust {
        try Trust.lab([leaf] + others, anchors: anchors ?? [root.certificate], host: TrustScene.name)
    }

    var path: [Certificate] { [leaf, lower.certificate, upper.certificate, root.certificate] }
}

@Suite struct MissingIssuerTests {
    @Test("The manager fetches missing issuers once and remembers them")
    func issuersThatAreMissingAreFetchedOnceAndThenKnown()
        async throws
    {
        let scene = try MissingIssuerScene()
        let trust = try scene.trust()
        let first = await trust.evaluate(fetching: scene.resources)
        #expect(first.result == .unspecified)
        #expect(first.path == scene.path)
        #expect(first.fetched.map(\.url) == [MissingIssuerScene.lowerURL, MissingIssuerScene.upperURL])
        #expect(first.fetched.map(\.source) == [.network, .network])
        let second = await trust.evaluate(fetching: scene.resources)
        #expect(second.path == scene.path)
        #expect(second.fetched.map(\.source) == [.memory, .memory])
        #expect(scene.fetcher.count == 2)
    }

    @Test("The manager fetches an unreadable presented issuer as if it were missing")
    func anUnreadableIssuerIsFetched() async throws {
        let scene = try MissingIssuerScene()
        var trust = Trust(
            presentedChain: PresentedChain(der: [scene.leaf.der, [0x30, 0]]), host: try Hostname(TrustScene.name))
        trust.settings = try scene.trust().settings
        #expect(trust.evaluate().codes == [.issuerUnreadable, .unknownIssuer])
        #expect(await trust.evaluate(fetching: scene.resources).path == scene.path)
    }

    @Test("The manager fetches nothing by default") func withoutAskingForItNothingIsFetched() throws {
        let scene = try MissingIssuerScene()
        let trust = try scene.trust()
        let verdict = trust.evaluate()
        #expect(verdict.codes == [.unknownIssuer])
        #expect(verdict.fetched.isEmpty)
        var configuration = ServerTrustConfiguration(
            try ServerTrustManager(evaluators: [TrustScene.name: DefaultTrustEvaluator()]))
        configuration.fetching = scene.resources
        configuration.anchors = trust.anchors
        configuration.verifyDate = trust.verifyDate
        #expect(
            configuration.evaluateWithoutFetching(trust.presentedChain, host: try Hostname(TrustScene.name)).codes == [
                .unknownIssuer
            ])
        #expect(scene.fetcher.count == 0)
    }

    @Test("The manager and the configuration fetch evidence, and send each event once")
    func theManagerAndItsConfigurationFetchAndTellOnce() async throws {
        let scene = try MissingIssuerScene()
        let manager = try ServerTrustManager(evaluators: [TrustScene.name: DefaultTrustEvaluator()])
        let observer = RecordingObserver()
        manager.events.add(observer)
        var configuration = ServerTrustConfiguration(manager)
        configuration.anchors = .only([scene.root.certificate])
        configuration.verifyDate = .at(TestAuthority.now)
        let (chain, host) = (PresentedChain([scene.leaf]), try Hostname(TrustScene.name))
        #expect(await configuration.evaluate(chain, host: host).codes == [.unknownIssuer])
        configuration.fetching = scene.resources
        let verdict = await configuration.evaluate(chain, host: host)
        #expect(verdict.isTrusted && verdict.fetched.count == 2)
        #expect(observer.kinds == [.evaluated, .refused, .evaluated])
        let other = await configuration.evaluate(chain, host: try Hostname("other.example"))
        #expect(other.codes == [.hostNotListed])
        #expect(other.fetched.isEmpty)
    }

    @Test("A fetched certificate isn't trusted just because it was fetched") func aFetchedCertificateGainsNoTrust()
        async throws
    {
        let scene = try MissingIssuerScene()
        scene.fetcher[MissingIssuerScene.rootURL] = .bytes(scene.root.certificate.der)
        let trust = try scene.trust(anchors: [TrustLab.unrelatedRoot().certificate])
        let verdict = await trust.evaluate(fetching: scene.resources)
        #expect(!verdict.isTrusted)
        #expect(verdict.codes == [.untrustedRoot])
        #expect(scene.fetcher.count == 3)
    }

    @Test("A fetched certificate with the issuer's name but another key isn't an issuer")
    func whatAStrangerServesUnderTheIssuersNameIsNoIssuer() async throws {
        let scene = try MissingIssuerScene()
        let forger = try TestAuthority.root().intermediate(.authority("Lower"))
        scene.fetcher[MissingIssuerScene.lowerURL] = .bytes(forger.certificate.der)
        let verdict = await (try scene.trust(anchors: [scene.root.certificate, forger.path[1]]))
            .evaluate(fetching: scene.resources)
        #expect(!verdict.isTrusted)
        #expect(verdict.codes.contains(.signatureInvalid))
    }

    @Test("The evaluation uses all certificates in a fetched bundle") func aBundleBringsAllItsCertificates()
        async throws
    {
        let scene = try MissingIssuerScene()
        let members = [scene.lower.certificate.der, scene.upper.certificate.der]
        scene.fetcher[MissingIssuerScene.lowerURL] = .bytes(certsOnly(members))
        let verdict = await (try scene.trust()).evaluate(fetching: scene.resources)
        #expect(verdict.path == scene.path)
        #expect(scene.fetcher.count == 1)
    }

    @Test("An endless chain of issuers stops at the limit") func aLadderWithoutEndIsLeft() async throws {
        var limits = TrustResourceLimits.patient
        limits.maximumIssuerRounds = 3
        let fetcher = CannedFetcher()
        var authority = try TestAuthority.root(.authority("Top"))
        for level in 0..<10 {
            authority = try authority.intermediate(
                .authority("Level \(level)").with { $0.caIssuers = ["http://ca.example/\(level)"] })
            fetcher["http://ca.example/\(level + 1)"] = .bytes(authority.certificate.der)
        }
        let leaf = try authority.issue(.leaf(TrustScene.name).with { $0.caIssuers = ["http://ca.example/10"] })
        let resources = TrustFetchCoordinator(fetcher: fetcher, limits: limits, clock: { TestAuthority.now })
        let trust = try Trust.lab([leaf.certificate], anchors: [authority.path.last ?? authority.certificate])
        #expect(await !trust.evaluate(fetching: resources).isTrusted)
        #expect(fetcher.count == 3)
    }

    @Test("The search terminates if two issuers point to each other") func twoThatPointAtEachOtherAreLeft() async throws
    {
        let (keyA, keyB) = (TestKey.p256(), TestKey.p256())
        let a = try TestAuthority.root(.authority("A"), key: keyA)
        let b = try TestAuthority.root(.authority("B"), key: keyB)
        let aByB = try b.intermediate(.authority("A").with { $0.caIssuers = ["http://ca.example/b"] }, key: keyA)
        let bByA = try a.intermediate(.authority("B").with { $0.caIssuers = ["http://ca.example/a"] }, key: keyB)
        let leaf = try aByB.issue(.leaf(TrustScene.name).with { $0.caIssuers = ["http://ca.example/a"] })
        let fetcher = CannedFetcher([
            "http://ca.example/a": .bytes(aByB.certificate.der), "http://ca.example/b": .bytes(bByA.certificate.der),
        ])
        let resources = TrustFetchCoordinator(fetcher: fetcher, limits: .patient, clock: { TestAuthority.now })
        let trust = try Trust.lab([leaf.certificate], anchors: [TrustLab.unrelatedRoot().certificate])
        let verdict = await trust.evaluate(fetching: resources)
        #expect(verdict.codes == [.unknownIssuer])
        #expect(fetcher.count == 2)
    }

    @Test("The number of fetched addresses stays within the limit") func noMoreAddressesAreAskedThanAllowed()
        async throws
    {
        var limits = TrustResourceLimits.patient
        limits.maximumFetchesPerEvaluation = 4
        let scene = try MissingIssuerScene(limits: limits) {
            $0.caIssuers = (0..<50).map { "http://victim\($0).example/" }
        }
        let verdict = await (try scene.trust()).evaluate(fetching: scene.resources)
        #expect(!verdict.isTrusted)
        #expect(scene.fetcher.count == 4)
        #expect(verdict.fetched.count == 4)
        #expect(Set(verdict.fetched.map(\.failure?.code)) == [.fetchStatus])
    }

    @Test("A failure of the leaf itself doesn't trigger a fetch")
    func whatIsWrongWithTheLeafItselfIsNotCuredByFetching()
        async throws
    {
        let scene = try MissingIssuerScene { $0.notAfter = TestAuthority.now.advanced(by: -1) }
        #expect(await !(try scene.trust()).evaluate(fetching: scene.resources).isTrusted)
        let trust = Trust(presentedChain: [scene.leaf], host: try Hostname("other.example"))
        #expect(await !trust.evaluate(fetching: scene.resources).isTrusted)
        #expect(scene.fetcher.count == 0)
    }

    @Test("A path that a rule refuses doesn't trigger a fetch of issuers") func aPathThatARuleRefusesIsAPath()
        async throws
    {
        let scene = try MissingIssuerScene()
        let trust = try scene.trust([scene.lower.certificate, scene.upper.certificate])
        let verdict = try await TrustScene.otherPins().evaluate(trust, fetching: scene.resources)
        #expect(verdict.codes == [.pinNotMatched])
        #expect(scene.fetcher.count == 0)
    }

    @Test("A fetched intermediate replaces an expired one") func anIntermediateThatHasExpiredIsReplaced()
        async throws
    {
        let scene = try MissingIssuerScene()
        let expired = try scene.lower.crossSigned(by: scene.upper) { $0.notAfter = TestAuthority.now.advanced(by: -1) }
        let trust = try scene.trust([expired.certificate, scene.upper.certificate])
        #expect(trust.evaluate().codes == [.certificateExpired])
        let verdict = await trust.evaluate(fetching: scene.resources)
        #expect(verdict.path == scene.path)
        #expect(scene.fetcher.requests.contains { $0.url == MissingIssuerScene.lowerURL })
    }

    @Test("A fetched cross-certificate avoids an untrusted root") func aRootThatNobodyTrustsIsGoneAround()
        async throws
    {
        let scene = try MissingIssuerScene()
        // The server sends a chain to its own root. Another certificate of the CA leads to a known root.
        let oldRoot = try TestAuthority.root(.authority("Old Root"))
        let underOld = try scene.lower.crossSigned(by: oldRoot)
        let verdict = await (try scene.trust([underOld.certificate, oldRoot.certificate])).evaluate(
            fetching: scene.resources)
        #expect(verdict.path == scene.path)
    }

    @Test(
        "A slow server delays an evaluation only until its timeout", .timeLimit(.minutes(10)),
        arguments: [CannedFetcher.Answer.deaf, .held([]), .slow(.seconds(60), [])])
    func aSlowServerCostsTheEvaluationItsTimeAndNoMore(_ answer: CannedFetcher.Answer) async throws {
        var limits = TrustResourceLimits.patient
        limits.evaluationTimeout = .milliseconds(50)
        let scene = try MissingIssuerScene(limits: limits)
        scene.fetcher[MissingIssuerScene.lowerURL] = answer
        let verdict = await (try scene.trust()).evaluate(fetching: scene.resources)
        #expect(verdict.codes == [.unknownIssuer])
        #expect(verdict.fetched.map(\.failure?.code) == [.fetchTimedOut])
        scene.fetcher.release()
    }

    @Test("A canceled evaluation still returns a verdict") func anEvaluationThatIsCancelledEndsWithAVerdict()
        async throws
    {
        let scene = try MissingIssuerScene()
        scene.fetcher[MissingIssuerScene.lowerURL] = .held([])
        let trust = try scene.trust()
        let task = Task { await trust.evaluate(fetching: scene.resources) }
        #expect(await eventually { scene.fetcher.count == 1 })
        task.cancel()
        let verdict = await task.value
        #expect(verdict.codes == [.unknownIssuer])
        #expect(verdict.fetched.map(\.failure?.code) == [.fetchCancelled])
        #expect(await eventually { scene.fetcher.cancelled == 1 })
    }

    @Test("A fetch record survives a JSON round trip") func aRecordOfWhatWasFetchedSurvivesJSON() async throws {
        let scene = try MissingIssuerScene()
        scene.fetcher[MissingIssuerScene.upperURL] = .failure(.fetchForbiddenAddress)
        let verdict = await (try scene.trust()).evaluate(fetching: scene.resources)
        #expect(verdict.fetched.map(\.failure?.code) == [nil, .fetchForbiddenAddress])
        #expect(
            try JSONDecoder().decode(TrustVerdict.self, from: JSONEncoder().encode(verdict)).fetched == verdict.fetched)
    }
}

/// A certs-only message (RFC 5652 § 5) of about a hundred bytes to 64 KiB.
private func certsOnly(_ members: [[UInt8]]) -> [UInt8] {
    func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        return [tag]
            + (count < 0x80
                ? [UInt8(count)]
                : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xff)]) + contents
    }
    let data: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01]
    let signed: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]
    let message = value(
        0x30, [0x02, 0x01, 0x01, 0x31, 0x00] + value(0x30, data) + value(0xa0, members.flatMap { $0 }) + [0x31, 0x00])
    return value(0x30, signed + value(0xa0, message))
}
