// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustTesting

/// A real HTTPS server on loopback that is right or wrong in a known way.
///
/// ```swift
/// let server = try await LabServer.start(.expired)
/// let report = try await LabClient().get(server)
/// #expect(report.finding == server.expected)
/// #expect(server.counts.requestBytes == 0)
/// await server.stop()
/// ```
///
/// The port is the system's choice unless one is asked for, and the certificates are made for each server around the machine's clock, so that clients
/// which can't be told another date agree about what has expired. TLS 1.2 and 1.3, HTTP/2 and HTTP/1.1.
///
/// For tests. Its keys are nobody's secret, and it answers whoever asks: it listens on loopback alone, and so should whatever is
/// built on it.
public final class LabServer: Sendable {
    /// Versions of TLS that a server or client speaks.
    public enum TLSVersions: String, Sendable, Hashable, CaseIterable {
        case tls12, tls13, both
    }

    /// The loopback address that is listened on.
    public enum Address: String, Sendable, Hashable, CaseIterable {
        case v4 = "127.0.0.1"
        case v6 = "::1"
    }

    /// Whether clients are to show a certificate (mutual TLS).
    public enum ClientCertificates: Sendable, Hashable {
        case notAsked
        /// A client without one is served all the same.
        case asked
        /// A client without one, or with a stranger's, is not served.
        case required
    }

    /// How to serve, apart from the scenario.
    public struct Options: Sendable {
        /// nil for 200 with a line of text, or for the scenario's redirect if it has one.
        public var answer: LabAnswer? = nil
        /// TLS 1.2 and 1.3 unless told.
        public var versions: TLSVersions = .both
        /// Offered in ALPN, the first one preferred.
        public var protocols = ["h2", "http/1.1"]
        public var address: Address = .v4
        /// 0 for the system's choice.
        public var port = 0
        /// The port of ``LabServer/redirectTarget``, if there is one; 0 for the system's choice.
        public var redirectTargetPort = 0
        public var clientCertificates: ClientCertificates = .notAsked

        /// Both versions, both protocols, 127.0.0.1, no client certificates, and 200 unless the scenario redirects.
        public init() {}
    }

    public let scenario: LabScenario

    /// What is shown, and the settings of the scenario's client.
    public let certificates: LabCertificates

    public let address: Address
    public let port: Int

    /// Where ``LabScenario/redirectToAnotherAuthority`` sends its clients: a server of its own, stopped with this one.
    public let redirectTarget: LabServer?

    /// Serves what the certificates point to, if they do; stopped with this server unless a ``Lab`` shares it.
    public let repository: LabRepository?
    private let ownsRepository: Bool

    /// A certificate that the server accepts from a client, where it asks for one.
    public let clientIdentity: TestIdentity?

    private let listener: any Channel
    private let connections: LabConnections

    private init(
        scenario: LabScenario, certificates: LabCertificates, address: Address, port: Int,
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

    /// A server that was forgotten stops listening; its connections end with it.
    deinit {
        listener.close(promise: nil)
        _ = connections.close()
    }
}

// MARK: - Asking it

extension LabServer {
    /// The name to ask for; it is in no DNS.
    public var host: Hostname { certificates.host }

    /// `https://HOST:PORT`.
    public var url: String { "https://\(host):\(port)" }

    /// What the scenario's client has to find.
    public var expected: LabFinding { scenario.expected }

    /// What arrived so far.
    public var counts: LabCounts { connections.counts.withLockedValue { $0 } }
}

// MARK: - Starting and stopping

extension LabServer {
    /// Starts a server on NIO's shared event loops.
    /// - Parameters:
    ///   - scenario: in which way it is right or wrong.
    ///   - options: how it serves apart from that.
    ///   - now: the date that the scenario plays at; the machine's clock unless given.
    /// - Throws: ``LabPortError``, or what making certificates and TLS throw.
    public static func start(
        _ scenario: LabScenario, options: Options = Options(), now: Time = .now()
    ) async throws -> LabServer {
        try await start(scenario, options: options, roots: LabRoots(at: now), repository: nil)
    }

    /// - Parameters:
    ///   - roots: shared with other servers.
    ///   - repository: shared with other servers; nil for one of its own, if it needs one.
    static func start(
        _ scenario: LabScenario, options: Options, roots: LabRoots, repository shared: LabRepository?
    ) async throws -> LabServer {
        guard scenario.usesRepository, shared == nil else {
            return try await start(scenario, options, roots, shared, ownsRepository: false)
        }
        let repository = try await LabRepository.start()
        do {
            return try await start(scenario, options, roots, repository, ownsRepository: true)
        } catch {
            await repository.stop()
            throw error
        }
    }

    private static func start(
        _ scenario: LabScenario, _ options: Options, _ roots: LabRoots, _ repository: LabRepository?,
        ownsRepository: Bool
    ) async throws -> LabServer {
        let repository = scenario.usesRepository ? repository : nil
        let certificates = try certificates(scenario, roots, repository)
        var options = options
        var target: LabServer?
        if let redirectTarget = certificates.redirectTarget {
            var targetOptions = options
            targetOptions.port = options.redirectTargetPort
            let server = try await start(redirectTarget, options: targetOptions, roots: roots, repository: nil)
            if options.answer == nil { options.answer = .redirect(to: server.url + "/") }
            target = server
        }
        let connections = LabConnections()
        do {
            let clients = options.clientCertificates == .notAsked ? nil : try LabClients(at: roots.now)
            let context = try LabTLS.serverContext(certificates, options, clients)
            let answer = options.answer ?? .text("hello from the lab\n")
            let conduct = scenario.conduct
            let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    connections.add(channel)
                    return LabPipeline.configure(channel, conduct, context, answer, connections.counts)
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

    /// Makes the certificates, with pointers to a folder of the repository, and fills it.
    private static func certificates(
        _ scenario: LabScenario, _ roots: LabRoots, _ repository: LabRepository?
    ) throws -> LabCertificates {
        guard let repository else { return try scenario.certificates(LabWorkshop(roots: roots)) }
        let folder = repository.reserveFolder(scenario.name)
        let certificates = try scenario.certificates(
            LabWorkshop(roots: roots, repository: repository.url + folder))
        for publication in certificates.publications {
            repository.publish(publication.resource, at: "\(folder)/\(publication.name)")
        }
        return certificates
    }

    /// Stops listening, ends every connection without farewell, and returns when their descriptors are closed. May be called
    /// again.
    public func stop() async {
        // Closing what is closed already is an error that doesn't matter.
        try? await listener.close().get()
        for closed in connections.close() { try? await closed.get() }
        await redirectTarget?.stop()
        if ownsRepository { await repository?.stop() }
    }
}
