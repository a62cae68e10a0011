// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustNIO
import Testing

@Suite("Unix sockets", .timeLimit(.minutes(10)))
struct UnixSocketTests {
    /// Runs `body` with the path of a socket in a new folder.
    private func withSocket(_ name: String = "s", _ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "us-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appendingPathComponent(name).path)
    }

    @Test(
        "The client evaluates a server behind a socket for the URL's host, whatever the socket's path",
        arguments: ["s", "a socket", "100%2F", "ä:1?x#y@z", "[::1]"])
    func trusted(name: String) async throws {
        try await withSocket(name) { path in
            let certificates = try LabScenario.good.certificates(at: .now())
            let scene = try Scene {
                $0.dnsOverride = [:]
                $0.unixSockets = [certificates.host.description: path, Scene.elsewhere: path]
                // Nothing listens there. A socket needs no proxy.
                $0.proxy = .always(.http(host: "127.0.0.1", port: 9))
            }
            let server = try await ScriptedServer.start(
                scene.certificates, socket: path, { _ in [.answer(200, body: "ok")] })
            let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
            try await client.expect("200 ok", at: "https://\(scene.certificates.host)/x?y")
            try await client.expect("200 ok", at: "https://\(scene.certificates.host)/x?y")
            #expect(server.received.hasPrefix("GET /x?y HTTP/1.1\r\nhost: \(scene.certificates.host)\r\n"))
            #expect(server.connections == 1)
            let bytes = server.received
            let error = await failure { try await client.text("https://\(Scene.elsewhere)/") }
            #expect(error is TrustRefusal)
            #expect(server.received == bytes)
            await client.shutdown()
            await server.stop()
        }
    }

    @Test("The client uses plain HTTP over a socket only for hosts that allow it")
    func plain() async throws {
        try await withSocket { path in
            let scene = try Scene {
                $0.unixSockets = ["docker.internal": path, "other.internal": path, "api.lab.test": path]
                $0.insecurelyPlainHosts = [UnixSocketTests.docker]
                $0.handshakeTimeout = .seconds(2)
            }
            let server = try await ScriptedServer.start(nil, socket: path, { _ in [.answer(200, body: "ok")] })
            let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
            try await client.expect("200 ok", at: "http://docker.internal/v1/info")
            let bytes = server.received
            let refused = await failure { try await client.text("http://other.internal/") }
            #expect((refused as? TrustedHTTPError)?.code == .requestPlainHTTPRefused)
            // The TLS handshake fails, because the server doesn't support TLS.
            let secure = await failure { try await client.text("https://api.lab.test/") }
            #expect(secure is ConnectionFailure)
            #expect(!server.received.dropFirst(bytes.count).contains("GET "))
            await client.shutdown()
            await server.stop()
        }
    }

    private static let docker: Hostname = {
        guard let host = try? Hostname("docker.internal") else { preconditionFailure("a host") }
        return host
    }()

    @Test("The client refuses a URL that names a socket and no host, and its error names the setting for sockets")
    func urls() async throws {
        let client = try TrustedHTTPClient(trust: Scene().trust)
        for url in ["http+unix://%2Frun%2Fx/", "https+unix://%2Frun%2Fx/", "unix:///run/x"] {
            let error = await failure { try await client.text(url) } as? TrustedHTTPError
            #expect(error?.code == .requestUnsupportedScheme)
        }
        await client.shutdown()
    }

    @Test("A missing socket, or a socket path that is too long, causes an error", arguments: [1, 300])
    func absent(length: Int) async throws {
        try await withSocket(String(repeating: "n", count: length)) { path in
            let scene = try Scene { $0.unixSockets = ["api.lab.test": path] }
            let client = try TrustedHTTPClient(trust: scene.trust, configuration: scene.configuration)
            let error = await failure { try await client.text("https://api.lab.test/") }
            #expect(error != nil && !(error is TrustRefusal))
            #expect(await client.shutdown().isEmpty)
        }
    }
}
