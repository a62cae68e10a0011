// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import NIOPosix
import PKIX
import ServerTrust

/// Inspects a server once: connects, performs the handshake, and reports the presented chain and the verdict on it.
///
/// ```swift
/// let report = try await TrustProbe(ServerTrustConfiguration(manager)).probe(try Hostname("api.example.com"))
/// print(report.verdict, report.tlsVersion ?? "")
/// ```
///
/// The probe is for tools. For a refused server, it returns a report and doesn't throw an error. It closes the
/// connection as soon as it has the result. It sends nothing to a refused server.
public struct TrustProbe: Sendable {
    /// The source of the verdict.
    package var source: VerdictSource

    /// The source of the verdict on a proxy that uses TLS. Nil for ``source``.
    package var proxySource: VerdictSource?

    /// The time limit from connecting to the result. The default is 5 seconds.
    public var timeout = Duration.seconds(5)

    /// The time limit for the lookup of the name, which comes first. The default is 5 seconds.
    public var nameLookupTimeout = Duration.seconds(5)

    /// Only tests change this property.
    package var nameLookup = NameLookup.shared

    /// The name to send in SNI. Nil for the evaluated host.
    package var serverName: Hostname?

    /// The proxy to reach the server through, which resolves the server's name. The default is nil, a direct
    /// connection.
    ///
    /// The time for the tunnel counts toward ``timeout``, and the lookup of the proxy's own name counts toward
    /// ``nameLookupTimeout``.
    public var proxy: ConnectionProxy?

    /// The exchange in the clear before TLS, for example `STARTTLS`. The default is nil. Its time counts toward
    /// ``timeout``.
    public var prologue: TLSPrologue?

    /// The identity to send to servers that request a client certificate. The default is nil.
    package var identity: ClientIdentity?

    /// The protocols to offer in ALPN. The default is HTTP/2 and HTTP/1.1. If the probe sends a request, it only offers
    /// HTTP/1.1.
    public var applicationProtocols = ["h2", "http/1.1"]

    /// Whether the probe offers only TLS 1.3. By default, it also offers TLS 1.2.
    package var requiresTLS13 = false

    /// Creates a probe that evaluates servers with a configuration.
    public init(_ trust: ServerTrustConfiguration) { self.init(VerdictSource(trust)) }

    /// Creates a probe that evaluates servers with a source of verdicts.
    package init(_ source: VerdictSource) { self.source = source }

    /// Connects to a server and evaluates it.
    ///
    /// If the rules deny the host, the probe doesn't contact it. In that case, the report has the verdict but no
    /// presented chain.
    /// - Parameters:
    ///   - host: the name to request and to evaluate the leaf for.
    ///   - port: the port. The default is 443.
    ///   - address: where to connect instead of the host: a name or an IP literal. The probe still evaluates the server
    ///     for the host.
    ///   - path: the path to request with `GET` if the server is trusted. Nil for no request.
    /// - Throws: ``ConnectionFailure`` if the server presented no chain that could be evaluated.
    public func probe(
        _ host: Hostname, port: Int = 443, connectingTo address: String? = nil, requesting path: String? = nil
    ) async throws(ConnectionFailure) -> TrustProbeReport {
        if let report = denial(of: host, port: port) { return report }
        return try await shakeHands(host, port: port, connectingTo: address, requesting: path)
    }

    /// Returns the report on a host that the rules deny, without contacting it. Nil for any other host.
    package func denial(of host: Hostname, port: Int) -> TrustProbeReport? {
        source.denial(of: host).map { verdict in
            TrustProbeReport(
                EvaluatedServer(host: host, presentedChain: PresentedChain([]), verdict: verdict), port: port)
        }
    }

    /// Looks up a host, to probe each of its addresses.
    /// - Returns: at least one address, in the order to try them.
    package static func addresses(
        of host: Hostname, within limit: Duration, _ lookup: NameLookup = .shared
    ) async throws(ConnectionFailure) -> [String] {
        // Such a host has one address, and a socket's address doesn't show its zone.
        if host.zone != nil { return [host.resolverName] }
        do {
            let deadline = NIODeadline.now() + TimeAmount(clamping: limit)
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            let found = try await lookup.addresses(of: host.description, before: deadline, on: loop)
            return found.compactMap(\.ipAddress)
        } catch {
            throw ConnectionFailure(error, host: host, port: nil)
        }
    }
}

#endif
