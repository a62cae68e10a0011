// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustPins
import ServerTrustTesting

/// An app whose pins are out of date. It reports the refused server, downloads a signed list, and then trusts the
/// server.
///
/// The servers are real lab servers on loopback.
@main
struct PinUpdatesExample {
    /// A pin list from a URL.
    struct PinListURL: PinListSource {
        let url: String
        /// A client with separate rules, which no list can change.
        let client: TrustedHTTPClient

        func document() async throws -> [UInt8] {
            let response = try await client.execute(
                HTTPClientRequest(url: url), timeout: .seconds(30), bodyTimeout: .seconds(30))
            guard response.status == .ok else { throw WrongStatus(code: response.status.code) }
            return try await Array(response.body.collect(upTo: SignedPinList.maximumSize).readableBytesView)
        }
    }

    /// A sender that posts reports.
    struct HTTPReportSender: ReportSender {
        /// Don't follow redirects, because they could lead to a host that must not receive the report.
        let client: TrustedHTTPClient

        func post(_ body: [UInt8], contentType: String, to url: String) async throws {
            var request = HTTPClientRequest(url: url)
            request.method = .POST
            request.headers.add(name: "content-type", value: contentType)
            request.body = .bytes(body)
            let response = try await client.execute(request, timeout: .seconds(30))
            guard (200..<300).contains(response.status.code) else { throw WrongStatus(code: response.status.code) }
        }
    }

    struct WrongStatus: Error { let code: UInt }

    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }

        // The API's key isn't pinned, and the lists come from another host.
        let office = try PinSigningPrivateKey(.ed25519)
        let signers = try PinSigners([office.publicKey])
        let api = try await server("api.example.com")
        let reports = try await server("reports.example.com")
        let payload = PinListPayload(
            audience: "com.example.app", sequence: 2, issued: .now(), expires: .now().advanced(by: .days(1)),
            pins: pins(of: api, SPKIPin(api.certificates.chain[0]), reports), signers: signers)
        let list = try SignedPinList.signed(try payload.bytes(), by: [office])
        let lists = try await server(
            "lists.example.com", answer: .text(String(decoding: list.bytes, as: UTF8.self)))

        // The list that is built into the app.
        let oldPin = SPKIPin(try TestAuthority.root(.authority("The key before")).certificate)
        let builtIn = BuiltInPinList(
            audience: "com.example.app",
            configuration: try PinConfiguration(json: pins(of: api, oldPin, reports), file: "pins"),
            signers: signers, sequence: 1, issued: .now().advanced(by: .days(-1)))
        let store = try PinStore(file: folder.appendingPathComponent("pins.json").path, builtIn: builtIn)
        let reporter = PinReporter(
            file: folder.appendingPathComponent("reports.json").path,
            application: PinFailureReport.Application(
                bundleID: "com.example.app", version: "1.0", platform: "LINUX", platformVersion: "6"),
            rules: { store.table })
        store.manager.events.add(reporter)

        let app = try client(store.manager, for: [api])
        // The hosts of lists and reports use default evaluation, so no outdated pins can affect them.
        let plain = try client(
            ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false), for: [lists, reports])
        let updater = PinUpdater(store: store, source: PinListURL(url: lists.url + "/list.json", client: plain))

        print("list \(store.sequence): \(await ask(api, app)); reports that wait: \(await waiting(reporter))")
        let sent = await reporter.send(by: HTTPReportSender(client: plain))
        print("reports sent: \(sent), received: \(reports.counts.requests)")
        print("updated: \(await updater.update())")
        print("list \(store.sequence): \(await ask(api, app))")

        for client in [app, plain] { await client.shutdown() }
        for server in [api, lists, reports] { await server.stop() }
    }

    /// Starts a server with a new key for each call.
    static func server(_ host: String, answer: LabResponse? = nil) async throws -> LabServer {
        let now = Time.now()
        let authority = try TestAuthority.root(CertificateTemplate.authority("Example Root").valid(around: now))
        let leaf = try authority.issue(CertificateTemplate.leaf(host).valid(around: now))
        var options = LabServer.Options()
        options.response = answer
        return try await LabServer.start(
            .custom(host: host, leaf: leaf, anchors: [authority.certificate]), options: options)
    }

    /// Returns pins in this package's JSON: one host with one pin, for brevity, and the URL for reports.
    static func pins(of server: LabServer, _ pin: SPKIPin, _ reports: LabServer) -> [UInt8] {
        Array(
            """
            {"schemaVersion":1,"selection":"mostSpecific","unlistedHosts":"evaluatedByDefault","rules":[{"mode":"enforced",\
            "hosts":["\(server.host)"],\
            "pins":[{"key":"\(pin)","scope":"leaf","role":"inUse"}],"reportURIs":["\(reports.url)/pins"]}]}
            """.utf8)
    }

    static func client(_ manager: ServerTrustManager, for servers: [LabServer]) throws -> TrustedHTTPClient {
        var trust = ServerTrustConfiguration(manager)
        trust.anchors = .only(servers.flatMap(\.certificates.anchors))
        var configuration = TrustedHTTPConfiguration()
        configuration.redirects = .disallow
        for server in servers {
            configuration.dnsOverride[server.host.description] = "127.0.0.1"
        }
        return try TrustedHTTPClient(trust: trust, configuration: configuration)
    }

    static func ask(_ server: LabServer, _ client: TrustedHTTPClient) async -> String {
        do {
            let request = HTTPClientRequest(url: server.url + "/")
            return "status \(try await client.execute(request, timeout: .seconds(30)).status.code)"
        } catch let refusal as TrustRefusal {
            return "refused: \(refusal.headline.code)"
        } catch {
            return "\(error)"
        }
    }

    static func waiting(_ reporter: PinReporter) async -> Int {
        await reporter.flush()
        return reporter.waitingCount
    }
}
