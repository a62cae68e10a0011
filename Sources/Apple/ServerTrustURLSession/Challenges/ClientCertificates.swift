// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import NIOCore
import NIOSSL
import PKIX

/// The client certificate for a server that requests one: the certificate that the session remembers for the
/// server, or else the delegates' choice.
///
/// Not available: the names of the authorities that the server would accept. `distinguishedNames` is nil.
struct ClientCertificates: Sendable {
    let waiting: PendingTasks
    let server: ConnectionKey
    let credentials: CredentialMemory
    /// The longest time to wait for the delegates' answer.
    let limit: TimeAmount

    /// The callback for `TLSConfiguration.sslContextCallback`. On a client, BoringSSL calls it only if the server
    /// has requested a certificate, after the client has trusted the server.
    var callback: NIOSSLContextCallback {
        { _, answer in
            let question = answer.completeWithTask { try await self.identity() }
            // Nothing reports the end of the connection, and the idle time of waiting tasks is paused.
            let end = answer.futureResult.eventLoop.scheduleTask(in: limit) { question.cancel() }
            answer.futureResult.whenComplete { _ in end.cancel() }
        }
    }

    private func identity() async throws -> NIOSSLContextConfigurationOverride {
        guard let proxy = waiting.longestWaiting(for: server) else { return none() }
        let remembered = credentials.identity(for: server)
        let challenge = URLAuthenticationChallenge(
            protectionSpace: SessionProtectionSpace(
                host: proxy.url.host ?? server.host.description, port: server.port, protocol: "https", realm: nil,
                authenticationMethod: NSURLAuthenticationMethodClientCertificate),
            proposedCredential: remembered.map {
                URLCredential(certificateChainPEM: $0.chain, privateKeyPEM: $0.key, persistence: .forSession)
            }, previousFailureCount: 0, failureResponse: nil, error: nil, sender: InertChallengeSender())
        switch await waiting.challengeDelegate(proxy, challenge, about: server) {
        case .use(let credential):
            guard let credential else { return none() }
            guard let identity = credential.clientIdentity else {
                throw proxy.recordFailure(SessionError.unsupported(.credential, at: proxy.url))
            }
            if credential.persistence != .none { credentials.setIdentity(identity, for: server) }
            return try proxy.recordingFailure { try override(identity) }
        case .defaultHandling:
            guard let remembered else { return none() }
            return try proxy.recordingFailure { try override(remembered) }
        // Sends no certificate. The server decides whether to continue.
        case .reject: return none()
        case .cancel:
            throw proxy.recordFailure(
                SessionError.make(.cancelled, at: proxy.url, "the delegate canceled the challenge"))
        }
    }

    private func none() -> NIOSSLContextConfigurationOverride {
        credentials.recordCertificate("", for: server)
        return .noChanges
    }

    private func override(_ identity: (key: String, chain: String)) throws
        -> NIOSSLContextConfigurationOverride
    {
        credentials.recordCertificate(identity.chain, for: server)
        var override = NIOSSLContextConfigurationOverride()
        override.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(identity.chain.utf8))
            .map { .certificate($0) }
        override.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.key.utf8), format: .pem))
        return override
    }
}
#endif
