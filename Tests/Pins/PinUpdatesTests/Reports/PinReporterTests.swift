// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PinTestSupport
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

@testable import ServerTrustPins

@Suite("Reports about pin failures")
struct PinReporterTests {
    static let application = PinFailureReport.Application(
        bundleID: "com.example.app", version: "1.2", platform: "LINUX", platformVersion: "6.1")

    /// Accepts or refuses reports.
    private final class Receiver: ReportSender {
        let received = Locked<[(url: String, body: [UInt8])]>([])
        let isDown = Locked(false)

        func post(_ body: [UInt8], contentType: String, to url: String) async throws {
            guard !isDown.withLock({ $0 }), contentType == "application/json" else { throw CocoaError(.fileNoSuchFile) }
            received.withLock { $0.append((url, body)) }
        }

        var urls: [String] { received.withLock { $0.map(\.url) } }
    }

    /// A server whose key isn't pinned, a reporter for it, and a clock.
    private final class Scene: Sendable {
        let lab: RotationLab
        let manager: ServerTrustManager
        let reporter: PinReporter
        let clock = Locked(ListFixture.now)
        let table: PinTable
        let receiver = Receiver()
        let path: [Certificate]

        init(
            _ folder: URL, uris: [String] = ["https://reports.example/pins"], mode: String = "enforced",
            others: String = "",
            redact: @escaping @Sendable (PinFailureReport) -> PinFailureReport? = { $0 }
        ) throws {
            let lab = try RotationLab()
            let list = uris.map { "\"\($0)\"" }.joined(separator: ",")
            let json = """
                {"schemaVersion":1,"selection":"mostSpecific","unlistedHosts":"evaluatedByDefault","rules":[{"mode":"\(mode)",\
                "hosts":[{"name":"lab.test","includesName":true,"below":"anyDepth"}],\
                \(uris.isEmpty ? "" : "\"reportURIs\":[\(list)],")\
                "expires":{"at":"2027-03-31T00:00:00Z","afterwards":"refused"},\
                "pins":[{"key":"\(TestPins.pin(1))","scope":"anywhere"}]}\(others)]}
                """
            let configuration = try PinConfiguration(json: Array(json.utf8), file: "pins")
            let table = PinTable(configuration)
            let clock = clock
            self.lab = lab
            self.table = table
            manager = try configuration.serverTrustManager()
            path = try lab.root.chain(lab.root.issue(.leaf(RotationLab.api)))
            reporter = PinReporter(
                file: folder.appendingPathComponent("reports.json").path, application: PinReporterTests.application,
                rules: { table }, redact: redact, clock: { clock.withLock { $0 } })
            manager.events.add(reporter)
        }

        @discardableResult
        func fail(_ host: String = RotationLab.api) async throws -> TrustVerdict {
            var trust = Trust(presentedChain: PresentedChain(path), host: try Hostname(host))
            trust.anchors = .only([lab.root.certificate])
            trust.verifyDate = .at(ListFixture.now)
            let verdict = manager.evaluate(trust)
            await reporter.flush()
            return verdict
        }
    }

    @Test("A report contains TrustKit's keys and values")
    func keys() async throws {
        try await withFolder { folder in
            let scene = try Scene(folder)
            #expect(try await scene.fail().isTrusted == false)
            #expect(await scene.reporter.send(by: scene.receiver) == 1)
            let body = try #require(scene.receiver.received.withLock { $0.first?.body })
            let report = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
            #expect(
                Set(report.keys) == [
                    "app-bundle-id", "app-version", "app-platform", "app-platform-version", "app-vendor-id",
                    "trustkit-version", "date-time", "hostname", "port", "noted-hostname", "include-subdomains",
                    "enforce-pinning", "validated-certificate-chain", "known-pins", "validation-result",
                    "known-pins-expiration-date",
                ])
            #expect(report["app-bundle-id"] as? String == "com.example.app")
            #expect(report["hostname"] as? String == "api.lab.test")
            #expect(report["noted-hostname"] as? String == "lab.test")
            #expect(report["include-subdomains"] as? Bool == true)
            #expect(report["enforce-pinning"] as? Bool == true)
            #expect(report["validation-result"] as? Int == 1)
            #expect(report["date-time"] as? String == "2026-11-18T11:06:40Z")
            #expect(report["known-pins-expiration-date"] as? String == "2027-03-31")
            let pin = TestPins.pin(1).description.dropFirst("sha256/".count)
            #expect(report["known-pins"] as? [String] == [#"pin-sha256="\#(pin)""#])
            let chain = try #require(report["validated-certificate-chain"] as? [String])
            #expect(chain.count == 2)
            #expect(try PEM.decode(Array(chain[0].utf8), labels: ["CERTIFICATE"]) == [scene.path[0].der])
        }
    }

    @Test("The report distinguishes an invalid chain from a missing pin and includes a known port")
    func invalidChain() async throws {
        try await withFolder { folder in
            let scene = try Scene(folder)
            var trust = Trust(presentedChain: PresentedChain(scene.path), host: try Hostname(RotationLab.api))
            trust.anchors = .only([try TestAuthority.root().certificate])
            trust.verifyDate = .at(ListFixture.now)
            let verdict = try #require(try? scene.table.configuration.serverTrustManager()).evaluate(trust)
            scene.reporter.report(verdict, port: 8443)
            await scene.reporter.flush()
            await scene.reporter.send(by: scene.receiver)
            let body = try #require(scene.receiver.received.withLock { $0.first?.body })
            let report = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
            #expect(report["validation-result"] as? Int == 2)
            #expect(report["port"] as? Int == 8443)
        }
    }

    @Test("Without a URL in the rule, or for a trusted server, the reporter reports nothing")
    func off() async throws {
        try await withFolder { folder in
            let scene = try Scene(folder, uris: [])
            try await scene.fail()
            #expect(scene.reporter.waitingCount == 0)
            #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("reports.json").path))
            let unpinned = try Scene(folder)
            #expect(try await unpinned.fail("www.example.com").isTrusted == false)
            #expect(unpinned.reporter.waitingCount == 0)
        }
    }

    @Test("The reporter reports an identical failure once in 24 hours, even across restarts")
    func rateLimit() async throws {
        try await withFolder { folder in
            let scene = try Scene(folder)
            for _ in 0..<5 { try await scene.fail() }
            #expect(await scene.reporter.send(by: scene.receiver) == 1)
            // Another process, another failure, the same day.
            let next = PinReporter(
                file: folder.appendingPathComponent("reports.json").path, application: Self.application,
                rules: { scene.table }, clock: { scene.clock.withLock { $0 } })
            let verdict = try await scene.fail()
            next.report(verdict, port: 0)
            await next.flush()
            #expect(next.waitingCount == 0)
            next.report(verdict, port: 443)
            await next.flush()
            #expect(next.waitingCount == 1)
            await next.send(by: scene.receiver)
            // The last second of the day and the first second after it.
            scene.clock.withLock { $0 = ListFixture.now.advanced(by: 86_399) }
            try await scene.fail()
            #expect(scene.reporter.waitingCount == 0)
            scene.clock.withLock { $0 = ListFixture.now.advanced(by: 86_400) }
            try await scene.fail()
            #expect(await scene.reporter.send(by: scene.receiver) == 1)
        }
    }

    @Test("A report that can't be sent waits on disk and is retried with growing delays")
    func waits() async throws {
        try await withFolder { folder in
            let scene = try Scene(folder)
            scene.receiver.isDown.withLock { $0 = true }
            try await scene.fail()
            #expect(await scene.reporter.send(by: scene.receiver) == 0)
            scene.receiver.isDown.withLock { $0 = false }
            // Not at once…
            #expect(await scene.reporter.send(by: scene.receiver) == 0)
            #expect(scene.reporter.waitingCount == 1)
            // …but a minute later, by another process.
            scene.clock.withLock { $0 = ListFixture.now.advanced(by: 60) }
            let next = PinReporter(
                file: folder.appendingPathComponent("reports.json").path, application: Self.application,
                rules: { scene.table }, clock: { scene.clock.withLock { $0 } })
            #expect(await next.send(by: scene.receiver) == 1)
            #expect(next.waitingCount == 0)
        }
    }

    @Test("A report is dropped after waiting for a week")
    func old() async throws {
        try await withFolder { folder in
            let scene = try Scene(folder)
            try await scene.fail()
            scene.clock.withLock { $0 = ListFixture.now.advanced(by: 7 * 86_400 + 1) }
            #expect(await scene.reporter.send(by: scene.receiver) == 0)
            #expect(scene.reporter.waitingCount == 0)
            #expect(scene.receiver.urls.isEmpty)
        }
    }

    @Test("At most a hundred reports wait")
    func bounded() async throws {
        try await withFolder { folder in
            let scene = try Scene(folder)
            let verdict = try await scene.fail()
            for port in 1...130 {
                scene.reporter.report(verdict, port: port)
                if port.isMultiple(of: 20) { await scene.reporter.flush() }
            }
            await scene.reporter.flush()
            #expect(scene.reporter.waitingCount == 100)
        }
    }

    @Test(
        "An empty queue replaces a damaged one",
        arguments: ["", "{", "[]", #"{"schemaVersion":2,"waiting":[],"reported":{}}"#])
    func broken(_ contents: String) async throws {
        try await withFolder { folder in
            let scene = try Scene(folder)
            try Data(contents.utf8).write(to: folder.appendingPathComponent("reports.json"))
            try await scene.fail()
            #expect(scene.reporter.waitingCount == 1)
        }
    }

    static let receivers: [(uri: String, others: String, goes: Bool)] = [
        ("https://reports.example/pins", "", true),
        // The failed host, another host under the same rule, and a host under another rule with the same pin.
        ("https://api.lab.test/report", "", false),
        ("https://API.lab.test:8443/report", "", false),
        ("https://reports.lab.test/report", "", false),
        ("https://reports.example/pins", rule("reports.example", 1), false),
        ("https://reports.example/pins", rule("reports.example", 2), true),
    ]

    private static func rule(_ host: String, _ pin: Int) -> String {
        """
        ,{"mode":"enforced","hosts":[{"name":"\(host)","includesName":true,"below":"nothing"}],\
        "pins":[{"key":"\(TestPins.pin(pin))","scope":"leaf"}]}
        """
    }

    @Test("A report is never sent to a host with the failed pins", arguments: receivers.indices)
    func neverToItself(_ index: Int) async throws {
        try await withFolder { folder in
            let row = Self.receivers[index]
            let scene = try Scene(folder, uris: [row.uri], others: row.others)
            try await scene.fail()
            #expect(await scene.reporter.send(by: scene.receiver) == (row.goes ? 1 : 0))
            #expect(scene.receiver.urls == (row.goes ? [row.uri] : []))
            #expect(scene.reporter.waitingCount == 0)
        }
    }

    @Test("A waiting report isn't sent to a host that later gets the failed pins")
    func rulesChanged() async throws {
        try await withFolder { folder in
            let scene = try Scene(folder)
            try await scene.fail()
            let changed = try Scene(folder, others: Self.rule("reports.example", 1))
            #expect(changed.reporter.waitingCount == 1)
            #expect(await changed.reporter.send(by: changed.receiver) == 0)
            #expect(changed.receiver.urls.isEmpty)
            #expect(changed.reporter.waitingCount == 0)
        }
    }

    @Test("Redacted values are neither sent nor stored")
    func redaction() async throws {
        try await withFolder { folder in
            let scene = try Scene(folder) { report in
                var report = report
                report.hostname = "redacted"
                report.certificates = []
                return report
            }
            try await scene.fail()
            let file = try String(contentsOf: folder.appendingPathComponent("reports.json"), encoding: .utf8)
            #expect(!file.contains("api.lab.test"))
            #expect(!file.contains(Data("api.lab.test".utf8).base64EncodedString()))
            await scene.reporter.send(by: scene.receiver)
            let body = String(
                decoding: try #require(scene.receiver.received.withLock { $0.first?.body }), as: UTF8.self)
            #expect(body.contains(#""hostname":"redacted""#))
            #expect(!body.contains("api.lab.test"))
            let silent = try Scene(folder, uris: ["https://other.example/"]) { _ in nil }
            try await silent.fail()
            #expect(silent.reporter.waitingCount == 0)
        }
    }

    @Test("A report-only rule is reported as report-only, and the server is trusted")
    func reportOnly() async throws {
        try await withFolder { folder in
            let scene = try Scene(folder, mode: "reportOnly")
            #expect(try await scene.fail().isTrusted)
            #expect(await scene.reporter.send(by: scene.receiver) == 1)
            let body = try #require(scene.receiver.received.withLock { $0.first?.body })
            let report = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
            #expect(report["enforce-pinning"] as? Bool == false)
            #expect(report["validation-result"] as? Int == 1)
        }
    }

    @Test("A lab server receives the report as a POST", .enabled(if: CurlSender.isAvailable))
    func posted() async throws {
        try await withFolder { folder in
            let server = try await LabServer.start(.good)
            let url = "\(server.url)/pins"
            let scene = try Scene(folder, uris: ["https://reports.example/pins"])
            try await scene.fail()
            // The lab's name has the failed pins here, so the sender connects to the address instead.
            let sender = CurlSender(server: server, url: url, folder: folder)
            #expect(await scene.reporter.send(by: sender) == 1)
            #expect(server.counts.requests == 1)
            #expect(server.counts.requestBytes > 1000)
            try await scene.fail()
            #expect(await scene.reporter.send(by: sender) == 0)
            #expect(server.counts.requests == 1)
            await server.stop()
            // A missing receiver causes an error in the sender, and the report waits.
            scene.clock.withLock { $0 = ListFixture.now.advanced(by: 86_400) }
            try await scene.fail()
            #expect(await scene.reporter.send(by: sender) == 0)
            #expect(scene.reporter.waitingCount == 1)
        }
    }
}
