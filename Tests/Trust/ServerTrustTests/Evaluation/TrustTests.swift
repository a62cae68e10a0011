// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

@Suite("Trust object")
struct TrustTests {
    @Test("The defaults are the public web's rules, a server, its host, the system's anchors, and the current time")
    func defaults() throws {
        let scene = try TrustScene()
        let trust = Trust(presentedChain: scene.chain, host: scene.host)
        #expect(trust.policy == ValidationPolicy())
        #expect(trust.policy.profile == .webPKI && trust.policy.purpose == .serverAuth && !trust.policy.isStrict)
        #expect(trust.identity == .connectedHost && trust.referenceName == scene.host)
        #expect(trust.anchors.isSystem)
        #expect(trust.verifyDate == .now)
        #expect(trust.revocation == .off && trust.revocationData == RevocationData())
        #expect(trust.intermediates.isEmpty && trust.exceptions == nil)
        // No test root is among the system's anchors.
        #expect(!trust.evaluate().isTrusted)
    }

    @Test("A valid chain is trusted, with its path from leaf to anchor")
    func valid() throws {
        let scene = try TrustScene()
        let verdict = try scene.trust().requireTrust()
        #expect(verdict == scene.trust().evaluate())
        #expect(verdict.path == scene.path)
        #expect(verdict.reachesAnchor)
        #expect((0..<3).map(verdict.role(at:)) == [.leaf, .intermediate, .anchor])
        #expect(verdict.host == scene.host && verdict.referenceName == scene.host)
    }

    @Test(
        "A leaf with a key that no TLS 1.3 handshake can use causes a warning if trusted, and is refused by the strict rules"
    )
    func keyUsage() throws {
        let lab = try TrustLab()
        let rows: [(KeyUsage?, Int)] = [
            (nil, 0), ([.digitalSignature], 0), ([.digitalSignature, .keyEncipherment], 0), ([.keyEncipherment], 1),
            ([.keyAgreement], 1), ([.keyEncipherment, .dataEncipherment], 1),
        ]
        for (usage, warnings) in rows {
            let leaf = try lab.intermediate.issue(.leaf(TrustLab.host).with { $0.keyUsage = usage }).certificate
            let late = try lab.trust(leaf, at: TestAuthority.notAfter.advanced(by: 1)).evaluate()
            #expect(!late.isTrusted && late.warnings.isEmpty)
            var trust = try lab.trust(leaf)
            #expect(try trust.requireTrust().warnings.count == warnings)
            trust.settings.policy.profile = .rfc5280
            #expect(try trust.requireTrust().warnings.count == warnings)
            trust.settings.policy.purpose = .any
            #expect(try trust.requireTrust().warnings.isEmpty)
            trust.settings.policy = ValidationPolicy(isStrict: true)
            #expect(trust.evaluate().failures.contains { $0.code == .keyUsageNotForTLS } == (warnings > 0))
        }
    }

    @Test("A server's leaf that is valid for longer than a public root may issue it causes a warning")
    func longValidity() throws {
        let root = try TestAuthority.root(.authority("Root").until(TestAuthority.now.advanced(by: .days(1000))))
        let leaf = try root.issue(
            .leaf(TrustLab.host).until(TestAuthority.now.advanced(by: .days(900)))
        ).certificate
        for (isPublic, purpose, warnings) in [
            (true, ValidationPolicy.Purpose.serverAuth, 1), (true, .any, 0), (false, .serverAuth, 0),
        ] {
            var trust = try Trust.lab([leaf], anchors: [])
            trust.anchors = TrustAnchors(
                AnchorStore([TrustAnchor(root.certificate, conditions: [], isPublic: isPublic)]))
            trust.policy.purpose = purpose
            #expect(try trust.requireTrust().warnings.count == warnings)
        }
    }

    @Test("A warning says what the transport couldn't report, and which certificates can't be read, at most 16")
    func transportWarnings() throws {
        let scene = try TrustScene()
        #expect(scene.trust { $0.presentedChain.evidenceGap = "no evidence" }.evaluate().warnings == ["no evidence"])
        for (count, warnings) in [(1, 1), (16, 16), (17, 16)] {
            let unreadable = [[UInt8]](repeating: [0x30], count: count)
            let chain = PresentedChain(der: scene.chain.map(\.der) + unreadable)
            #expect(scene.trust(presented: chain).evaluate().warnings.count == warnings)
        }
    }

    @Test("An evaluator gets the date of the evaluation, not the order to read the clock again")
    func oneDate() throws {
        let now = VerifyDate.now.time
        let root = try TestAuthority.root(.authority("Root").valid(around: now))
        let leaf = try root.issue(.leaf(TrustLab.host).valid(around: now)).certificate
        var trust = try Trust.lab([leaf], anchors: [root.certificate])
        trust.verifyDate = .now
        let recorder = DateRecorder()
        let verdict = recorder.evaluate(trust)
        #expect(verdict.isTrusted && recorder.dates == [.at(verdict.evaluationDate)])
    }

    @Test("An address with a zone is compared without it, and the verdict says so")
    func zone() throws {
        let lab = try TrustLab()
        let leaf = try lab.intermediate.issue(.leaf("fe80::1")).certificate
        for (host, warnings) in [("fe80::1", 0), ("fe80::1%eth0", 1), ("[fe80::1%25eth0]", 1)] {
            let verdict = try lab.trust(leaf, host: host).requireTrust()
            #expect(verdict.warnings.count == warnings)
            #expect(verdict.host?.description == "fe80::1")
        }
        let other = try lab.trust(leaf, host: "fe80::2%eth0").evaluate()
        #expect(other.headline?.code == .hostMismatch && other.headline?.expected == .text("fe80::2"))
        // A rule for the address applies in every zone.
        #expect(try HostPattern("fe80::1").matches(Hostname("fe80::1%eth0")))
        let table = try HostTable([(HostPattern("fe80::1"), 1)])
        #expect(try table.lookup(Hostname("fe80::1%eth0"))?.value == 1)
    }

    @Test("Verdicts for two zones aren't confused")
    func zonesInMemory() throws {
        let lab = try TrustLab()
        let leaf = try lab.intermediate.issue(.leaf("fe80::1")).certificate
        let memory = VerdictMemory()
        for (host, warnings) in [("fe80::1%eth0", 1), ("fe80::1", 0), ("fe80::1%eth0", 1)] {
            #expect(try lab.trust(leaf, host: host).evaluate(rememberingIn: memory).warnings.count == warnings)
        }
    }

    @Test("requireTrust throws a refusal with its verdict")
    func throwing() throws {
        let scene = try TrustScene(leaf: .expired)
        let trust = scene.trust(host: try Hostname("other.example"))
        do throws(TrustRefusal) {
            try trust.requireTrust()
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.verdict == trust.evaluate())
            #expect(error.code == .certificateExpired)
        }
    }

    // MARK: Names

    @Test("The engine compares the leaf with the identity instead of the host")
    func identity() throws {
        let scene = try TrustScene(leaf: .leaf("inner.example", "192.0.2.1"), host: "front.example")
        #expect(scene.trust().evaluate().codes == [.hostMismatch])
        for (name, isTrusted) in [
            ("inner.example", true), ("INNER.example.", true), ("192.0.2.1", true), ("front.example", false),
            ("192.0.2.2", false), ("x.inner.example", false),
        ] {
            let reference = try Hostname(name)
            let verdict = scene.trust { $0.identity = .name(reference) }.evaluate()
            #expect(verdict.isTrusted == isTrusted)
            #expect(verdict.host == scene.host && verdict.referenceName == reference)
            #expect(verdict.checked.contains(.identity))
        }
        let any = scene.trust { $0.identity = .insecurelyAnyName }.evaluate()
        #expect(any.isTrusted && any.referenceName == nil && any.host == scene.host)
    }

    @Test("Without a host, the engine checks no name unless one is set, and the verdict says so")
    func withoutHost() throws {
        let scene = try TrustScene()
        var trust = Trust(insecurelyWithoutHost: PresentedChain(scene.chain))
        trust.anchors = scene.anchors
        trust.verifyDate = .at(TestAuthority.now)
        let open = trust.evaluate()
        #expect(open.isTrusted && open.host == nil && open.referenceName == nil)
        #expect(open.notChecked.contains(.identity) && !open.checked.contains(.identity))
        trust.identity = .name(try Hostname("other.example"))
        #expect(trust.evaluate().codes == [.hostMismatch])
        trust.identity = .name(scene.host)
        let named = trust.evaluate()
        #expect(named.isTrusted && named.checked.contains(.identity))
        trust.anchors = .only([])
        #expect(throws: TrustExceptionsError(.exceptionHostMissing)) { try trust.evaluate().exceptions() }
    }

    // MARK: Settings

    @Test("The caller's intermediates complete a chain but don't become trusted")
    func intermediates() throws {
        let scene = try TrustScene()
        #expect(scene.trust([scene.leaf]).evaluate().codes == [.unknownIssuer])
        let completed = scene.trust([scene.leaf]) { $0.intermediates = [scene.intermediate.certificate] }
        #expect(completed.evaluate().path == scene.path)
        let rootless = scene.trust {
            $0.intermediates = [scene.root.certificate, scene.leaf]
            $0.anchors = .only([])
        }
        #expect(rootless.evaluate().codes == [.untrustedRoot])
    }

    @Test("The verify date is exact to the second, and the validity includes both ends")
    func dates() throws {
        let scene = try TrustScene()
        for (time, isTrusted) in [
            (TestAuthority.notBefore, true), (TestAuthority.notAfter, true),
            (TestAuthority.notBefore.advanced(by: -1), false), (TestAuthority.notAfter.advanced(by: 1), false),
            (Time(secondsSinceEpoch: 0), false), (Time(secondsSinceEpoch: .max), false),
            (Time(secondsSinceEpoch: .min), false),
        ] {
            let verdict = scene.trust(at: time).evaluate()
            #expect(verdict.isTrusted == isTrusted)
            #expect(verdict.evaluationDate == time)
        }
    }

    @Test("Only the given anchors count, and anchors are the same only if they share a store")
    func anchors() throws {
        let scene = try TrustScene()
        let other = try TrustScene()
        #expect(scene.trust { $0.anchors = other.anchors }.evaluate().isTrusted == false)
        #expect(scene.trust { $0.anchors = .only([]) }.evaluate().isTrusted == false)
        for certificate in scene.path {
            #expect(scene.trust { $0.anchors = .only([certificate]) }.evaluate().path.last == certificate)
        }
        let added = TrustAnchors.system(adding: [scene.root.certificate])
        #expect(scene.trust { $0.anchors = added }.evaluate().path.last == scene.root.certificate || !added.isUsable)
        #expect(scene.anchors.isSame(as: scene.anchors))
        #expect(!scene.anchors.isSame(as: .only([scene.root.certificate])))
        #expect(!scene.anchors.isSame(as: .system) && TrustAnchors.system.isSame(as: .system))
        let store = AnchorStore([scene.root.certificate])
        #expect(TrustAnchors(store).isSame(as: TrustAnchors(store)))
    }

    @Test("If revocation checks are required, no server is trusted without evidence")
    func revocation() throws {
        let scene = try TrustScene()
        for (mode, codes) in [
            (RevocationPolicy.Mode.off, []), (.bestEffort, []),
            (.required, [.revocationUnavailable, .revocationUnavailable]),
        ] as [(RevocationPolicy.Mode, [TrustFailure.Code])] {
            let verdict = scene.trust {
                $0.revocation.mode = mode
                $0.revocationData.ocspResponses = [[0x30, 0x00]]
            }.evaluate()
            #expect(verdict.codes == codes)
            #expect(verdict.isTrusted == codes.isEmpty)
            #expect(!verdict.checked.contains(.revocation))
            #expect(verdict.notChecked.contains(.revocation))
        }
    }

    @Test("A trust object is a value, and changes to a copy don't affect the original")
    func value() throws {
        let scene = try TrustScene()
        let original = scene.trust()
        var copy = original
        copy.anchors = .only([])
        copy.setExceptions(try copy.evaluate().exceptions())
        #expect(copy.evaluate().result == .proceed)
        #expect(original.exceptions == nil)
        #expect(original.evaluate().result == .unspecified)
    }

    // MARK: Exceptions

    @Test("Setting exceptions that don't fit changes nothing and returns the reason")
    func fit() throws {
        let scene = try TrustScene(leaf: .leaf("www.example.com", "api.example.com").until(.yesterday))
        let end = TestAuthority.now.advanced(by: 60)
        let agreed = try scene.trust().evaluate().exceptions(expires: end)
        var trust = scene.trust()
        #expect(trust.setExceptions(agreed) == .fits)
        #expect(trust.exceptions == agreed)
        #expect(trust.evaluate().result == .proceed)

        var otherHost = scene.trust(host: try Hostname("api.example.com"))
        #expect(otherHost.setExceptions(agreed) == .otherHost && otherHost.exceptions == nil)
        let renewed = try scene.intermediate.issue(.expired).certificate
        var otherLeaf = scene.trust([renewed, scene.intermediate.certificate])
        #expect(otherLeaf.setExceptions(agreed) == .otherLeaf && otherLeaf.exceptions == nil)
        var noLeaf = scene.trust(presented: PresentedChain([]))
        #expect(noLeaf.setExceptions(agreed) == .otherLeaf)
        var late = scene.trust(at: end.advanced(by: 1))
        #expect(late.setExceptions(agreed) == .expired && late.exceptions == nil)
        var onTime = scene.trust(at: end)
        #expect(onTime.setExceptions(agreed) == .fits)
        for refused in [otherHost, otherLeaf, noLeaf, late] { #expect(!refused.evaluate().isTrusted) }

        // The exceptions set earlier stay in place.
        let other = try TrustScene(host: "other.example").trust().evaluate().exceptions()
        #expect(trust.setExceptions(other) == .otherHost)
        #expect(trust.exceptions == agreed)
        trust.settings.exceptions = nil
        #expect(trust.exceptions == nil && trust.evaluate().codes == [.certificateExpired])
    }

    @Test("The evaluation compares the exceptions with the chain and the date again")
    func changedAfterwards() throws {
        let scene = try TrustScene(leaf: .expired)
        let end = TestAuthority.now.advanced(by: 60)
        var trust = scene.trust()
        #expect(trust.setExceptions(try trust.evaluate().exceptions(expires: end)) == .fits)
        trust.verifyDate = .at(end.advanced(by: 1))
        #expect(trust.evaluate().codes == [.certificateExpired])
        trust.verifyDate = .at(end)
        #expect(trust.evaluate().result == .proceed)
        let renewed = try scene.intermediate.issue(.expired).certificate
        trust.presentedChain = PresentedChain([renewed, scene.intermediate.certificate])
        #expect(trust.evaluate().codes == [.certificateExpired])
        trust.presentedChain = PresentedChain(scene.chain)
        trust.anchors = .only([])
        #expect(!trust.evaluate().isTrusted)
    }

    @Test("The user can't agree to fatal and undecided failures")
    func fatal() throws {
        let scene = try TrustScene()
        let forged = try Certificate(der: scene.leaf.der.dropLast() + [scene.leaf.der[scene.leaf.der.count - 1] ^ 1])
        let verdicts = [
            scene.trust([forged, scene.intermediate.certificate]).evaluate(),
            scene.trust { $0.policy.budget.bytes = 1 }.evaluate(),
            scene.trust(presented: PresentedChain([])).evaluate(),
            scene.trust(presented: PresentedChain(der: [[0x30]])).evaluate(),
            try TrustScene.otherPins().evaluate(scene.trust()),
            scene.trust().evaluate(),
        ]
        for verdict in verdicts { #expect(throws: TrustExceptionsError.self) { try verdict.exceptions() } }
    }
}

/// Accepts every path, and records the verify dates.
private final class DateRecorder: TrustEvaluator {
    private let recorded = Locked<[VerifyDate]>([])

    var dates: [VerifyDate] { recorded.withLock { $0 } }

    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        recorded.withLock { $0.append(trust.verifyDate) }
    }
}

extension Time {
    fileprivate static let yesterday = TestAuthority.now.advanced(by: -86_400)
}

extension TrustAnchors {
    /// False on a machine without system anchors.
    fileprivate var isUsable: Bool { (try? store()) != nil }
}
