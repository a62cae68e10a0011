// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustTesting

/// An HTTPS server on the loopback address that is valid or misbehaves in one known way.
///
/// ```swift
/// let server = try await LabServer.start(.expired)
/// let report = try await LabClient().get(server)
/// #expect(report.outcome == server.expected)
/// #expect(server.counts.requestBytes == 0)
/// await server.stop()
/// ```
///
/// By default, the system chooses the port. Every server has new certificates that are valid according to the machine's
/// clock, so that clients with the same clock agree about expired certificates. The server speaks TLS 1.2 and 1.3,
/// HTTP/2 and HTTP/1.1.
///
/// Only for tests: its keys are test keys, it serves every client, and it listens only on a loopback address.
public final class LabServer: Sendable {
    /// The TLS versions that a server or client supports.
    public enum TLSVersions: String, Sendable, Hashable, CaseIterable {
        /// Only TLS 1.2.
        case tls12
        /// Only TLS 1.3.
        case tls13
        /// TLS 1.2 and 1.3.
        case both
    }

    /// The server's request for client certificates (mutual TLS).
    public enum ClientCertificates: Sendable, Hashable {
        /// The server doesn't request certificates.
        case notRequested
        /// The server requests a certificate, but also serves a client without one.
        case requested
        /// The server requests a certificate. It closes the connection unless the client sends one from
        /// ``LabServer/clientIdentity``'s CA.
        case required
    }

    /// The settings of a server that don't depend on its scenario.
    public struct Options: Sendable {
        /// The response to every request. If nil, the response is the scenario's redirect. In a scenario without a
        /// redirect, it is 200 with a line of text.
        public var response: LabResponse? = nil
        /// The supported TLS versions. The default is TLS 1.2 and 1.3.
        public var versions: TLSVersions = .both
        /// The ALPN protocols, the preferred one first.
        public var protocols = ["h2", "http/1.1"]
        /// The address to listen on. The default is 127.0.0.1.
        public var address: LoopbackAddress = .v4
        /// The TCP port, or 0 if the system should choose.
        public var port = 0
        /// The port of ``LabServer/redirectTarget``, if there is one, or 0 if the system should choose.
        var redirectTargetPort = 0
        /// Whether the server requests client certificates. By default, it doesn't.
        public var clientCertificates: ClientCertificates = .notRequested

        /// Creates the default options: both versions, both protocols, 127.0.0.1, no client certificates, and 200
        /// unless the scenario redirects.
        public init() {}
    }

    /// The server's scenario.
    public let scenario: LabScenario

    /// The server's chain, and the trust settings of the scenario's client.
    public let certificates: LabCertificates

    /// The address that the server listens on.
    public let address: LoopbackAddress
    /// The TCP port.
    public let port: Int

    /// The second server, which the `redirectToAnotherAuthority` scenario redirects to, or nil for all other scenarios.
    /// It stops with this server.
    public let redirectTarget: LabServer?

    /// The repository of the issuers, CRLs and OCSP responders that the certificates point to, or nil if they point to
    /// none. It stops with this server unless it is shared.
    public let repository: LabRepository?
    private let ownsRepository: Bool

    /// A client certificate that the server accepts, or nil if the server requests none.
    public let clientIdentity: TestIdentity?

    private let listener: any Channel
    private let connections: LabConnections

    private init(
        scenario: LabScenario, certificates: LabCertificates, address: LoopbackAddress, port: Int,
        redirectTarget: LabServer?, repository: LabRepository?, ownsRepository: Bool, clientIdentity: TestIdentity?,
        listener: any Channel, connections: LabConnections
    ) {
        self.scenario = scenario
        self.certificates = certificates
        self.address = address
        self.port = port
        self.redirectTarget = redirectTarget
        self.repository = repository
        self.ownsRepository = ownsRepository
        self.clientIdentity = clientIdentity
        self.listener = listener
        self.connections = connections
    }

    /// Stops listening and closes the connections, if the server was released without ``stop()``.
    deinit {
        listener.close(promise: nil)
        _ = connections.close()
    }
}

// MARK: - Properties

extension LabServer {
    /// The name that clients verify. It isn't in DNS. Connect to ``address``, and send the name in TLS.
    public var host: Hostname { certificates.host }

    /// `https://HOST:PORT`.
    public var url: String { "https://\(host):\(port)" }

    /// The outcome that the scenario's client has to report.
    public var expected: LabOutcome { scenario.expected }

    /// The counts of connections, handshakes, bytes and requests so far.
    public var counts: LabCounts { connections.counts.withLockedValue { $0 } }
}

// MARK: - Starting and stopping

extension LabServer {
    /// Starts a server on NIO's shared event loops.
    /// - Parameters:
    ///   - scenario: the server's scenario.
    ///   - options: settings that don't depend on the scenario.
    ///   - now: the date of the scenario, around which its certificates are valid. The default is the machine's clock.
    /// - Throws: ``LabPortError``, or errors from swift-certificates, swift-crypto and NIOSSL.
    public static func start(
        _ scenario: LabScenario, options: Options = Options(), now: Time = .now()
    ) async throws -> LabServer {
        try await start(scenario, options: options, authorities: SharedAuthorities(at: now), repository: nil)
    }

    /// Starts a server that shares its CAs and repository with other servers.
    /// - Parameters:
    ///   - authorities: the shared CAs.
    ///   - repository: the shared repository, or nil for a separate one, if the server needs one.
    static func start(
        _ scenario: LabScenario, options: Options, authorities: SharedAuthorities, repository shared: LabRepository?
    ) async throws -> LabServer {
        guard scenario.usesRepository, shared == nil else {
            return try await start(scenario, options, authorities, shared, ownsRepository: false)
        }
        let repository = try await LabRepository.start()
        do {
            return try await start(scenario, options, authorities, repository, ownsRepository: true)
        } catch {
            await repository.stop()
            throw error
        }
    }

    private static func start(
        _ scenario: LabScenario, _ options: Options, _ authorities: SharedAuthorities, _ repository: LabRepository?,
        ownsRepository: Bool
    ) async throws -> LabServer {
        let repository = scenario.usesRepository ? repository : nil
        let certificates = try certificates(scenario, authorities, repository)
        var options = options
        var target: LabServer?
        if let redirectTarget = certificates.redirectTarget {
            var targetOptions = options
            targetOptions.port = options.redirectTargetPort
            let server = try await start(
                redirectTarget, options: targetOptions, authorities: authorities, repository: nil)
            if options.response == nil { options.response = .redirect(to: server.url + "/") }
            target = server
        }
        let connections = LabConnections()
        do {
            let clients = options.clientCertificates == .notRequested ? nil : try ClientAuthority(at: authorities.now)
            let context = try LabTLS.serverContext(certificates, options, clients)
            let response = options.response ?? .text("hello from the lab\n")
            let behavior = scenario.handshakeBehavior
            let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    connections.add(channel)
                    return ServerPipeline.configure(
                        channel, behavior, certificates, context, response, connections.counts)
                }
            let listener = try await LabListener.start(bootstrap, options.address, port: options.port)
            return LabServer(
                scenario: scenario, certificates: certificates, address: options.address,
                port: listener.localAddress?.port ?? 0, redirectTarget: target, repository: repository,
                ownsRepository: ownsRepository, clientIdentity: clients?.identity, listener: listener,
                connections: connections)
        } catch {
            await target?.stop()
            throw error
        }
    }

    /// Creates the certificates, which point to a folder in the repository, and publishes the resources there.
    private static func certificates(
        _ scenario: LabScenario, _ authorities: SharedAuthorities, _ repository: LabRepository?
    ) throws -> LabCertificates {
        guard let repository else { return try scenario.certificates(ScenarioFixture(authorities: authorities)) }
        let folder = repository.reserveFolder(scenario.name)
        let certificates = try scenario.certificates(
            ScenarioFixture(authorities: authorities, repository: repository.url + folder))
        for published in certificates.publishedResources {
            repository.publish(published.resource, at: "\(folder)/\(published.name)")
        }
        return certificates
    }

    /// Stops listening, closes every connection without a TLS close_notify, and returns when their descriptors are closed. Further
    /// calls have no effect.
    public func stop() async {
        // Closing a listener twice causes an error, which this code ignores.
        try? await listener.close().get()
        for closed in connections.close() { try? await closed.get() }
        await redirectTarget?.stop()
        if ownsRepository { await repository?.stop() }
    }
}

#endif
