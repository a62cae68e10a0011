// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOPosix
import PeerScripts
import ServerTrustNIO
import ServerTrustWebSocket
import Testing

@testable import ServerTrust
@testable import ServerTrustHTTP
@testable import ServerTrustLab

@Suite("User names and passwords in error messages")
struct ErrorTextTests {
    /// Fails if an error's text or properties contain a user name or password from the URLs below.
    private static func expectClean(
        _ error: (any Error)?, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(error != nil, sourceLocation: location)
        var texts = [String(describing: error), String(reflecting: error)]
        if let error = error as? TrustedHTTPError { texts += [error.url ?? "", error.detail] }
        if let error = error as? TrustFetchError { texts += [error.url, error.detail] }
        for text in texts {
            for part in ["s0meone", "s3cret", "w0rd"] { #expect(!text.contains(part), sourceLocation: location) }
        }
    }

    static let urls = [
        "https://s0meone:s3cret@api.lab.test/", "https://s0meone@api.lab.test/", "http://s0meone:s3cret@api.lab.test/",
        "https://s0meone:s3cret/w0rd@api.lab.test/", "https://s0meone:s3cret#w0rd@api.lab.test/",
        "https://some one:s3cret@api.lab.test/", "ftp://s0meone:s3cret@api.lab.test/",
        "https+unix://s0meone:s3cret@%2Ftmp/", "s0meone:s3cret@api.lab.test/", "https:/s0meone:s3cret@api.lab.test/",
        "https://s0meone:s3cret@api.lab.test:0/", "https://s0meone:s3cret@api.lab.test/\r\nx",
        "https://s0meone:s3cret@w0rd@api.lab.test/",
    ]

    @Test("No request error shows a user name or password", arguments: urls)
    func requests(url: String) async throws {
        let client = try TrustedHTTPClient(trust: Scene().trust)
        Self.expectClean(await failure { try await client.text(url) })
        try await FileScene.run { file in
            Self.expectClean(await failure { try await client.download(url, to: file) })
        }
        await client.shutdown()
    }

    @Test("No WebSocket error shows a user name or password", arguments: urls)
    func webSockets(url: String) async throws {
        let client = try TrustedWebSocketClient(trust: Scene().trust)
        let url = url.hasPrefix("https://") ? "wss" + url.dropFirst(5) : url
        Self.expectClean(await failure { try await client.withConnection(to: url) { _ in } })
    }

    @Test("No redirect error shows the user name or password in its location", arguments: urls)
    func redirects(location: String) async throws {
        // A field can't contain line breaks.
        guard !location.contains("\r\n") else { return }
        let scene = try Scene()
        try await scene.run({ head in
            head.hasPrefix("GET / ") ? [.answer(302, ["location: \(location)"])] : [.answer(404)]
        }) { client, server in
            // The client follows a location that it reads as a path.
            guard let error = await failure({ try await client.get(scene.url(server.port)) }) else { return }
            Self.expectClean(error)
        }
    }

    @Test("No fetch error shows the user name or password in an address or location", arguments: urls)
    func fetches(url: String) async throws {
        let fetcher = HTTPTrustFetcher(
            rules: AddressRules(allowedHosts: []), trust: nil, proxy: .none,
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            lookup: AddressLookup { name in throw AddressLookup.Failed(description: "no address") })
        let error = await failure { try await fetcher.fetch(TrustFetchRequest(.crl, url: url, timeout: .seconds(60))) }
        Self.expectClean(error)
        await fetcher.shutdown()
    }

    static let proxies = [
        "https://s0meone:s3cret@proxy.example:0", "socks5://s0meone:@proxy.example",
        "socks4://s0meone:s3cret@proxy.example", "ftp://s0meone:s3cret@proxy",
        "http://s0meone:s3cret@", "http://s0meone:s3cret@proxy:0", "s0meone:s3cret://proxy.example",
        "http://s0meone:%s@s3cret:w0rd", "s3cret://proxy.example", "http://s0meone:s3cret@pro xy:1",
    ]

    @Test("No error about a proxy from the environment shows its user name or password", arguments: proxies)
    func environment(address: String) async throws {
        var configuration = TrustedHTTPConfiguration()
        configuration.proxy = .environment(ProxyEnvironment { ["https_proxy": address][$0] })
        let client = try TrustedHTTPClient(trust: Scene().trust, configuration: configuration)
        let error = await failure { try await client.text("https://api.lab.test/") }
        #expect((error as? TrustedHTTPError)?.code == .proxyUnsupported)
        Self.expectClean(error)
        await client.shutdown()
    }

    @Test(
        "No error about a failing proxy shows the password that the client sent to it", arguments: ProxyFault.allCases)
    func proxyFailures(fault: ProxyFault) async throws {
        let proxy = try await LabProxy.start(fault: fault)
        let server = try await LabServer.start(.good)
        var configuration = TrustedHTTPConfiguration(server)
        let port = fault.refusesConnections ? 1 : proxy.port
        let address = "\(fault.isSOCKS ? "socks5" : "http")://s0meone:s3cret@127.0.0.1:\(port)"
        configuration.proxy = .environment(ProxyEnvironment { ["https_proxy": address][$0] })
        try await withClient(of: server, configuration) { client in
            Self.expectClean(await failure { try await client.text(server.url + "/") })
        }
        await proxy.stop()
    }
}
