// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustHTTP
@testable import ServerTrustLab
@testable import ServerTrustURLSession

@Suite("Proxies from the environment")
struct ProxyTests {
    private func variable(_ host: String, _ environment: [String: String]) throws -> String? {
        ProxyEnvironment { environment[$0] }.proxy(for: try Hostname(host), isSecure: true)?.variable
    }

    @Test("The session finds the environment's proxy where libcurl does, and uses the most specific variable")
    func variables() throws {
        let all = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        for (index, name) in all.enumerated() {
            let environment = Dictionary(uniqueKeysWithValues: all[index...].map { ($0, "http://127.0.0.1:1") })
            #expect(try variable("example.com", environment) == name)
            // An empty variable counts as unset.
            let emptied = environment.merging([name: ""]) { $1 }
            #expect(try variable("example.com", emptied) == all.dropFirst(index + 1).first)
        }
        for other in ["http_proxy", "HTTP_PROXY", "ftp_proxy", "Https_Proxy", "no_proxy"] {
            #expect(try variable("example.com", [other: "http://127.0.0.1:1"]) == nil)
        }
        #expect(try variable("example.com", ["all_proxy": "socks5://127.0.0.1:1"]) == "all_proxy")
    }

    static let exempt: [(host: String, list: String, isDirect: Bool)] = [
        ("www.example.com", "example.com", true), ("example.com", "example.com", true),
        ("notexample.com", "example.com", false), ("example.com.evil.test", "example.com", false),
        ("example.com", "www.example.com", false), ("www.example.com", ".example.com", true),
        ("example.com", ".example.com", true), ("example.com", "EXAMPLE.Com", true),
        ("example.com", "example.com.", true), ("example.com.", "example.com", true),
        ("example.com", "a.test,example.com", true), ("example.com", "a.test, example.com ,b.test", true),
        ("example.com", ",,example.com,,", true), ("example.com", "a.test,b.test", false),
        ("example.com", "*", true), ("192.0.2.1", "*", true), ("example.com", "a.test,*", false),
        ("www.example.com", "*.example.com", false), ("example.com", "com", true), ("example.com", ".", false),
        ("example.com", "example.com:443", false), ("example.com", "", false), ("example.com", " ", false),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.10", false), ("192.0.2.1", "2.1", false),
        ("192.0.2.1", "192.0.2.0/24", true), ("192.0.3.1", "192.0.2.0/24", false),
        ("192.0.2.9", "192.0.2.8/30", true), ("192.0.2.12", "192.0.2.8/30", false),
        ("192.0.2.1", "192.0.2.1/32", true), ("192.0.2.1", "192.0.2.0/33", false),
        ("192.0.2.1", "0.0.0.0/0", false), ("192.0.2.1", "192.0.2.0/", false), ("192.0.2.1", "192.0.2.0/x", false),
        ("192.0.2.1", "192.0.2.1:443", false),
        ("[2001:db8::1]", "2001:db8::1", true), ("[2001:db8::1]", "2001:db8:0::1", true),
        ("[2001:db8::1]", "[2001:db8::1]", false), ("[2001:db8::1]", "2001:db8::/32", true),
        ("[2001:db9::1]", "2001:db8::/32", false), ("[2001:db8::1]", "192.0.2.0/24", false),
        ("192.0.2.1", "::/1", false), ("example.com", "192.0.2.0/24", false),
    ]

    @Test(
        "The session bypasses the environment's proxy for hosts in no_proxy, by libcurl's rules", arguments: exempt
    )
    func noProxy(host: String, list: String, isDirect: Bool) throws {
        let text = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        for name in ["no_proxy", "NO_PROXY"] {
            let found = try variable(text, ["https_proxy": "http://127.0.0.1:1", name: list])
            #expect((found == nil) == isDirect)
        }
        // The lower-case variable takes precedence.
        let both = try variable(text, ["https_proxy": "p", "no_proxy": list, "NO_PROXY": "*"])
        #expect((both == nil) == (isDirect || list.isEmpty))
    }

    private static let curl = "/usr/bin/curl"
    static let hasCurl = FileManager.default.isExecutableFile(atPath: curl)

    /// Whether versions of curl agree on a row. They differ on blanks between entries, and on IPv6 addresses that are
    /// spelled differently.
    private static func isComparable(_ list: String) -> Bool {
        !list.contains(" ") && !list.contains("::/") && !list.contains(":0::")
    }

    @Test("The session reads no_proxy as curl does", .enabled(if: hasCurl))
    func asCurl() async throws {
        for (host, list, isDirect) in Self.exempt where Self.isComparable(list) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Self.curl)
            // Every host resolves to a loopback port where nothing listens, so curl looks up no name.
            process.arguments = [
                "-q", "-sS", "--connect-to", "::127.0.0.1:1", "https://\(host)/", "-o", "/dev/null",
            ]
            // This isn't a valid port, but curl notices only when it uses the proxy.
            process.environment = ["https_proxy": "http://127.0.0.1:99999", "no_proxy": list]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            // 7: can't connect to the host. 5: can't use the proxy.
            #expect(process.terminationStatus == (isDirect ? 7 : 5), "\(host), no_proxy=\(list)")
        }
    }

    @Test("All connections use the environment's proxy, except to a host in no_proxy")
    func sessions() async throws {
        let proxy = try await LabProxy.start()
        try await SessionLab.with { (lab) async throws -> Void in
            func failure(_ environment: [String: String]) async throws -> URLError? {
                let session = URLSession(
                    configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                        try lab.trust, connectingTo: lab.addresses, environment: environment))
                return await session.failure(lab.url)
            }
            let address = "127.0.0.1:\(proxy.port)"
            let named = [
                ["https_proxy": "http://\(address)"], ["HTTPS_PROXY": address], ["ALL_PROXY": "socks5://\(address)"],
                ["https_proxy": "http://\(address)", "no_proxy": "other.test"],
            ]
            for (index, environment) in named.enumerated() {
                #expect(try await failure(environment) == nil)
                #expect(proxy.tunnels.count == index + 1)
            }
            let connections = lab.server.counts.connections
            // The session never bypasses a proxy that is unreachable or of an unsupported kind.
            for environment in [["https_proxy": "http://127.0.0.1:1"], ["ALL_PROXY": "socks5://127.0.0.1:1"]] {
                #expect(try await failure(environment) != nil)
            }
            #expect(
                try await failure(["HTTPS_PROXY": "socks4://\(address)"])?.serverTrustUnsupported == .proxyEnvironment)
            #expect(lab.server.counts.connections == connections)
            for environment in [
                ["https_proxy": "http://127.0.0.1:1", "no_proxy": "lab.test"],
                ["ALL_PROXY": "http://127.0.0.1:1", "NO_PROXY": "*"], ["http_proxy": "http://127.0.0.1:1"], [:],
            ] {
                #expect(try await failure(environment) == nil)
            }
            #expect(proxy.tunnels.count == named.count)
        }
        await proxy.stop()
    }

    static let dictionaries: [(entries: [String: any Sendable], tunnels: Int)] = [
        (["HTTPSEnable": 1, "HTTPSProxy": "127.0.0.1", "HTTPSPort": 0], 1),
        (["SOCKSEnable": true, "SOCKSProxy": "127.0.0.1", "SOCKSPort": 0], 1),
        (["HTTPSEnable": 1, "HTTPSProxy": "127.0.0.1", "HTTPSPort": 0, "ExceptionsList": ["*.lab.test"]], 0),
        (["HTTPSEnable": 1, "HTTPSProxy": "127.0.0.1", "HTTPSPort": 0, "ExceptionsList": ["lab.test"]], 1),
        // No proxy is turned on.
        (["HTTPSProxy": "127.0.0.1", "HTTPSPort": 1], 0), (["HTTPSEnable": 0, "HTTPSProxy": "127.0.0.1"], 0),
        (["HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": 1], 0), ([:], 0), (["ProxyAutoConfigEnable": 0], 0),
    ]

    @Test("connectionProxyDictionary overrides the environment", arguments: dictionaries.indices)
    func dictionary(row: Int) async throws {
        let proxy = try await LabProxy.start()
        // The row's port 0 means the proxy's port.
        var entries: [AnyHashable: Any] = [:]
        for (key, value) in Self.dictionaries[row].entries {
            entries[key] = key.hasSuffix("Port") && value as? Int == 0 ? proxy.port : value
        }
        try await SessionLab.with { lab in
            let configuration = URLSessionConfiguration.ephemeral
            configuration.connectionProxyDictionary = entries
            let session = URLSession(
                configuration: configuration.withServerTrust(
                    try lab.trust, connectingTo: lab.addresses, environment: ["https_proxy": "http://127.0.0.1:1"]))
            #expect(await session.failure(lab.url) == nil)
        }
        #expect(proxy.tunnels.count == Self.dictionaries[row].tunnels)
        await proxy.stop()
    }

    @Test("A refused server receives no part of a request through a proxy")
    func refused() async throws {
        let proxy = try await LabProxy.start()
        try await SessionLab.with(.untrustedRoot) { lab in
            let session = URLSession(
                configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                    try lab.trust, connectingTo: [:], environment: ["https_proxy": "http://127.0.0.1:\(proxy.port)"]))
            #expect(await session.failure(lab.url)?.serverTrustVerdict?.isTrusted == false)
            #expect(lab.server.counts.requestBytes == 0)
        }
        #expect(proxy.tunnels.count == 1)
        await proxy.stop()
    }

    @Test("A redirect to a host that isn't in no_proxy goes through the proxy")
    func redirect() async throws {
        let proxy = try await LabProxy.start()
        let target = try await LabServer.start(.good)
        try await SessionLab.with(.good, { $0.response = .redirect(to: "https://www.lab.test:\(target.port)/") }) {
            lab in
            let session = URLSession(
                configuration: URLSessionConfiguration.ephemeral.withServerTrust(
                    try lab.trust, connectingTo: lab.addresses,
                    environment: ["https_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "api.lab.test"]))
            // The target's certificate is for another name.
            #expect(await session.failure(lab.url)?.serverTrustVerdict?.isTrusted == false)
            #expect(lab.server.counts.requests == 1)
            #expect(target.counts.requestBytes == 0)
        }
        #expect(proxy.tunnels.map(\.target) == ["www.lab.test:\(target.port)"])
        await target.stop()
        await proxy.stop()
    }

    @Test("The session reads the environment again for each request")
    func process() async {
        await #expect(processExitsWith: .success) {
            for name in ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"] {
                unsetenv(name)
            }
            let proxy = try await LabProxy.start()
            let manager = try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false)
            let session = URLSession(configuration: URLSessionConfiguration.ephemeral.withServerTrust(manager))
            let url = try #require(URL(string: "https://127.0.0.1:1/"))
            #expect(await session.failure(url)?.code == .cannotConnectToHost)
            setenv("HTTPS_PROXY", "http://127.0.0.1:\(proxy.port)", 1)
            #expect(await session.failure(url) != nil)
            #expect(proxy.tunnels.count == 1)
            setenv("no_proxy", "127.0.0.0/8", 1)
            #expect(await session.failure(url)?.code == .cannotConnectToHost)
            #expect(proxy.tunnels.count == 1)
            await proxy.stop()
        }
    }
}
