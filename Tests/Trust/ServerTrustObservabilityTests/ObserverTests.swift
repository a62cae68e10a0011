// SPDX-License-Identifier: Apache-2.0

import InMemoryLogging
import Logging
import Metrics
import MetricsTestKit
import PKIX
import ServerTrust
import ServerTrustObservability
import ServerTrustTesting
import Testing
import TrustScenes

/// A server, and the observers of its events.
private struct Scene {
    let root: TestAuthority
    let intermediate: TestAuthority
    let leaf: Certificate
    let host: Hostname

    init(leaf: CertificateTemplate = .leaf("www.example.com")) throws {
        root = try .root()
        intermediate = try root.intermediate()
        self.leaf = try intermediate.issue(leaf).certificate
        host = try Hostname("www.example.com")
    }

    func trust(host: Hostname? = nil, anchors: [Certificate]? = nil) -> Trust {
        var trust = Trust(presentedChain: [leaf, intermediate.certificate], host: host ?? self.host)
        trust.anchors = .only(anchors ?? [root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        return trust
    }

    func agreed() throws -> Trust {
        var trust = trust(anchors: [])
        trust.setExceptions(try trust.evaluate().exceptions())
        return trust
    }

    var backup: SPKIPinsTrustEvaluator {
        get throws {
            try SPKIPinsTrustEvaluator(pins: [Self.otherPin], backup: [SPKIPin(root.certificate).description])
        }
    }

    static var otherPins: SPKIPinsTrustEvaluator {
        get throws { try SPKIPinsTrustEvaluator(SPKIPinSet(pinsRiskingLockout: [otherPin])) }
    }

    private static let otherPin = "sha256/" + Base64.encode([UInt8](repeating: 1, count: 32))

    func manager(_ rule: HostRule, _ observer: some TrustEventObserver) throws -> ServerTrustManager {
        let manager = try ServerTrustManager(rules: [(HostPattern(host), rule)])
        manager.events.add(observer)
        return manager
    }
}

@Suite("Logging observer")
struct LoggingTrustObserverTests {
    /// Returns the log entries of one evaluation.
    private func entries(
        _ scene: Scene, _ rule: HostRule, _ trust: Trust? = nil, level: Logger.Level = .trace
    ) throws -> [InMemoryLogHandler.Entry] {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "test", factory: { _ in handler })
        logger.logLevel = level
        let manager = try scene.manager(rule, LoggingTrustObserver(logger: logger))
        _ = manager.evaluate(trust ?? scene.trust())
        return handler.entries
    }

    @Test("The observer logs a trusted server at debug, with host, result and date but no code")
    func evaluated() throws {
        let entries = try entries(Scene(), .enforced(DefaultTrustEvaluator()))
        #expect(entries.map(\.level) == [.debug])
        #expect(
            entries.first?.metadata == [
                "host": "www.example.com", "result": "unspecified", "date": "\(TestAuthority.now)",
            ])
    }

    @Test("The observer logs a refusal as a warning with the headline's code, all codes and the reason")
    func refused() throws {
        let scene = try Scene()
        let other = try Hostname("other.example")
        let trust = scene.trust(host: other, anchors: [])
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "test", factory: { _ in handler })
        logger.logLevel = .info
        let manager = try ServerTrustManager(evaluators: ["other.example": DefaultTrustEvaluator()])
        manager.events.add(LoggingTrustObserver(logger: logger))
        let verdict = manager.evaluate(trust)
        #expect(handler.entries.map(\.level) == [.warning])
        let metadata = try #require(handler.entries.first?.metadata)
        #expect(metadata["host"] == "other.example")
        #expect(metadata["result"] == "recoverableFailure")
        #expect(metadata["code"] == "hostMismatch")
        #expect(metadata["codes"] == ["hostMismatch", "unknownIssuer"])
        #expect(metadata["reason"] == .string(try #require(verdict.headline).message))
    }

    @Test("The observer logs a backup pin as a notice with the pin and its position")
    func backup() throws {
        let scene = try Scene()
        let entries = try entries(scene, .enforced(scene.backup), level: .notice)
        #expect(entries.map(\.level) == [.notice])
        #expect(entries.first?.metadata["pin"] == .string(SPKIPin(scene.root.certificate).description))
        #expect(entries.first?.metadata["certificate"] == "2")
        #expect(entries.first?.metadata["result"] == "unspecified")
    }

    @Test("The observer logs an unmet report-only rule as a warning with its failures")
    func reportOnly() throws {
        let entries = try entries(Scene(), .reportOnly(Scene.otherPins), level: .notice)
        #expect(entries.map(\.level) == [.warning])
        #expect(entries.first?.metadata["code"] == "pinNotMatched")
        #expect(entries.first?.metadata["result"] == "unspecified")
    }

    @Test(
        "The observer logs a delegate's acceptance as a warning with the excused failures and counts it separately")
    func acceptedByDelegate() throws {
        let scene = try Scene()
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "test", factory: { _ in handler })
        logger.logLevel = .trace
        let metrics = TestMetrics()
        let manager = try scene.manager(
            .enforced(DefaultTrustEvaluator()), LoggingTrustObserver(logger: logger))
        manager.events.add(MetricsTrustObserver(factory: metrics))
        _ = manager.evaluateWithoutFetching(scene.trust(anchors: []), delegate: .accept)
        #expect(handler.entries.map(\.level) == [.debug, .notice, .warning])
        #expect(handler.entries.last?.metadata["code"] == "unknownIssuer")
        let counter = try metrics.expectCounter(
            "servertrust_delegate_acceptances_total", [("code", "unknownIssuer")])
        #expect(counter.totalValue == 1)
    }

    @Test(
        "The observer logs a requested but missing revocation answer as a warning with its reasons and counts, but not an unrequested one"
    )
    func revocationNotChecked() throws {
        for (evaluator, count) in [(RevocationTrustEvaluator() as any TrustEvaluator, 1), (DefaultTrustEvaluator(), 0)]
        {
            let scene = try Scene()
            let metrics = TestMetrics()
            let handler = InMemoryLogHandler()
            var logger = Logger(label: "test", factory: { _ in handler })
            logger.logLevel = .notice
            let manager = try scene.manager(.enforced(evaluator), LoggingTrustObserver(logger: logger))
            manager.events.add(MetricsTrustObserver(factory: metrics))
            _ = manager.evaluate(scene.trust())
            #expect(handler.entries.map(\.level) == Array(repeating: .warning, count: count))
            #expect(handler.entries.allSatisfy { $0.metadata["gaps"] == ["noAddress"] })
            let counter = try? metrics.expectCounter("servertrust_revocation_not_checked_total", [("gap", "noAddress")])
            #expect(counter?.totalValue == (count == 0 ? nil : 1))
        }
    }

    @Test("The observer logs a configuration's warning once, as a warning with its code, and counts it separately")
    func configurationWarning() throws {
        let scene = try Scene()
        let metrics = TestMetrics()
        let handler = InMemoryLogHandler()
        let logger = Logger(label: "test", factory: { _ in handler })
        let manager = try scene.manager(.enforced(RevocationTrustEvaluator()), LoggingTrustObserver(logger: logger))
        manager.events.add(MetricsTrustObserver(factory: metrics))
        for _ in 0..<2 { ServerTrustConfiguration(manager).emitWarnings() }
        #expect(handler.entries.map(\.level) == [.warning])
        #expect(handler.entries.first?.metadata["code"] == "revocationWithoutSource")
        let counter = try metrics.expectCounter(
            "servertrust_configuration_warnings_total", [("code", "revocationWithoutSource")])
        #expect(counter.totalValue == 1)
    }

    @Test("The observer logs a repeated request at info with its host and reason, and counts it by reason")
    func repeatedRequest() throws {
        let metrics = TestMetrics()
        let handler = InMemoryLogHandler()
        let scene = try Scene()
        let manager = try scene.manager(
            .enforced(DefaultTrustEvaluator()),
            LoggingTrustObserver(logger: Logger(label: "test", factory: { _ in handler })))
        manager.events.add(MetricsTrustObserver(factory: metrics))
        let source = VerdictSource(ServerTrustConfiguration(manager))
        for reason in [RepeatedRequest.Reason.notProcessed, .connectionLost, .notProcessed] {
            source.reportRepeat(RepeatedRequest(host: scene.host, reason: reason))
        }
        #expect(handler.entries.map(\.level) == [.info, .info, .info])
        #expect(handler.entries.first?.metadata == ["host": "www.example.com", "reason": "notProcessed"])
        for (reason, count) in [("notProcessed", 2), ("connectionLost", 1)] {
            let counter = try metrics.expectCounter("servertrust_requests_repeated_total", [("reason", reason)])
            #expect(counter.totalValue == count)
        }
    }

    @Test("The observer logs an exception as a notice with the excused failures")
    func exception() throws {
        let scene = try Scene()
        let entries = try entries(scene, .enforced(DefaultTrustEvaluator()), scene.agreed(), level: .notice)
        #expect(entries.map(\.level) == [.notice])
        #expect(entries.first?.metadata["code"] == "unknownIssuer")
        #expect(entries.first?.metadata["result"] == "proceed")
    }

    @Test("The observer logs a skipped anchor at info with its file")
    func anchor() throws {
        let handler = InMemoryLogHandler()
        let logger = Logger(label: "test", factory: { _ in handler })
        let error = try #require(
            #expect(throws: CertificateFileError.self) { try CertificateFile.certificates(in: [], name: "ca.pem") })
        LoggingTrustObserver(logger: logger).observe(.anchorSkipped(error))
        #expect(handler.entries.map(\.level) == [.info])
        #expect(handler.entries.first?.metadata == ["reason": .string(error.description)])
    }

    @Test("Messages are constant, so that a log system can count them")
    func messages() throws {
        let rules: [(Scene) throws -> HostRule] = [
            { _ in .enforced(DefaultTrustEvaluator()) }, { _ in .denied }, { .enforced(try $0.backup) },
            { _ in .reportOnly(try Scene.otherPins) },
        ]
        func messages() throws -> [[Logger.Message]] {
            let scene = try Scene()
            return try rules.map { try entries(scene, $0(scene)).map(\.message) }
        }
        let found = try messages()
        #expect(try messages() == found)
        #expect(found.flatMap { $0 }.allSatisfy { !$0.description.contains("example.com") })
    }

    static let hostileTexts: [HostileText] = [
        HostileText("line feed", "a\nwarning: forged"), HostileText("carriage return", "a\rb"),
        HostileText("next line", "a\u{85}b"),
        HostileText("line separator", "a\u{2028}b"), HostileText("escape", "a\u{1b}[2Kb"),
        HostileText("null", "a\u{0}b"),
        HostileText("right-to-left override", "a\u{202e}b"),
    ]

    private func expectPlain(_ entries: [InMemoryLogHandler.Entry]) {
        #expect(!entries.isEmpty)
        for text in entries.flatMap({ $0.metadata.values.map(\.description) + [$0.message.description] }) {
            let isPlain = text.unicodeScalars.allSatisfy { scalar in
                ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
            }
            #expect(isPlain)
        }
    }

    private func scene(naming text: String) throws -> Scene {
        try Scene(
            leaf: .leaf("www.example.com").with {
                $0.commonName = text
                $0.organization = text
            })
    }

    @Test("Names in an untrusted certificate can't forge a log line", arguments: hostileTexts)
    func hostileNames(hostile: HostileText) throws {
        let scene = try scene(naming: hostile.text)
        let authority = try CertificateAuthorityTrustEvaluator(authorities: [TestAuthority.root().certificate])
        try expectPlain(entries(scene, .enforced(authority)))
        try expectPlain(entries(scene, .enforced(DefaultTrustEvaluator()), scene.trust(anchors: [])))
        try expectPlain(entries(scene, .enforced(DefaultTrustEvaluator()), scene.agreed()))
    }

    @Test(
        "Attributes that an evaluator quotes from a certificate can't forge a log line", arguments: hostileTexts)
    func hostileAttributes(hostile: HostileText) throws {
        let scene = try scene(naming: hostile.text)
        let attributes = AttributeTrustEvaluator([.organization("Example")])
        try expectPlain(entries(scene, .enforced(attributes)))
        try expectPlain(entries(scene, .reportOnly(attributes)))
    }
}

@Suite("Metrics observer")
struct MetricsTrustObserverTests {
    /// Name, dimensions and total of every counter, sorted.
    private func totals(_ metrics: TestMetrics) -> [String] {
        metrics.counters.map { counter in
            let dimensions = counter.dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: ",")
            return "\(counter.label){\(dimensions)} \(counter.totalValue)"
        }.sorted()
    }

    @Test("The observer counts evaluations by result, and refusals by the headline's code")
    func refusals() throws {
        let scene = try Scene()
        let metrics = TestMetrics()
        let manager = try scene.manager(.enforced(DefaultTrustEvaluator()), MetricsTrustObserver(factory: metrics))
        for _ in 0..<3 { _ = manager.evaluate(scene.trust()) }
        for _ in 0..<2 { _ = manager.evaluate(scene.trust(anchors: [])) }
        _ = manager.evaluate(scene.trust(host: try Hostname("other.example")))
        #expect(
            totals(metrics) == [
                "servertrust_evaluations_total{result=deny} 1",
                "servertrust_evaluations_total{result=recoverableFailure} 2",
                "servertrust_evaluations_total{result=unspecified} 3",
                "servertrust_refusals_total{code=hostNotListed} 1",
                "servertrust_refusals_total{code=unknownIssuer} 2",
            ])
    }

    @Test("The observer counts a refusal with several failures under one code, so the counts of refusals add up")
    func severalFailures() throws {
        let scene = try Scene()
        let metrics = TestMetrics()
        let manager = try ServerTrustManager(evaluators: ["other.example": DefaultTrustEvaluator()])
        manager.events.add(MetricsTrustObserver(factory: metrics))
        let verdict = manager.evaluate(scene.trust(host: try Hostname("other.example"), anchors: []))
        #expect(verdict.failures.count == 2)
        #expect(
            totals(metrics) == [
                "servertrust_evaluations_total{result=recoverableFailure} 1",
                "servertrust_refusals_total{code=hostMismatch} 1",
            ])
    }

    @Test("Backup pins, report-only mismatches, exceptions and skipped anchors have their own counters")
    func others() throws {
        let scene = try Scene()
        let metrics = TestMetrics()
        let observer = MetricsTrustObserver(factory: metrics)
        _ = try scene.manager(.enforced(scene.backup), observer).evaluate(scene.trust())
        _ = try scene.manager(.reportOnly(Scene.otherPins), observer).evaluate(scene.trust())
        _ = try scene.manager(.enforced(DefaultTrustEvaluator()), observer).evaluate(scene.agreed())
        let error = try #require(
            #expect(throws: CertificateFileError.self) { try CertificateFile.certificates(in: [], name: "ca.pem") })
        observer.observe(.anchorSkipped(error))
        #expect(
            totals(metrics) == [
                "servertrust_anchors_skipped_total{} 1",
                "servertrust_backup_pins_total{} 1",
                "servertrust_evaluations_total{result=proceed} 1",
                "servertrust_evaluations_total{result=unspecified} 2",
                "servertrust_exceptions_applied_total{} 1",
                "servertrust_report_only_mismatches_total{code=pinNotMatched} 1",
            ])
    }

    @Test("The number of counters stays small, however many hosts there are")
    func cardinality() throws {
        let scene = try Scene()
        let metrics = TestMetrics()
        let manager = try scene.manager(.denied, MetricsTrustObserver(factory: metrics))
        for index in 0..<100 {
            _ = manager.evaluate(scene.trust(host: try Hostname("host\(index).example")))
        }
        #expect(
            totals(metrics) == [
                "servertrust_evaluations_total{result=deny} 100",
                "servertrust_refusals_total{code=hostNotListed} 100",
            ])
    }

    @Test("The caller chooses the prefix, and without a factory, the observer uses the system's current factory")
    func prefix() throws {
        let scene = try Scene()
        let observer = MetricsTrustObserver(prefix: "app_trust")
        let manager = try scene.manager(.enforced(DefaultTrustEvaluator()), observer)
        for _ in 0..<2 {
            let metrics = TestMetrics()
            withMetricsFactory(metrics) { _ = manager.evaluate(scene.trust()) }
            #expect(totals(metrics) == ["app_trust_evaluations_total{result=unspecified} 1"])
        }
    }
}
