// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// A source that is never used.
private struct UnusedSource: EvidenceSource {
    func evaluate(_ trust: Trust, by steps: EvaluationSteps) async -> TrustVerdict { trust.evaluate() }
}

@Suite("Warnings about a client's configuration")
struct ConfigurationWarningTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var rules: [String: HostRule] = ["a.example": .enforced(DefaultTrustEvaluator())]
        var change: @Sendable (inout TrustSettings) -> Void = { _ in }
        let codes: [String]
    }

    private static let checked: [String: HostRule] = ["a.example": .enforced(RevocationTrustEvaluator())]
    private static let local: [String: HostRule] = [
        "a.example": .enforced(RevocationTrustEvaluator(RevocationPolicy(.bestEffort, sources: .ocsp, fetching: false)))
    ]
    private static let withSource: @Sendable (inout TrustSettings) -> Void = { $0.fetching = UnusedSource() }

    static let rows: [Row] = [
        Row(testDescription: "no revocation check", codes: []),
        Row(testDescription: "a rule, and a source", rules: checked, change: withSource, codes: []),
        Row(
            testDescription: "a rule, and available evidence", rules: checked,
            change: { $0.revocationData.crls = [[0x30, 0]] }, codes: []),
        Row(testDescription: "a rule that denies", rules: ["a.example": .denied], codes: []),
        Row(testDescription: "a rule without a source", rules: checked, codes: ["revocationWithoutSource"]),
        Row(
            testDescription: "a required check without a source",
            rules: ["a.example": .enforced(RevocationTrustEvaluator(.required))],
            codes: ["revocationWithoutSource"]),
        Row(
            testDescription: "a report-only rule without a source",
            rules: ["a.example": .reportOnly(RevocationTrustEvaluator())], codes: ["revocationWithoutSource"]),
        Row(
            testDescription: "best effort by settings", change: { $0.revocation = .bestEffort },
            codes: ["revocationWithoutSource"]),
        Row(
            testDescription: "required by settings", change: { $0.revocation = .required },
            codes: ["revocationWithoutSource"]),
        Row(
            testDescription: "best effort by settings, and a source",
            change: {
                $0.revocation = .bestEffort
                $0.fetching = UnusedSource()
            }, codes: []),
        Row(
            testDescription: "a rule that fetches nothing", rules: local, codes: ["revocationFetchingNotAllowed"]),
        Row(
            testDescription: "a rule that fetches nothing, and a source", rules: local, change: withSource,
            codes: ["revocationFetchingNotAllowed"]),
        Row(
            testDescription: "settings that don't allow fetching", rules: checked,
            change: {
                $0.fetching = UnusedSource()
                $0.revocation.fetching = false
            }, codes: ["revocationFetchingNotAllowed"]),
        Row(
            testDescription: "both kinds of rules without a source",
            rules: checked.merging(["b.example": local["a.example"] ?? .denied]) { first, _ in first },
            codes: ["revocationWithoutSource", "revocationFetchingNotAllowed"]),
    ]

    private func configuration(_ row: Row) throws -> ServerTrustConfiguration {
        var settings = TrustSettings()
        row.change(&settings)
        return ServerTrustConfiguration(try ServerTrustManager(rules: row.rules), settings: settings)
    }

    @Test("A configuration that requests revocation checks but can't get evidence causes a warning", arguments: rows)
    func warnings(row: Row) throws {
        let configuration = try configuration(row)
        #expect(configuration.warnings.map(\.code) == row.codes)
    }

    @Test("The configuration finds a check within a composite at any depth")
    func composite() throws {
        let inner = try CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), RevocationTrustEvaluator()])
        let outer = try CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), inner])
        let row = Row(testDescription: "", rules: ["a.example": .enforced(outer)], codes: [])
        #expect(try configuration(row).warnings.map(\.code) == ["revocationWithoutSource"])
    }

    @Test("A manager emits each warning once, whether observers are added before or after the client is created")
    func events() throws {
        for isObservedFirst in [true, false] {
            let configuration = try configuration(Self.rows[4])
            let observer = RecordingObserver()
            if isObservedFirst { configuration.manager.events.add(observer) }
            for _ in 0..<3 { configuration.emitWarnings() }
            #expect(observer.kinds == (isObservedFirst ? [.configurationWarning] : []))
            if !isObservedFirst { configuration.manager.events.add(observer) }
            let scene = try TrustScene()
            for _ in 0..<2 { _ = configuration.manager.evaluate(scene.trust()) }
            #expect(observer.kinds.count { $0 == .configurationWarning } == 1)
            #expect(observer.kinds.first == .configurationWarning)
        }
    }

    @Test("A configuration without problems emits no warning")
    func noEvents() throws {
        for row in Self.rows where row.codes.isEmpty {
            let configuration = try configuration(row)
            let observer = RecordingObserver()
            configuration.manager.events.add(observer)
            configuration.emitWarnings()
            #expect(observer.kinds.isEmpty)
        }
    }

    @Test("Replaced rules have their own warnings")
    func replaced() throws {
        let manager = try ServerTrustManager(rules: Self.rows[0].rules)
        #expect(ServerTrustConfiguration(manager).warnings.isEmpty)
        manager.replaceRules(by: try ServerTrustManager(rules: Self.checked), denied: nil)
        #expect(ServerTrustConfiguration(manager).warnings.map(\.code) == ["revocationWithoutSource"])
    }
}
