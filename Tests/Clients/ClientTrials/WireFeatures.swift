// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustTesting
import ServerTrustURLSession

@testable import ServerTrustLab

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
    Feature("http2-delegate", "… in a session with a delegate that evaluates the server") { client in
        guard client == .session || client == .foundation else { return false }
        let server = try await Site().start { $0.protocols = ["h2"] }
        let delegate = AskedDelegate()
        guard let url = URL(string: server.url) else { return false }
        _ = try await Setup(server).session(client, delegate: delegate).data(from: url)
        return server.counts.http2Requests == 1 && delegate.isAsked.withLock { $0 }
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
    Feature("proxy-socks-login", "… with a user name and password") { client in
        let proxy = try await LabProxy.start(login: "user:p@ss")
        return try await client.reaches(through: proxy, .socks(proxy.port, user: "user:p@ss"))
    },
    Feature("proxy-tls", "An HTTP proxy over TLS (`https://`) set in code") { client in
        let proxy = try await Site().startProxy()
        return try await client.reaches(through: proxy, .https(proxy.port))
    },
    Feature("proxy-tls-untrusted", "… and sends nothing to it if its certificate is for another host") {
        client -> Bool in
        let proxy = try await Site { $0.dnsNames = ["proxy.example.com"] }.startProxy()
        let server = try await Site().start()
        var setup = Setup(server)
        setup.proxy = .https(proxy.port)
        if client == .foundation {
            setup.proxy = .environment
            setenv("https_proxy", "https://localhost:\(proxy.port)", 1)
        }
        do {
            _ = try await client.get(server.url + "/", setup)
            return false
        } catch {
            return proxy.connectionCount > 0 && proxy.requestBytes.isEmpty
        }
    },
    Feature("proxy-challenge", "Asks a delegate for a proxy's user name and password (407)") { client -> Bool in
        let server = try await Site().start()
        let proxy = try await LabProxy.start(challenge: LabChallenge(.digest, .basic))
        guard client == .session || client == .foundation else { return false }
        setenv("https_proxy", "http://127.0.0.1:\(proxy.port)", 1)
        let session = try Setup(server).session(client, delegate: ProxyPassword())
        let (_, response) = try await session.data(from: URL(string: server.url + "/").orThrow())
        return (response as? HTTPURLResponse)?.statusCode == 200 && proxy.tunnels.count == 2
    },
    Feature("proxy-environment", "A proxy from the environment (`https_proxy`)") { client in
        let proxy = try await LabProxy.start()
        setenv("https_proxy", "http://127.0.0.1:\(proxy.port)", 1)
        return try await client.reaches(through: proxy, .environment)
    },
    Feature("proxy-environment-tls", "… over TLS (`https_proxy=https://…`)") { client in
        let proxy = try await Site().startProxy()
        setenv("https_proxy", "https://localhost:\(proxy.port)", 1)
        return try await client.reaches(through: proxy, .environment)
    },
    Feature("proxy-environment-login", "… with a SOCKS login (`all_proxy=socks5h://user:password@…`)") { client in
        let proxy = try await LabProxy.start(login: "user:p@ss")
        setenv("all_proxy", "socks5h://user:p%40ss@127.0.0.1:\(proxy.port)", 1)
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

/// Answers the challenge of a proxy.
private final class ProxyPassword: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.protectionSpace.isProxy(), challenge.previousFailureCount == 0 else {
            return completionHandler(.performDefaultHandling, nil)
        }
        completionHandler(.useCredential, URLCredential(user: "user", password: "secret", persistence: .forSession))
    }
}
