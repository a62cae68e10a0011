// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("The revision of a verdict source", .timeLimit(.minutes(5)))
struct TrustRevisionTests {
    private func manager(exceptions: ExceptionStore? = nil) throws -> ServerTrustManager {
        try ServerTrustManager(evaluators: [TrustLab.host: DefaultTrustEvaluator()], exceptions: exceptions)
    }

    /// A replacement of a manager's rules.
    enum Replacement: CaseIterable {
        case rules, denied, transparency, filters, nothing

        func apply(to manager: ServerTrustManager) throws {
            switch self {
            case .rules:
                manager.replaceRules(by: try ServerTrustManager(rules: [TrustLab.host: .denied]), denied: nil)
            case .denied: manager.replaceRules(by: manager, denied: DeniedList(keys: [try .unused()]))
            case .transparency:
                let settings = TransparencySettings(logs: nil, policy: .mozilla, mode: .require)
                manager.replaceRules(by: manager, denied: nil, transparency: settings)
            case .filters: manager.replaceRules(by: manager, denied: nil, transparency: nil, filters: [])
            case .nothing: manager.replaceRules(by: manager, denied: nil)
            }
        }
    }

    @Test("Every replacement of the rules changes the revision", arguments: Replacement.allCases)
    func replaced(replacement: Replacement) throws {
        let manager = try manager()
        let source = VerdictSource(ServerTrustConfiguration(manager))
        let before = source.revision
        #expect(source.revision == before)
        try replacement.apply(to: manager)
        let after = source.revision
        #expect(after != before)
        #expect(source.revision == after)
        // The same replacement is another revision.
        try replacement.apply(to: manager)
        #expect(source.revision != after && source.revision != before)
    }

    @Test("A change of another manager doesn't change the revision")
    func otherManager() throws {
        let source = VerdictSource(ServerTrustConfiguration(try manager()))
        let before = source.revision
        let other = try manager()
        other.replaceRules(by: other, denied: DeniedList(keys: [try .unused()]))
        #expect(source.revision == before)
    }

    @Test("Copies of a source have the same revision, and separate sources have different ones")
    func copies() throws {
        let trust = ServerTrustConfiguration(try manager())
        let source = VerdictSource(trust)
        let copy = source
        #expect(copy.revision == source.revision)
        #expect(VerdictSource(trust).revision != source.revision)
        trust.manager.replaceRules(by: trust.manager, denied: nil)
        #expect(copy.revision == source.revision)
    }

    @Test("A renewed source has another revision, and its copies keep theirs")
    func renewed() throws {
        var source = VerdictSource(ServerTrustConfiguration(try manager()))
        let copy = source
        let before = source.revision
        source.renew()
        #expect(source.revision != before)
        #expect(copy.revision == before)
        let own = VerdictSource.immediate { chain, host in Trust(presentedChain: chain, host: host).evaluate() }
        var renewed = own
        renewed.renew()
        #expect(renewed.revision != own.revision)
    }

    @Test("A source that knows verdicts keeps the revision of the original and follows the same manager")
    func knowing() throws {
        let manager = try manager()
        let source = VerdictSource(ServerTrustConfiguration(manager))
        let knowing = source.knowing { _ in nil }
        #expect(knowing.revision == source.revision)
        try Replacement.denied.apply(to: manager)
        #expect(knowing.revision == source.revision)
    }

    @Test("Only a source of closures that follows a manager changes its revision and has observers")
    func followed() throws {
        let manager = try manager()
        let evaluate: @Sendable (PresentedChain, Hostname) -> TrustVerdict = {
            manager.evaluate(Trust(presentedChain: $0, host: $1))
        }
        for own in [VerdictSource.immediate(evaluate), .waiting { evaluate($0, $1) }] {
            let before = own.revision
            manager.replaceRules(by: manager, denied: nil)
            #expect(own.revision == before)
            #expect(own.observeChanges({}) == nil)
            var following = own
            following.follow(manager)
            let followed = following.revision
            manager.replaceRules(by: manager, denied: nil)
            #expect(following.revision != followed)
            #expect(following.observeChanges({}) != nil)
        }
    }

    @Test("Every change of the stored exceptions changes the revision")
    func exceptions() throws {
        let folder = try StoreFolder()
        let store = try ExceptionStore(file: folder.file)
        let source = VerdictSource(ServerTrustConfiguration(try manager(exceptions: store)))
        let entry = try ExceptionStoreTests.exceptions()
        let changes: [() throws -> Void] = [
            { try store.add(entry) }, { try store.add(entry) }, { try store.reload() },
            { try store.removeExpired(at: TestAuthority.now) }, { try store.removeAll(for: Hostname(TrustLab.host)) },
        ]
        var seen: Set<TrustRevision> = [source.revision]
        for change in changes {
            try change()
            #expect(seen.insert(source.revision).inserted)
            #expect(!seen.insert(source.revision).inserted)
        }
        #expect(seen.count == 1 + changes.count)
    }

    @Test("A change of the stored exceptions that fails leaves the revision unchanged")
    func failedChange() throws {
        let folder = try StoreFolder()
        let store = try ExceptionStore(file: folder.file)
        let source = VerdictSource(ServerTrustConfiguration(try manager(exceptions: store)))
        let before = source.revision
        try folder.write("not a store")
        #expect(throws: ExceptionStoreError.self) { try store.add(ExceptionStoreTests.exceptions()) }
        #expect(throws: ExceptionStoreError.self) { try store.reload() }
        #expect(source.revision == before)
    }

    @Test("An observer is called after each change, when the revision is already the new one, until it is released")
    func observed() throws {
        let manager = try manager()
        let source = VerdictSource(ServerTrustConfiguration(manager))
        let seen = Locked<[TrustRevision]>([])
        var expected: [TrustRevision] = []
        var observation = source.observeChanges { seen.withLock { $0.append(source.revision) } }
        #expect(observation != nil)
        for replacement in Replacement.allCases {
            try replacement.apply(to: manager)
            expected.append(source.revision)
            #expect(seen.withLock { $0 } == expected)
        }
        observation = nil
        manager.replaceRules(by: manager, denied: nil)
        #expect(seen.withLock { $0 } == expected)
    }

    @Test("Each of several observers is called, and releasing one keeps the others")
    func several() throws {
        let manager = try manager()
        let source = VerdictSource(ServerTrustConfiguration(manager))
        let counts = Locked([0, 0, 0])
        var observations = (0..<3).map { index in source.observeChanges { counts.withLock { $0[index] += 1 } } }
        manager.replaceRules(by: manager, denied: nil)
        #expect(counts.withLock { $0 } == [1, 1, 1])
        observations[1] = nil
        manager.replaceRules(by: manager, denied: nil)
        #expect(counts.withLock { $0 } == [2, 1, 2])
        observations = []
        manager.replaceRules(by: manager, denied: nil)
        #expect(counts.withLock { $0 } == [2, 1, 2])
    }

    @Test("An observer can add and release observers, and can outlive its manager")
    func reentrant() throws {
        let later = Locked<(RuleChanges.Observation?, RuleChanges.Observation?)>((nil, nil))
        let count = Locked(0)
        do {
            let manager = try manager()
            let source = VerdictSource(ServerTrustConfiguration(manager))
            let first = source.observeChanges { [weak manager] in
                let added = manager?.changes.observe { count.withLock { $0 += 1 } }
                later.withLock { $0.1 = added }
            }
            later.withLock { $0.0 = first }
            manager.replaceRules(by: manager, denied: nil)
            #expect(count.withLock { $0 } == 0)
            manager.replaceRules(by: manager, denied: nil)
        }
        // The managers' observers are gone, so releasing an observation has no effect.
        later.withLock { $0 = (nil, nil) }
        #expect(count.withLock { $0 } == 1)
    }

    @Test("Concurrent changes and observers lose no change")
    func threads() async throws {
        let manager = try manager()
        let source = VerdictSource(ServerTrustConfiguration(manager))
        let count = Locked(0)
        let observation = source.observeChanges { count.withLock { $0 += 1 } }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<250 { manager.replaceRules(by: manager, denied: nil) }
                }
                group.addTask {
                    for _ in 0..<250 { _ = source.observeChanges {} }
                }
            }
        }
        #expect(count.withLock { $0 } == 1_000)
        _ = observation
    }
}
