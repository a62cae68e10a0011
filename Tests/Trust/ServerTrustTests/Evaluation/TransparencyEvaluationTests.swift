// SPDX-License-Identifier: Apache-2.0

import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust
@testable import ServerTrustTesting

@Suite("Transparency in evaluations")
struct TransparencyEvaluationTests {
    private static let day: Int64 = 86_400

    // MARK: Modes

    @Test("A published certificate complies, and transparency counts as checked", arguments: [true, false])
    func complies(isRequired: Bool) throws {
        let scene = try TransparencyScene()
        let verdict = scene.trust(scene.settings(isRequired ? .require : .report)).evaluate()
        #expect(verdict.result == .unspecified && verdict.reported == [])
        #expect(verdict.transparency?.status == .complies && verdict.transparency?.count == 2)
        #expect(verdict.checked.contains(.certificateTransparency))
        #expect(!verdict.notChecked.contains(.certificateTransparency))
        #expect(verdict.anchor?.isPublic == true)
    }

    @Test("An unpublished certificate is reported in report mode, and refused if publication is required")
    func fails() throws {
        let scene = try TransparencyScene(timestamps: 1)
        let reported = scene.trust(scene.settings()).evaluate()
        #expect(reported.isTrusted && reported.reported.map(\.code) == [.transparencyNotMet])
        #expect(reported.checked.contains(.certificateTransparency))
        let refused = scene.trust(scene.settings(.require)).evaluate()
        #expect(refused.codes == [.transparencyNotMet] && refused.result == .recoverableFailure)
        #expect(refused.failures.map(\.certificate) == [0] && refused.failures.map(\.role) == [.leaf])
        #expect(refused.transparency?.status == .notEnough && refused.reported == [])
    }

    @Test("Nothing is checked for private anchors, exempt hosts or a list of the wrong age")
    func notChecked() throws {
        let scene = try TransparencyScene(timestamps: 0)
        var exempt = scene.settings(.require)
        exempt.exemptHosts = [try HostPattern(TrustScene.name)]
        var old = scene.settings(.require)
        old.logs = try CTLogList(
            json: TestLog.list(scene.logs, at: TestAuthority.now.advanced(by: -70 * Self.day)), now: TestAuthority.now)
        let rows: [(TransparencySettings, Bool, TransparencyFinding.Status)] = [
            (scene.settings(.require), false, .anchorNotPublic), (exempt, true, .hostExempt),
            (old, true, .listOutOfDate),
        ]
        for (settings, isPublic, status) in rows {
            let verdict = scene.trust(settings) { $0.anchors = scene.anchors(isPublic: isPublic) }.evaluate()
            #expect(verdict.isTrusted && verdict.transparency?.status == status && verdict.reported == [])
            #expect(verdict.notChecked.contains(.certificateTransparency))
            #expect(!verdict.checked.contains(.certificateTransparency))
        }
    }

    @Test("Without a list, a required check refuses only public servers")
    func withoutList() throws {
        let scene = try TransparencyScene()
        for mode in TransparencySettings.Mode.allCases {
            let settings = TransparencySettings(logs: nil, policy: .mozilla, mode: mode)
            let verdict = scene.trust(settings).evaluate()
            #expect(verdict.codes == (mode == .require ? [.transparencyLogListMissing] : []))
            #expect(verdict.failures.allSatisfy { $0.certificate == 0 && $0.role == .leaf })
            #expect(verdict.transparency?.status == .noLogList && verdict.reported == [])
            #expect(verdict.transparency?.count == 0 && verdict.transparency?.required == 0)
            #expect(verdict.transparency?.timestamps.map(\.counts) == [false, false])
            let own = scene.trust(settings) { $0.anchors = scene.anchors(isPublic: false) }.evaluate()
            #expect(own.isTrusted && own.transparency?.status == .anchorNotPublic)
            var exempt = settings
            exempt.exemptHosts = [try HostPattern(TrustScene.name)]
            let excepted = scene.trust(exempt).evaluate()
            #expect(excepted.isTrusted && excepted.transparency?.status == .hostExempt)
            // A leaf that is refused for another reason has timestamps, too, even if its issuer isn't known.
            for chain in [scene.scene.chain, [scene.scene.leaf]] {
                let refused = scene.trust(settings) {
                    ($0.anchors, $0.presentedChain) = (.only([]), PresentedChain(chain))
                }.evaluate()
                #expect(refused.codes == [.unknownIssuer] && refused.transparency?.status == .anchorNotPublic)
                #expect(refused.transparency?.timestamps.count == 2)
            }
        }
    }

    @Test("Client certificates are checked only if certificates of private anchors are", arguments: [false, true])
    func clients(includesPrivateAnchors: Bool) throws {
        let scene = try TransparencyScene(timestamps: 0) { $0.extendedKeyUsage = [.clientAuth] }
        var settings = scene.settings()
        settings.includesPrivateAnchors = includesPrivateAnchors
        let verdict = scene.trust(settings) { $0.policy = ValidationPolicy(purpose: .clientAuth) }.evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.transparency?.status == (includesPrivateAnchors ? .notEnough : nil))
    }

    @Test("For a refused leaf, timestamps are checked only if its path ends at a public anchor")
    func refusedPaths() throws {
        let scene = try TransparencyScene(timestamps: 0) { $0.notAfter = TestAuthority.now.advanced(by: -1) }
        let rows: [(TransparencyFinding.Status, (inout Trust) -> Void)] = [
            (.notEnough, { _ in }),
            (.anchorNotPublic, { $0.anchors = scene.anchors(isPublic: false) }),
            (.anchorNotPublic, { $0.anchors = .only([]) }),
            // The search stops before it reaches the anchor, although the server presents it.
            (
                .anchorNotPublic,
                {
                    $0.presentedChain = PresentedChain(scene.scene.path)
                    $0.policy.budget.steps = 0
                }
            ),
        ]
        for (status, change) in rows {
            let verdict = scene.trust(scene.settings(), change).evaluate()
            #expect(!verdict.isTrusted && verdict.transparency?.status == status)
        }
        // A system's refusal may list an anchor, but nothing says that the system accepts it.
        let trust = scene.trust(scene.settings())
        let refused = RejectedPath(certificates: scene.scene.path, reachesAnchor: false, failures: [])
        let verdict = Evaluation(trust: trust, evaluator: nil).addingTransparency(to: trust.evaluate(), on: refused)
        #expect(verdict.transparency?.status == .anchorNotPublic)
    }

    @Test("A required check finds another path whose anchor is private or whose issuer published the leaf")
    func otherPath() throws {
        let scene = try TransparencyScene(timestamps: 0)
        let own = try TestAuthority.root(.authority("Own"))
        let crossed = try scene.scene.intermediate.crossSigned(by: own)
        let anchors = AnchorStore([
            TrustAnchor(scene.scene.root.certificate, conditions: [], isPublic: true), TrustAnchor(own.certificate),
        ])
        var trust = scene.trust(scene.settings(.require)) { $0.anchors = TrustAnchors(anchors) }
        trust.presentedChain = PresentedChain(scene.scene.chain + [crossed.certificate])
        let verdict = trust.evaluate()
        #expect(verdict.isTrusted && verdict.path.last == own.certificate)
        #expect(verdict.transparency?.status == .anchorNotPublic)
    }

    // MARK: Origins

    @Test("Timestamps from the handshake and from the staple count, each with its origin")
    func origins() throws {
        let scene = try TransparencyScene(timestamps: 0)
        let leaf = scene.scene.leaf
        let list = try TestTimestamp.list(scene.logs.prefix(2).map { $0.timestamp() }, for: leaf)
        let staple = try scene.scene.intermediate.ocspResponse { $0.add(leaf) { $0.timestampList = list } }
        let handshake = scene.trust(scene.settings(.require), handshake: list).evaluate()
        #expect(handshake.isTrusted)
        #expect(handshake.transparency?.timestamps.map(\.origin) == ["handshake", "handshake"])
        let stapled = scene.trust(scene.settings(.require), staple: .given(staple.der)).evaluate()
        #expect(stapled.isTrusted)
        #expect(stapled.transparency?.timestamps.map(\.origin) == ["ocsp", "ocsp"])
        let chrome = scene.trust(scene.settings(.require, policy: .chrome), staple: .given(staple.der)).evaluate()
        #expect(chrome.codes == [.transparencyNotMet])
        #expect(chrome.transparency?.timestamps.map(\.reason) == [.origin, .origin])
        // An available response contains them, just as the response in the handshake does.
        let atHand = scene.trust(scene.settings(.require)) {
            $0.revocationData = RevocationData(ocspResponses: [[1, 2], staple.der])
        }.evaluate()
        #expect(atHand.isTrusted)
        // For another certificate they don't count.
        let other = try TestTimestamp.list(
            scene.logs.prefix(2).map { $0.timestamp() }, for: scene.scene.intermediate.certificate)
        let wrong = scene.trust(scene.settings(.require), handshake: other).evaluate()
        #expect(wrong.codes == [.transparencyNotMet])
        #expect(wrong.transparency?.timestamps.map(\.signature) == [.invalid, .invalid])
    }

    @Test("An unreadable list in the handshake causes a warning, and a staple without timestamps has no effect")
    func unreadable() throws {
        let scene = try TransparencyScene()
        let verdict = scene.trust(scene.settings(.require), handshake: [0, 5, 1], staple: .given([1, 2])).evaluate()
        #expect(verdict.isTrusted && verdict.warnings.count == 1)
        let response = try scene.scene.intermediate.ocspResponse { $0.add(scene.scene.leaf) }
        #expect(scene.trust(scene.settings(.require), staple: .given(response.der)).evaluate().warnings == [])
    }

    @Test("Timestamps count in the first 16 OCSP responses only")
    func manyResponses() throws {
        let scene = try TransparencyScene(timestamps: 0)
        let list = try TestTimestamp.list(scene.logs.map { $0.timestamp() }, for: scene.scene.leaf)
        let response = try scene.scene.intermediate.ocspResponse {
            $0.add(scene.scene.leaf) { $0.timestampList = list }
        }
        for (position, count) in [(0, 3), (15, 3), (16, 0), (40, 0)] {
            let verdict = scene.trust(scene.settings()) {
                $0.revocationData.ocspResponses = Array(repeating: [1, 2], count: position) + [response.der]
            }.evaluate()
            #expect(verdict.transparency?.timestamps.count == count, "\(position)")
        }
    }

    @Test("Timestamps in a response for another certificate don't count")
    func otherResponse() throws {
        let scene = try TransparencyScene(timestamps: 0)
        let list = try TestTimestamp.list(scene.logs.map { $0.timestamp() }, for: scene.scene.leaf)
        let response = try scene.scene.intermediate.ocspResponse {
            $0.add(scene.scene.intermediate.certificate) { $0.timestampList = list }
            $0.add(scene.scene.leaf) { $0.timestampList = [0, 1, 0] }
        }
        let verdict = scene.trust(scene.settings(), staple: .given(response.der)).evaluate()
        #expect(verdict.transparency?.timestamps == [])
    }

    // MARK: Dates

    @Test("A verdict ends before the list is too old, and before a future timestamp counts")
    func window() throws {
        let now = TestAuthority.now
        let scene = try TransparencyScene()
        let verdict = scene.trust(scene.settings()).evaluate()
        #expect(verdict.unchangedUntil == now.advanced(by: 70 * Self.day - 1))
        #expect(verdict.unchangedFrom == TestAuthority.notBefore)
        let later = try TransparencyScene(timestamps: 0) { leaf in
            guard let logs = try? Self.logs() else { return }
            leaf.timestamps = logs.map { $0.timestamp(at: now.advanced(by: 10)) }
        }
        // Unknown logs don't limit anything.
        #expect(later.trust(later.settings()).evaluate().unchangedUntil == now.advanced(by: 70 * Self.day - 1))
        let logs = try Self.logs()
        let own = try TransparencyScene(timestamps: 0) { leaf in
            leaf.timestamps = [
                logs[0].timestamp(at: now.advanced(by: -5)),
                logs[1].timestamp(at: now.advanced(by: 1)),
                logs[2].timestamp(at: now.advanced(by: 3)),
            ]
        }
        var settings = own.settings()
        settings.logs = try CTLogList(json: TestLog.list(logs), now: now)
        let limited = own.trust(settings).evaluate()
        #expect(limited.transparency?.timestamps.map(\.reason) == [nil, .future, .future])
        #expect(limited.unchangedFrom == now.advanced(by: -5) && limited.unchangedUntil == now)
        let next = own.trust(settings, at: now.advanced(by: 1)).evaluate()
        #expect(next.transparency?.timestamps.map(\.reason) == [nil, nil, .future])
        #expect(next.unchangedFrom == now.advanced(by: 1) && next.unchangedUntil == now.advanced(by: 2))
        settings.ignoresListAge = true
        let last = own.trust(settings, at: now.advanced(by: 3)).evaluate()
        #expect(last.transparency?.count == 3 && last.unchangedUntil == TestAuthority.notAfter)
    }

    private static func logs() throws -> [TestLog] {
        try TransparencyScene.operators.map { try TestLog("\($0) 2028", operatedBy: $0) }
    }

    @Test("The dates of a list limit a verdict only if it depends on them")
    func windowOfVerdict() throws {
        let now = TestAuthority.now
        let scene = try TransparencyScene()
        let dated = Self.limited(.timestamps, until: TestAuthority.notBefore)
        let rows: [(policy: CTPolicy, age: Int64, isPublic: Bool, [AnchorConditions], from: Int64?, until: Int64?)] = [
            (.mozilla, 0, true, [], nil, 70 * Self.day - 1),
            // The timestamps of a leaf below a private anchor don't matter, unless the list dates the leaf.
            (.mozilla, 0, false, [], nil, nil), (.mozilla, 0, false, [dated], nil, 70 * Self.day - 1),
            // A newer list would be usable.
            (.mozilla, 70, true, [], 0, nil), (.apple, 65, true, [], -5 * Self.day, nil),
            // Apple's policy uses a list for 60 days. After that, the list still dates the leaf.
            (.apple, 65, true, [dated], -5 * Self.day, 5 * Self.day - 1),
        ]
        for row in rows {
            var settings = scene.settings(policy: row.policy)
            settings.logs = try CTLogList(
                json: TestLog.list(scene.logs, at: now.advanced(by: -row.age * Self.day)), now: now)
            let verdict = scene.trust(settings) { $0.anchors = scene.anchors(isPublic: row.isPublic, row.3) }.evaluate()
            #expect(verdict.isTrusted)
            #expect(verdict.unchangedFrom == row.from.map { now.advanced(by: $0) } ?? TestAuthority.notBefore, "\(row)")
            #expect(
                verdict.unchangedUntil == row.until.map { now.advanced(by: $0) } ?? TestAuthority.notAfter, "\(row)")
        }
    }

    @Test("The dates of a list and of evidence limit a verdict even if no certificate's date does")
    func windowWithoutDates() throws {
        let now = TestAuthority.now
        /// A verdict for a leaf that is its own anchor and whose dates the user accepts.
        func accepted(
            from start: Time, until end: Time, listAge: Int64, policy: CTPolicy = .mozilla,
            _ change: (TransparencyScene, inout Trust) throws -> Void = { _, _ in }
        ) throws -> TrustVerdict {
            let scene = try TransparencyScene(timestamps: 1, listedAt: now.advanced(by: -listAge * Self.day)) {
                ($0.notBefore, $0.notAfter) = (start, end)
            }
            var settings = scene.settings(policy: policy)
            settings.includesPrivateAnchors = true
            var trust = scene.trust(settings) { $0.presentedChain = PresentedChain([scene.scene.leaf]) }
            trust.anchors = .only([])
            try change(scene, &trust)
            let refused = trust.evaluate()
            #expect(refused.result == .recoverableFailure)
            trust.setExceptions(try refused.exceptions())
            let verdict = trust.evaluate()
            #expect(verdict.result == .proceed)
            return verdict
        }
        let (start, past) = (TestAuthority.notBefore, now.advanced(by: -1))
        let (future, end) = (now.advanced(by: 1), TestAuthority.notAfter)
        // The user accepts an expired leaf. The verdict ends with the list.
        let expired = try accepted(from: start, until: past, listAge: 0)
        #expect(expired.unchangedUntil == now.advanced(by: 70 * Self.day - 1))
        // The user accepts a leaf that isn't valid yet. The verdict begins when the list became too old.
        let early = try accepted(from: future, until: end, listAge: 71)
        #expect(early.unchangedFrom == now.advanced(by: -Self.day))
        // A list of revoked certificates has a date, too.
        let tolerance = RevocationPolicy.bestEffort.futureTolerance.wholeSeconds
        let evidence = try accepted(from: future, until: end, listAge: 0) { scene, trust in
            trust.revocationData.crls = [try scene.scene.intermediate.crl().der]
        }
        #expect(evidence.unchangedFrom == now.advanced(by: -3600 - tolerance))
        // Apple's policy doesn't use this list, but the list still dates the leaf for the anchor's conditions.
        let dated = try accepted(from: start, until: past, listAge: 65, policy: .apple) { scene, trust in
            let anchor = TrustAnchor(scene.scene.leaf, conditions: [Self.limited(.timestamps, until: now)])
            trust.anchors = TrustAnchors(AnchorStore([anchor]))
            trust.intermediates = [scene.scene.intermediate.certificate]
        }
        #expect(dated.unchangedUntil == now.advanced(by: 5 * Self.day - 1))
    }

    @Test("Without a list, conditions that need timestamps don't limit a verdict")
    func conditionsWithoutList() throws {
        let scene = try TransparencyScene()
        let verdict = scene.trust(TransparencySettings(logs: nil, policy: .mozilla)) {
            $0.anchors = scene.anchors([Self.limited(.timestamps, until: TestAuthority.notBefore)])
        }.evaluate()
        #expect(verdict.isTrusted && verdict.transparency?.status == .noLogList && verdict.warnings.count == 1)
        #expect(verdict.unchangedFrom == TestAuthority.notBefore && verdict.unchangedUntil == TestAuthority.notAfter)
    }

    @Test("A warning says that the handshake's timestamps can't be read")
    func unreadableTimestamps() throws {
        let scene = try TransparencyScene()
        let verdict = scene.trust(scene.settings(), handshake: [0, 9, 0]).evaluate()
        #expect(verdict.isTrusted && verdict.warnings.count == 1)
        #expect(scene.trust(scene.settings()).evaluate().warnings.isEmpty)
    }

    // MARK: Root programs' conditions

    private static func limited(_ clock: IssuanceLimit.Clock, until date: Time) -> AnchorConditions {
        var constraints = AnchorConstraints()
        constraints.dates = [IssuanceLimit(.notAfter, date, clock: clock)]
        return AnchorConditions(source: "Example, 2026-11-01", alternatives: [constraints])
    }

    @Test("Timestamps date the certificate for conditions, and without a usable list, notBefore does so with a warning")
    func conditions() throws {
        let limit = TestAuthority.notBefore
        // A backdated certificate: the logs received it an hour later.
        let scene = try TransparencyScene(timestamps: 0) { leaf in leaf.timestamps = [] }
        let logs = scene.logs
        let leaf = try scene.scene.intermediate.issue(
            .leaf(TrustScene.name).with {
                $0.timestamps = logs.map { $0.timestamp(at: limit.advanced(by: 3600)) }
            }
        ).certificate
        let old = try CTLogList(
            json: TestLog.list(logs, at: TestAuthority.now.advanced(by: -71 * Self.day)), now: TestAuthority.now)
        let rows: [(IssuanceLimit.Clock, CTLogList?, codes: [TrustFailure.Code], warns: Bool)] = [
            (.notBefore, scene.list, [], false),
            (.notBeforeOrTimestamp, scene.list, [.anchorDistrustedAfter], false),
            (.timestamps, scene.list, [.anchorDistrustedAfter], false),
            (.notBeforeOrTimestamp, nil, [], true), (.timestamps, nil, [], true),
            (.notBeforeOrTimestamp, old, [], true), (.timestamps, old, [], true),
        ]
        for row in rows {
            var trust = scene.trust(row.1.map { TransparencySettings(logs: $0, policy: .mozilla) }) {
                $0.anchors = scene.anchors([Self.limited(row.0, until: limit)])
            }
            trust.presentedChain = PresentedChain([leaf, scene.scene.intermediate.certificate])
            let verdict = trust.evaluate()
            #expect(verdict.codes == row.codes)
            #expect(verdict.warnings.count == (row.warns ? 1 : 0))
            #expect(trust.validPaths().isEmpty == !row.codes.isEmpty)
            guard verdict.isTrusted else { continue }
            #expect(verdict.anchor?.limits.map(\.clock) == [.notBefore])
            #expect(verdict.anchor?.limits.map(\.isStandIn) == [row.warns])
            #expect(verdict.anchor?.lists == ["Example, 2026-11-01"])
        }
    }

    @Test("Valid timestamps up to the verify date count if their log is in use, or was when a log in use saw the leaf")
    func dates() throws {
        let scene = try TransparencyScene(timestamps: 0)
        let (now, issuer) = (TestAuthority.now, scene.scene.intermediate)
        let since = now.advanced(by: -5)
        // Another log's timestamp is nine seconds old.
        let rows: [(TestLog.State, seconds: Int64, isWrong: Bool, isEmbedded: Bool, dates: [Int64])] = [
            (.usable, -10, false, true, [-10, -9]), (.usable, -10, false, false, [-9, -10]),
            (.usable, -10, true, true, [-9]),
            (.usable, 0, false, true, [0, -9]), (.usable, 1, false, true, [-9]),
            (.retired(since: since), -10, false, true, [-9, -10]), (.retired(since: since), -5, false, true, [-9]),
            (.retired(since: since), -10, false, false, [-9]),
            (TestLog.State("pending", since: since), -10, false, true, [-9]),
            (TestLog.State("rejected", since: since), -10, false, true, [-9]),
        ]
        for row in rows {
            let timestamp = scene.logs[0].timestamp(at: now.advanced(by: row.seconds)).with {
                $0.hasWrongSignature = row.isWrong
            }
            let other = scene.logs[1].timestamp(at: now.advanced(by: -9))
            let leaf = try issuer.issue(
                .leaf(TrustScene.name).with { $0.timestamps = row.isEmbedded ? [timestamp, other] : [other] }
            ).certificate
            var settings = scene.settings()
            settings.logs = try CTLogList(
                json: TestLog.list([scene.logs[0].with { $0.state = row.0 }, scene.logs[1]]), now: now)
            let check = TransparencyEvaluation(
                settings, leaf: leaf, handshake: row.isEmbedded ? nil : try TestTimestamp.list([timestamp], for: leaf),
                responses: [], host: nil, at: now, memory: nil)
            #expect(
                check.dates(issuer: issuer.certificate) == row.dates.map { now.advanced(by: $0) }, "\(row)")
        }
    }

    @Test("A date is rounded up to a second, and the issuer of a leaf that is its own anchor is found by its name")
    func datesByIssuer() throws {
        let scene = try TransparencyScene(timestamps: 0)
        let (now, issuer) = (TestAuthority.now, scene.scene.intermediate)
        let leaf = try issuer.issue(
            .leaf(TrustScene.name).with {
                $0.timestamps = [0, 1, 999].map { milliseconds in
                    scene.logs[0].timestamp(at: now.advanced(by: -10)).with { $0.milliseconds += milliseconds }
                }
            }
        ).certificate
        let check = TransparencyEvaluation(
            scene.settings(), leaf: leaf, handshake: nil, responses: [], candidates: [issuer.certificate], host: nil,
            at: now, memory: nil)
        let dates = [-10, -9, -9].map { now.advanced(by: $0) }
        #expect(check.datesByIssuer(issuer.certificate) == dates && check.datesByIssuer(leaf) == dates)
        #expect(check.datesByIssuer(scene.scene.root.certificate) == [])
    }

    @Test("A list dates certificates for less than 70 days, or at any age if the settings say so")
    func endOfDating() throws {
        let scene = try TransparencyScene()
        let (now, limit) = (TestAuthority.now, 70 * Self.day)
        let rows: [(age: Int64, ignoresAge: Bool, dates: Bool, end: Int64?)] = [
            (0, false, true, limit - 1), (limit - 1, false, true, 0), (limit, false, false, nil),
            (0, true, true, nil), (limit, true, true, nil),
        ]
        for row in rows {
            var settings = scene.settings()
            settings.ignoresListAge = row.ignoresAge
            settings.logs = try CTLogList(json: TestLog.list(scene.logs, at: now.advanced(by: -row.age)), now: now)
            let check = TransparencyEvaluation(
                settings, leaf: scene.scene.leaf, handshake: nil, responses: [], host: nil, at: now, memory: nil)
            #expect((check.dates(issuer: scene.scene.intermediate.certificate) != nil) == row.dates, "\(row)")
            #expect(check.endOfDating == row.end.map { now.advanced(by: $0) }, "\(row)")
        }
    }

    @Test("Without an anchor, the leaf's issuer is the first certificate of its name whose key makes a timestamp valid")
    func issuer() throws {
        let scene = try TransparencyScene()
        let (leaf, real) = (scene.scene.leaf, scene.scene.intermediate.certificate)
        let other = try (0..<3).map { _ in try TestAuthority.root(.authority("Test Intermediate")).certificate }
        let unrelated = try (0..<2).map { _ in try TrustLab.unrelatedRoot().certificate }
        func issuer(_ path: [Certificate], reachesAnchor: Bool = false, _ candidates: [Certificate]) -> Certificate {
            TransparencyEvaluation(
                scene.settings(), leaf: leaf, handshake: nil, responses: [], candidates: candidates, host: nil,
                at: TestAuthority.now, memory: nil
            ).issuer(on: path, reachesAnchor: reachesAnchor)
        }
        #expect(issuer([leaf, other[0]], reachesAnchor: true, [real]) == other[0])
        #expect(issuer([leaf, other[0]], [real]) == real)
        #expect(issuer([leaf, real], []) == real && issuer([leaf, real], other) == real)
        #expect(issuer([leaf], reachesAnchor: true, [other[0], real]) == real)
        #expect(issuer([leaf], unrelated + [leaf, real]) == real)
        // The certificate on the path isn't tried twice, and at most two others are tried.
        #expect(issuer([leaf, other[0]], [other[0], other[1], real]) == real)
        #expect(issuer([leaf], [other[0], other[1], real]) == other[0])
        #expect(issuer([leaf, other[2]], [other[0], other[1], real]) == other[2])
        #expect(issuer([leaf], unrelated) == leaf)
    }

    @Test(
        "Pending, rejected or retired logs don't date a certificate by themselves",
        arguments: [
            (TestLog.State.usable, true), (.qualified, true), (.readOnly(since: TestAuthority.now), true),
            (.retired(since: TestAuthority.now), false), (.retired(since: TestAuthority.notBefore), false),
            (.pending, false), (.rejected, false),
        ])
    func states(state: TestLog.State, dates: Bool) throws {
        let scene = try TransparencyScene(timestamps: 1)
        var settings = scene.settings()
        settings.logs = try CTLogList(
            json: TestLog.list([scene.logs[0].with { $0.state = state }]), now: TestAuthority.now)
        let verdict = scene.trust(settings) {
            $0.anchors = scene.anchors([Self.limited(.timestamps, until: TestAuthority.notBefore)])
        }.evaluate()
        #expect(verdict.isTrusted == dates)
        #expect(verdict.anchor?.limits.map(\.clock) == (dates ? [.timestamps] : nil))
    }

    @Test("A retired log's timestamp dates a certificate if a log in use saw the certificate before the retirement")
    func retired() throws {
        let day = Self.day
        let limit = TestAuthority.notBefore
        // The first timestamp has the limit's date, and the others are later.
        let rows: [(retirement: Int64, others: Int64, dates: Bool)] = [
            (9, 5, true), (5, 5, false), (4, 5, false), (9, 9, false),
        ]
        for row in rows {
            let scene = try TransparencyScene(timestamps: 0)
            let leaf = try scene.scene.intermediate.issue(
                .leaf(TrustScene.name).with {
                    $0.timestamps =
                        [scene.logs[0].timestamp(at: limit)]
                        + scene.logs.dropFirst().map { $0.timestamp(at: limit.advanced(by: row.others * day)) }
                }
            ).certificate
            var logs = scene.logs
            logs[0].state = .retired(since: limit.advanced(by: row.retirement * day))
            var settings = scene.settings()
            settings.logs = try CTLogList(json: TestLog.list(logs), now: TestAuthority.now)
            var trust = scene.trust(settings) { $0.anchors = scene.anchors([Self.limited(.timestamps, until: limit)]) }
            trust.presentedChain = PresentedChain([leaf, scene.scene.intermediate.certificate])
            #expect(trust.evaluate().isTrusted == row.dates, "\(row)")
        }
    }

    // MARK: Memory

    @Test("Remembered timestamps give the same verdict, even for other dates")
    func memory() throws {
        let scene = try TransparencyScene()
        let memory = TransparencyMemory()
        func finding(at time: Time, _ settings: TransparencySettings? = nil, handshake: [UInt8]? = nil)
            -> (TransparencyFinding, isRemembered: Bool)
        {
            let before = memory.count
            let check = TransparencyEvaluation(
                settings ?? scene.settings(), leaf: scene.scene.leaf, handshake: handshake, responses: [], host: nil,
                at: time, memory: memory)
            let finding = check.finding(issuer: scene.scene.intermediate.certificate, isPublic: true)
            check.remember(issuer: scene.scene.intermediate.certificate)
            return (finding, memory.count == before)
        }
        let now = TestAuthority.now
        let first = finding(at: now)
        #expect(first.0.status == .complies && !first.isRemembered && memory.count == 1)
        let second = finding(at: now.advanced(by: 9))
        #expect(second.0 == first.0 && second.isRemembered)
        #expect(finding(at: now.advanced(by: 70 * Self.day)).0.status == .listOutOfDate)
        #expect(finding(at: TestAuthority.notBefore.advanced(by: -1)).0.status == .notEnough)
        #expect(finding(at: now).0 == first.0)
        #expect(memory.count == 1)
        // Every other difference creates another entry.
        #expect(!finding(at: now, scene.settings(policy: .apple)).isRemembered)
        var other = scene.settings()
        other.logs = try CTLogList(json: TestLog.list(scene.logs, version: "2"), now: now)
        #expect(!finding(at: now, other).isRemembered)
        other.ignoresListAge = true
        #expect(!finding(at: now, other).isRemembered)
        // An entry without an end holds at any later date.
        let late = finding(at: now.advanced(by: 99 * Self.day), other)
        #expect(late.isRemembered && late.0.status == .complies)
        let list = try TestTimestamp.list([scene.logs[2].timestamp()], for: scene.scene.leaf)
        memory.removeAll()
        #expect(!finding(at: now).isRemembered && !finding(at: now, handshake: list).isRemembered)
        #expect(finding(at: now, handshake: list).0.timestamps.count == 3)
        // The mode isn't part of a finding.
        #expect(finding(at: now, scene.settings(.require)).isRemembered)
    }

    @Test("A verdict is the same with the process-wide memory of timestamps")
    func sharedMemory() throws {
        let scene = try TransparencyScene()
        let without = scene.trust(scene.settings(.require)).evaluate()
        let trust = scene.trust(scene.settings(.require)) { $0.signatureMemory = SignatureMemory() }
        #expect(without.isTrusted && trust.evaluate() == without && trust.evaluate() == without)
    }

    @Test("An entry of the cache belongs to one leaf and one issuer's key")
    func entries() throws {
        let (one, other) = (try TransparencyScene(), try TransparencyScene())
        func subject(_ leaf: Certificate, _ issuer: Certificate) -> TransparencyMemory.Subject {
            TransparencyMemory.Subject(
                leaf: leaf, issuer: issuer, handshake: nil, ocsp: nil, logs: one.list, policy: .mozilla,
                ignoresListAge: false)
        }
        let (leaf, issuer) = (one.scene.leaf, one.scene.intermediate.certificate)
        let known = subject(leaf, issuer)
        let evidence = TimestampEvidence(of: leaf, issuer: issuer, lists: [], logs: one.list)
        let finding = CTPolicy.mozilla.finding(
            evidence, leaf: leaf, list: one.list, at: TestAuthority.now, ignoringAge: false)
        let memory = TransparencyMemory()
        memory.remember(.init(known, evidence, finding, from: nil, until: nil))
        #expect(memory.entry(for: known)?.finding == finding)
        #expect(memory.entry(for: subject(leaf, other.scene.intermediate.certificate)) == nil)
        #expect(memory.entry(for: subject(other.scene.leaf, issuer)) == nil)
        let (sameLeaf, sameIssuer) = (
            subject(leaf, other.scene.intermediate.certificate), subject(other.scene.leaf, issuer)
        )
        #expect(known.isSame(as: known) && !known.isSame(as: sameLeaf) && !known.isSame(as: sameIssuer))
    }

    @Test("The cache doesn't remember an unusually large certificate")
    func largeLeaf() throws {
        let scene = try TransparencyScene { leaf in
            leaf.extensions = [
                Extension(
                    identifier: OID("1.2.3") ?? .serverAuth, isCritical: false,
                    value: [UInt8](repeating: 0, count: 40_000))
            ]
        }
        let memory = TransparencyMemory()
        let check = TransparencyEvaluation(
            scene.settings(), leaf: scene.scene.leaf, handshake: nil, responses: [], host: nil, at: TestAuthority.now,
            memory: memory)
        let issuer = scene.scene.intermediate.certificate
        #expect(check.finding(issuer: issuer, isPublic: true).status == .complies)
        check.remember(issuer: issuer)
        #expect(memory.count == 0)
    }

    @Test("A remembered verdict applies only to equal timestamps, and not beyond its list's age")
    func verdictMemory() throws {
        let scene = try TransparencyScene()
        let memory = VerdictMemory()
        let anchors = scene.anchors()
        func evaluate(at time: Time = TestAuthority.now, _ settings: TransparencySettings, _ handshake: [UInt8]? = nil)
            -> TrustVerdict
        {
            scene.trust(settings, at: time, handshake: handshake) { $0.anchors = anchors }.evaluate(
                rememberingIn: memory)
        }
        #expect(evaluate(scene.settings()).transparency?.status == .complies)
        #expect(memory.count == 1)
        // A verdict that reports a failure isn't remembered.
        let unpublished = try TransparencyScene(timestamps: 0)
        let other = VerdictMemory()
        let reported = unpublished.trust(unpublished.settings()).evaluate(rememberingIn: other)
        #expect(reported.isTrusted && reported.reported.count == 1 && other.count == 0)
        let list = try TestTimestamp.list([scene.logs[2].timestamp()], for: scene.scene.leaf)
        #expect(evaluate(scene.settings(), list).transparency?.timestamps.count == 3)
        let late = evaluate(at: TestAuthority.now.advanced(by: 70 * Self.day), scene.settings(.require))
        #expect(late.transparency?.status == .listOutOfDate)
        #expect(evaluate(scene.settings(.require, policy: .apple)).transparency?.policy == "apple")
    }
}
