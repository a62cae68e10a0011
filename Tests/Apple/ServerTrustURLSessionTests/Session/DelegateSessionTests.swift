// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import SecurityCompatibility
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

@testable import ServerTrustURLSession

/// A delegate as on Apple platforms, in a source that doesn't mention this package.
private final class ServerDelegate: NSObject, URLSessionDelegate {
    let accepts: Bool
    let asked = Locked<[String]>([])

    init(accepts: Bool) { self.accepts = accepts }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        asked.withLock { $0.append(challenge.protectionSpace.authenticationMethod) }
        guard accepts, let trust = challenge.protectionSpace.serverTrust else {
            return completionHandler(.performDefaultHandling, nil)
        }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}

/// Foundation's initializer with a delegate creates a session of this package.
@Suite("Sessions with a delegate", .timeLimit(.minutes(5)))
struct DelegateSessionTests {
    private static func policy(_ session: URLSession) -> SessionPolicy? {
        (session.configuration as? ServerTrustSessionConfiguration)?.policy
    }

    @Test(
        "Without a policy in the configuration, the delegate decides within the limits of default evaluation",
        .enabled(if: (try? TrustAnchors.readSystem()) != nil, "this system has no store of anchors"),
        arguments: [true, false])
    func asked(accepts: Bool) async throws {
        try await SessionLab.with(.selfSigned) { lab in
            let url = try #require(URL(string: "https://\(lab.server.address.rawValue):\(lab.server.port)/"))
            for configuration in [URLSessionConfiguration.default, .ephemeral] {
                let delegate = ServerDelegate(accepts: accepts)
                let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
                defer { session.invalidateAndCancel() }
                if accepts {
                    #expect(try await session.text(url).status == 200)
                } else {
                    #expect(await session.failure(url)?.errorCode == -1202)
                }
                #expect(Set(delegate.asked.withLock { $0 }) == [NSURLAuthenticationMethodServerTrust])
            }
        }
    }

    @Test("The configuration's policy stays in effect")
    func ownPolicy() throws {
        let manager = try ServerTrustManager(evaluators: ["api.example.com": DefaultTrustEvaluator()])
        let other = try ServerTrustManager(evaluators: ["api.example.com": DefaultTrustEvaluator()])
        let delegates: [any URLSessionDelegate] = [ServerDelegate(accepts: true), ServerTrustSessionDelegate(other)]
        for delegate in delegates {
            let session = URLSession(
                configuration: .ephemeral.withServerTrust(manager), delegate: delegate, delegateQueue: nil)
            #expect(Self.policy(session)?.trust.manager === manager)
            session.invalidateAndCancel()
        }
    }

    @Test("The delegate's manager decides, even if the delegate's type is a protocol")
    func managerOfDelegate() throws {
        let manager = try ServerTrustManager(evaluators: ["api.example.com": DefaultTrustEvaluator()])
        let delegate = ServerTrustSessionDelegate(manager)
        let erased: any URLSessionDelegate = delegate
        let optional: (any URLSessionTaskDelegate)? = delegate
        let sessions = [
            URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil),
            URLSession(configuration: .ephemeral, delegate: erased, delegateQueue: nil),
            URLSession(configuration: .ephemeral, delegate: optional, delegateQueue: nil),
        ]
        for session in sessions {
            #expect(Self.policy(session)?.trust.manager === manager)
            #expect(Self.policy(session)?.errorNumbers == .byMeaning)
            session.invalidateAndCancel()
        }
    }

    @Test("Without a delegate, or with one that conforms to Foundation's protocols, the session is Foundation's own")
    func notCovered() {
        let foreign = ForeignNeither()
        let sessions = [
            URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: nil),
            URLSession(configuration: .ephemeral, delegate: foreign, delegateQueue: nil),
            URLSession(configuration: .ephemeral),
        ]
        for session in sessions {
            #expect(!(session.configuration is ServerTrustSessionConfiguration))
            session.invalidateAndCancel()
        }
    }

    @Test("This package's delegate on Foundation's own session causes one warning event")
    func warning() async throws {
        let manager = try ServerTrustManager(evaluators: ["api.example.com": DefaultTrustEvaluator()])
        let events = manager.events.stream()
        let delegate = ServerTrustSessionDelegate(manager)
        let session = URLSession(
            configuration: .ephemeral, delegate: delegate as any FoundationNetworking.URLSessionDelegate,
            delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        let plain = try PlainServer()
        session.dataTask(with: plain.url).resume()
        var found: ServerTrustConfigurationWarning?
        for await event in events {
            guard case .configurationWarning(let warning) = event else { continue }
            found = warning
            break
        }
        #expect(found == .sessionWithoutPolicy)
        #expect(found?.code == "sessionWithoutPolicy")
        #expect(UncoveredSession.isReported)
    }

    @Test("A protection space from Foundation's own session has no server trust, and reading it is logged")
    func protectionSpace() {
        let space = URLProtectionSpace(
            host: "api.example.com", port: 443, protocol: "https", realm: nil,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        #expect(space.serverTrust == nil)
        #expect(UncoveredSession.isReported)
    }

    /// This is why the explicit line is needed: no call can make Foundation's own sessions use this package.
    @Test("No session uses a protocol class that is registered for the process")
    func registered() async throws {
        final class Registered: URLProtocol {
            static let isUsed = Locked(false)
            override class func canInit(with request: URLRequest) -> Bool { request.url?.path == "/registered" }
            override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
            override func startLoading() {
                Self.isUsed.withLock { $0 = true }
                client?.urlProtocol(self, didFailWithError: URLError(.unknown))
            }
            override func stopLoading() {}
        }
        #expect(URLProtocol.registerClass(Registered.self))
        defer { URLProtocol.unregisterClass(Registered.self) }
        let plain = try #require(URL(string: "http://127.0.0.1:1/registered"))
        for session in [URLSession(configuration: .default), URLSession(configuration: .ephemeral), .shared] {
            #expect(await session.failure(plain) != nil)
        }
        #expect(!Registered.isUsed.withLock { $0 })
    }
}
