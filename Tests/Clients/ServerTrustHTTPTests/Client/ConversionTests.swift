// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustNIO
import ServerTrustTesting
import Testing

@testable import ServerTrustHTTP

@Suite("Converting an HTTPClient's configuration")
struct ConversionTests {
    private func convert(
        _ change: (inout HTTPClient.Configuration) throws -> Void = { _ in }
    ) throws -> TrustedHTTPConfiguration {
        var configuration = HTTPClient.Configuration()
        try change(&configuration)
        return try TrustedHTTPConfiguration(configuration, redirects: .follow(max: 2))
    }

    private func convert(tls change: @escaping (inout TLSConfiguration) throws -> Void) throws
        -> TrustedHTTPConfiguration
    {
        try convert { configuration in
            var tls = TLSConfiguration.makeClientConfiguration()
            try change(&tls)
            configuration.tlsConfiguration = tls
        }
    }

    private static func root() throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: TestAuthority.root().certificate.der, format: .der)
    }

    @Test("Named trust roots cause an error, because dropping them would fall back to the system's anchors")
    func namedRoots() throws {
        let root = try Self.root()
        let rows: [@Sendable (inout TLSConfiguration) -> Void] = [
            { $0.trustRoots = .certificates([root]) }, { $0.trustRoots = .file("/etc/ssl/private-ca.pem") },
            { $0.additionalTrustRoots = [.certificates([root])] }, { $0.additionalTrustRoots = [.file("/ca.pem")] },
        ]
        for row in rows {
            #expect(throws: TrustedHTTPError(.tlsTrustRootsNamed)) { try convert(tls: row) }
            // Setting them on the configuration fails too: the client isn't created.
            var configuration = TrustedHTTPConfiguration()
            row(&configuration.tls)
            let trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [:]))
            #expect(throws: ServerTrustContextError.namedTrustRoots) {
                try TrustedHTTPClient(trust: trust, configuration: configuration)
            }
        }
    }

    @Test(
        "The system's trust roots, or unset ones, cause no error",
        arguments: [nil, .default, .certificates([])] as [NIOSSLTrustRoots?])
    func systemRoots(roots: NIOSSLTrustRoots?) async throws {
        let configuration = try convert(tls: { $0.trustRoots = roots })
        let trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [:]))
        await (try TrustedHTTPClient(trust: trust, configuration: configuration)).shutdown()
    }

    @Test("The conversion drops TLS below 1.2 from a default configuration, and nothing from a modern one")
    func defaults() throws {
        #expect(try convert().droppedSettings.map(\.name) == ["tlsConfiguration.minimumTLSVersion"])
        #expect(TrustedHTTPConfiguration().droppedSettings.isEmpty)
        let modern = try convert { configuration in
            configuration.httpVersion = .http1Only
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.minimumTLSVersion = .tlsv12
            tls.applicationProtocols = ["http/1.1"]
            tls.keyLogCallback = { _ in }
            configuration.tlsConfiguration = tls
        }
        #expect(modern.droppedSettings.isEmpty)
        #expect(modern.tls.keyLogCallback != nil)
        #expect(modern.httpVersion == .http1Only)
        #expect(try convert().httpVersion == .automatic)
    }

    @Test("The conversion lists every setting it drops, by name")
    func dropped() throws {
        let rows: [(String, @Sendable (inout HTTPClient.Configuration) -> Void)] = [
            ("dnsResolver", { $0.dnsResolver = .randomized }),
            (
                "http1_1ConnectionDebugInitializer",
                { $0.http1_1ConnectionDebugInitializer = { $0.eventLoop.makeSucceededVoidFuture() } }
            ),
            (
                "http2ConnectionDebugInitializer",
                { $0.http2ConnectionDebugInitializer = { $0.eventLoop.makeSucceededVoidFuture() } }
            ),
            (
                "http2StreamChannelDebugInitializer",
                { $0.http2StreamChannelDebugInitializer = { $0.eventLoop.makeSucceededVoidFuture() } }
            ),
            ("enableMultipath", { $0.enableMultipath = true }),
            ("networkFrameworkWaitForConnectivity", { $0.networkFrameworkWaitForConnectivity = false }),
        ]
        for (setting, change) in rows {
            let found = try convert(change).droppedSettings.map(\.name)
            #expect(found.contains(setting), "\(setting)")
            #expect(found.count == 2, "\(setting)")
        }
        let ofTLS: [(String, @Sendable (inout TLSConfiguration) -> Void)] = [
            ("tlsConfiguration.certificateVerification", { $0.certificateVerification = .noHostnameVerification }),
            ("tlsConfiguration.certificateVerification", { $0.certificateVerification = .optionalVerification }),
            ("tlsConfiguration.renegotiationSupport", { $0.renegotiationSupport = .once }),
            ("tlsConfiguration.applicationProtocols", { $0.applicationProtocols = ["h3", "http/1.1"] }),
        ]
        for (setting, change) in ofTLS {
            let found = try convert(tls: change).droppedSettings.map(\.name)
            #expect(found.contains(setting) && found.count == 2, "\(setting)")
        }
    }

    @Test("Creating a client with a pre-shared key fails, because the server then shows no certificate")
    func preSharedKey() throws {
        let configuration = try convert(tls: {
            $0.pskClientProvider = { _ in PSKClientIdentityResponse(key: NIOSSLSecureBytes(), identity: "") }
        })
        let trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [:]))
        #expect(throws: ServerTrustContextError.preSharedKey) {
            try TrustedHTTPClient(trust: trust, configuration: configuration)
        }
    }

    @Test("The client checks names even if the configuration turned that off")
    func names() async throws {
        let server = try await LabServer.start(.wrongHost)
        var configuration = try convert(tls: { $0.certificateVerification = .noHostnameVerification })
        configuration.dnsOverride = TrustedHTTPConfiguration(server).dnsOverride
        try await withClient(of: server, configuration) { client in
            let error = await failure { try await client.text(server.url + "/") }
            #expect((error as? TrustRefusal)?.headline.code == .hostMismatch)
        }
    }

    @Test("The conversion keeps all other settings, and uses the redirects the caller passes")
    func kept() throws {
        let configuration = try convert {
            $0.timeout.read = .seconds(3)
            $0.connectionPool.idleTimeout = .seconds(7)
            $0.decompression = .enabled(limit: .size(9))
            $0.maximumUsesPerConnection = 11
            $0.localAddress = "127.0.0.1"
            $0.dnsOverride = ["a": "b"]
        }
        #expect(configuration.timeout.read == .seconds(3))
        #expect(configuration.connectionPool.idleTimeout == .seconds(7))
        #expect(configuration.maximumUsesPerConnection == 11)
        #expect(configuration.localAddress == "127.0.0.1")
        #expect(configuration.dnsOverride == ["a": "b"])
        #expect(configuration.redirects == .follow(max: 2))
        #expect(try TrustedHTTPConfiguration(HTTPClient.Configuration(), redirects: .disallow).redirects == .disallow)
    }
}
