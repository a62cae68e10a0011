// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX
import ServerTrust

/// Inspects a server once: connects, shakes hands, and reports the chain that was presented and the verdict on it.
///
/// ```swift
/// let report = try await TrustProbe(ServerTrustConfiguration(manager)).probe(try Hostname("api.example.com"))
/// print(report.verdict, report.tlsVersion ?? "")
/// ```
///
/// For tools: a refused server is a report, not an error, and the connection is closed as soon as the answer is there. Nothing is
/// sent to a server that is refused.
public struct TrustProbe: Sendable {
    /// The source of the verdict.
    package var source: VerdictSource

    /// From connecting to the answer; 5 seconds unless set.
    public var timeout = Duration.seconds(5)

    /// For the look-up of the name, which comes before; 5 seconds unless set.
    public var nameLookupTimeout = Duration.seconds(5)

    /// Only tests change it.
    package var nameLookup = NameLookup.shared

    /// Sent in SNI; nil for the host that is evaluated.
    package var serverName: Hostname?

    /// The proxy that the server is reached through, which resolves its name; none unless set. Its part counts for ``timeout`` as well, and the
    /// look-up of its own name for ``nameLookupTimeout``.
    public var proxy: ConnectionProxy?

    /// The exchange in the clear before TLS, as that of `STARTTLS`; none unless set. Its part counts for ``timeout`` as well.
    public var prologue: TLSPrologue?

    /// Sent to servers that ask for a client certificate; none unless set.
    package var identity: ClientIdentity?

    /// Offered in ALPN; HTTP/2 and HTTP/1.1 unless set. With a request, only HTTP/1.1.
    public var applicationProtocols = ["h2", "http/1.1"]

    /// Whether TLS 1.2 isn't offered; it is unless set.
    package var requiresTLS13 = false

    /// Makes a probe that evaluates by a configuration.
    public init(_ trust: ServerTrustConfiguration) { self.init(VerdictSource(trust)) }

    /// Makes a probe that evaluates by a source of verdicts.
    package init(_ source: VerdictSource) { self.source = source }

    /// Connects and evaluates. A host that the rules deny isn't contacted: the report has the verdict, and no presented chain.
    /// - Parameters:
    ///   - host: the name to ask for and to hold the leaf against.
    ///   - port: 443 unless given.
    ///   - address: where to connect to instead of the host: a name or an IP literal. The host is evaluated all the same.
    ///   - path: asked for with `GET` if the server is trusted; nil for no request.
    /// - Throws: ``ConnectionFailure`` if no chain was presented that could be evaluated.
    public func probe(
        _ host: Hostname, port: Int = 443, connectingTo address: String? = nil, requesting path: String? = nil
    ) async throws(ConnectionFailure) -> TrustProbeReport {
        if let report = denial(of: host, port: port) { return report }
        return try await shakeHands(host, port: port, connectingTo: address, requesting: path)
    }

    /// Returns the report on a host that the rules deny, which isn't contacted; nil for any other host.
    package func denial(of host: Hostname, port: Int) -> TrustProbeReport? {
        source.denial(of: host).map { verdict in
            TrustProbeReport(
                EvaluatedServer(host: host, presentedChain: PresentedChain([]), verdict: verdict), port: port)
        }
    }

    /// Looks a host up, for a probe of each of its addresses.
    /// - Returns: at least one address, in the order in which to try them.
    package static func addresses(
        of host: Hostname, within limit: Duration, _ lookup: NameLookup = .shared
    ) async throws(ConnectionFailure) -> [String] {
        // It has one address, and that of a socket is written without its zone.
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
