// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Trust events", .timeLimit(.minutes(10)))
struct TrustEventsTests {
    private func manager(_ rule: HostRule, memory: VerdictMemory? = VerdictMemory()) throws -> ServerTrustManager {
        try ServerTrustManager(
            rules: [(try HostPattern("**.example.com"), rule)], memory: memory,
            insecureOptions: .allowsDisabledEvaluators)
    }

    // MARK: Events

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kinds: [EventKind]
        let rule: @Sendable (TrustScene) throws -> HostRule
        var trust: @Sendable (TrustScene) throws -> Trust = { $0.trust() }
    }

    static let rows: [Row] = [
        Row(testDescription: "a trusted server", kinds: [.evaluated]) { _ in .enforced(DefaultTrustEvaluator()) },
        Row(
            testDescription: "an untrusted one", kinds: [.evaluated, .refused],
            rule: { _ in .enforced(DefaultTrustEvaluator()) },
            trust: { scene in scene.trust { $0.anchors = .only([]) } }),
        Row(testDescription: "a denied one", kinds: [.evaluated, .refused]) { _ in .denied },
        Row(
            testDescription: "one without a rule", kinds: [.evaluated, .refused], rule: { _ in .denied },
            trust: { $0.trust(host: try Hostname("www.example.org")) }),
        Row(
            testDescription: "one that sends nothing", kinds: [.evaluated, .refused],
            rule: { _ in .enforced(DefaultTrustEvaluator()) }, trust: { $0.trust(presented: PresentedChain([])) }),
        Row(testDescription: "a pin in use", kinds: [.evaluated]) { .enforced(try $0.pins($0.leaf)) },
        Row(testDescription: "a missed pin", kinds: [.evaluated, .refused]) { _ in
            .enforced(try TrustScene.otherPins())
        },
        Row(testDescription: "a backup pin", kinds: [.evaluated, .backupPin]) { .enforced(try backup($0)) },
        Row(
            testDescription: "a backup pin of an untrusted chain", kinds: [.evaluated, .refused],
            rule: { .enforced(try backup($0)) }, trust: { scene in scene.trust { $0.anchors = .only([]) } }),
        Row(testDescription: "a backup pin under report-only", kinds: [.evaluated, .backupPin]) {
            .reportOnly(try backup($0))
        },
        Row(testDescription: "missed pins under report-only", kinds: [.evaluated, .reportOnly]) { _ in
            .reportOnly(try TrustScene.otherPins())
        },
        Row(testDescription: "met pins under report-only", kinds: [.evaluated]) {
            .reportOnly(try $0.pins($0.leaf))
        },
        // A default evaluation failure isn't a finding of the rule.
        Row(
            testDescription: "an untrusted chain under report-only", kinds: [.evaluated, .refused],
            rule: { .reportOnly(try $0.pins($0.leaf)) }, trust: { scene in scene.trust { $0.anchors = .only([]) } }),
        Row(
            testDescription: "an exception", kinds: [.evaluated, .exception],
            rule: { _ in .enforced(DefaultTrustEvaluator()) }, trust: { try agreed($0) }),
        Row(
            testDescription: "an exception and a backup pin", kinds: [.evaluated, .backupPin, .exception],
            rule: { scene in
                .enforced(
                    try SPKIPinsTrustEvaluator(
                        pins: [TrustScene.pin(1)], backup: [SPKIPin(scene.leaf).description]))
            }, trust: { try agreed($0) }),
        Row(
            testDescription: "a disabled evaluation of a bad chain", kinds: [.evaluated, .exception],
            rule: { _ in .enforced(DisabledTrustEvaluator.insecurelyTrustingAnyServer) },
            trust: { scene in scene.trust { $0.anchors = .only([]) } }),
    ]

    private static func backup(_ scene: TrustScene) throws -> SPKIPinsTrustEvaluator {
        try SPKIPinsTrustEvaluator(
            pins: [TrustScene.pin(1)], backup: [SPKIPin(scene.root.certificate).description])
    }

    private static func agreed(_ scene: TrustScene) throws -> Trust {
        var trust = scene.trust { $0.anchors = .only([]) }
        trust.setExceptions(try trust.evaluate().exceptions())
        return trust
    }

    @Test("Each verdict sends its events, in order, every time", arguments: rows)
    func kinds(row: Row) throws {
        let scene = try TrustScene()
        let observer = RecordingObserver()
        let manager = try manager(try row.rule(scene))
        manager.events.add(observer)
        let trust = try row.trust(scene)
        for count in 1...2 {
            let verdict = manager.evaluate(trust)
            // Remembered verdicts send the events too.
            #expect(observer.kinds == Array(repeating: row.kinds, count: count).flatMap { $0 })
            for event in observer.events.suffix(row.kinds.count) { #expect(event.verdict == verdict) }
        }
    }

    @Test("An event's pin is the verdict's, with its position in the path")
    func pin() throws {
        let scene = try TrustScene()
        let observer = RecordingObserver()
        let manager = try manager(.enforced(Self.backup(scene)))
        manager.events.add(observer)
        let verdict = manager.evaluate(scene.trust())
        let pins = observer.events.compactMap { event -> MatchedPin? in
            if case .pinMatchedByBackup(let pin, _) = event { pin } else { nil }
        }
        #expect(pins == [verdict.matchedPin])
        #expect(pins.first?.pin == SPKIPin(scene.root.certificate).description)
        #expect(pins.first?.certificate == 2 && pins.first?.isBackup == true)
    }

    @Test("A thrown refusal sends the same events as a returned one")
    func thrown() throws {
        let scene = try TrustScene()
        let observer = RecordingObserver()
        let manager = try manager(.denied)
        manager.events.add(observer)
        #expect(throws: TrustRefusal.self) { try manager.requireTrust(scene.trust()) }
        #expect(observer.kinds == [.evaluated, .refused])
    }

    @Test("Observers make no difference to the verdict")
    func unobserved() throws {
        let scene = try TrustScene()
        for rule in [HostRule.denied, .enforced(DefaultTrustEvaluator()), .reportOnly(try TrustScene.otherPins())] {
            let silent = try manager(rule)
            let told = try manager(rule)
            told.events.add(RecordingObserver())
            #expect(silent.events.isUnobserved && !told.events.isUnobserved)
            for _ in 0..<2 { #expect(silent.evaluate(scene.trust()) == told.evaluate(scene.trust())) }
        }
    }

    @Test("Each skipped entry in the system's anchors sends one event if the system's anchors are used")
    func anchorSkipped() async {
        // A process reads the system's anchors once, so this test needs its own process.
        await #expect(processExitsWith: .success) {
            let scene = try TrustScene()
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("anchors-\(UUID().uuidString).pem")
            let good =
                "-----BEGIN CERTIFICATE-----\n\(Base64.encode(scene.root.certificate.der))\n-----END CERTIFICATE-----\n"
            let bad = "-----BEGIN CERTIFICATE-----\nMAMCAQE=\n-----END CERTIFICATE-----\n"
            try Data((bad + good + bad).utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            setenv("SSL_CERT_FILE", file.path, 1)
            unsetenv("SSL_CERT_DIR")

            let observer = RecordingObserver()
            let manager = try ServerTrustManager(evaluators: [TrustScene.name: DefaultTrustEvaluator()])
            manager.events.add(observer)
            _ = manager.evaluate(scene.trust())
            #expect(observer.kinds == [.evaluated])
            for _ in 0..<3 { #expect(manager.evaluate(scene.trust { $0.anchors = .system }).isTrusted) }
            #expect(observer.kinds.count { $0 == .anchorSkipped } == 2)
            #expect(observer.kinds.count { $0 == .evaluated } == 4)
            let errors = observer.events.compactMap { event -> CertificateFileError? in
                if case .anchorSkipped(let error) = event { error } else { nil }
            }
            #expect(errors.allSatisfy { $0.file == file.path })
            #expect(observer.events.allSatisfy { ($0.verdict == nil) == (EventKind($0) == .anchorSkipped) })
        }
    }

    // MARK: Observers

    @Test("Every observer receives every event after it is added")
    func severalObservers() throws {
        let scene = try TrustScene()
        let manager = try manager(.denied)
        let first = RecordingObserver()
        let second = RecordingObserver()
        manager.events.add(first)
        _ = manager.evaluate(scene.trust())
        manager.events.add(second)
        _ = manager.evaluate(scene.trust())
        #expect(first.kinds == [.evaluated, .refused, .evaluated, .refused])
        #expect(second.kinds == [.evaluated, .refused])
        // Managers don't share observers.
        _ = try self.manager(.denied).evaluate(scene.trust())
        #expect(first.events.count == 4)
    }

    /// An observer that reacts to an event while the manager sends it.
    private struct Reacting: TrustEventObserver {
        let react: @Sendable (TrustEvent) -> Void
        func observe(_ event: TrustEvent) { react(event) }
    }

    @Test("An observer can add others and open a stream during an event")
    func addsWithin() throws {
        let scene = try TrustScene()
        let manager = try manager(.enforced(DefaultTrustEvaluator()))
        let events = manager.events
        let added = RecordingObserver()
        let isFirst = Locked(true)
        events.add(
            Reacting { _ in
                guard
                    isFirst.withLock({ first in
                        defer { first = false }; return first
                    })
                else { return }
                events.add(added)
                _ = events.stream()
            })
        _ = manager.evaluate(scene.trust())
        let atFirst = added.events.count
        _ = manager.evaluate(scene.trust())
        #expect(added.events.count == atFirst + 1)
    }

    @Test("An observer can evaluate a server with the same manager during an event")
    func evaluatesWithin() throws {
        let scene = try TrustScene(leaf: .leaf("*.example.com"))
        let manager = try manager(.enforced(DefaultTrustEvaluator()))
        let recorded = RecordingObserver()
        let other = try Hostname("other.example.com")
        manager.events.add(recorded)
        manager.events.add(
            Reacting { event in
                guard event.verdict?.host != other else { return }
                #expect(manager.evaluate(scene.trust(host: other)).isTrusted)
            })
        #expect(manager.evaluate(scene.trust()).isTrusted)
        #expect(recorded.events.map { $0.verdict?.host } == [scene.host, other])
    }

    @Test("Eight tasks that evaluate servers while others add observers lose no event")
    func concurrency() async throws {
        let scene = try TrustScene()
        let manager = try manager(.enforced(DefaultTrustEvaluator()))
        let observer = RecordingObserver()
        manager.events.add(observer)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<50 {
                        _ = manager.evaluate(scene.trust())
                        if round % 10 == task { manager.events.add(RecordingObserver()) }
                        if round % 10 == 9 { _ = manager.events.stream() }
                    }
                }
            }
        }
        #expect(observer.events.count == 400)
    }

    // MARK: Streams

    @Test("Every stream receives every event after it was opened, in order")
    func streams() async throws {
        let scene = try TrustScene()
        let manager = try manager(.denied)
        _ = manager.evaluate(scene.trust())
        let first = manager.events.stream()
        let hosts = try (0..<3).map { try Hostname("host\($0).example.com") }
        _ = manager.evaluate(scene.trust(host: hosts[0]))
        let second = manager.events.stream()
        for host in hosts.dropFirst() { _ = manager.evaluate(scene.trust(host: host)) }
        func read(_ stream: AsyncStream<TrustEvent>, _ count: Int) async -> [TrustEvent] {
            var events: [TrustEvent] = []
            for await event in stream {
                events.append(event)
                if events.count == count { break }
            }
            return events
        }
        let all = await read(first, 6)
        #expect(all.map { EventKind($0) } == [.evaluated, .refused, .evaluated, .refused, .evaluated, .refused])
        #expect(all.map { $0.verdict?.host } == hosts.flatMap { [$0, $0] })
        let late = await read(second, 4)
        #expect(late.map { $0.verdict?.host } == hosts.dropFirst().flatMap { [$0, $0] })
    }

    @Test("A slow reader receives the newest events, and the backlog doesn't grow", arguments: [1, 4])
    func slowReader(size: Int) async throws {
        let scene = try TrustScene()
        let manager = try manager(.enforced(DefaultTrustEvaluator()))
        let hosts = try (0..<10).map { try Hostname("host\($0).example.com") }
        let stream = manager.events.stream(bufferingNewest: size)
        for host in hosts {
            _ = manager.evaluate(scene.trust(host: host) { $0.identity = .insecurelyAnyName })
        }
        var iterator = stream.makeAsyncIterator()
        for host in hosts.suffix(size) { #expect(await iterator.next()?.verdict?.host == host) }
    }

    @Test("A stream without a reader keeps at most 256 events")
    func defaultBuffer() async throws {
        let scene = try TrustScene()
        let manager = try manager(.enforced(DefaultTrustEvaluator()))
        let stream = manager.events.stream()
        for seconds in 0..<300 {
            _ = manager.evaluate(scene.trust(at: TestAuthority.now.advanced(by: Int64(seconds))))
        }
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next()?.verdict?.evaluationDate == TestAuthority.now.advanced(by: 44))
    }

    @Test("A released stream is removed")
    func droppedStream() throws {
        let scene = try TrustScene()
        let manager = try manager(.denied)
        do {
            let stream = manager.events.stream()
            #expect(!manager.events.isUnobserved)
            withExtendedLifetime(stream) { _ = manager.evaluate(scene.trust()) }
        }
        #expect(manager.events.isUnobserved)
        #expect(manager.evaluate(scene.trust()).result == .deny)
    }

    @Test("A stream whose reader is canceled ends and is removed, and the other observers stay")
    func cancelledStream() async throws {
        let scene = try TrustScene()
        let manager = try manager(.denied)
        let recorded = RecordingObserver()
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let stream = manager.events.stream()
        let reader = Task {
            var count = 0
            for await _ in stream {
                count += 1
                start.yield()
            }
            return count
        }
        _ = manager.evaluate(scene.trust())
        for await _ in started { break }
        reader.cancel()
        #expect(await reader.value >= 1)
        #expect(manager.events.isUnobserved)
        manager.events.add(recorded)
        _ = manager.evaluate(scene.trust())
        #expect(recorded.kinds == [.evaluated, .refused])
    }

    @Test("Opening and releasing streams leaves nothing behind")
    func manyStreams() throws {
        let events = TrustEvents()
        for _ in 0..<1000 { _ = events.stream() }
        #expect(events.isUnobserved)
    }

    @Test("A stream outlives its manager without harm")
    func outlives() async throws {
        let scene = try TrustScene()
        var manager: ServerTrustManager? = try manager(.denied)
        let stream = try #require(manager).events.stream()
        _ = manager?.evaluate(scene.trust())
        manager = nil
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next().map { EventKind($0) } == .evaluated)
        #expect(await iterator.next().map { EventKind($0) } == .refused)
    }
}
