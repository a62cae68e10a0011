// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import AsyncHTTPClient
import Foundation
import FoundationNetworking
import NIOCore
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO

/// The connections to a server of a session or of one task delegate: a ``TrustedHTTPClient`` that calls the
/// delegates before the manager. The client closes its connections when it is released.
final class TrustedTransport: SessionTransport {
    /// The client, or the reason why it couldn't be created. Every request then fails with that error.
    private let client: Result<TrustedHTTPClient, any Error>

    /// - Parameters:
    ///   - proxies: the proxies that connections are tunneled through.
    ///   - provider: evaluates servers with the delegates' answers, or nil for the policy's verdict only, which
    ///     doesn't wait for a delegate.
    ///   - server: the only server that requests go to.
    ///   - credentials: where client identities are stored.
    ///   - timeout: the longest time without a byte in either direction.
    init(
        _ policy: SessionPolicy, proxies: ProxySelection, provider: DelegateTrustProvider?, waiting: PendingTasks,
        server: ConnectionKey,
        credentials: CredentialMemory, connectionsPerHost: Int, timeout: Duration
    ) {
        var source =
            provider.map { provider in
                VerdictSource.waiting(
                    { await provider.evaluate($0, host: $1) }, denying: { policy.trust.denial(of: $0) })
            }
            ?? VerdictSource(policy.trust)
        source.follow(policy.trust.manager)
        source.readsStaples = policy.trust.readsStaples
        var configuration = TrustedHTTPConfiguration()
        configuration.redirects = .disallow
        // Foundation's tasks have no spans.
        configuration.tracing.tracer = nil
        // A delegate may ask a person. The task's own limits are reached first, and they are paused meanwhile.
        configuration.handshakeTimeout = max(.seconds(600), timeout)
        configuration.timeout.connect = TimeAmount(clamping: configuration.handshakeTimeout)
        // This class decodes the body. The inner client would look for an encoded body even after HEAD.
        configuration.decompression = .disabled
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, connectionsPerHost)
        configuration.proxy = proxies
        configuration.httpVersion = policy.usesHTTP2 ? .automatic : .http1Only
        configuration.dnsOverride = policy.addresses
        // Without a delegate there is no client certificate to send.
        configuration.asksDelegate = provider != nil
        // Only a delegate receives metrics.
        configuration.timesRequests = provider != nil
        if provider != nil {
            configuration.tls.sslContextCallback =
                ClientCertificates(
                    waiting: waiting, server: server, credentials: credentials,
                    limit: TimeAmount(clamping: configuration.handshakeTimeout)
                ).callback
        }
        // The delegates only evaluate the server.
        self.client = Result {
            try TrustedHTTPClient(
                source: source, proxySource: VerdictSource(policy.trust), configuration: configuration)
        }
    }

    func execute(
        _ request: HTTPClientRequest, isBodyReplayable: Bool, timeout: Duration
    ) async throws -> TrustedHTTPResponse {
        let nanoseconds = Int64(clamping: Int((timeout / .nanoseconds(1)).rounded(.up)))
        var answer = try await client.get().exchange(
            request, completeBy: .now() + .nanoseconds(nanoseconds), isBodyReplayable: isBodyReplayable)
        answer.response.decodeBody(after: request.method)
        return answer
    }

    func reevaluate() async { await (try? client.get())?.reevaluateConnections() }
}
#endif
