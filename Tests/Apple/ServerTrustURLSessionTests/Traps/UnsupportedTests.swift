// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrust
import ServerTrustTesting
import ServerTrustURLSession
import Testing

/// The tasks that Foundation would run over libcurl, under no policy: each of it fails, says so, and sends nothing.
@Suite("What can't be carried fails closed")
struct UnsupportedTests {
    @Test("Web socket tasks are refused")
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
        "URLs without TLS, and of other schemes, are refused",
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

    @Test("URLs of the scheme data: are Foundation's own, and leave the process nowhere")
    func dataAddresses() async throws {
        try await SessionLab.with { lab in
            let url = try #require(URL(string: "data:text/plain,hello"))
            let (data, _) = try await lab.session().data(from: url)
            #expect(String(decoding: data, as: UTF8.self) == "hello")
        }
    }

    @Test("A configuration with a proxy that isn't supported is refused")
    func proxy() async throws {
        try await SessionLab.with { lab in
            for entries: [AnyHashable: Any] in [
                ["ProxyAutoConfigEnable": 1, "ProxyAutoConfigURLString": "http://proxy.test/"], ["HTTPSEnable": 1],
                ["HTTPSEnable": 1, "HTTPSProxy": "a b"],
                ["HTTPSEnable": 1, "HTTPSProxy": "proxy.test", "HTTPSPort": 0],
                ["HTTPSEnable": "1"], [1: 1],
                ["SOCKSEnable": 1, "SOCKSProxy": "proxy.test", "kCFProxyUsernameKey": "user"],
            ] {
                let error = try await lab.failure { $0.connectionProxyDictionary = entries }
                #expect(error?.serverTrustUnsupported == .proxy)
            }
            #expect(lab.server.counts.connections == 0)
        }
    }

    @Test("Hosts that no certificate can name are refused")
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
