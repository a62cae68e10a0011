// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import SecurityCompatibility
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import ServerTrustURLSession
import Testing

@Suite("Session delegate scenarios")
struct SessionScenarioTests {
    /// Sends one request to a server and returns its status or the error.
    private func load(
        _ scenario: LabScenario, _ delegate: TrustingDelegate
    ) async throws -> Result<Int, URLError> {
        let server = try await LabServer.start(scenario)
        do {
            let result = try await load(server, delegate)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    private func load(_ server: LabServer, _ delegate: TrustingDelegate) async throws -> Result<Int, URLError> {
        let configuration = URLSessionConfiguration.ephemeral.withServerTrust(
            server.certificates.configuration,
            connectingTo: [server.host.description: server.address.rawValue])
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        let url = try #require(URL(string: server.url + "/"))
        do {
            let (_, response) = try await session.data(from: url)
            return .success((response as? HTTPURLResponse)?.statusCode ?? 0)
        } catch let error as URLError {
            return .failure(error)
        }
    }

    @Test(
        "A delegate that evaluates servers itself and answers useCredential accepts a good server and refuses a bad one"
    )
    func evaluated() async throws {
        let good = TrustingDelegate(.evaluate { TrustScenarios.evaluate($0).isTrusted })
        #expect(try await load(.good, good) == .success(200))
        #expect(good.methods == [NSURLAuthenticationMethodServerTrust])
        let bad = TrustingDelegate(.evaluate { TrustScenarios.evaluate($0).isTrusted })
        guard case .failure(let error) = try await load(.selfSigned, bad) else {
            Issue.record("a self-signed server was loaded")
            return
        }
        #expect(error.serverTrustVerdict?.isTrusted == false)
    }

    @Test("Exceptions that the delegate sets apply to their own server")
    func excepted() async throws {
        let delegate = TrustingDelegate(
            .evaluate { trust in
                guard let exceptions = TrustScenarios.exceptions(for: trust) else { return false }
                return TrustScenarios.apply(exceptions: exceptions, to: trust)
                    && TrustScenarios.evaluate(trust) == .excepted
            })
        #expect(try await load(.expired, delegate) == .success(200))
    }

    @Test("performDefaultHandling leaves the decision to the session, and canceling or rejecting refuses the server")
    func dispositions() async throws {
        #expect(try await load(.good, TrustingDelegate(.leaveToSystem)) == .success(200))
        for (scenario, rule) in [
            (LabScenario.expired, TrustingDelegate.Rule.leaveToSystem), (.good, .cancel), (.good, .reject),
        ] {
            guard case .failure = try await load(scenario, TrustingDelegate(rule)) else {
                Issue.record("loaded")
                continue
            }
        }
    }

    @Test(
        "The session presents a client identity from a file to a server that asks for one",
        .enabled(if: OpenSSL.isAvailable, "the openssl command isn't installed"))
    func clientIdentity() async throws {
        var options = LabServer.Options()
        options.clientCertificates = .required
        let server = try await LabServer.start(.good, options: options)
        let identity = try #require(server.clientIdentity)
        let file = try OpenSSL.pkcs12(identity, passphrase: "p")
        let imported = try #require(ImportedIdentity.read(file, passphrase: "p").identities.first)
        let delegate = TrustingDelegate(.leaveToSystem, identity: imported)
        let result = try await load(server, delegate)
        #expect(server.counts.clientCertificates == 1)
        await server.stop()
        #expect(result == .success(200))
        #expect(delegate.methods.last == NSURLAuthenticationMethodClientCertificate)
    }

    @Test("A credential with another challenge's trust object, or with one that the program created, accepts no server")
    func foreignTrust() async throws {
        let kept = Kept()
        let first = TrustingDelegate(
            .evaluate {
                kept.trust = $0
                return true
            })
        #expect(try await load(.selfSigned, first) == .success(200))
        let stolen = try #require(kept.trust)
        let own = try TestServers().trust()
        for trust in [stolen, own] {
            let delegate = Answering(URLCredential(trust: trust))
            let server = try await LabServer.start(.selfSigned)
            let configuration = URLSessionConfiguration.ephemeral.withServerTrust(
                server.certificates.configuration,
                connectingTo: [server.host.description: server.address.rawValue])
            let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            let url = try #require(URL(string: server.url + "/"))
            await #expect(throws: URLError.self) { _ = try await session.data(from: url) }
            #expect(server.counts.requests == 0)
            session.invalidateAndCancel()
            await server.stop()
        }
    }
}

/// A trust object that outlives its challenge.
private final class Kept: @unchecked Sendable {
    // Proof of sendability: set on the session's queue, read after the session has ended.
    var trust: SecTrust?
}

/// Answers every challenge with one credential.
private final class Answering: NSObject, URLSessionDelegate, @unchecked Sendable {
    // Proof of sendability: all properties are constant.
    let credential: URLCredential

    init(_ credential: URLCredential) { self.credential = credential }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, credential)
    }
}
