// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing
import TrustScenes

@testable import ServerTrust
@testable import ServerTrustTesting

/// A leaf below a root that names its OCSP responder and its CRL. Nothing else needs fetching.
struct FetchingRevocationScene: Sendable {
    static let responder = "http://ocsp.example.com/"
    static let crlURL = "http://crl.example.com/ca.crl"

    let root: TestAuthority
    let leaf: Certificate
    let fetcher = CannedFetcher()
    let clocks: Clocks
    let resources: TrustFetchCoordinator
    /// The URL of the OCSP request as a GET.
    let getURL: String

    init(
        ocsp: Bool = true, crl: Bool = true, cache: (any TrustResourceCache)? = nil,
        limits: TrustResourceLimits = .patient
    ) throws {
        self.root = try .root()
        self.leaf = try root.issue(
            .leaf(TrustScene.name).with {
                if ocsp { $0.ocspResponders = [Self.responder] }
                if crl { $0.crlDistributionPoints = [TestDistributionPoint(stringLiteral: Self.crlURL)] }
            }
        ).certificate
        let clocks = Clocks()
        clocks.date = TestAuthority.now
        self.clocks = clocks
        self.resources = TrustFetchCoordinator(
            fetcher: fetcher, cache: cache, limits: limits, clock: { clocks.date }, reader: .standard,
            elapsed: { clocks.elapsed }, chance: { 0 })
        let request = OCSPRequest(leaf, issuer: root.certificate)
        self.getURL = try #require(request.url(at: Self.responder))
    }

    func trust(_ check: RevocationPolicy.Mode) throws -> Trust {
        var trust = try Trust.lab([leaf], anchors: [root.certificate], host: TrustScene.name)
        trust.revocation.mode = check
        return trust
    }

    func evaluate(_ check: RevocationPolicy.Mode = .required) async throws -> TrustVerdict {
        await (try trust(check)).evaluate(fetching: resources)
    }

    func ocsp(_ change: @Sendable (inout TestOCSPResponse.Template) -> Void) throws -> CannedFetcher.Answer {
        .bytes(try root.ocspResponse(change).der)
    }

    func good() throws -> CannedFetcher.Answer { try ocsp { $0.add(leaf) } }

    func crl(_ change: @Sendable (inout TestCRL.Template) -> Void = { _ in }) throws -> CannedFetcher.Answer {
        .bytes(try root.identity.crl(change).der)
    }
}

extension TrustVerdict {
    fileprivate var obstacles: [String] {
        guard case .unobtainable(let obstacles)? = revocation.first?.status else { return [] }
        return obstacles.map(\.name)
    }
}

@Suite struct FetchingRevocationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (FetchingRevocationScene) throws -> CannedFetcher.Answer?
        /// The expected obstacles, nil for good, or empty for revoked.
        let obstacles: [String]?
        let isOCSP: Bool

        init(
            ocsp name: String, _ obstacles: [String]?,
            _ make: @escaping @Sendable (FetchingRevocationScene) throws -> CannedFetcher.Answer?
        ) {
            (self.testDescription, self.obstacles, self.make, self.isOCSP) = ("OCSP: \(name)", obstacles, make, true)
        }

        init(
            crl name: String, _ obstacles: [String]?,
            _ make: @escaping @Sendable (FetchingRevocationScene) throws -> CannedFetcher.Answer?
        ) {
            (self.testDescription, self.obstacles, self.make, self.isOCSP) = ("CRL: \(name)", obstacles, make, false)
        }
    }

    static let rows: [Row] = [
        Row(ocsp: "good", nil) { try $0.good() },
        Row(ocsp: "revoked", []) { scene in try scene.ocsp { $0.add(scene.leaf, .revoked) } },
        Row(ocsp: "unknown", ["ocspUnknown"]) { scene in try scene.ocsp { $0.add(scene.leaf, .unknown) } },
        Row(ocsp: "run out", ["ocspExpired"]) { scene in
            try scene.ocsp { $0.add(scene.leaf) { $0.nextUpdate = TestAuthority.now.advanced(by: -1) } }
        },
        Row(ocsp: "of tomorrow", ["ocspNotYetValid"]) { scene in
            try scene.ocsp { $0.add(scene.leaf) { $0.thisUpdate = TestAuthority.now.advanced(by: 86_400) } }
        },
        Row(ocsp: "wrongly signed", ["ocspSignatureInvalid"]) { scene in
            try scene.ocsp {
                $0.add(scene.leaf)
                $0.hasWrongSignature = true
            }
        },
        Row(ocsp: "about another certificate", ["noEvidence"]) { scene in
            let other = try scene.root.issue(.leaf("other.example")).certificate
            return try scene.ocsp { $0.add(other) }
        },
        Row(ocsp: "try later", ["ocspTryLater"]) { _ in .bytes(TestOCSPResponse.error(.tryLater).der) },
        Row(ocsp: "a web page", ["malformed"]) { _ in .bytes(Array("<html>no</html>".utf8)) },
        Row(ocsp: "dead", ["unreachable"]) { _ in .failure(.fetchUnreachable) },
        Row(ocsp: "not found", ["status"]) { _ in nil },
        Row(ocsp: "slow", ["timedOut"]) { _ in .slow(.seconds(60), []) },
        Row(ocsp: "oversized", ["tooLarge"]) { _ in .bytes(Array(repeating: 0x30, count: 100_000)) },
        Row(crl: "good", nil) { try $0.crl() },
        Row(crl: "revoked", []) { scene in try scene.crl { $0.revoke(scene.leaf) } },
        Row(crl: "run out", ["crlExpired"]) { scene in
            try scene.crl { $0.nextUpdate = TestAuthority.now.advanced(by: -1) }
        },
        Row(crl: "wrongly signed", ["crlSignatureInvalid"]) { scene in
            try scene.crl { $0.hasWrongSignature = true }
        },
        Row(crl: "by another CA", ["noEvidence"]) { _ in
            .bytes(try TestAuthority.root(.authority("Other")).identity.crl().der)
        },
        Row(crl: "of another distribution point", ["crlScopeMismatch"]) { scene in
            try scene.crl {
                var point = TestCRL.IssuingDistributionPoint()
                point.fullName = [.uniformResourceIdentifier("http://crl.example.com/other.crl")]
                $0.issuingDistributionPoint = point
            }
        },
        Row(crl: "a web page", ["malformed"]) { _ in .bytes(Array("<html>no</html>".utf8)) },
        Row(crl: "dead", ["unreachable"]) { _ in .failure(.fetchUnreachable) },
        Row(crl: "slow", ["timedOut"]) { _ in .slow(.seconds(60), []) },
        Row(crl: "in a private network", ["forbiddenAddress"]) { _ in .failure(.fetchForbiddenAddress) },
    ]

    @Test("The evaluation finds an expired hold in supplied evidence, and a later good response ends the hold")
    func expiredHold() async throws {
        let scene = try FetchingRevocationScene()
        let held = try scene.root.crl {
            $0.thisUpdate = TestAuthority.now.advanced(by: -3 * 86_400)
            $0.nextUpdate = TestAuthority.now.advanced(by: -2 * 86_400)
            $0.revoke(scene.leaf, reason: .certificateHold)
        }
        var trust = try scene.trust(.bestEffort)
        trust.revocationData = RevocationData(crls: [held.der])
        #expect(await trust.evaluate(fetching: scene.resources).headline?.code == .certificateRevoked)
        let asked = scene.fetcher.count
        #expect(asked > 0)
        scene.clocks.wait(3_600)
        scene.fetcher[scene.getURL] = try scene.good()
        #expect(await trust.evaluate(fetching: scene.resources).isTrusted)
        #expect(scene.fetcher.count > asked)
    }

    @Test("The served revocation data determines the verdict", arguments: rows) func whatIsServedDecides(_ row: Row)
        async throws
    {
        for check in [RevocationPolicy.Mode.bestEffort, .required] {
            var limits = TrustResourceLimits.patient
            if row.obstacles == ["timedOut"] { limits.fetchTimeout = .milliseconds(50) }
            let scene = try FetchingRevocationScene(ocsp: row.isOCSP, crl: !row.isOCSP, limits: limits)
            let answer = try row.make(scene)
            for url in row.isOCSP
                ? [scene.getURL, FetchingRevocationScene.responder] : [FetchingRevocationScene.crlURL]
            {
                scene.fetcher[url] = answer
            }
            let verdict = try await scene.evaluate(check)
            switch row.obstacles {
            case nil:
                #expect(verdict.result == .unspecified)
                #expect(verdict.revocation.map(\.status) == [.good])
                #expect(verdict.checked.contains(.revocation))
            case []?:
                #expect(verdict.codes == [.certificateRevoked])
            case let obstacles?:
                #expect(verdict.isTrusted == (check == .bestEffort))
                #expect(verdict.codes == (check == .bestEffort ? [] : [.revocationUnavailable]))
                #expect(verdict.obstacles == obstacles)
                #expect(verdict.notChecked.contains(.revocation))
            }
            // Responses that aren't good aren't kept for other evaluations.
            if row.obstacles?.isEmpty == false { #expect(await scene.resources.memoryInUse == 0) }
        }
    }

    @Test("The evaluation fetches nothing by default") func withoutAskingForItNothingIsFetched() async throws {
        let scene = try FetchingRevocationScene()
        #expect(try await scene.evaluate(.off).isTrusted)
        #expect(try scene.trust(.bestEffort).evaluate().isTrusted)
        #expect(scene.fetcher.count == 0)
    }

    @Test("A staple makes a fetch unnecessary") func aStapleSparesTheFetch() async throws {
        let scene = try FetchingRevocationScene()
        var trust = try scene.trust(.required)
        trust.presentedChain.staple = .given(try scene.root.ocspResponse { $0.add(scene.leaf) }.der)
        #expect(await trust.evaluate(fetching: scene.resources).isTrusted)
        #expect(scene.fetcher.count == 0)
    }

    @Test("The next evaluation uses a fetched response") func whatWasFetchedServesTheNextEvaluation() async throws {
        let scene = try FetchingRevocationScene()
        scene.fetcher[scene.getURL] = try scene.good()
        #expect(try await scene.evaluate().fetched.map(\.source) == [.network])
        #expect(try await scene.evaluate().fetched.map(\.source) == [.memory])
        #expect(scene.fetcher.count == 1)
    }

    @Test("The evaluation fetches a CRL if the responder fails") func aCRLIsAskedForWhereTheResponderFails()
        async throws
    {
        let scene = try FetchingRevocationScene()
        scene.fetcher[scene.getURL] = .failure(.fetchUnreachable)
        scene.fetcher[FetchingRevocationScene.crlURL] = try scene.crl()
        let verdict = try await scene.evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.revocation.first?.source == .crl)
        #expect(scene.fetcher.requests.map(\.url) == [scene.getURL, FetchingRevocationScene.crlURL])
    }

    @Test("If the policy prefers CRLs, the evaluation fetches the CRL first")
    func theCRLIsAskedForFirstWhereItIsPreferred()
        async throws
    {
        let scene = try FetchingRevocationScene()
        scene.fetcher[FetchingRevocationScene.crlURL] = try scene.crl()
        let evaluator = RevocationTrustEvaluator(RevocationPolicy(.required, prefersCRLs: true))
        let verdict = await evaluator.evaluate(try scene.trust(.off), fetching: scene.resources)
        #expect(verdict.isTrusted)
        #expect(scene.fetcher.requests.map(\.url) == [FetchingRevocationScene.crlURL])
    }

    @Test("The evaluation sends a POST to a responder that refuses GET") func aResponderThatRefusesGETIsAskedByPOST()
        async throws
    {
        let scene = try FetchingRevocationScene(crl: false)
        scene.fetcher[FetchingRevocationScene.responder] = try scene.good()
        #expect(try await scene.evaluate().isTrusted)
        #expect(scene.fetcher.requests.map(\.url) == [scene.getURL, FetchingRevocationScene.responder])
        #expect(
            scene.fetcher.requests.map(\.body) == [nil, OCSPRequest(scene.leaf, issuer: scene.root.certificate).der])
        let other = try FetchingRevocationScene(crl: false)
        other.fetcher[other.getURL] = .failure(.fetchUnreachable)
        #expect(try await !other.evaluate().isTrusted)
        #expect(other.fetcher.count == 1)
    }

    @Test("Without the network, the evaluation uses only the caches") func withoutTheNetworkCachesHaveToDo()
        async throws
    {
        let cache = DictionaryCache()
        let scene = try FetchingRevocationScene(crl: false, cache: cache)
        let evaluator = RevocationTrustEvaluator(RevocationPolicy(.required, fetching: false))
        let before = await evaluator.evaluate(try scene.trust(.off), fetching: scene.resources)
        #expect(before.codes == [.revocationUnavailable])
        #expect(before.obstacles == ["notCached"])
        #expect(scene.fetcher.count == 0)
        scene.fetcher[scene.getURL] = try scene.good()
        #expect(try await scene.evaluate().isTrusted)
        let after = await evaluator.evaluate(try scene.trust(.off), fetching: scene.resources)
        #expect(after.isTrusted)
        #expect(scene.fetcher.count == 1)
    }

    @Test("The evaluation immediately replaces a forged response in the cache")
    func aForgedAnswerInTheCacheIsReplacedAtOnce()
        async throws
    {
        let cache = DictionaryCache()
        let scene = try FetchingRevocationScene(ocsp: false, cache: cache)
        // Newer than the true list, and valid for years.
        let forged = try scene.root.identity.crl {
            $0.hasWrongSignature = true
            $0.thisUpdate = TestAuthority.now
            $0.nextUpdate = TestAuthority.now.advanced(by: 1_000_000_000)
        }
        let resource = TrustResource(.crl, url: FetchingRevocationScene.crlURL)
        try await cache.store(TrustResourceEntry(resource: resource, bytes: forged.der, fetched: TestAuthority.now))
        scene.fetcher[resource.url] = try scene.crl()
        let verdict = try await scene.evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.fetched.map(\.source) == [.cache, .network])
        #expect(try await scene.evaluate().fetched.map(\.source) == [.memory])
    }

    @Test(
        "The evaluation removes a response about another certificate, even if there are other obstacles",
        arguments: RevocationPolicy.Mode.allCases.filter { $0 != .off })
    func anAnswerAboutAnotherCertificateGoesWhateverElseStandsInTheWay(_ check: RevocationPolicy.Mode) async throws {
        let scene = try FetchingRevocationScene(crl: false)
        let other = try scene.root.issue(.leaf("other.example")).certificate
        scene.fetcher[scene.getURL] = try scene.ocsp { $0.add(other) }
        var trust = try scene.trust(check)
        // The finding has the CRL's obstacle, but none for the response.
        trust.revocationData.crls = [
            try scene.root.identity.crl { $0.nextUpdate = TestAuthority.now.advanced(by: -1) }.der
        ]
        let verdict = await trust.evaluate(fetching: scene.resources)
        #expect(verdict.isTrusted == (check == .bestEffort))
        #expect(verdict.obstacles == ["crlExpired"])
        #expect(await scene.resources.memoryInUse == 0)
        scene.clocks.wait(5)
        scene.fetcher[scene.getURL] = try scene.ocsp { $0.add(scene.leaf, .revoked) }
        #expect(await trust.evaluate(fetching: scene.resources).codes == [.certificateRevoked])
    }

    @Test("The evaluation doesn't keep a revoked responder's response")
    func aResponseOfAResponderThatWasRevokedIsNotKept()
        async throws
    {
        let scene = try FetchingRevocationScene(crl: false)
        let delegate = try scene.root.issue(.ocspSigner().with { $0.hasOCSPNoCheck = false })
        scene.fetcher[scene.getURL] = .bytes(
            try scene.root.ocspResponse(signedBy: delegate) { $0.add(scene.leaf) }.der)
        var trust = try scene.trust(.required)
        trust.revocationData.crls = [
            try scene.root.identity.crl {
                var point = TestCRL.IssuingDistributionPoint()
                point.onlySomeReasons = [.keyCompromise]
                $0.issuingDistributionPoint = point
                $0.revoke(delegate.certificate, reason: .keyCompromise)
            }.der
        ]
        let verdict = await trust.evaluate(fetching: scene.resources)
        #expect(verdict.codes == [.revocationUnavailable])
        #expect(verdict.obstacles.contains("signerRevoked"))
        #expect(await scene.resources.memoryInUse == 0)
    }

    @Test("The evaluation keeps a delta CRL although it isn't evidence by itself")
    func aDeltaCRLStaysAlthoughItSaysNothingByItself()
        async throws
    {
        let scene = try FetchingRevocationScene(ocsp: false)
        scene.fetcher[FetchingRevocationScene.crlURL] = try scene.crl { $0.deltaBase = 1 }
        var trust = try scene.trust(.required)
        trust.revocationData.crls = [
            try scene.root.identity.crl { $0.thisUpdate = TestAuthority.now.advanced(by: 86_400) }.der
        ]
        #expect(await trust.evaluate(fetching: scene.resources).obstacles == ["crlNotYetValid"])
        #expect(await scene.resources.memoryInUse > 0)
    }

    @Test("A forged CRL doesn't replace a current one", arguments: RevocationPolicy.Mode.allCases.filter { $0 != .off })
    func aForgedCRLDoesNotTakeThePlaceOfOneThatHolds(_ check: RevocationPolicy.Mode) async throws {
        let cache = DictionaryCache()
        var limits = TrustResourceLimits.patient
        limits.maximumLifetime = .hours(1)
        let scene = try FetchingRevocationScene(ocsp: false, cache: cache, limits: limits)
        let resource = TrustResource(.crl, url: FetchingRevocationScene.crlURL)
        let genuine = try scene.root.identity.crl { $0.revoke(scene.leaf) }.der
        scene.fetcher[resource.url] = .bytes(genuine)
        #expect(try await scene.evaluate(check).codes == [.certificateRevoked])
        // The CRL is still valid, but it is time to fetch a new one.
        scene.clocks.wait(3601)
        scene.fetcher[resource.url] = try scene.crl {
            $0.signingKey = .p256()
            $0.thisUpdate = TestAuthority.now
            $0.nextUpdate = TestAuthority.now.advanced(by: 1_000_000_000)
        }
        var trust = try scene.trust(check)
        trust.verifyDate = .at(scene.clocks.date)
        let verdict = await trust.evaluate(fetching: scene.resources)
        #expect(verdict.codes == [.certificateRevoked])
        #expect(verdict.fetched.map(\.source) == [.network, .memory])
        await scene.resources.finishWriting()
        #expect(try await cache.entry(for: resource)?.bytes == genuine)
        #expect(await trust.evaluate(fetching: scene.resources).codes == [.certificateRevoked])
    }

    @Test("A forged response from the network doesn't block the true one")
    func aForgedAnswerFromTheNetworkDoesNotStayInTheWay() async throws {
        let scene = try FetchingRevocationScene(crl: false)
        scene.fetcher[scene.getURL] = try scene.ocsp {
            $0.add(scene.leaf) {
                $0.thisUpdate = TestAuthority.now
                $0.nextUpdate = TestAuthority.now.advanced(by: 1_000_000_000)
            }
            $0.hasWrongSignature = true
        }
        #expect(try await scene.evaluate().obstacles == ["ocspSignatureInvalid"])
        // The evaluation doesn't retry the request immediately. Later, the forged response with its unverified date
        // doesn't displace the true one.
        #expect(try await scene.evaluate().obstacles == ["backingOff"])
        scene.clocks.wait(5)
        scene.fetcher[scene.getURL] = try scene.good()
        var trust = try scene.trust(.required)
        trust.verifyDate = .at(scene.clocks.date)
        #expect(await trust.evaluate(fetching: scene.resources).isTrusted)
    }

    @Test("A replayed response doesn't hide a revocation") func aReplayedAnswerDoesNotHideARevocation() async throws {
        let scene = try FetchingRevocationScene(ocsp: false)
        scene.fetcher[FetchingRevocationScene.crlURL] = try scene.crl {
            $0.nextUpdate = TestAuthority.now.advanced(by: 60)
            $0.revoke(scene.leaf)
        }
        #expect(try await scene.evaluate(.bestEffort).codes == [.certificateRevoked])
        scene.clocks.wait(61)
        // From before the revocation, but still within its window.
        scene.fetcher[FetchingRevocationScene.crlURL] = try scene.crl {
            $0.thisUpdate = TestAuthority.now.advanced(by: -7200)
        }
        var trust = try scene.trust(.required)
        trust.verifyDate = .at(scene.clocks.date)
        let verdict = await trust.evaluate(fetching: scene.resources)
        #expect(verdict.codes == [.revocationUnavailable])
        #expect(verdict.obstacles == ["olderThanKnown"])
    }

    @Test("The evaluation concurrently fetches the status of all certificates in the path")
    func everyCertificateOfThePathIsAskedAboutAtTheSameTime() async throws {
        let root = try TestAuthority.root()
        let intermediate = try root.intermediate(
            .authority("CA").with { $0.crlDistributionPoints = ["http://crl.example.com/root.crl"] })
        let leaf = try intermediate.issue(
            .leaf(TrustScene.name).with { $0.crlDistributionPoints = ["http://crl.example.com/ca.crl"] }
        ).certificate
        let fetcher = CannedFetcher([
            "http://crl.example.com/root.crl": .slow(.milliseconds(30), try root.identity.crl().der),
            "http://crl.example.com/ca.crl": .slow(.milliseconds(30), try intermediate.identity.crl().der),
        ])
        let resources = TrustFetchCoordinator(fetcher: fetcher, limits: .patient, clock: { TestAuthority.now })
        var trust = try Trust.lab([leaf, intermediate.certificate], anchors: [root.certificate], host: TrustScene.name)
        trust.revocation = .required
        let verdict = await trust.evaluate(fetching: resources)
        #expect(verdict.isTrusted)
        #expect(verdict.revocation.map(\.status) == [.good, .good])
        #expect(fetcher.mostRunning == 2)
    }

    @Test("One evaluation fetches both a missing issuer and its revocation data")
    func aMissingIssuerAndItsRevocationAreFetchedInOneEvaluation() async throws {
        let root = try TestAuthority.root()
        let intermediate = try root.intermediate(
            .authority("CA").with { $0.crlDistributionPoints = ["http://crl.example.com/root.crl"] })
        let leaf = try intermediate.issue(
            .leaf(TrustScene.name).with {
                $0.caIssuers = ["http://ca.example.com/ca.cer"]
                $0.crlDistributionPoints = ["http://crl.example.com/ca.crl"]
            }
        ).certificate
        let fetcher = CannedFetcher([
            "http://ca.example.com/ca.cer": .bytes(intermediate.certificate.der),
            "http://crl.example.com/root.crl": .bytes(try root.identity.crl().der),
            "http://crl.example.com/ca.crl": .bytes(try intermediate.identity.crl { $0.revoke(leaf) }.der),
        ])
        let manager = try ServerTrustManager(evaluators: [TrustScene.name: RevocationTrustEvaluator()])
        let resources = TrustFetchCoordinator(fetcher: fetcher, limits: .patient, clock: { TestAuthority.now })
        let trust = try Trust.lab([leaf], anchors: [root.certificate], host: TrustScene.name)
        let verdict = await manager.evaluate(trust, fetching: resources)
        #expect(verdict.codes == [.certificateRevoked])
        #expect(verdict.fetched.map(\.resource) == [.issuer, .crl, .crl])
    }

    @Test("A path that is refused for other reasons doesn't trigger a fetch")
    func aPathThatIsRefusedForOtherReasonsAsksNobody() async throws {
        let scene = try FetchingRevocationScene()
        var trust = try scene.trust(.required)
        trust.identity = .name(try Hostname("other.example"))
        #expect(await trust.evaluate(fetching: scene.resources).codes == [.hostMismatch])
        #expect(scene.fetcher.count == 0)
    }
}
