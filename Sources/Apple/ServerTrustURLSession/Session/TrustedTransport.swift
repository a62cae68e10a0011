// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import AsyncHTTPClient
    import Foundation
    import FoundationNetworking
    import NIOCore
    import NIOSSL
    import PKIX
    import ServerTrust
    import ServerTrustHTTP
    import ServerTrustNIO

    /// A session's connections to a server, or one task delegate's: ``TrustedHTTPClient`` with the delegates before the
    /// manager. The client closes its connections when it goes.
    final class TrustedTransport: SessionTransport {
        private let client: TrustedHTTPClient

        /// - Parameters:
        ///   - proxies: the proxies that connections are tunnelled through.
        ///   - provider: evaluates with the delegates' answers; nil for the policy's verdict alone, which doesn't wait.
        ///   - server: the only server that requests go to.
        ///   - credentials: where client identities are remembered.
        ///   - timeout: without a byte in either direction.
        init(
            _ policy: SessionPolicy, proxies: ProxySelection, provider: DelegateTrustProvider?, waiting: PendingTasks,
            server: ConnectionKey,
            credentials: CredentialMemory, connectionsPerHost: Int, timeout: Duration
        ) throws {
            var source =
                provider.map { provider in
                    VerdictSource.waiting(
                        { await provider.evaluate($0, host: $1) }, denying: { policy.trust.denial(of: $0) })
                }
                ?? VerdictSource(policy.trust)
            source.reportRepeats(to: policy.trust)
            source.readsStaples = policy.trust.readsStaples
            var configuration = TrustedHTTPConfiguration()
            configuration.redirects = .disallow
            // Foundation's tasks have no spans.
            configuration.tracing.tracer = nil
            // A delegate may ask a person. The task's own limits come first, and they don't run meanwhile.
            configuration.handshakeTimeout = max(.seconds(600), timeout)
            configuration.timeout.connect = TimeAmount(clamping: configuration.handshakeTimeout)
            // This class decodes: the client inside would look for a coded body even after HEAD.
            configuration.decompression = .disabled
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, connectionsPerHost)
            configuration.proxy = proxies
            configuration.httpVersion = policy.usesHTTP2 ? .automatic : .http1Only
            configuration.dnsOverride = policy.addresses
            // Without a delegate there is no certificate to show, and HTTP/2 is possible: its connections can't wait for one.
            if provider != nil {
                configuration.tls.sslContextCallback =
                    ClientCertificates(
                        waiting: waiting, server: server, credentials: credentials,
                        limit: TimeAmount(clamping: configuration.handshakeTimeout)
                    ).callback
            }
            self.client = try TrustedHTTPClient(source: source, configuration: configuration)
        }

        func execute(
            _ request: HTTPClientRequest, isBodyReplayable: Bool, timeout: Duration
        ) async throws -> HTTPClientResponse {
            let nanoseconds = Int64(clamping: Int((timeout / .nanoseconds(1)).rounded(.up)))
            var response = try await client.execute(
                request, completeBy: .now() + .nanoseconds(nanoseconds), isBodyReplayable: isBodyReplayable)
            response.decodeBody(after: request.method)
            return response
        }

        func reevaluate() async { await client.reevaluateConnections() }
    }

    /// A transport that couldn't be made.
    final class BrokenTransport: SessionTransport {
        private let error: any Error

        init(error: any Error) { self.error = error }

        func execute(
            _ request: HTTPClientRequest, isBodyReplayable: Bool, timeout: Duration
        ) async throws -> HTTPClientResponse { throw error }
        func reevaluate() async {}
    }
#endif
