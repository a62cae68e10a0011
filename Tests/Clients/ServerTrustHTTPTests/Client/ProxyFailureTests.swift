// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustNIO
import ServerTrustWebSocket
import Testing

@testable import ServerTrustHTTP
@testable import ServerTrustLab

@Suite("Proxy failures", .timeLimit(.minutes(10)))
struct ProxyFailureTests {
    private static func proxy(_ fault: ProxyFault, _ port: Int) -> ConnectionProxy {
        // Nothing listens on port 1.
        let port = fault.refusesConnections ? 1 : port
        return fault.isSOCKS ? .socks5(host: "127.0.0.1", port: port) : .http(host: "127.0.0.1", port: port)
    }

    private static func expectProxyFailed(
        _ error: (any Error)?, _ fault: ProxyFault, _ location: SourceLocation = #_sourceLocation
    ) {
        let text = String(describing: error)
        let error = error as? ConnectionFailure
        let expected: ErrorCode =
            fault.isAboutAuthorization ? .connectionProxyAuthorizationRequired : .connectionProxyFailed
        #expect(error?.code == expected, "\(text)", sourceLocation: location)
    }

    @Test(
        "Every client names a proxy that fails before its tunnel is open, and the server isn't contacted",
        arguments: ProxyFault.allCases)
    func faults(fault: ProxyFault) async throws {
        let peer = try await LabProxy.start(fault: fault)
        let proxy = Self.proxy(fault, peer.port)
        let server = try await LabServer.start(.good)
        for version in [HTTPClient.Configuration.HTTPVersion.http1Only, .automatic] {
            var configuration = TrustedHTTPConfiguration()
            configuration.bePatient()
            configuration.proxy = .always(proxy)
            configuration.httpVersion = version
            let client = try TrustedHTTPClient(trust: .init(server), configuration: configuration)
            let error = await failure { try await client.text(server.url + "/") }
            Self.expectProxyFailed(error, fault)
            try await FileScene.run { file in
                let error = await failure { try await client.download(server.url + "/", to: file) }
                Self.expectProxyFailed(error, fault)
                #expect(file.names.isEmpty)
            }
            await client.shutdown()
        }
        var sockets = try TrustedWebSocketClient(trust: .init(server))
        sockets.timeout = .seconds(60)
        sockets.proxy = proxy
        let error = await failure { [sockets] in
            try await sockets.withConnection(to: "wss://\(server.host):\(server.port)/") { _ in }
        }
        Self.expectProxyFailed(error, fault)
        #expect(server.counts.connections == 0)
        await server.stop()
        await peer.stop()
    }

    @Test(
        "A server that closes the connection behind a proxy isn't reported as a proxy failure",
        arguments: ProxyKind.allCases)
    func server(kind: ProxyKind) async throws {
        let proxy = try await LabProxy.start()
        let scene = try Scene {
            $0.proxy = kind.selection(proxy.port)
            $0.httpVersion = .http1Only
        }
        try await scene.run({ _ in [.cut] }) { client, server in
            let error = await failure { try await client.text(scene.url(server.port)) }
            #expect(error != nil)
            #expect((error as? ConnectionFailure)?.isOfProxy != true)
            #expect(server.connections > 0)
        }
        await proxy.stop()
    }

    @Test(
        "A server behind a proxy that sends no HTTP/2 SETTINGS isn't reported as a proxy failure",
        arguments: ProxyKind.allCases)
    func silentServer(kind: ProxyKind) async throws {
        let proxy = try await LabProxy.start()
        var scene = try HTTP2Scene()
        scene.configuration.timeout.connect = .milliseconds(1_500)
        scene.configuration.proxy = kind.selection(proxy.port)
        let good = HTTP2Server.Setup(scene.good)
        var setup = good
        setup.isSilent = true
        let silent = setup
        let server = try await HTTP2Server.start { $0 == 0 ? good : silent }
        let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
        let url = scene.url(server)
        let error = await failure { try await client.text(url) }
        #expect(error != nil)
        #expect((error as? ConnectionFailure)?.isOfProxy != true, "\(String(describing: error))")
        // Stops the tunnels first, because async-http-client waits for SETTINGS without a limit.
        await proxy.stop()
        await server.stop()
        await client.shutdown()
    }

    @Test(
        "A proxy that stays silent is reported as a proxy that is too slow, and the server isn't contacted",
        arguments: ["http", "https", "socks5", "socks5://a:b@"])
    func silentProxy(kind: String) async throws {
        let silent = try await ScriptedServer.start(nil) { _ in [] }
        let address = kind.contains("@") ? kind : kind + "://"
        var configuration = TrustedHTTPConfiguration()
        configuration.timeout.connect = .milliseconds(500)
        configuration.proxy = .always(try ConnectionProxy(address: "\(address)localhost:\(silent.port)"))
        let server = try await LabServer.start(.good)
        let trust = try server.certificates.configuration(throughProxyWith: [])
        try await withClient(of: server, trust: trust, configuration) { client in
            let error = await failure { try await client.text(server.url + "/") }
            #expect((error as? ConnectionFailure)?.code == .connectionProxyTimedOut, "\(String(describing: error))")
        }
        #expect(server.counts.connections == 0)
        await silent.stop()
    }

    static let fields: [(HTTPClient.Authorization?, [String: String])] = [
        (.bearer(tokens: "token\r\nx: y"), [:]), (.bearer(tokens: "to\u{0}ken"), [:]), (nil, ["x": "y\nz: a"]),
        (nil, ["x\r\ny": "z"]), (nil, ["": "z"]),
    ]

    @Test(
        "The client refuses proxy header fields that would add lines to the request before it contacts the proxy",
        arguments: fields)
    func injection(authorization: HTTPClient.Authorization?, fields: [String: String]) async throws {
        let proxy = try await LabProxy.start()
        let server = try await LabServer.start(.good)
        var setting = HTTPClient.Configuration.Proxy.server(
            host: "127.0.0.1", port: proxy.port, authorization: authorization)
        for (name, value) in fields { setting.connectHeaders.add(name: name, value: value) }
        var configuration = TrustedHTTPConfiguration(server)
        configuration.proxy = .always(setting)
        try await withClient(of: server, configuration) { client in
            let error = await failure { try await client.text(server.url + "/") }
            #expect((error as? TrustedHTTPError)?.code == .proxyUnsupported)
            #expect(!"\(String(describing: error))".contains("token"))
        }
        #expect(proxy.tunnels.isEmpty && proxy.clientBytes.isEmpty)
        await proxy.stop()
    }
}
