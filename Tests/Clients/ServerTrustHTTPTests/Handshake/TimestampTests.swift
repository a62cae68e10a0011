// SPDX-License-Identifier: Apache-2.0

import NIOSSL
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustNIO
import Testing

@testable import ServerTrustTesting

@Suite(
    "Certificate Transparency with timestamps only from the handshake", .timeLimit(.minutes(10)),
    .enabled(if: Peer.Program.openssl.isAvailable))
struct TimestampTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: TransparencyFinding.Status
        let reasons: [TransparencyFinding.Timestamp.Reason?]
        let items: @Sendable (TimestampServer) throws -> [[UInt8]]

        init(
            _ sentence: String, _ expected: TransparencyFinding.Status,
            _ reasons: [TransparencyFinding.Timestamp.Reason?],
            _ items: @escaping @Sendable (TimestampServer) throws -> [[UInt8]]
        ) {
            (testDescription, self.expected, self.reasons, self.items) = (sentence, expected, reasons, items)
        }
    }

    static let rows: [Row] = [
        Row("timestamps of two logs", .complies, [nil, nil]) { try [$0.item(0), $0.item(1)] },
        Row("a timestamp from one log", .notEnough, [nil]) { try [$0.item(0)] },
        Row("the timestamp from one log twice", .notEnough, [nil, .repeated]) { try [$0.item(0), $0.item(0)] },
        Row("a timestamp over another certificate", .notEnough, [nil, .badSignature]) {
            try [$0.item(0), $0.item(1, for: $0.other)]
        },
        Row("a timestamp over the precertificate", .notEnough, [nil, .badSignature]) {
            try [$0.item(0), $0.embeddedItem(1)]
        },
        Row("bytes that aren't a timestamp", .notEnough, [nil]) { try [$0.item(0), [1, 2, 3], [0]] },
    ]

    @Test(
        "The list of timestamps decides the verdict over TLS 1.2 and 1.3, in a pipeline and in TrustedHTTPClient",
        arguments: rows)
    func handshake(row: Row) async throws {
        let server = try TimestampServer()
        let list = try TestTimestamp.list(items: row.items(server))
        let peer = try await server.openssl(list)
        defer { peer.stop() }
        for version in [TLSVersion.tlsv12, .tlsv13] {
            for trust in try [server.trust(inRule: false), server.trust(inRule: true)] {
                let found = try await server.stapled.evaluate(peer.port, trust, version)
                #expect(found.presentedChain.signedCertificateTimestampList == list)
                let finding = try #require(found.verdict.transparency)
                #expect(finding.status == row.expected, "\(finding)")
                #expect(finding.timestamps.map(\.reason) == row.reasons)
                #expect(finding.timestamps.allSatisfy { $0.origin == "handshake" })
                #expect(found.verdict.headline?.code == (row.expected == .complies ? nil : .transparencyNotMet))
            }
        }
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.dnsOverride = [server.stapled.certificates.host.description: "127.0.0.1"]
        let client = try TrustedHTTPClient(trust: server.trust(inRule: true), configuration: configuration)
        let error = await failure {
            try await client.expectOK(at: "https://\(server.stapled.certificates.host):\(peer.port)/")
        }
        let code = (error as? TrustRefusal)?.headline.code
        if row.expected == .complies {
            #expect(error == nil)
        } else {
            #expect(code == .transparencyNotMet, "\(String(describing: error))")
        }
        await client.shutdown()
    }

    @Test("Inspecting a server reports the timestamps in its handshake")
    func probe() async throws {
        let server = try TimestampServer()
        let peer = try await server.openssl(TestTimestamp.list(items: [server.item(0), server.item(1)]))
        defer { peer.stop() }
        var probe = TrustProbe(try server.trust(inRule: false))
        probe.timeout = .seconds(60)
        let report = try await probe.probe(
            server.stapled.certificates.host, port: peer.port, connectingTo: "127.0.0.1")
        #expect(report.verdict.isTrusted && report.verdict.transparency?.status == .complies)
    }

    @Test("The engine evaluates a list of thousands of items up to its limit")
    func longList() async throws {
        let server = try TimestampServer()
        // OpenSSL accepts lists of up to about 16 KB in a Certificate message.
        let list = try TestTimestamp.list(items: [server.item(0)] + [[UInt8]](repeating: [0], count: 4_000))
        let peer = try await server.openssl(list)
        defer { peer.stop() }
        let found = try await server.stapled.evaluate(peer.port, server.trust(inRule: false), .tlsv13)
        #expect(found.presentedChain.signedCertificateTimestampList == list)
        #expect(found.verdict.transparency?.status == .notEnough && found.verdict.transparency?.timestamps.count == 1)
    }
}

/// A server without embedded timestamps, below a public root, and the settings of a client that requires transparency.
struct TimestampServer: Sendable {
    let stapled: StapledServer
    let logs: [TestLog]
    let other: Certificate
    private let settings: TransparencySettings

    init() throws {
        stapled = try StapledServer()
        other = try stapled.issuer.issue(.leaf("api.lab.test")).certificate
        logs = try [TestLog("One", operatedBy: "A"), TestLog("Two", operatedBy: "B")]
        settings = TransparencySettings(
            logs: try CTLogList(json: TestLog.list(logs), now: TestAuthority.now), policy: .mozilla, mode: .require)
    }

    /// Returns a timestamp for a certificate. The default is the server's.
    func item(_ log: Int, for certificate: Certificate? = nil) throws -> [UInt8] {
        try logs[log].timestamp().signed(.certificate((certificate ?? stapled.leaf.certificate).der))
    }

    /// Returns a timestamp for a precertificate of the server's issuer.
    func embeddedItem(_ log: Int) throws -> [UInt8] {
        let issuer = stapled.issuer.certificate.subjectPublicKeyInfo.sha256
        return try logs[log].timestamp().signed(
            .precertificate(stapled.leaf.certificate.der, issuerKeySHA256: issuer))
    }

    /// Starts `openssl s_server` with a list in its handshake.
    func openssl(_ list: [UInt8]) async throws -> Peer {
        let length = [UInt8(list.count >> 8), UInt8(list.count & 0xff)]
        // The extension's number, then the messages it can occur in: ClientHello, ServerHello of TLS 1.2, Certificate
        // of TLS 1.3.
        let info: [UInt8] = [0, 0, 0x11, 0x80, 0, 18] + length + list
        return try await stapled.openssl(
            .none, ["-serverinfo", "info.pem"],
            files: ["info.pem": Array(PEM.encode(info, label: "SERVERINFOV2 FOR CT").utf8)])
    }

    /// Returns a client's configuration that requires transparency, in its settings or in the host's rule.
    func trust(inRule: Bool) throws -> ServerTrustConfiguration {
        var trust = try stapled.trust(.off)
        trust.anchors = TrustAnchors(
            AnchorStore([TrustAnchor(stapled.root.certificate, conditions: [], isPublic: true)]))
        guard inRule else {
            trust.settings.transparency = settings
            return trust
        }
        let evaluator = TransparencyTrustEvaluator(
            logs: try CTLogList(json: TestLog.list(logs), now: TestAuthority.now), policy: .mozilla, mode: .require)
        trust.manager = try ServerTrustManager(evaluators: ["api.lab.test": evaluator], memory: nil)
        return trust
    }
}
