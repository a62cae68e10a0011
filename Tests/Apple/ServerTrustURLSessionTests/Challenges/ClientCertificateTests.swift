// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import ServerTrustURLSession
import Testing

@Suite("Client certificates", .serialized)
struct ClientCertificateTests {
    private func credential(_ identity: TestIdentity?, _ persistence: URLCredential.Persistence) throws -> URLCredential
    {
        let identity = try #require(identity)
        return URLCredential(
            certificateChainPEM: identity.certificatePEM, privateKeyPEM: try identity.key.pemRepresentation(),
            persistence: persistence)
    }

    @Test(
        "The session asks for a client certificate after it has trusted the server, then presents it",
        arguments: LabServer.TLSVersions.allCases)
    func shown(versions: LabServer.TLSVersions) async throws {
        try await SessionLab.with(
            .good,
            {
                $0.clientCertificates = .required
                $0.versions = versions
            }
        ) { lab in
            let credential = try credential(lab.server.clientIdentity, .none)
            let delegate = ScriptedDelegate()
            delegate.onSession = {
                $0.protectionSpace.authenticationMethod == NSURLAuthenticationMethodClientCertificate
                    ? (.useCredential, credential) : (.performDefaultHandling, nil)
            }
            let (status, _) = try await lab.text(delegate: delegate)
            #expect(status == 200)
            #expect(lab.server.counts.clientCertificates == 1)
            #expect(
                delegate.record.asked.map(\.method) == [
                    NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
                ])
        }
    }

    @Test(
        "The session presents no client certificate to a server that doesn't request one or isn't trusted")
    func notAsked() async throws {
        for scenario in [LabScenario.good, .expired] {
            try await SessionLab.with(scenario, { if scenario == .expired { $0.clientCertificates = .required } }) {
                lab in
                let delegate = ScriptedDelegate()
                _ = try await lab.failure(delegate: delegate)
                #expect(delegate.record.asked.allSatisfy { $0.method == NSURLAuthenticationMethodServerTrust })
                #expect(lab.server.counts.clientCertificates == 0)
            }
        }
    }

    @Test("A session reuses a remembered client certificate for later connections to the host")
    func kept() async throws {
        try await SessionLab.with(
            .good,
            {
                $0.clientCertificates = .required
                $0.response = LabResponse(headers: [("connection", "close")], chunks: ["x"])
                $0.protocols = ["http/1.1"]
            }
        ) { lab in
            let credential = try credential(lab.server.clientIdentity, .forSession)
            let delegate = ScriptedDelegate()
            delegate.onSession = { challenge in
                guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodClientCertificate,
                    challenge.proposedCredential == nil
                else { return (.performDefaultHandling, nil) }
                return (.useCredential, credential)
            }
            let session = try lab.session(delegate: delegate)
            for _ in 0..<2 { #expect(try await session.text(lab.url).status == 200) }
            #expect(lab.server.counts.clientCertificates == lab.server.counts.connections)
        }
    }

    @Test("A server can accept a client without a certificate or end the connection")
    func without() async throws {
        try await SessionLab.with(.good, { $0.clientCertificates = .requested }) { lab in
            let (status, _) = try await lab.text()
            #expect(status == 200)
        }
        try await SessionLab.with(.good, { $0.clientCertificates = .required }) { lab in
            let error = try #require(try await lab.failure())
            #expect([.secureConnectionFailed, .networkConnectionLost].contains(error.code))
            #expect(lab.server.counts.requests == 0)
        }
    }

    @Test("Canceling a challenge cancels the task, and an unusable identity causes an error")
    func refused() async throws {
        let broken = URLCredential(certificateChainPEM: "x", privateKeyPEM: "y", persistence: .none)
        let answers: [(ScriptedDelegate.Answer, URLError.Code)] = [
            ((.cancelAuthenticationChallenge, nil), .cancelled), ((.useCredential, broken), .clientCertificateRejected),
            (
                (.useCredential, URLCredential(user: "a", password: "b", persistence: .none)),
                .userAuthenticationRequired
            ),
        ]
        for (answer, code) in answers {
            try await SessionLab.with(.good, { $0.clientCertificates = .required }) { lab in
                let delegate = ScriptedDelegate()
                let (disposition, credential) = answer
                delegate.onSession = {
                    $0.protectionSpace.authenticationMethod == NSURLAuthenticationMethodClientCertificate
                        ? (disposition, credential) : (.performDefaultHandling, nil)
                }
                let error = try await lab.failure(delegate: delegate)
                #expect(error?.code == code)
                #expect(lab.server.counts.requests == 0)
            }
        }
    }
}
