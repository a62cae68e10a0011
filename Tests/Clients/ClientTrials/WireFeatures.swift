// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting

/// How a client reaches a server.
let wireFeatures: [Feature] = [
    Feature("http2", "HTTP/2") { client in
        let server = try await Site().start()
        let status = try await client.get(server.url + "/", Setup(server)).status
        return status == 200 && server.counts.http2Requests == 1
    },
    Feature("http2-only", "A server that only supports HTTP/2") { client in
        let server = try await Site().start { $0.protocols = ["h2"] }
        _ = try await client.get(server.url + "/", Setup(server))
        return server.counts.http2Requests == 1
    },
    Feature("proxy", "An HTTP proxy (`CONNECT`) set in code") { client in
        let proxy = try await LabProxy.start()
        return try await client.reaches(through: proxy, .http(proxy.port))
    },
    Feature("proxy-basic", "… with a user name and password") { client in
        let proxy = try await LabProxy.start(authorization: "Basic " + Data("user:secret".utf8).base64EncodedString())
        return try await client.reaches(through: proxy, .http(proxy.port, user: "user:secret"))
    },
    Feature("proxy-socks", "A SOCKS 5 proxy set in code") { client in
        let proxy = try await LabProxy.start()
        return try await client.reaches(through: proxy, .socks(proxy.port))
    },
    Feature("proxy-environment", "A proxy from the environment (`https_proxy`)") { client in
        let proxy = try await LabProxy.start()
        setenv("https_proxy", "http://127.0.0.1:\(proxy.port)", 1)
        return try await client.reaches(through: proxy, .environment)
    },
    Feature("unix", "Unix sockets") { client in
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("feature-\(getpid()).sock").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let site = try Site()
        _ = try await RawServer.start(site, answering: RawServer.hello, path: path)
        var setup = Setup(anchors: [site.root.certificate])
        setup.unixSockets = ["localhost": path]
        let encoded = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let isAHC = client == .ahc || client == .gated
        return try await client.get(isAHC ? "https+unix://\(encoded)/" : "https://localhost/", setup).text == "hello"
    },
    Feature("intercepting-proxy", "Refuses an intercepting proxy although its CA is trusted") { client in
        let (site, interceptor) = (try Site(isKnown: false), try Site())
        let server = try await interceptor.start()
        let proxy = try await LabProxy.start(replacement: server.port)
        setenv("https_proxy", "http://127.0.0.1:\(proxy.port)", 1)
        var setup = Setup(anchors: [site.root.certificate, interceptor.root.certificate])
        setup.evaluator = SPKIPinsTrustEvaluator(
            try SPKIPinSet(pinsRiskingLockout: [SPKIPin(site.intermediate.certificate)]))
        setup.proxy = client == .foundation ? .environment : .http(proxy.port)
        let isRefused = try await client.refuses(server, setup)
        return isRefused && !proxy.tunnels.isEmpty
    },
]

extension ClientKind {
    /// Whether the client reaches a server through a tunnel of the proxy.
    func reaches(through proxy: LabProxy, _ setting: Setup.Proxy) async throws -> Bool {
        let server = try await Site().start()
        var setup = Setup(server)
        setup.proxy = setting
        let status = try await get(server.url + "/", setup).status
        return status == 200 && Set(proxy.tunnels.map(\.target)) == ["localhost:\(server.port)"]
    }
}
