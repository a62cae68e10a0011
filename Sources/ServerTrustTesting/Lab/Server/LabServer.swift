import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import PKIX
import ServerTrust

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
/// The port is the system's choice, and the certificates are made for each server around the machine's clock, so that clients
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

    /// A certificate that the server accepts from a client, where it asks for one.
    public let clientIdentity: TestIdentity?

    private let listener: any Channel
    private let connections: LabConnections

    private init(
        scenario: LabScenario, certificates: LabCertificates, address: Address, port: Int,
        redirectTarget: LabServer?, clientIdentity: TestIdentity?, listener: any Channel, connections: LabConnections
    ) {
        self.scenario = scenario
        self.certificates = certificates
        self.address = address
        self.port = port
        self.redirectTarget = redirectTarget
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
    /// Starts a server on a port of the system's choice, on NIO's shared event loops.
    /// - Parameters:
    ///   - scenario: in which way it is right or wrong.
    ///   - options: how it serves apart from that.
    ///   - now: the date that the scenario plays at; the machine's clock unless given.
    /// - Throws: what making certificates, TLS and the socket throw.
    public static func start(
        _ scenario: LabScenario, options: Options = Options(), now: Time = .now()
    ) async throws -> LabServer {
        let certificates = try scenario.certificates(at: now)
        var options = options
        var target: LabServer?
        if let redirectTarget = certificates.redirectTarget {
            let server = try await start(redirectTarget, options: options, now: now)
            if options.answer == nil { options.answer = .redirect(to: server.url + "/") }
            target = server
        }
        let clients = options.clientCertificates == .notAsked ? nil : try LabClients(at: now)
        let context = try LabTLS.serverContext(certificates, options, clients)
        let connections = LabConnections()
        let answer = options.answer ?? .text("hello from the lab\n")
        let conduct = scenario.conduct
        do {
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    connections.add(channel)
                    return LabPipeline.configure(channel, conduct, context, answer, connections.counts)
                }
                .bind(host: options.address.rawValue, port: 0).get()
            return LabServer(
                scenario: scenario, certificates: certificates, address: options.address,
                port: listener.localAddress?.port ?? 0, redirectTarget: target, clientIdentity: clients?.identity,
                listener: listener, connections: connections)
        } catch {
            await target?.stop()
            throw error
        }
    }

    /// Stops listening, ends every connection without farewell, and returns when their descriptors are closed. May be called
    /// again.
    public func stop() async {
        // Closing what is closed already is an error that doesn't matter.
        try? await listener.close().get()
        for closed in connections.close() { try? await closed.get() }
        await redirectTarget?.stop()
    }
}

/// The open connections of a server and what it counts.
final class LabConnections: Sendable {
    let counts = LabCounter(LabCounts())
    private let open = NIOLockedValueBox<(channels: [ObjectIdentifier: any Channel], isClosed: Bool)>(([:], false))

    /// Called by the channel's initialiser, before a byte is read.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let isLate = open.withLockedValue { open in
            open.channels[id] = channel
            return open.isClosed
        }
        counts.withLockedValue {
            $0.connections += 1
            $0.openConnections += 1
        }
        channel.closeFuture.whenComplete { _ in
            self.open.withLockedValue { _ = $0.channels.removeValue(forKey: id) }
            self.counts.withLockedValue { $0.openConnections -= 1 }
        }
        if isLate { channel.close(promise: nil) }
    }

    /// Ends them all, without farewell: a peer that is slow to answer must not hold the server up.
    /// - Returns: one future for each.
    func close() -> [EventLoopFuture<Void>] {
        let channels = open.withLockedValue { open in
            open.isClosed = true
            return Array(open.channels.values)
        }
        for channel in channels { LabPipeline.abort(channel) }
        return channels.map(\.closeFuture)
    }
}
