// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX
import PeerScripts
import Testing

@testable import ServerTrust
@testable import ServerTrustHTTP
@testable import ServerTrustLab

@Suite("The fetcher through proxies")
struct ProxiedFetcherTests {
    /// Returns a fetcher without a resolver, because the proxy resolves names.
    private func fetcher(_ proxy: ProxySelection, rules: AddressRules = .publicOnly) throws -> HTTPTrustFetcher {
        HTTPTrustFetcher(
            rules: rules, trust: nil, proxy: proxy, eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            lookup: AddressLookup { name in throw AddressLookup.Failed(description: "\(name) was looked up") })
    }

    private func failure(_ url: String, _ fetcher: HTTPTrustFetcher) async -> ErrorCode? {
        do throws(TrustFetchError) {
            _ = try await fetcher.fetch(TrustFetchRequest(.crl, url: url, timeout: .seconds(60)))
            return nil
        } catch {
            return error.code
        }
    }

    @Test("The fetcher gets a resource through a tunnel without resolving its name", arguments: ProxyKind.allCases)
    func get(kind: ProxyKind) async throws {
        let proxy = try await LabProxy.start()
        let server = try await ScriptedServer.start(nil) { _ in [.answer(200, [], body: "crl")] }
        let fetcher = try fetcher(kind.selection(proxy.port))
        let url = "http://crl.example.com:\(server.port)/a.crl"
        let response = try await fetcher.fetch(TrustFetchRequest(.crl, url: url, timeout: .seconds(60)))
        #expect(response.body == Array("crl".utf8))
        #expect(proxy.tunnels.map(\.target) == ["crl.example.com:\(server.port)"])
        await fetcher.shutdown()
        await server.stop()
        await proxy.stop()
    }

    static let local = [
        "127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254", "[::ffff:127.0.0.1]", "localhost", "localhost.",
        "api.localhost",
        "metadata.google.internal", "printer.local", "router", "nas.home.arpa", "ca.lan",
    ]

    @Test("The proxy sees only public addresses and names, and others that the caller allows", arguments: local)
    func refused(host: String) async throws {
        let proxy = try await LabProxy.start()
        let server = try await ScriptedServer.start(nil) { _ in [.answer(200, [], body: "crl")] }
        let url = "http://\(host):\(server.port)/"
        let strict = try fetcher(ProxyKind.http.selection(proxy.port))
        #expect(await failure(url, strict) == .fetchForbiddenAddress)
        #expect(proxy.tunnels.isEmpty)
        let allowing = try fetcher(
            ProxyKind.http.selection(proxy.port), rules: AddressRules(allowedHosts: [Hostname(host)]))
        #expect(await failure(url, allowing) == nil)
        #expect(proxy.tunnels.count == 1)
        await strict.shutdown()
        await allowing.shutdown()
        await server.stop()
        await proxy.stop()
    }

    @Test("A redirect to a private address ends before the fetcher requests the address from the proxy")
    func redirect() async throws {
        let proxy = try await LabProxy.start()
        let server = try await ScriptedServer.start(nil) { _ in
            [.answer(302, ["location: http://169.254.169.254/latest"], body: "")]
        }
        let fetcher = try fetcher(ProxyKind.http.selection(proxy.port))
        #expect(await failure("http://crl.example.com:\(server.port)/", fetcher) == .fetchForbiddenAddress)
        #expect(proxy.tunnels.map(\.target) == ["crl.example.com:\(server.port)"])
        await fetcher.shutdown()
        await server.stop()
        await proxy.stop()
    }

    @Test(
        "A fetch ends at its own limit if the body of a server behind the proxy never ends", .timeLimit(.minutes(10)))
    func slow() async throws {
        let proxy = try await LabProxy.start()
        let server = try await ScriptedServer.start(nil) { _ in
            [.send("HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n"), .forever("x", pause: .milliseconds(50))]
        }
        let fetcher = try fetcher(ProxyKind.socks.selection(proxy.port))
        let request = TrustFetchRequest(
            .crl, url: "http://crl.example.com:\(server.port)/", timeout: .milliseconds(600))
        do throws(TrustFetchError) {
            _ = try await fetcher.fetch(request)
            Issue.record("an endless body ended")
        } catch {
            #expect(error.code == .fetchTimedOut)
        }
        await fetcher.shutdown()
        await server.stop()
        await proxy.stop()
    }

    @Test("A malformed proxy in the environment ends the fetch instead of bypassing the proxy")
    func unreadable() async throws {
        let environment = ProxyEnvironment { ["http_proxy": "socks4://proxy.example.com"][$0] }
        let fetcher = try fetcher(.environment(environment))
        #expect(await failure("http://crl.example.com/", fetcher) == .fetchUnsupportedAddress)
        await fetcher.shutdown()
    }
}
