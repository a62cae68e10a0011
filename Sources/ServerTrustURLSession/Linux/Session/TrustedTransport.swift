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

    /// A session's connections, or one task delegate's: ``TrustedHTTPClient`` with the delegates in the place of the manager.
    struct TrustedTransport: SessionTransport {
        private let client: TrustedHTTPClient

        /// - Parameters:
        ///   - judge: whose verdict counts; nil for the policy's alone, which is found without waiting.
        ///   - credentials: where client identities are remembered.
        ///   - timeout: between two signs of life.
        init(
            _ policy: SessionPolicy, judge: ServerJudge?, waiting: WaitingTasks, partition: ObjectIdentifier?,
            credentials: CredentialMemory, connectionsPerHost: Int, timeout: Duration
        ) throws {
            let source =
                judge.map { judge in VerdictSource.waiting { await judge.verdict(on: $0, host: $1) } }
                ?? VerdictSource(policy.trust)
            var configuration = TrustedHTTPConfiguration()
            configuration.redirects = .disallow
            // A delegate may ask a person. The task's own limits come first, and they don't run meanwhile.
            configuration.timeout.connect = max(.minutes(10), .nanoseconds(Int64(timeout / .nanoseconds(1))))
            configuration.handshakeTimeout = configuration.timeout.connect ?? .minutes(10)
            configuration.decompression = .enabled(limit: .none)
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, connectionsPerHost)
            configuration.dnsOverride = policy.addresses
            configuration.tls.sslContextCallback =
                ClientCertificates(
                    waiting: waiting, partition: partition, credentials: credentials
                ).callback
            self.client = try TrustedHTTPClient(source: source, configuration: configuration)
        }

        func execute(_ request: HTTPClientRequest, timeout: Duration) async throws -> HTTPClientResponse {
            let nanoseconds = Int64(clamping: Int((timeout / .nanoseconds(1)).rounded(.up)))
            return try await client.execute(request, timeout: .nanoseconds(nanoseconds))
        }

        func reevaluate() async { await client.reevaluateConnections() }

        func shutdown() {
            let client = client
            Task { await client.shutdown() }
        }
    }

    /// A transport that couldn't be made.
    struct BrokenTransport: SessionTransport {
        let error: any Error

        func execute(_ request: HTTPClientRequest, timeout: Duration) async throws -> HTTPClientResponse { throw error }
        func reevaluate() async {}
        func shutdown() {}
    }
#endif
