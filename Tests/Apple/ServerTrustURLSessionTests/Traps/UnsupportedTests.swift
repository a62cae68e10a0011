// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustURLSession

/// Tasks that Foundation would run over libcurl, without a policy. Each of them fails with a clear error and sends
/// nothing.
@Suite("Unsupported tasks fail closed")
struct UnsupportedTests {
    @Test("The session refuses WebSocket tasks")
    func webSockets() async throws {
        try await SessionLab.with { lab in
            for scheme in ["wss", "https"] {
                let url = try #require(
                    URL(string: lab.url.absoluteString.replacingOccurrences(of: "https", with: scheme)))
                let task = try lab.session().webSocketTask(with: url)
                task.resume()
                await #expect(throws: (any Error).self) { try await task.send(.string("hello")) }
                await #expect(throws: (any Error).self) { _ = try await task.receive() }
                task.cancel()
            }
            #expect(lab.server.counts.connections == 0)
        }
    }

    @Test(
        "The session refuses URLs without TLS and URLs with other schemes",
        arguments: [
            ("http", ServerTrustUnsupported.cleartext, URLError.Code.appTransportSecurityRequiresSecureConnection),
            ("HTTP", .cleartext, .appTransportSecurityRequiresSecureConnection),
            ("ws", .cleartext, .appTransportSecurityRequiresSecureConnection), ("ftp", .scheme, .unsupportedURL),
            ("wss", .scheme, .unsupportedURL), ("gopher", .scheme, .unsupportedURL), ("file", .scheme, .unsupportedURL),
        ])
    func schemes(scheme: String, unsupported: ServerTrustUnsupported, code: URLError.Code) async throws {
        try await SessionLab.with { lab in
            let url = try #require(URL(string: "\(scheme)://api.lab.test:\(lab.server.port)/"))
            let session = try lab.session()
            let error = try #require(await session.failure(url))
            #expect(error.serverTrustUnsupported == unsupported)
            #expect(error.code == code)
            #expect(lab.server.counts.connections == 0)
        }
    }

    @Test("Foundation handles data: URLs itself, without a connection")
    func dataAddresses() async throws {
        try await SessionLab.with { lab in
            let url = try #require(URL(string: "data:text/plain,hello"))
            let (data, _) = try await lab.session().data(from: url)
            #expect(String(decoding: data, as: UTF8.self) == "hello")
        }
    }

    @Test("The session refuses a configuration with an unsupported proxy")
    func proxy() async throws {
        try await SessionLab.with { lab in
            for entries: [AnyHashable: Any] in [
                ["ProxyAutoConfigEnable": 1, "ProxyAutoConfigURLString": "http://proxy.test/"], ["HTTPSEnable": 1],
                ["HTTPSEnable": 1, "HTTPSProxy": "a b"],
                ["HTTPSEnable": 1, "HTTPSProxy": "proxy.test", "HTTPSPort": 0],
                ["HTTPSEnable": "1"], [1: 1],
                ["SOCKSEnable": 1, "SOCKSProxy": "proxy.test", "kCFProxyUsernameKey": "user"],
                ["SOCKSEnable": 1, "SOCKSProxy": "https://proxy.test"], ["HTTPSEnable": 1, "HTTPSProxy": "https://"],
                ["HTTPSEnable": 1, "HTTPSProxy": "socks5://proxy.test"],
            ] {
                let error = try await lab.failure { $0.connectionProxyDictionary = entries }
                #expect(error?.serverTrustUnsupported == .proxy)
            }
            #expect(lab.server.counts.connections == 0)
        }
    }

    @Test("The session refuses hosts that no certificate can name")
    func hosts() async throws {
        try await SessionLab.with { lab in
            let session = try lab.session()
            for text in ["https://", "https:///path", "https://1.2.3/"] {
                guard let url = URL(string: text) else { continue }
                #expect(await session.failure(url)?.code == .badURL, "\(text)")
            }
        }
    }
}
