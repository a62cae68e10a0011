// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Server trust manager")
struct ServerTrustManagerTests {
    private func manager(
        _ rules: KeyValuePairs<String, HostRule>, allHostsMustBeEvaluated: Bool = true,
        exceptions: ExceptionStore? = nil, insecureOptions: ServerTrustManager.InsecureOptions = []
    ) throws -> ServerTrustManager {
        try ServerTrustManager(
            rules: try rules.map { (try HostPattern($0.key), $0.value) },
            allHostsMustBeEvaluated: allHostsMustBeEvaluated, exceptions: exceptions, insecureOptions: insecureOptions)
    }

    // MARK: Selecting the rule

    static let lookups: [(host: String, marker: String?)] = [
        ("example.com", "tree"),
        ("a.example.com", "one label"),
        ("A.EXAMPLE.COM.", "one label"),
        ("api.example.com", "exact"),
        ("v1.api.example.com", "tree"),
        ("b.a.example.com", "tree"),
        ("cdn.example.com", "tree of cdn"),
        ("x.cdn.example.com", "tree of cdn"),
        ("y.x.cdn.example.com", "tree of cdn"),
        ("192.0.2.1", "address"),
        ("192.0.2.2", nil),
        ("notexample.com", nil),
        ("example.com.evil.example", nil),
        ("com", nil),
        ("www.example.org", nil),
    ]

    /// Refuses every path, with a marker that identifies the evaluator's rule.
    private struct Marked: TrustEvaluator {
        let marker: String
        func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
            throw TrustFailures(TrustFailure(.evaluatorRefused, found: .text(marker)))
        }
    }

    @Test("The most specific match applies: exact, one label, any depth", arguments: lookups)
    func longestMatch(host: String, marker: String?) throws {
        let scene = try TrustScene()
        let rules: KeyValuePairs<String, String> = [
            "**.example.com": "tree", "*.example.com": "one label", "api.example.com": "exact",
            "**.cdn.example.com": "tree of cdn", "192.0.2.1": "address",
        ]
        let evaluators = Dictionary(uniqueKeysWithValues: rules.map { ($0.key, Marked(marker: $0.value)) })
        let managers = [
            try ServerTrustManager(evaluators: evaluators),
            try ServerTrustManager(
                rules: try rules.map { (try HostPattern($0.key), .enforced(Marked(marker: $0.value))) }),
            try ServerTrustManager(
                rules: try rules.reversed().map { (try HostPattern($0.key), .enforced(Marked(marker: $0.value))) }),
        ]
        let host = try Hostname(host)
        for manager in managers {
            #expect(manager.count == 5)
            #expect((manager.rule(for: host)?.evaluator as? Marked)?.marker == marker)
            let verdict = manager.evaluate(scene.trust(host: host) { $0.identity = .insecurelyAnyName })
            #expect(!verdict.isTrusted)
            #expect(verdict.codes == [marker == nil ? .hostNotListed : .evaluatorRefused])
            if let marker { #expect(verdict.headline?.found == .text(marker)) }
        }
    }

    // MARK: Unlisted and denied hosts, and peers without a host

    @Test("A host without a rule is denied by default, even with valid certificates")
    func unlisted() throws {
        let scene = try TrustScene()
        for manager in [
            try ServerTrustManager(evaluators: [:]),
            try ServerTrustManager(evaluators: ["other.example": DefaultTrustEvaluator()]), try manager([:]),
        ] {
            #expect(manager.allHostsMustBeEvaluated)
            #expect(manager.rule(for: scene.host) == nil)
            let verdict = manager.evaluate(scene.trust())
            #expect(verdict.result == .deny)
            #expect(verdict.codes == [.hostNotListed])
            #expect(verdict.host == scene.host)
            #expect(verdict.checked.isEmpty)
            #expect(verdict.unchangedUntil == nil && verdict.unchangedFrom == nil)
        }
    }

    @Test("If hosts without a rule are allowed, the manager still evaluates them")
    func unlistedEvaluated() throws {
        let scene = try TrustScene()
        for manager in [
            try manager([:], allHostsMustBeEvaluated: false),
            try ServerTrustManager(
                evaluators: ["other.example": DefaultTrustEvaluator()], allHostsMustBeEvaluated: false),
        ] {
            #expect(manager.evaluate(scene.trust()).result == .unspecified)
            #expect(manager.evaluate(scene.trust { $0.anchors = .only([]) }).codes == [.unknownIssuer])
            #expect(manager.evaluate(scene.trust(host: try Hostname("www.example.org"))).codes == [.hostMismatch])
            #expect(
                manager.evaluate(scene.trust(at: TestAuthority.notAfter.advanced(by: 1))).codes.contains(
                    .certificateExpired))
            #expect(manager.evaluate(scene.trust(presented: PresentedChain([]))).codes == [.presentedChainEmpty])
        }
    }

    @Test("A denied host is refused, with any chain and any exception", arguments: [true, false])
    func denied(allHostsMustBeEvaluated: Bool) throws {
        let scene = try TrustScene()
        let manager = try manager(
            ["**.example.com": .denied, "api.example.com": .enforced(DefaultTrustEvaluator())],
            allHostsMustBeEvaluated: allHostsMustBeEvaluated)
        let agreed = try scene.trust { $0.anchors = .only([]) }.evaluate().exceptions()
        for verdict in [
            manager.evaluate(scene.trust()), manager.evaluate(scene.trust { $0.setExceptions(agreed) }),
            manager.evaluate(scene.trust(presented: PresentedChain([]))),
        ] {
            #expect(verdict.result == .deny)
            #expect(verdict.codes == [.hostDenied])
            #expect(verdict.headline?.expected == .text("**.example.com"))
            #expect(throws: TrustExceptionsError.self) { try verdict.exceptions() }
        }
        #expect(manager.rule(for: scene.host) != nil)
        #expect(manager.rule(for: scene.host)?.evaluator == nil)
    }

    @Test("An identity other than the host doesn't bypass the host's rule")
    func deniedWithIdentity() throws {
        let scene = try TrustScene()
        let manager = try manager(["evil.example": .denied, "www.example.com": .enforced(DefaultTrustEvaluator())])
        let trust = scene.trust(host: try Hostname("evil.example")) { $0.identity = .name(scene.host) }
        #expect(manager.evaluate(trust).codes == [.hostDenied])
        let unlisted = scene.trust(host: try Hostname("unlisted.example")) { $0.identity = .name(scene.host) }
        #expect(manager.evaluate(unlisted).codes == [.hostNotListed])
    }

    @Test("A peer without a host is refused, even if hosts need no rule", arguments: [true, false])
    func withoutHost(allHostsMustBeEvaluated: Bool) throws {
        let scene = try TrustScene()
        let manager = try manager(
            ["**.example.com": .enforced(DefaultTrustEvaluator())], allHostsMustBeEvaluated: allHostsMustBeEvaluated)
        var trust = Trust(insecurelyWithoutHost: PresentedChain(scene.chain))
        trust.anchors = scene.anchors
        trust.verifyDate = .at(TestAuthority.now)
        #expect(trust.evaluate().isTrusted)
        trust.identity = .name(scene.host)
        let verdict = manager.evaluate(trust)
        #expect(verdict.result == .deny)
        #expect(verdict.codes == [.hostNotListed])
        #expect(verdict.host == nil)
    }

    // MARK: Identity

    @Test("The manager selects the rule by the host, and compares the leaf with the identity")
    func identity() throws {
        let scene = try TrustScene(leaf: .leaf("inner.example.com"))
        let pinned = try scene.pins(scene.leaf)
        let manager = try manager(["front.example.com": .enforced(pinned)])
        let front = try Hostname("front.example.com")
        let inner = try Hostname("inner.example.com")
        #expect(manager.evaluate(scene.trust(host: front)).codes == [.hostMismatch])
        let named = manager.evaluate(
            scene.trust(host: front) { $0.identity = .name(inner) })
        #expect(named.isTrusted)
        #expect(named.host == front && named.referenceName == inner)
        let any = manager.evaluate(scene.trust(host: front) { $0.identity = .insecurelyAnyName })
        #expect(any.isTrusted)
        #expect(any.referenceName == nil)
        #expect(any.notChecked.contains(.identity) && !any.checked.contains(.identity))
    }

    @Test("The trust object's own settings apply under a rule")
    func settings() throws {
        let scene = try TrustScene()
        let manager = try manager([TrustScene.name: .enforced(DefaultTrustEvaluator())])
        #expect(manager.evaluate(scene.trust { $0.policy.purpose = .clientAuth }).codes.isEmpty == false)
        #expect(manager.evaluate(scene.trust { $0.anchors = .only([]) }).codes == [.unknownIssuer])
        #expect(
            manager.evaluate(scene.trust { $0.revocation = .required }).codes == [
                .revocationUnavailable, .revocationUnavailable,
            ])
        #expect(manager.evaluate(scene.trust([scene.leaf])).codes == [.unknownIssuer])
        let completed = scene.trust([scene.leaf]) { $0.intermediates = [scene.intermediate.certificate] }
        #expect(manager.evaluate(completed).isTrusted)
        let strict = manager.evaluate(scene.trust { $0.policy.isStrict = true })
        #expect(strict.isStrict)
    }

    @Test("The manager throws a refusal with its verdict, and returns a trusted verdict")
    func throwing() throws {
        let scene = try TrustScene()
        let manager = try manager([TrustScene.name: .enforced(TrustScene.otherPins())])
        do throws(TrustRefusal) {
            try manager.requireTrust(scene.trust())
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.verdict == manager.evaluate(scene.trust()))
            #expect(error.headline.code == .pinNotMatched && error.code == .pinNotMatched)
            #expect(error.description.contains(TrustScene.name))
        }
        let good = try self.manager([TrustScene.name: .enforced(scene.pins(scene.root.certificate))])
        #expect(try good.requireTrust(scene.trust()).matchedPin?.certificate == 2)
    }

    // MARK: Creation

    @Test("The error reports every malformed pattern, not only the first")
    func badPatterns() throws {
        let texts = ["", "*", "**", "*.192.0.2.1", "https://example.com", "example.com:443", "a*.example.com", "*.*.a"]
        let evaluators = Dictionary(
            uniqueKeysWithValues: (texts + ["good.example"]).map { ($0, DefaultTrustEvaluator()) })
        do throws(ServerTrustManagerError) {
            _ = try ServerTrustManager(evaluators: evaluators)
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.problems.map(\.pattern) == texts.sorted())
            let others: Set<ErrorCode> = [.hostPatternRepeated, .hostRuleAcceptsAnyServer]
            #expect(others.isDisjoint(with: error.problems.map(\.code)))
            #expect(error.code == error.problems.first?.code)
        }
    }

    static let spellings = [
        ["www.example.com", "WWW.example.com"], ["www.example.com", "www.example.com."],
        ["*.example.com", "*.EXAMPLE.com."], ["**.example.com", "**.Example.com"], ["::1", "[::1]"],
        ["2001:db8::1", "2001:0DB8:0:0::1"],
    ]

    @Test("A repeated pattern is refused in any spelling", arguments: spellings)
    func duplicates(texts: [String]) throws {
        let evaluators = Dictionary(uniqueKeysWithValues: texts.map { ($0, DefaultTrustEvaluator()) })
        let error = #expect(throws: ServerTrustManagerError.self) { try ServerTrustManager(evaluators: evaluators) }
        #expect(error?.problems == [.duplicate(try HostPattern(texts[0]))])
        #expect(error?.code == .hostPatternRepeated)
        let rules = try texts.map { (try HostPattern($0), HostRule.denied) }
        let again = #expect(throws: ServerTrustManagerError.self) { try ServerTrustManager(rules: rules) }
        #expect(again?.problems == [.duplicate(try HostPattern(texts[0]))])
    }

    @Test("The error reports all problems in the rules at once, whatever their kind")
    func severalKinds() throws {
        let disabled = DisabledTrustEvaluator.insecurelyTrustingAnyServer
        let error = #expect(throws: ServerTrustManagerError.self) {
            try ServerTrustManager(evaluators: [
                "a..b": DefaultTrustEvaluator(), "off.example": disabled, "www.example.com": DefaultTrustEvaluator(),
                "WWW.example.com": DefaultTrustEvaluator(),
            ])
        }
        let problems = try #require(error).problems
        #expect(problems.count == 3)
        #expect(problems.contains(.disabledEvaluator(try HostPattern("off.example"))))
        #expect(problems.contains(.duplicate(try HostPattern("www.example.com"))))
    }

    @Test("The error reports every repeated pattern, not only the first")
    func severalDuplicates() throws {
        let rules = try ["a.example", "b.example", "A.example", "c.example", "B.example", "a.example."].map {
            (try HostPattern($0), HostRule.denied)
        }
        let error = #expect(throws: ServerTrustManagerError.self) { try ServerTrustManager(rules: rules) }
        #expect(
            try Set(error?.problems ?? [])
                == [.duplicate(HostPattern("a.example")), .duplicate(HostPattern("b.example"))])
    }

    @Test("Patterns of different kinds for the same name aren't duplicates")
    func noDuplicates() throws {
        let manager = try ServerTrustManager(evaluators: [
            "example.com": DefaultTrustEvaluator(), "*.example.com": DefaultTrustEvaluator(),
            "**.example.com": DefaultTrustEvaluator(), "192.0.2.1": DefaultTrustEvaluator(),
            "::ffff:192.0.2.1": DefaultTrustEvaluator(),
        ])
        #expect(manager.count == 5)
    }

    @Test("A disabled evaluator is refused unless allowed, even deep in composites and in report-only rules")
    func disabledEvaluators() throws {
        let disabled = DisabledTrustEvaluator.insecurelyTrustingAnyServer
        let composite = try CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), disabled])
        let deep = try CompositeTrustEvaluator(evaluators: [
            try CompositeTrustEvaluator(evaluators: [composite]), DefaultTrustEvaluator(),
        ])
        let rules: KeyValuePairs<String, HostRule> = [
            "a.example": .enforced(disabled), "b.example": .enforced(composite), "c.example": .enforced(deep),
            "d.example": .reportOnly(disabled), "e.example": .enforced(DefaultTrustEvaluator()), "f.example": .denied,
        ]
        let error = #expect(throws: ServerTrustManagerError.self) { try manager(rules) }
        #expect(
            try error?.problems
                == ["a.example", "b.example", "c.example", "d.example"].map { .disabledEvaluator(try HostPattern($0)) })
        #expect(try manager(rules, insecureOptions: .allowsDisabledEvaluators).count == 6)
        #expect(throws: ServerTrustManagerError.self) { try ServerTrustManager(evaluators: ["a.example": deep]) }
    }

    @Test(
        "An allowed disabled evaluator trusts any server and says so, but doesn't disable the others in its composite"
    )
    func disabledAllowed() throws {
        let scene = try TrustScene()
        let disabled = DisabledTrustEvaluator.insecurelyTrustingAnyServer
        let composite = try CompositeTrustEvaluator(evaluators: [disabled, TrustScene.otherPins()])
        let manager = try manager(
            ["a.example": .enforced(disabled), "b.example": .enforced(composite)],
            insecureOptions: .allowsDisabledEvaluators)
        let open = manager.evaluate(scene.trust(host: try Hostname("a.example")) { $0.anchors = .only([]) })
        #expect(open.result == .proceed)
        #expect(Set(open.excused.map(\.code)) == [.hostMismatch, .unknownIssuer])
        #expect(open.checked.isEmpty)
        #expect(manager.evaluate(scene.trust(host: try Hostname("b.example"))).isTrusted == false)
        let nobody = scene.trust(presented: PresentedChain([]), host: try Hostname("a.example"))
        #expect(!manager.evaluate(nobody).isTrusted)
    }

    // MARK: Report only

    @Test("Missed pins under a report-only rule are reported, and the default evaluation decides")
    func reportOnly() throws {
        let scene = try TrustScene()
        let manager = try manager([TrustScene.name: .reportOnly(TrustScene.otherPins())])
        for _ in 0..<3 {
            let verdict = manager.evaluate(scene.trust())
            #expect(verdict.result == .unspecified)
            #expect(verdict.failures.isEmpty)
            #expect(verdict.reported.map(\.code) == [.pinNotMatched])
            #expect(verdict.matchedPin == nil)
            #expect(!verdict.checked.contains(.pins))
        }
        let good = try self.manager([TrustScene.name: .reportOnly(scene.pins(scene.leaf))])
        let verdict = good.evaluate(scene.trust())
        #expect(verdict.isTrusted && verdict.reported.isEmpty)
        #expect(verdict.matchedPin?.certificate == 0)
    }

    @Test("An untrusted chain or name is refused under a report-only rule")
    func reportOnlyUntrusted() throws {
        let scene = try TrustScene()
        let rules = try manager(["**.example.com": .reportOnly(scene.pins(scene.leaf))])
        #expect(rules.evaluate(scene.trust { $0.anchors = .only([]) }).codes == [.unknownIssuer])
        #expect(rules.evaluate(scene.trust(host: try Hostname("a.example.com"))).codes == [.hostMismatch])
        #expect(rules.evaluate(scene.trust(presented: PresentedChain([]))).codes == [.presentedChainEmpty])
        let late = rules.evaluate(scene.trust(at: TestAuthority.notAfter.advanced(by: 1)))
        #expect(late.codes.contains(.certificateExpired))
        let forged = try Certificate(der: scene.leaf.der.dropLast() + [scene.leaf.der[scene.leaf.der.count - 1] ^ 1])
        #expect(rules.evaluate(scene.trust([forged, scene.intermediate.certificate])).result == .fatalFailure)
        let missed = try manager([TrustScene.name: .reportOnly(TrustScene.otherPins())])
        let both = missed.evaluate(scene.trust { $0.anchors = .only([]) })
        #expect(both.codes == [.unknownIssuer])
        // A default evaluation failure isn't a finding of the rule.
        #expect(both.reported.isEmpty)
    }

    /// Evaluators that relax the evaluation of a self-signed leaf when they are enforced.
    static let relaxing: [(name: String, evaluator: @Sendable (Certificate) throws -> any TrustEvaluator)] = [
        ("acceptSelfSigned", { try PinnedCertificatesTrustEvaluator(certificates: [$0], acceptSelfSigned: true) }),
        (
            "certificates without default validation",
            {
                try PinnedCertificatesTrustEvaluator(
                    certificates: [$0], performDefaultValidation: false, validateHost: false)
            }
        ),
        (
            "keys without default validation",
            {
                try PublicKeysTrustEvaluator(
                    keys: [$0.subjectPublicKeyInfo], performDefaultValidation: false, validateHost: false)
            }
        ),
        ("a CA with its own anchors", { try CertificateAuthorityTrustEvaluator(onlyAnchors: [$0]) }),
        ("disabled", { _ in DisabledTrustEvaluator.insecurelyTrustingAnyServer }),
        (
            "a composite with one of them",
            {
                try CompositeTrustEvaluator(evaluators: [
                    AttributeTrustEvaluator([]),
                    PinnedCertificatesTrustEvaluator(certificates: [$0], acceptSelfSigned: true),
                ])
            }
        ),
        (
            "a composite of disabled evaluators",
            { _ in try CompositeTrustEvaluator(evaluators: [DisabledTrustEvaluator.insecurelyTrustingAnyServer]) }
        ),
    ]

    @Test(
        "An evaluator that would relax the evaluation never does so under a report-only rule, however often it is called",
        arguments: relaxing.map(\.name))
    func reportOnlyNeverRelaxes(name: String) throws {
        let scene = try TrustScene()
        let leaf = try TestAuthority.selfSigned(.leaf(TrustScene.name)).certificate
        let evaluator = try #require(Self.relaxing.first { $0.name == name }).evaluator(leaf)
        let enforced = try manager(
            [TrustScene.name: .enforced(evaluator)], insecureOptions: .allowsDisabledEvaluators)
        #expect(enforced.evaluate(scene.trust([leaf])).isTrusted)
        let reporting = try manager(
            [TrustScene.name: .reportOnly(evaluator)], insecureOptions: .allowsDisabledEvaluators)
        for _ in 0..<3 {
            let verdict = reporting.evaluate(scene.trust([leaf]))
            #expect(verdict.result == .recoverableFailure)
            #expect(verdict.codes == [.selfSignedLeaf])
            #expect(verdict.excused.isEmpty)
            #expect(verdict.checked.contains(.identity))
        }
    }

    @Test("The manager checks names under a report-only rule, even if the evaluator wouldn't")
    func reportOnlyChecksNames() throws {
        let scene = try TrustScene()
        let other = try Hostname("other.example")
        let evaluators: [any TrustEvaluator] = [
            DefaultTrustEvaluator(validateHost: false),
            try PinnedCertificatesTrustEvaluator(certificates: [scene.leaf], validateHost: false),
            try CompositeTrustEvaluator(evaluators: [
                DefaultTrustEvaluator(validateHost: false), scene.pins(scene.leaf),
            ]),
        ]
        for evaluator in evaluators {
            let enforced = try manager(["other.example": .enforced(evaluator)])
            #expect(enforced.evaluate(scene.trust(host: other)).isTrusted)
            let reporting = try manager(["other.example": .reportOnly(evaluator)])
            for _ in 0..<2 { #expect(reporting.evaluate(scene.trust(host: other)).codes == [.hostMismatch]) }
        }
    }

    // MARK: Exceptions

    private func withStore(_ body: (ExceptionStore) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("manager-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(try ExceptionStore(file: folder.appendingPathComponent("exceptions.json").path))
    }

    @Test("A user's exception applies only to its host and leaf")
    func exceptions() throws {
        let scene = try TrustScene(
            leaf: .leaf("www.example.com", "api.example.com").until(TestAuthority.now.advanced(by: -1)))
        try withStore { store in
            let manager = try manager(["**.example.com": .enforced(DefaultTrustEvaluator())], exceptions: store)
            let refused = manager.evaluate(scene.trust())
            #expect(refused.codes == [.certificateExpired])
            try store.add(refused.exceptions())
            let agreed = manager.evaluate(scene.trust())
            #expect(agreed.result == .proceed)
            #expect(agreed.excused.map(\.code) == [.certificateExpired])
            // The next day too.
            #expect(manager.evaluate(scene.trust(at: TestAuthority.now.advanced(by: 86_400))).result == .proceed)
            // Another host for the same leaf, another leaf at the same host, another failure.
            #expect(
                manager.evaluate(scene.trust(host: try Hostname("api.example.com"))).codes == [.certificateExpired])
            let renewed = try scene.intermediate.issue(.expired).certificate
            #expect(
                manager.evaluate(scene.trust([renewed, scene.intermediate.certificate])).codes
                    == [.certificateExpired])
            #expect(!manager.evaluate(scene.trust { $0.anchors = .only([]) }).isTrusted)
            #expect(!manager.evaluate(scene.trust { $0.policy.purpose = .clientAuth }).isTrusted)
            try store.removeAll(for: scene.host)
            #expect(manager.evaluate(scene.trust()).codes == [.certificateExpired])
        }
    }

    @Test("No exception covers a missed pin, a denied host or a host without a rule")
    func exceptionsAndPins() throws {
        let scene = try TrustScene(leaf: .expired)
        try withStore { store in
            try store.add(scene.trust().evaluate().exceptions())
            let pins = try TrustScene.otherPins()
            let rules: [HostRule] = [
                .enforced(pins),
                .enforced(try CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), pins])),
                .enforced(
                    try PinnedCertificatesTrustEvaluator(certificates: [try TrustScene().leaf])),
                .enforced(try CertificateAuthorityTrustEvaluator(authorities: [try TrustScene().root.certificate])),
                .enforced(Marked(marker: "no")),
            ]
            for rule in rules {
                let manager = try manager([TrustScene.name: rule], exceptions: store)
                let verdict = manager.evaluate(scene.trust())
                #expect(verdict.result == .fatalFailure)
                #expect(verdict.codes.contains { $0.severity == .fatal })
                #expect(throws: TrustExceptionsError.self) { try verdict.exceptions() }
            }
            #expect(
                try manager([TrustScene.name: .denied], exceptions: store).evaluate(scene.trust()).result == .deny)
            #expect(try manager([:], exceptions: store).evaluate(scene.trust()).result == .deny)
            // A pin that is met together with an exception is accepted.
            let met = try manager([TrustScene.name: .enforced(scene.pins(scene.leaf))], exceptions: store)
            #expect(met.evaluate(scene.trust()).result == .proceed)
            #expect(met.evaluate(scene.trust()).matchedPin?.certificate == 0)
        }
    }

    @Test("Exceptions for an unknown issuer don't accept another path if a CA is required")
    func exceptionsWithoutPath() throws {
        let scene = try TrustScene()
        try withStore { store in
            let untrusted = scene.trust { $0.anchors = .only([]) }
            try store.add(untrusted.evaluate().exceptions())
            let open = try manager([TrustScene.name: .enforced(DefaultTrustEvaluator())], exceptions: store)
            #expect(open.evaluate(untrusted).result == .proceed)
            // The path contains only the leaf: other presented certificates prove nothing.
            for evaluator in [
                try CertificateAuthorityTrustEvaluator(authorities: [scene.intermediate.certificate]),
                try scene.pins(scene.intermediate.certificate), try scene.pins(scene.root.certificate),
            ] as [any TrustEvaluator] {
                let manager = try manager([TrustScene.name: .enforced(evaluator)], exceptions: store)
                #expect(!manager.evaluate(untrusted).isTrusted)
            }
        }
    }

    @Test("The store's exceptions don't replace a trust object's own")
    func ownExceptions() throws {
        let scene = try TrustScene(leaf: .expired)
        try withStore { store in
            try store.add(scene.trust().evaluate().exceptions())
            let manager = try manager([TrustScene.name: .enforced(DefaultTrustEvaluator())], exceptions: store)
            let own = try scene.trust { $0.anchors = .only([]) }.evaluate().exceptions()
            // The trust object's own exceptions are broader and cover the failure, and the store doesn't widen them.
            #expect(manager.evaluate(scene.trust { $0.setExceptions(own) }).result == .proceed)
            let unrelated = try scene.trust { $0.policy.purpose = .clientAuth }.evaluate().exceptions()
            #expect(manager.evaluate(scene.trust { $0.setExceptions(unrelated) }).result == .proceed)
        }
    }

    @Test("Expired exceptions in the store don't count")
    func expiredExceptions() throws {
        let scene = try TrustScene(leaf: .expired)
        try withStore { store in
            let end = TestAuthority.now.advanced(by: 60)
            try store.add(scene.trust().evaluate().exceptions(expires: end))
            let manager = try manager([TrustScene.name: .enforced(DefaultTrustEvaluator())], exceptions: store)
            #expect(manager.evaluate(scene.trust(at: end)).result == .proceed)
            #expect(manager.evaluate(scene.trust(at: end.advanced(by: 1))).codes == [.certificateExpired])
        }
    }
}
