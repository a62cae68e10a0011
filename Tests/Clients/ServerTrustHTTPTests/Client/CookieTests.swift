// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import Testing

@Suite("Cookies of the client", .timeLimit(.minutes(10)))
struct CookieTests {
    private static let hosts = ["a.lab.test", "b.lab.test", "other.test"]

    /// Runs `body` with a client and a server in the clear, which has three names. The server sets cookies for `/set`,
    /// redirects from `/to/HOST`, and returns a request's cookies.
    private func run(
        setting fields: [String], _ store: CookieStore = CookieStore(),
        _ body: (TrustedHTTPClient, _ url: (_ host: String, _ path: String) -> String) async throws -> Void
    ) async throws {
        var configuration = TrustedHTTPConfiguration()
        configuration.bePatient()
        configuration.cookies = store
        for host in Self.hosts {
            configuration.dnsOverride[host] = "127.0.0.1"
            configuration.insecurelyPlainHosts.insert(try Hostname(host))
        }
        let server = try await ScriptedServer.start(nil) { head in
            let path = String(head.split(separator: " ")[1])
            let host = head.split(separator: "\r\n").first { $0.hasPrefix("host: ") }.map(String.init) ?? ""
            let port = host.split(separator: ":").last ?? ""
            if path == "/set" { return [.answer(200, fields.map { "set-cookie: \($0)" })] }
            if path.hasPrefix("/to/") {
                let target = path.dropFirst(4)
                return [.answer(302, ["location: http://\(target):\(port)/", "set-cookie: hop=\(target); Path=/"])]
            }
            let cookies = head.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("cookie:") }
            return [.answer(200, body: cookies.joined(separator: "|"))]
        }
        let trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false))
        let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
        try await client.used(stopping: { await server.stop() }) {
            try await body(client) { "http://\($0):\(server.port)\($1)" }
        }
    }

    @Test("The client sends a cookie back to its host, and to no other host")
    func host() async throws {
        try await run(setting: ["own=1", "shared=2; Domain=lab.test", "path=3; Path=/docs"]) { client, url in
            try await client.expect("200 ", at: url("a.lab.test", "/set"))
            try await client.expect("200 cookie: own=1; shared=2", at: url("a.lab.test", "/"))
            try await client.expect("200 cookie: path=3; own=1; shared=2", at: url("a.lab.test", "/docs/x?y=z"))
            try await client.expect("200 cookie: shared=2", at: url("b.lab.test", "/"))
            try await client.expect("200 ", at: url("other.test", "/"))
        }
    }

    @Test("The client stores no cookie for a public suffix, another host or TLS")
    func refused() async throws {
        let fields = [
            "a=1; Domain=test", "b=2; Domain=other.test", "c=3; Domain=b.lab.test", "d=4; Secure", "__Host-e=5",
        ]
        let store = CookieStore()
        try await run(setting: fields, store) { client, url in
            try await client.expect("200 ", at: url("a.lab.test", "/set"))
            for host in Self.hosts { try await client.expect("200 ", at: url(host, "/")) }
            #expect(store.count == 0)
        }
    }

    @Test("A redirect gets the cookies of its own host, and cookies of redirects are stored")
    func redirects() async throws {
        try await run(setting: ["own=1"]) { client, url in
            try await client.expect("200 ", at: url("a.lab.test", "/set"))
            try await client.expect("200 ", at: url("a.lab.test", "/to/other.test"))
            try await client.expect("200 ", at: url("other.test", "/set"))
            try await client.expect("200 cookie: own=1", at: url("a.lab.test", "/to/other.test"))
            // The last hop is back at the first host.
            try await client.expect("200 cookie: own=1; hop=a.lab.test", at: url("a.lab.test", "/to/a.lab.test"))
        }
    }

    @Test("A request's own field replaces the store's cookies, and a redirect to another host drops it")
    func ownField() async throws {
        try await run(setting: ["own=1"]) { client, url in
            for host in ["a.lab.test", "other.test"] { try await client.expect("200 ", at: url(host, "/set")) }
            for (path, expected) in [("/", "cookie: mine"), ("/to/other.test", "cookie: own=1")] {
                var request = HTTPClientRequest(url: url("a.lab.test", path))
                request.headers.add(name: "cookie", value: "mine")
                let response = try await client.execute(request, timeout: .seconds(60))
                #expect(String(buffer: try await response.body.collect(upTo: 1 << 20)) == expected)
                // The history contains the caller's request.
                #expect(response.history.first?.request.headers["cookie"] == ["mine"])
            }
        }
    }

    @Test("Clients may share a store, which can be read, filled and emptied")
    func store() async throws {
        let store = CookieStore()
        store.store(["a=1; Secure", "b=2; Domain=com", "c\r\n=3", "=4"], from: "https://www.example.com/x/y")
        store.store(["d=5"], from: "not a URL")
        store.store([], from: "https://www.example.com/")
        #expect(store.count == 1)
        #expect(store.field(for: "https://www.example.com:8443/x/z?q") == "a=1")
        #expect(store.field(for: "https://www.example.com/") == nil)
        #expect(store.field(for: "http://www.example.com/x/y") == nil)
        #expect(store.field(for: "ftp://www.example.com/x/y") == nil)
        store.store(["e=6; Path=/"], from: "http://a.lab.test/")
        try await run(setting: [], store) { client, url in
            try await client.expect("200 cookie: e=6", at: url("a.lab.test", "/"))
            store.removeAll()
            try await client.expect("200 ", at: url("a.lab.test", "/"))
        }
    }
}
