// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustTesting
import Testing

@Suite("Rules read from settings")
struct SettingsTests {
    private static let pin = "sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    private static let backup = "sha256/iie1VXtL7HzAMF+/PVPR9xzT80kQxdZeJ+zduCB3uj0="

    /// Settings of one rule, as environment variables.
    private static let variables = [
        "TRUST_RULES": "billing", "TRUST_BILLING_HOSTS": "billing.example.com,*.pay.example.com",
        "TRUST_BILLING_TRUST": "pins", "TRUST_BILLING_PINS": pin, "TRUST_BILLING_BACKUP_PINS": backup,
    ]

    private static func read(_ changes: [String: String?] = [:]) throws -> ServerTrustConfiguration {
        var variables = variables
        for (name, value) in changes { variables[name] = value }
        let settings = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        return try ServerTrustConfiguration(reading: settings.scoped(to: "trust"))
    }

    private static func evaluator(_ host: String, _ trust: ServerTrustConfiguration) throws -> (any TrustEvaluator)? {
        try trust.manager.rule(for: Hostname(host))?.evaluator
    }

    @Test("The evaluator uses the pins in the settings, and the client refuses other hosts")
    func pins() throws {
        let trust = try Self.read()
        for host in ["billing.example.com", "eu.pay.example.com"] {
            let evaluator = try #require(Self.evaluator(host, trust) as? SPKIPinsTrustEvaluator)
            #expect(evaluator.pins.pins == [try SPKIPin(Self.pin)])
            #expect(evaluator.pins.backup == [try SPKIPin(Self.backup)])
        }
        #expect(trust.denial(of: try Hostname("example.com"))?.headline?.code == .hostNotListed)
    }

    @Test("Each rule gets the evaluator for its kind")
    func kinds() throws {
        let root = try TestAuthority.root().certificate
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("roots-\(UUID().uuidString).pem")
        try Data(PEM.encode(root.der, label: "CERTIFICATE").utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let trust = try Self.read([
            "TRUST_RULES": "billing, news, reports, old",
            "TRUST_NEWS_HOSTS": "news.example.com", "TRUST_NEWS_TRUST": "system",
            "TRUST_REPORTS_HOSTS": "**.corp.example", "TRUST_REPORTS_TRUST": "roots",
            "TRUST_REPORTS_ROOTS_FILE": file.path,
            "TRUST_OLD_HOSTS": "old.corp.example", "TRUST_OLD_TRUST": "denied",
        ])
        #expect(try Self.evaluator("billing.example.com", trust) is SPKIPinsTrustEvaluator)
        #expect(try Self.evaluator("news.example.com", trust) is DefaultTrustEvaluator)
        #expect(try Self.evaluator("wiki.corp.example", trust) is CertificateAuthorityTrustEvaluator)
        #expect(trust.denial(of: try Hostname("old.corp.example"))?.headline?.code == .hostDenied)
    }

    @Test(
        "A missing or unreadable value in the settings causes an error",
        arguments: [
            ["TRUST_RULES": nil],
            ["TRUST_RULES": "billing,news"],
            ["TRUST_BILLING_HOSTS": nil],
            ["TRUST_BILLING_HOSTS": ""],
            ["TRUST_BILLING_HOSTS": "https://billing.example.com"],
            ["TRUST_BILLING_HOSTS": "billing.example.com,BILLING.example.com."],
            ["TRUST_BILLING_TRUST": nil],
            ["TRUST_BILLING_TRUST": "none"],
            ["TRUST_BILLING_PINS": nil],
            ["TRUST_BILLING_PINS": ""],
            ["TRUST_BILLING_PINS": "sha256/AAAA"],
            ["TRUST_BILLING_BACKUP_PINS": nil],
            ["TRUST_BILLING_BACKUP_PINS": pin],
        ] as [[String: String?]])
    func unusable(_ changes: [String: String?]) {
        #expect(throws: (any Error).self) { try Self.read(changes) }
    }

    @Test("A missing root file causes an error")
    func missingFile() {
        #expect(throws: CertificateFileError.self) {
            try Self.read([
                "TRUST_BILLING_TRUST": "roots", "TRUST_BILLING_ROOTS_FILE": "/nonexistent/roots.pem",
                "TRUST_BILLING_PINS": nil, "TRUST_BILLING_BACKUP_PINS": nil,
            ])
        }
    }

    @Test("A rule refuses settings that it doesn't use", arguments: ["system", "denied", "roots"])
    func unused(_ kind: String) throws {
        let error = try #require(throws: TrustedHTTPError.self) { try Self.read(["TRUST_BILLING_TRUST": kind]) }
        #expect(error.code == .trustSettingUnused)
    }

    @Test("A list instead of a string causes an error")
    func mistyped() {
        let provider = InMemoryProvider(values: [
            ["rules"]: ConfigValue(.stringArray(["billing"]), isSecret: false),
            ["billing", "hosts"]: ConfigValue(.stringArray(["billing.example.com"]), isSecret: false),
            ["billing", "trust"]: ConfigValue(.stringArray(["system"]), isSecret: false),
        ])
        #expect(throws: (any Error).self) { try ServerTrustConfiguration(reading: ConfigReader(provider: provider)) }
    }
}
