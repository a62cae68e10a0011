// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

@Suite("Verdict cache")
struct VerdictMemoryTests {
    private func manager(
        _ evaluator: any TrustEvaluator, memory: VerdictMemory?, exceptions: ExceptionStore? = nil,
        pattern: String = "**.example.com"
    ) throws -> ServerTrustManager {
        try ServerTrustManager(
            rules: [(try HostPattern(pattern), .enforced(evaluator))], exceptions: exceptions, memory: memory)
    }

    // MARK: The same request

    @Test("The same request is evaluated once, and the verdict is the same except for its date")
    func remembers() throws {
        let scene = try TrustScene()
        let memory = VerdictMemory()
        let evaluator = CountingEvaluator(isRepeatable: true)
        let manager = try manager(evaluator, memory: memory)
        let first = manager.evaluate(scene.trust())
        #expect(first.isTrusted && evaluator.count == 1 && memory.count == 1)
        for seconds: Int64 in [0, 1, 3600, 86_400, -86_400] {
            let time = TestAuthority.now.advanced(by: seconds)
            // Parsed again from the bytes, as in the next handshake.
            let trust = scene.trust(presented: PresentedChain(der: scene.chain.map(\.der), memory: nil), at: time)
            let verdict = manager.evaluate(trust)
            var expected = first
            expected.evaluationDate = time
            #expect(verdict == expected)
            #expect(try self.manager(CountingEvaluator(isRepeatable: true), memory: nil).evaluate(trust) == verdict)
        }
        #expect(evaluator.count == 1)
        memory.removeAll()
        #expect(memory.count == 0)
        #expect(manager.evaluate(scene.trust()) == first)
        #expect(evaluator.count == 2)
    }

    @Test("The same name in another spelling is the same request")
    func spelling() throws {
        let scene = try TrustScene()
        let evaluator = CountingEvaluator(isRepeatable: true)
        let manager = try manager(evaluator, memory: VerdictMemory())
        for name in ["www.example.com", "WWW.Example.COM", "www.example.com."] {
            #expect(manager.evaluate(scene.trust(host: try Hostname(name))).isTrusted)
        }
        #expect(evaluator.count == 1)
    }

    // MARK: Another request

    /// Changes that make the evaluation differ from the scene's, and its result.
    static let changes: [(name: String, isTrusted: Bool, change: @Sendable (inout Trust) throws -> Void)] = [
        ("profile", true, { $0.policy.profile = .rfc5280 }),
        ("purpose, any", true, { $0.policy.purpose = .any }),
        ("purpose, client", false, { $0.policy.purpose = .clientAuth }),
        ("strictness", true, { $0.policy.isStrict = true }),
        ("a limit of intermediates that is met", true, { $0.policy.maximumIntermediates = 1 }),
        ("a limit of intermediates that isn't met", false, { $0.policy.maximumIntermediates = 0 }),
        ("acceptable certificate policies", true, { $0.policy.certificatePolicies.acceptable = [.anyPolicy] }),
        ("an explicit policy", false, { $0.policy.certificatePolicies.requireExplicit = true }),
        ("mapping", true, { $0.policy.certificatePolicies.inhibitMapping = true }),
        ("any policy", true, { $0.policy.certificatePolicies.inhibitAny = true }),
        ("budget of signatures, enough", true, { $0.policy.budget.signatures = 50 }),
        ("budget of signatures, too small", false, { $0.policy.budget.signatures = 1 }),
        ("budget of steps, enough", true, { $0.policy.budget.steps += 1 }),
        ("budget of steps, too small", false, { $0.policy.budget.steps = 0 }),
        ("budget of comparisons", true, { $0.policy.budget.comparisons -= 1 }),
        ("budget of depth, enough", true, { $0.policy.budget.depth = 3 }),
        ("budget of depth, too small", false, { $0.policy.budget.depth = 2 }),
        ("budget of bytes, enough", true, { $0.policy.budget.bytes -= 1 }),
        ("budget of bytes, too small", false, { $0.policy.budget.bytes = 100 }),
        ("a name that the leaf has", true, { $0.identity = .name(try Hostname("api.example.com")) }),
        ("a name that the leaf hasn't", false, { $0.identity = .name(try Hostname("other.example")) }),
        ("the host's name as another expected name", true, { $0.identity = .name(try Hostname("www.example.com")) }),
        ("any name", true, { $0.identity = .insecurelyAnyName }),
        ("revocation by best effort", true, { $0.revocation = .bestEffort }),
        ("revocation, required", false, { $0.revocation = .required }),
        ("an OCSP response", true, { $0.revocationData.ocspResponses = [[1]] }),
        ("a CRL", true, { $0.revocationData.crls = [[1]] }),
        ("an intermediate of the caller", true, { $0.intermediates = [$0.presentedChain.others[0]] }),
        (
            "a store with the same anchors", true,
            { $0.anchors = .only(try $0.anchors.store().anchors.map(\.certificate)) }
        ),
        ("no anchors", false, { $0.anchors = .only([]) }),
        ("the intermediate as an anchor", true, { $0.anchors = .only($0.presentedChain.others) }),
        ("the leaf as an anchor", true, { $0.anchors = .only($0.presentedChain.leaf.map { [$0] } ?? []) }),
        (
            "the chain with a repeated certificate", true,
            { $0.presentedChain = PresentedChain($0.presentedChain.certificates + $0.presentedChain.others) }
        ),
        (
            "the chain with another certificate in front", true,
            {
                let leaf = $0.presentedChain.certificates[0]
                $0.presentedChain = PresentedChain([leaf, leaf] + $0.presentedChain.others)
            }
        ),
        (
            "the chain with unreadable bytes", true,
            { $0.presentedChain = PresentedChain(der: $0.presentedChain.certificates.map(\.der) + [[0x30]]) }
        ),
        (
            "the chain without intermediate", false,
            { $0.presentedChain = PresentedChain(Array($0.presentedChain.certificates.prefix(1))) }
        ),
        (
            "the reversed chain", false,
            { $0.presentedChain = PresentedChain($0.presentedChain.certificates.reversed()) }
        ),
    ]

    @Test("Changing any setting that affects a verdict causes a new evaluation", arguments: changes.map(\.name))
    func anotherQuestion(by name: String) throws {
        let (_, isTrusted, change) = try #require(Self.changes.first { $0.name == name })
        let scene = try TrustScene(leaf: .leaf("www.example.com", "api.example.com"))
        let evaluator = CountingEvaluator(isRepeatable: true)
        let memory = VerdictMemory()
        let manager = try manager(evaluator, memory: memory)
        let first = manager.evaluate(scene.trust())
        #expect(first.isTrusted && evaluator.count == 1)

        var changed = scene.trust()
        try change(&changed)
        let fresh = try self.manager(CountingEvaluator(isRepeatable: true), memory: nil).evaluate(changed)
        #expect(fresh.isTrusted == isTrusted)
        for _ in 0..<2 { #expect(manager.evaluate(changed) == fresh) }
        // A refusal may have called the evaluator, and the cache doesn't remember it.
        let count = evaluator.count
        #expect(isTrusted ? count == 2 : count <= 3)
        #expect(memory.count == (isTrusted ? 2 : 1))

        #expect(manager.evaluate(scene.trust()) == first)
        #expect(evaluator.count == count)
    }

    @Test("Another host is another request, even with the same certificates and rule")
    func anotherHost() throws {
        let scene = try TrustScene(leaf: .leaf("www.example.com", "api.example.com", "192.0.2.1"))
        let evaluator = CountingEvaluator(isRepeatable: true)
        let memory = VerdictMemory()
        let manager = try manager(evaluator, memory: memory)
        for (index, name) in ["www.example.com", "api.example.com", "ftp.example.com"].enumerated() {
            let host = try Hostname(name)
            for _ in 0..<2 {
                let verdict = manager.evaluate(scene.trust(host: host))
                #expect(verdict.host == host && verdict.referenceName == host)
                #expect(verdict.isTrusted == (index < 2))
            }
        }
        #expect(evaluator.count == 2 && memory.count == 2)
        // One host's verdict isn't another's even if names aren't checked.
        for name in ["a.example.com", "b.example.com"] {
            let trust = scene.trust(host: try Hostname(name)) { $0.identity = .insecurelyAnyName }
            #expect(manager.evaluate(trust).host?.description == name)
        }
        #expect(evaluator.count == 4)
        let memoryOfAddresses = VerdictMemory()
        for (name, isTrusted) in [("192.0.2.1", true), ("192.0.2.2", false), ("::ffff:192.0.2.1", false)] {
            let trust = scene.trust(host: try Hostname(name))
            for _ in 0..<2 { #expect(trust.evaluate(rememberingIn: memoryOfAddresses).isTrusted == isTrusted) }
        }
    }

    @Test("Of hundreds of names that map to few slots of the cache, none gets another's verdict")
    func manyHosts() throws {
        let scene = try TrustScene()
        let memory = VerdictMemory(capacity: 1)
        for index in 0..<200 {
            #expect(scene.trust { $0.signatureMemory = .shared }.evaluate(rememberingIn: memory).isTrusted)
            let host = try Hostname("host\(index).example.com")
            let other = scene.trust(host: host) { $0.signatureMemory = .shared }
            #expect(other.evaluate(rememberingIn: memory).codes == [.hostMismatch])
        }
        #expect(memory.count == 1)
    }

    @Test("A peer without a name differs from a peer with a name")
    func withoutHost() throws {
        let scene = try TrustScene()
        let memory = VerdictMemory()
        var anonymous = Trust(insecurelyWithoutHost: PresentedChain(scene.chain))
        anonymous.anchors = scene.anchors
        anonymous.verifyDate = .at(TestAuthority.now)
        #expect(anonymous.evaluate(rememberingIn: memory).isTrusted)
        let other = scene.trust(host: try Hostname("other.example"))
        #expect(other.evaluate(rememberingIn: memory).codes == [.hostMismatch])
        #expect(anonymous.evaluate(rememberingIn: memory).host == nil)
    }

    @Test("Certificates that differ in one bit or have another issuer count as different")
    func otherBytes() throws {
        let scene = try TrustScene()
        let memory = VerdictMemory()
        #expect(scene.trust().evaluate(rememberingIn: memory).isTrusted)
        // The last bytes, which determine the slot in the cache, stay the same.
        for index in stride(from: 4, to: scene.leaf.der.count - 80, by: 7) {
            var der = scene.leaf.der
            der[index] ^= 1
            guard let forged = try? Certificate(der: der) else { continue }
            let trust = scene.trust([forged, scene.intermediate.certificate])
            #expect(!trust.evaluate(rememberingIn: memory).isTrusted)
        }
        let impostor = try TrustScene()
        #expect(!scene.trust(impostor.chain).evaluate(rememberingIn: memory).isTrusted)
        #expect(
            !scene.trust([scene.leaf, impostor.intermediate.certificate]).evaluate(rememberingIn: memory).isTrusted)
        #expect(memory.count == 1)
    }

    @Test("A verdict reached without exceptions doesn't apply with exceptions, and vice versa")
    func exceptions() throws {
        let scene = try TrustScene()
        let untrusted = scene.trust { $0.anchors = .only([]) }
        let agreed = try untrusted.evaluate().exceptions()
        let later = try untrusted.evaluate().exceptions(expires: TestAuthority.now)
        let evaluator = CountingEvaluator(isRepeatable: true)
        let memory = VerdictMemory()
        let manager = try manager(evaluator, memory: memory)
        #expect(manager.evaluate(scene.trust()).isTrusted)
        #expect(manager.evaluate(scene.trust { $0.setExceptions(agreed) }).isTrusted)
        #expect(manager.evaluate(scene.trust { $0.setExceptions(later) }).isTrusted)
        #expect(evaluator.count == 3)
        // A verdict that exceptions made trusted never applies without them.
        #expect(!manager.evaluate(untrusted).isTrusted)
        var trust = untrusted
        trust.setExceptions(agreed)
        #expect(manager.evaluate(trust).result == .proceed)
        #expect(!manager.evaluate(untrusted).isTrusted)
        trust.settings.exceptions = nil
        #expect(!manager.evaluate(trust).isTrusted)
    }

    @Test("The cache doesn't remember trust by exception beyond the exception's end")
    func exceptionsThatEnd() throws {
        let scene = try TrustScene(leaf: .expired)
        let end = TestAuthority.now.advanced(by: 100)
        let agreed = try scene.trust().evaluate().exceptions(expires: end)
        let memory = VerdictMemory()
        let manager = try manager(DefaultTrustEvaluator(), memory: memory)
        func verdict(_ seconds: Int64) -> TrustVerdict {
            var trust = scene.trust()
            trust.setExceptions(agreed)
            trust.verifyDate = .at(end.advanced(by: seconds))
            return manager.evaluate(trust)
        }
        for seconds: Int64 in [-100, 0, -1, 0] { #expect(verdict(seconds).result == .proceed) }
        for seconds: Int64 in [1, 2, 100_000] { #expect(verdict(seconds).codes == [.certificateExpired]) }
        #expect(verdict(0).result == .proceed)
        #expect(memory.count == 0)
    }

    // MARK: Dates

    /// The index of the certificate that ends first and begins last. 0 is the leaf.
    @Test(
        "A remembered verdict doesn't apply a second after the earliest end of a certificate's validity or a second before the latest beginning",
        arguments: 0..<3)
    func dates(limiting: Int) throws {
        let begin = TestAuthority.now.advanced(by: -10 * 86_400)
        let end = TestAuthority.now.advanced(by: 10 * 86_400)
        func template(_ template: CertificateTemplate, _ index: Int) -> CertificateTemplate {
            index == limiting ? template.from(begin).until(end) : template
        }
        let scene = try TrustScene(
            root: template(.authority("Root"), 2), intermediate: template(.authority("CA"), 1),
            leaf: template(.leaf(TrustScene.name), 0))
        let evaluator = CountingEvaluator(isRepeatable: true)
        let memory = VerdictMemory()
        let manager = try manager(evaluator, memory: memory)
        func verdict(_ time: Time) -> TrustVerdict { manager.evaluate(scene.trust(at: time)) }

        let first = verdict(TestAuthority.now)
        #expect(first.unchangedFrom == begin && first.unchangedUntil == end)
        // The date moves back and forth over both ends while the cache keeps the verdict.
        for _ in 0..<2 {
            for time in [begin, end, TestAuthority.now] {
                let inside = verdict(time)
                #expect(inside.isTrusted && inside.evaluationDate == time)
            }
            for seconds: Int64 in [1, 2, 60, 86_400] {
                let late = verdict(end.advanced(by: seconds))
                #expect(late.codes == [.certificateExpired])
                #expect(late.failures.first?.certificate == limiting)
                #expect(late.evaluationDate == end.advanced(by: seconds))
                let early = verdict(begin.advanced(by: -seconds))
                #expect(early.codes == [.certificateNotYetValid])
                #expect(early.failures.first?.certificate == limiting)
            }
        }
        #expect(evaluator.count == 1 && memory.count == 1)
    }

    @Test(
        "A verdict remembered at one end of its window applies at the other end, but not beyond",
        arguments: [true, false])
    func edges(atEnd: Bool) throws {
        let begin = TestAuthority.now.advanced(by: -5)
        let end = TestAuthority.now.advanced(by: 5)
        let scene = try TrustScene(leaf: .leaf(TrustScene.name).from(begin).until(end))
        let memory = VerdictMemory()
        #expect(scene.trust(at: atEnd ? end : begin).evaluate(rememberingIn: memory).isTrusted)
        #expect(scene.trust(at: atEnd ? begin : end).evaluate(rememberingIn: memory).isTrusted)
        #expect(!scene.trust(at: end.advanced(by: 1)).evaluate(rememberingIn: memory).isTrusted)
        #expect(!scene.trust(at: begin.advanced(by: -1)).evaluate(rememberingIn: memory).isTrusted)
    }

    @Test("When the remembered path has ended, the engine finds another one and remembers it")
    func anotherPath() throws {
        let end = TestAuthority.now.advanced(by: 100)
        let root = try TestAuthority.root()
        let key = TestKey.p256()
        let short = try root.intermediate(.authority("CA").until(end), key: key)
        let long = try root.intermediate(.authority("CA").from(end.advanced(by: 1)), key: key)
        let leaf = try short.issue(.leaf(TrustScene.name)).certificate
        var trust = Trust(
            presentedChain: [leaf, short.certificate, long.certificate], host: try Hostname(TrustScene.name))
        trust.anchors = .only([root.certificate])
        let memory = VerdictMemory()
        for (seconds, expected) in [(0, short), (100, short), (101, long), (100, short), (200, long)] {
            trust.verifyDate = .at(TestAuthority.now.advanced(by: Int64(seconds)))
            for _ in 0..<2 {
                let verdict = trust.evaluate(rememberingIn: memory)
                #expect(verdict.path == [leaf, expected.certificate, root.certificate])
            }
        }
        #expect(memory.count == 1)
    }

    // MARK: Refusals and evaluators

    @Test("A refusal is evaluated again every time")
    func refusals() throws {
        let scene = try TrustScene()
        let evaluator = CountingEvaluator(isRepeatable: true, refusal: TrustFailure(.evaluatorRefused))
        let memory = VerdictMemory()
        let manager = try manager(evaluator, memory: memory)
        for count in 1...4 {
            #expect(manager.evaluate(scene.trust()).codes == [.evaluatorRefused])
            #expect(evaluator.count == count)
        }
        #expect(memory.count == 0)
        let late = scene.trust(at: TestAuthority.notAfter.advanced(by: 1))
        #expect(!late.evaluate(rememberingIn: memory).isTrusted)
        #expect(!scene.trust(presented: PresentedChain([])).evaluate(rememberingIn: memory).isTrusted)
        #expect(memory.count == 0)
        #expect(scene.trust().evaluate(rememberingIn: memory).isTrusted)
    }

    @Test("An evaluator that isn't repeatable is called every time, even within a composite")
    func unrepeatable() throws {
        struct Silent: TrustEvaluator {
            func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {}
        }
        #expect(!Silent().isRepeatable)
        let scene = try TrustScene()
        let memory = VerdictMemory()
        let alone = CountingEvaluator(isRepeatable: false)
        let member = CountingEvaluator(isRepeatable: false)
        let repeatable = CountingEvaluator(isRepeatable: true)
        let composite = try CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), member, repeatable])
        for evaluator in [alone, composite] as [any TrustEvaluator] {
            let manager = try manager(evaluator, memory: memory)
            for _ in 0..<3 { #expect(manager.evaluate(scene.trust()).isTrusted) }
        }
        #expect(alone.count == 3 && member.count == 3 && repeatable.count == 3)
        #expect(memory.count == 0)
    }

    @Test("An evaluator that depends on the verify date beyond the validity is called every time")
    func remainingValidity() throws {
        let scene = try TrustScene()
        let manager = try manager(
            AttributeTrustEvaluator([.minimumRemainingValidity(.days(30))]), memory: VerdictMemory())
        let last = TestAuthority.notAfter.advanced(by: -30 * 86_400)
        for _ in 0..<2 {
            #expect(manager.evaluate(scene.trust(at: last)).isTrusted)
            #expect(manager.evaluate(scene.trust(at: last.advanced(by: 1))).codes == [.attributeNotMatched])
        }
    }

    @Test("Without a cache, every connection is evaluated again")
    func withoutMemory() throws {
        let scene = try TrustScene()
        let evaluator = CountingEvaluator(isRepeatable: true)
        let manager = try manager(evaluator, memory: nil)
        for _ in 0..<3 { #expect(manager.evaluate(scene.trust()).isTrusted) }
        #expect(evaluator.count == 3)
    }

    @Test("A rule's verdict doesn't apply to another rule, manager or trust object that shares the cache")
    func anotherAsker() throws {
        let scene = try TrustScene()
        let memory = VerdictMemory()
        let relaxed = try PinnedCertificatesTrustEvaluator(
            certificates: [scene.leaf], performDefaultValidation: false, validateHost: false)
        let other = try Hostname("other.example.com")
        for _ in 0..<2 {
            #expect(scene.trust().evaluate(rememberingIn: memory).isTrusted)
            #expect(try manager(DefaultTrustEvaluator(), memory: memory).evaluate(scene.trust()).isTrusted)
            #expect(try manager(relaxed, memory: memory).evaluate(scene.trust(host: other)).isTrusted)
            // The same position in another rule table, with another requirement.
            #expect(
                try manager(TrustScene.otherPins(), memory: memory).evaluate(scene.trust()).codes
                    == [.pinNotMatched])
            #expect(
                try manager(DefaultTrustEvaluator(), memory: memory).evaluate(scene.trust(host: other)).codes
                    == [.hostMismatch])
            #expect(!scene.trust(host: other).evaluate(rememberingIn: memory).isTrusted)
        }
        let unlisted = try ServerTrustManager(rules: [], allHostsMustBeEvaluated: false, memory: memory)
        #expect(!unlisted.evaluate(scene.trust(host: other)).isTrusted)
    }

    @Test("Each manager has another number, and evaluations without a manager have none of them")
    func managers() {
        let numbers = (0..<3).map { _ in VerdictMemory.Scope.nextManager() }
        #expect(Set(numbers).count == 3 && numbers.allSatisfy { $0 > 0 })
        #expect(VerdictMemory.Scope.none.manager == 0)
    }

    @Test("The verdict of a relaxing report-only rule isn't remembered as a default verdict")
    func reportOnly() throws {
        let leaf = try TestAuthority.selfSigned(.leaf(TrustScene.name)).certificate
        let scene = try TrustScene()
        let pinned = try PinnedCertificatesTrustEvaluator(certificates: [leaf], acceptSelfSigned: true)
        let manager = try ServerTrustManager(
            rules: [(try HostPattern(TrustScene.name), .reportOnly(pinned))], memory: VerdictMemory())
        for _ in 0..<3 { #expect(manager.evaluate(scene.trust([leaf])).codes == [.selfSignedLeaf]) }
        let missed = try ServerTrustManager(
            rules: [(try HostPattern(TrustScene.name), .reportOnly(try TrustScene.otherPins()))],
            memory: VerdictMemory())
        for _ in 0..<3 {
            let verdict = missed.evaluate(scene.trust())
            #expect(verdict.isTrusted)
            #expect(verdict.reported.map(\.code) == [.pinNotMatched])
        }
    }

    // MARK: Size and threads

    @Test("The cache never exceeds its capacity, however many servers it sees")
    func bounded() throws {
        let scene = try TrustScene(leaf: .leaf("*.example.com"))
        for (capacity, maximum) in [(64, 64), (1, 64), (0, 64), (-1, 64), (65, 128)] {
            let memory = VerdictMemory(capacity: capacity)
            for index in 0..<200 {
                let trust = scene.trust(host: try Hostname("host\(index).example.com")) { $0.signatureMemory = .shared }
                #expect(trust.evaluate(rememberingIn: memory).isTrusted)
                #expect(memory.count <= maximum)
            }
            #expect(memory.count > maximum / 2)
        }
    }

    @Test("An oversized chain is evaluated but not kept")
    func large() throws {
        let scene = try TrustScene()
        let memory = VerdictMemory()
        let stuffing = try (0..<3).map { index in
            try scene.intermediate.issue(
                .leaf("stuffing\(index).example").with { $0.organization = String(repeating: "x", count: 30_000) }
            ).certificate
        }
        for _ in 0..<2 { #expect(scene.trust(scene.chain + stuffing).evaluate(rememberingIn: memory).isTrusted) }
        #expect(memory.count == 0)
        #expect(scene.trust(scene.chain + stuffing.prefix(1)).evaluate(rememberingIn: memory).isTrusted)
        #expect(memory.count == 1)
    }

    @Test("Eight tasks that share a manager all get the correct verdicts while the small cache is sometimes emptied")
    func concurrency() async throws {
        let end = TestAuthority.now.advanced(by: 1000)
        let scene = try TrustScene()
        let leaves = try (0..<12).map { index in
            try scene.intermediate.issue(
                .leaf("host\(index).example.com").until(index % 2 == 0 ? end : TestAuthority.notAfter)
            ).certificate
        }
        let hosts = try (0..<12).map { try Hostname("host\($0).example.com") }
        let memory = VerdictMemory(capacity: 1)
        let manager = try manager(DefaultTrustEvaluator(), memory: memory)
        let wrong = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var wrong = 0
                    for round in 0..<150 {
                        let leaf = (round * 7 + task * 5) % leaves.count
                        let host = round % 5 == 0 ? (leaf + 1) % hosts.count : leaf
                        let time = end.advanced(by: Int64(round % 3) - 1)
                        let trust = scene.trust(
                            [leaves[leaf], scene.intermediate.certificate], host: hosts[host], at: time
                        ) { $0.signatureMemory = .shared }
                        let verdict = manager.evaluate(trust)
                        let isRight = host == leaf && (time <= end || leaf % 2 == 1)
                        if verdict.isTrusted != isRight || verdict.evaluationDate != time || verdict.host != hosts[host]
                            || verdict.path.first != leaves[leaf]
                        {
                            wrong += 1
                        }
                        if round % 50 == 49 { memory.removeAll() }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
        #expect(memory.count <= 64)
    }
}
