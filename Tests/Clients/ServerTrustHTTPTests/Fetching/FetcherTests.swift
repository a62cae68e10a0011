// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import PKIX
import PeerScripts
import ServerTrustLab
import Testing

@testable import ServerTrust
@testable import ServerTrustHTTP

extension TrustFetchRequest {
    /// The machine may be busy, and only some tests are about timing.
    fileprivate static func patient(
        _ resource: TrustResource.Kind, url: String, body: [UInt8]? = nil, maximumBytes: Int? = nil
    ) -> TrustFetchRequest {
        TrustFetchRequest(resource, url: url, body: body, maximumBytes: maximumBytes, timeout: .seconds(60))
    }
}

@Suite("The fetcher")
struct FetcherTests {
    /// Returns a fetcher whose resolver knows these names, and which may connect to loopback for `ca.test`.
    private func fetcher(
        _ names: [String: [String]] = ["ca.test": ["127.0.0.1"]], rules: AddressRules? = nil,
        trust: ServerTrustConfiguration? = nil
    ) throws -> HTTPTrustFetcher {
        try HTTPTrustFetcher(
            rules: rules ?? AddressRules(allowedHosts: [Hostname("ca.test")]), trust: trust,
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            lookup: AddressLookup { name in
                guard let addresses = names[name] else { throw AddressLookup.Failed(description: "no such host") }
                return addresses.compactMap { IPAddress($0) }
            })
    }

    private func fetch(
        _ request: TrustFetchRequest, _ fetcher: HTTPTrustFetcher
    ) async -> Result<TrustFetchResponse, TrustFetchError> {
        do throws(TrustFetchError) {
            return .success(try await fetcher.fetch(request))
        } catch {
            return .failure(error)
        }
    }

    private func reason(_ request: TrustFetchRequest, _ fetcher: HTTPTrustFetcher) async -> ErrorCode? {
        if case .failure(let error) = await fetch(request, fetcher) { error.code } else { nil }
    }

    @Test("The fetcher gets a resource and sends only the necessary headers")
    func get() async throws {
        let server = try await ScriptedServer.start(nil) { _ in
            [.answer(200, ["cache-control: max-age=60"], body: "crl")]
        }
        let fetcher = try fetcher()
        let response = try await fetcher.fetch(
            TrustFetchRequest.patient(.crl, url: "http://ca.test:\(server.port)/a.crl?b"))
        #expect(response == TrustFetchResponse(body: Array("crl".utf8), maximumAge: .seconds(60)))
        let lines = server.received.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "GET /a.crl?b HTTP/1.1")
        #expect(lines.contains("host: ca.test:\(server.port)"))
        #expect(
            Set(lines.dropFirst().map { $0.split(separator: ":")[0] }) == [
                "host", "accept", "user-agent", "connection",
            ])
        await fetcher.shutdown()
        await server.stop()
    }

    @Test("Creating the default fetcher needs no `try`, and the fetcher connects only to public addresses")
    func usual() async {
        let fetcher = HTTPTrustFetcher()
        #expect(await reason(.patient(.crl, url: "http://127.0.0.1:1/a.crl"), fetcher) == .fetchForbiddenAddress)
        await fetcher.shutdown()
    }

    @Test("The fetcher doesn't look up a host that its rules deny")
    func denied() async throws {
        let looked = Locked(0)
        let manager = try ServerTrustManager(rules: ["ca.test": .denied], allHostsMustBeEvaluated: false)
        let fetcher = try HTTPTrustFetcher(
            rules: AddressRules(allowedHosts: [Hostname("ca.test")]), trust: ServerTrustConfiguration(manager),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            lookup: AddressLookup { _ in
                looked.withLock { $0 += 1 }
                return [IPAddress("127.0.0.1")].compactMap(\.self)
            })
        for url in ["http://ca.test:1/", "https://ca.test:1/"] {
            #expect(await reason(.patient(.crl, url: url), fetcher) == .fetchUnreachable)
        }
        #expect(looked.withLock { $0 } == 0)
        #expect(await reason(.patient(.crl, url: "http://other.test:1/"), fetcher) == .fetchForbiddenAddress)
        #expect(looked.withLock { $0 } == 1)
        await fetcher.shutdown()
    }

    @Test("The fetcher posts OCSP requests")
    func post() async throws {
        let server = try await ScriptedServer.start(nil) { _ in [.answer(200, body: "ocsp")] }
        let fetcher = try fetcher()
        _ = try await fetcher.fetch(
            TrustFetchRequest.patient(.ocsp, url: "http://ca.test:\(server.port)/", body: Array("question".utf8)))
        #expect(server.received.hasPrefix("POST / HTTP/1.1\r\n"))
        #expect(server.received.contains("content-type: application/ocsp-request"))
        #expect(server.received.hasSuffix("\r\n\r\nquestion"))
        await fetcher.shutdown()
        await server.stop()
    }

    @Test("The fetcher connects to the address that it checked, and looks up the name once")
    func rebinding() async throws {
        let server = try await ScriptedServer.start(nil) { _ in [.answer(200, body: "ok")] }
        let asked = Locked(0)
        let fetcher = HTTPTrustFetcher(
            rules: AddressRules(allowedAddresses: [try #require(IPAddress("127.0.0.1"))]), trust: nil,
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            lookup: AddressLookup { _ in
                // A second lookup would return another address.
                let isFirst = asked.withLock { count in
                    count += 1
                    return count == 1
                }
                return [IPAddress(isFirst ? "127.0.0.1" : "127.0.0.2")].compactMap { $0 }
            })
        let url = "http://rebinding.test:\(server.port)/"
        #expect(try await fetcher.fetch(TrustFetchRequest.patient(.crl, url: url)).body == Array("ok".utf8))
        #expect(asked.withLock { $0 } == 1)
        #expect(await reason(TrustFetchRequest.patient(.crl, url: url), fetcher) == .fetchForbiddenAddress)
        #expect(server.connections == 1)
        await fetcher.shutdown()
        await server.stop()
    }

    @Test("The fetcher reaches a host whose first address doesn't answer")
    func silentAddress() async throws {
        let server = try await ScriptedServer.start(nil) { _ in [.answer(200, body: "crl")] }
        let hole = try BlackHole("127.0.0.2", port: server.port)
        let fetcher = try fetcher(["ca.test": ["127.0.0.2", "127.0.0.3", "127.0.0.1"]])
        let response = try await fetcher.fetch(.patient(.crl, url: "http://ca.test:\(hole.port)/"))
        #expect(response.body == Array("crl".utf8))
        #expect(server.received.split(separator: "\r\n").filter { $0.hasPrefix("GET") }.count == 1)
        await fetcher.shutdown()
        await server.stop()
    }

    @Test("The fetcher never connects to a forbidden address of a host that also has an allowed one")
    func forbiddenAmongAllowed() async throws {
        let server = try await ScriptedServer.start(nil) { _ in [.answer(200, body: "crl")] }
        let count = Locked(0)
        let forbidden = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                count.withLock { $0 += 1 }
                return channel.eventLoop.makeSucceededVoidFuture()
            }.bind(host: "127.0.0.4", port: server.port).get()
        let hole = try BlackHole("127.0.0.2", port: server.port)
        let names = ["ca.test": ["127.0.0.4", "127.0.0.2", "127.0.0.4", "127.0.0.1", "127.0.0.4"]]
        func allowing(_ addresses: String...) throws -> HTTPTrustFetcher {
            try fetcher(names, rules: AddressRules(allowedAddresses: Set(addresses.compactMap { IPAddress($0) })))
        }
        let fetchers = [try allowing("127.0.0.2", "127.0.0.1"), try allowing("127.0.0.1"), try allowing("127.0.0.3")]
        let url = "http://ca.test:\(hole.port)/"
        #expect(await reason(.patient(.crl, url: url), fetchers[0]) == nil)
        #expect(await reason(.patient(.crl, url: url), fetchers[1]) == nil)
        #expect(await reason(.patient(.crl, url: url), fetchers[2]) == .fetchForbiddenAddress)
        #expect(count.withLock { $0 } == 0)
        for fetcher in fetchers { await fetcher.shutdown() }
        try await forbidden.close()
        await server.stop()
    }

    @Test("The fetcher's error says what happened at each address")
    func failedAddresses() async throws {
        let hole = try BlackHole("127.0.0.2")
        let fetcher = try fetcher(["ca.test": ["127.0.0.3", "127.0.0.2"], "closed.test": ["127.0.0.3", "127.0.0.4"]])
        let url = "http://ca.test:\(hole.port)/"
        guard case .failure(let error) = await fetch(TrustFetchRequest(.crl, url: url, timeout: .seconds(2)), fetcher)
        else {
            Issue.record("fetched")
            return
        }
        #expect(error.code == .fetchTimedOut)
        #expect(error.detail.contains("127.0.0.3:\(hole.port): connection refused"))
        #expect(error.detail.contains("127.0.0.2:\(hole.port): no answer"))
        await fetcher.shutdown()
    }

    @Test("A canceled fetch doesn't wait for an address that doesn't answer")
    func canceledWhileConnecting() async throws {
        let hole = try BlackHole("127.0.0.2")
        let looked = Locked(false)
        let fetcher = try HTTPTrustFetcher(
            rules: AddressRules(allowedHosts: [Hostname("ca.test")]), trust: nil,
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            lookup: AddressLookup { _ in
                looked.withLock { $0 = true }
                return ["127.0.0.2", "127.0.0.2"].compactMap { IPAddress($0) }
            })
        let url = "http://ca.test:\(hole.port)/"
        let task = Task { await fetch(TrustFetchRequest(.crl, url: url, timeout: .seconds(3_600)), fetcher) }
        while !looked.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        guard case .failure(let error) = await task.value else {
            Issue.record("fetched")
            return
        }
        #expect(error.code == .fetchCancelled)
        await fetcher.shutdown()
    }

    @Test(
        "The fetcher connects only to public addresses, whether they come from a name, a URL or a redirect",
        arguments: [
            "127.0.0.1", "10.0.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "[::1]", "[::]", "[fe80::1]",
            "[fd00::1]",
            "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[ff02::1]", "inside.test",
            "mixed.test",
        ])
    func forbidden(host: String) async throws {
        let fetcher = try fetcher([
            "inside.test": ["192.168.1.1", "::1"], "mixed.test": ["10.0.0.1"], "ca.test": ["127.0.0.1"],
        ])
        #expect(
            await reason(TrustFetchRequest.patient(.issuer, url: "http://\(host)/"), fetcher) == .fetchForbiddenAddress)
        #expect(
            await reason(TrustFetchRequest.patient(.issuer, url: "https://\(host)/"), fetcher) == .fetchForbiddenAddress
        )
        let server = try await ScriptedServer.start(nil) { _ in [.answer(302, ["location: http://\(host)/"])] }
        #expect(
            await reason(TrustFetchRequest.patient(.issuer, url: "http://ca.test:\(server.port)/"), fetcher)
                == .fetchForbiddenAddress)
        await fetcher.shutdown()
        await server.stop()
    }

    @Test(
        "The fetcher refuses unsupported schemes and malformed URLs",
        arguments: [
            "ldap://ca.test/cn=x", "file:///etc/passwd", "", "ca.test/x", "http://user@ca.test/",
            "http://ca.test:99999/",
            "http://ca.test/\r\nx: y", "http://127.1/", "http://0x7f.1/",
        ])
    func unsupported(url: String) async throws {
        let fetcher = try fetcher()
        #expect(await reason(TrustFetchRequest.patient(.crl, url: url), fetcher) == .fetchUnsupportedAddress)
        await fetcher.shutdown()
    }

    @Test("The fetcher follows as many redirects as the request allows")
    func redirects() async throws {
        let server = try await ScriptedServer.start(nil) { head in
            let path = head.split(separator: " ")[1]
            return path.count < 4 ? [.answer(302, ["location: \(path)x"])] : [.answer(200, body: "end")]
        }
        let fetcher = try fetcher()
        var request = TrustFetchRequest.patient(.crl, url: "http://ca.test:\(server.port)/")
        #expect(try await fetcher.fetch(request).body == Array("end".utf8))
        request.maximumRedirects = 2
        #expect(await reason(request, fetcher) == .fetchTooManyRedirects)
        request.maximumRedirects = 0
        #expect(await reason(request, fetcher) == .fetchTooManyRedirects)
        await fetcher.shutdown()
        await server.stop()
    }

    @Test(
        "The fetcher reads no more bytes than the request allows, whatever length the server announces",
        arguments: [true, false])
    func tooLarge(isPromised: Bool) async throws {
        let server = try await ScriptedServer.start(nil) { _ in
            isPromised
                ? [.answer(200, body: String(repeating: "x", count: 1001))]
                : [
                    .send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"),
                    .forever("100\r\n" + String(repeating: "x", count: 256) + "\r\n", pause: .milliseconds(1)),
                ]
        }
        let fetcher = try fetcher()
        let request = TrustFetchRequest.patient(.crl, url: "http://ca.test:\(server.port)/", maximumBytes: 1000)
        #expect(await reason(request, fetcher) == .fetchTooLarge)
        await fetcher.shutdown()
        await server.stop()
    }

    @Test(
        "A fetch ends at its own limit if the server's response never ends", .timeLimit(.minutes(10)),
        arguments: 0..<4)
    func slow(kind: Int) async throws {
        let scripts: [[ScriptedServer.Step]] = [
            [], [.send("HTTP/1.1 200 OK\r\nx: "), .forever("x", pause: .milliseconds(50))],
            [.send("HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n"), .forever("x", pause: .milliseconds(50))],
            [.wait(.milliseconds(100)), .answer(302, ["location: /again"])],
        ]
        let server = try await ScriptedServer.start(nil) { _ in scripts[kind] }
        let fetcher = try fetcher()
        var request = TrustFetchRequest(.crl, url: "http://ca.test:\(server.port)/", timeout: .milliseconds(600))
        request.maximumRedirects = 1000
        #expect(await reason(request, fetcher) == .fetchTimedOut)
        await fetcher.shutdown()
        await server.stop()
    }

    @Test("A lookup that takes longer than the request allows ends in a timeout")
    func slowResolver() async throws {
        let fetcher = HTTPTrustFetcher(
            rules: .publicOnly, trust: nil, eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            lookup: AddressLookup { _ in
                // Blocks the thread, as a resolver does.
                Thread.sleep(forTimeInterval: 2)
                return []
            })
        #expect(
            await reason(TrustFetchRequest(.crl, url: "http://ca.test/", timeout: .milliseconds(200)), fetcher)
                == .fetchTimedOut)
        await fetcher.shutdown()
    }

    @Test(
        "Issuer lookups don't delay revocation lookups, and the fetcher skips expired lookups")
    func starvingResolver() async throws {
        let server = try await ScriptedServer.start(nil) { _ in [.answer(200, body: "ok")] }
        let asked = Locked(0)
        let isOver = Locked(false)
        let fetcher = try HTTPTrustFetcher(
            rules: AddressRules(allowedHosts: [Hostname("ca.test")]), trust: nil,
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            lookup: AddressLookup { name in
                if name == "ca.test" { return [IPAddress("127.0.0.1")].compactMap { $0 } }
                asked.withLock { $0 += 1 }
                while !isOver.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
                return []
            })
        await withTaskGroup { group in
            // More than the number of threads in any pool.
            for number in 0..<100 {
                group.addTask {
                    let url = "http://slow\(number).test/"
                    let request = TrustFetchRequest(.issuer, url: url, timeout: .milliseconds(300))
                    #expect(await self.reason(request, fetcher) == .fetchTimedOut)
                }
            }
        }
        let url = "http://ca.test:\(server.port)/"
        let answer = await fetch(TrustFetchRequest(.crl, url: url, timeout: .seconds(20)), fetcher)
        #expect((try? answer.get())?.body == Array("ok".utf8))
        isOver.withLock { $0 = true }
        // Queued behind all waiting lookups.
        _ = await fetch(.patient(.issuer, url: url), fetcher)
        #expect((1...16).contains(asked.withLock { $0 }))
        await fetcher.shutdown()
        await server.stop()
    }

    @Test("Each fetch failure has its own reason")
    func failures() async throws {
        let server = try await ScriptedServer.start(nil) { head in
            switch head.split(separator: " ")[1] {
            case "/missing": [.answer(404)]
            case "/partial": [.answer(206, body: "part")]
            case "/lying": [.send("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"), .cut]
            case "/garbage": [.send("220 hello\r\n"), .cut]
            case "/nowhere": [.answer(302)]
            default: []
            }
        }
        let fetcher = try fetcher()
        let base = "http://ca.test:\(server.port)"
        for (path, expected) in [
            ("/missing", ErrorCode.fetchStatus), ("/partial", .fetchStatus), ("/lying", .fetchProtocolViolation),
            ("/garbage", .fetchProtocolViolation), ("/nowhere", .fetchProtocolViolation),
        ] {
            #expect(await reason(TrustFetchRequest.patient(.issuer, url: base + path), fetcher) == expected, "\(path)")
        }
        #expect(
            await reason(TrustFetchRequest.patient(.issuer, url: "http://unknown.test/"), fetcher) == .fetchUnreachable)
        let task = Task { await reason(TrustFetchRequest.patient(.issuer, url: base + "/silent"), fetcher) }
        while !server.received.contains("/silent") { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        #expect(await task.value == .fetchCancelled)
        await server.stop()
        #expect(await reason(TrustFetchRequest.patient(.issuer, url: base), fetcher) == .fetchUnreachable)
        await fetcher.shutdown()
    }

    @Test("The fetcher evaluates https servers with its own rules", arguments: [true, false])
    func secure(isTrusted: Bool) async throws {
        let lab = try await LabServer.start(isTrusted ? .good : .wrongHost)
        var trust = ServerTrustConfiguration(lab)
        trust.manager = try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false)
        let host = lab.host
        let fetcher = try fetcher(
            [host.description: ["127.0.0.1"]], rules: AddressRules(allowedHosts: [host]), trust: trust)
        let result = await fetch(TrustFetchRequest.patient(.issuer, url: lab.url + "/"), fetcher)
        await fetcher.shutdown()
        await lab.stop()
        if isTrusted {
            #expect(try result.get().body == Array("hello from the lab\n".utf8))
        } else {
            #expect(throws: TrustFetchError.self) { try result.get() }
            if case .failure(let error) = result { #expect(error.code == .fetchUnreachable) }
            #expect(lab.counts.requestBytes == 0)
        }
    }
}

@Suite("Addresses")
struct AddressRulesTests {
    @Test(
        "An address's range decides whether it is globally reachable",
        arguments: [
            ("8.8.8.8", true), ("1.1.1.1", true), ("172.15.0.1", true), ("172.32.0.1", true), ("100.63.0.1", true),
            ("100.128.0.1", true),
            ("198.17.0.1", true), ("198.20.0.1", true), ("223.255.255.255", true), ("2606:4700::1111", true),
            ("2a00::1", true),
            ("::ffff:8.8.8.8", true), ("64:ff9b::808:808", true),
            ("0.1.2.3", false), ("10.255.255.255", false), ("127.255.255.255", false), ("169.254.169.254", false),
            ("172.16.0.1", false), ("172.31.255.255", false), ("192.168.0.1", false), ("100.64.0.1", false),
            ("100.127.255.255", false),
            ("192.0.0.1", false), ("192.0.2.1", false), ("198.18.0.1", false), ("198.19.255.255", false),
            ("198.51.100.1", false),
            ("203.0.113.1", false), ("224.0.0.1", false), ("239.1.1.1", false), ("240.0.0.1", false),
            ("255.255.255.255", false),
            ("::", false), ("::1", false), ("::8.8.8.8", false), ("::ffff:10.0.0.1", false), ("64:ff9b::a00:1", false),
            ("64:ff9b:1::808:808", false), ("fe80::1", false), ("fec0::1", false), ("fc00::1", false),
            ("fdff::1", false), ("ff02::1", false),
            ("2001:db8::1", false), ("2001::1", false), ("2002:808:808::1", false), ("3fff::1", false),
            ("100::1", false),
        ])
    func global(text: String, expected: Bool) throws {
        #expect(try #require(IPAddress(text)).isGloballyReachable == expected)
    }

    @Test(
        "The response headers limit how long the response can be cached, and no-store prevents caching",
        arguments: [
            ([("Cache-Control", "max-age=60"), ("Age", "20")], 40), ([("cache-control", "max-age=60, no-store")], 0),
            ([("cache-control", "no-cache")], 0), ([("cache-control", "max-age=+60")], 0),
            ([("cache-control", "max-age = 60")], 60),
            ([("date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("expires", "Sunday, 06-Nov-94 09:49:37 GMT")], 3600),
            ([], nil),
        ] as [([(String, String)], Int?)])
    func lifetime(headers: [(String, String)], expected: Int?) {
        #expect(
            HTTPTrustFetcher.maximumAge(HTTPHeaders(headers), now: Time(secondsSinceEpoch: 784_111_777))
                == expected.map { Duration.seconds($0) })
    }
}

extension AddressLookup {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }
}
