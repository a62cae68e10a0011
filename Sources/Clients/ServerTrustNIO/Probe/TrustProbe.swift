// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import Foundation
import NIOCore
import NIOPosix
import NIOSSL
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

/// The result of inspecting a server.
public struct TrustProbeReport: Sendable {
    /// The server's response to a request.
    public struct Response: Sendable, Hashable {
        /// The status code.
        public let status: Int
        /// The `Location` header field, as the server sent it.
        public let location: String?
    }

    /// The requested host.
    public let host: Hostname
    /// The port of the server.
    public let port: Int

    /// The address of the server. Nil if it isn't known, for example behind a proxy.
    public package(set) var address: String?

    /// The attempts to connect to the server's addresses, in the order in which they began. Empty behind a proxy.
    package var attempts: [AddressAttempt] = []

    /// The certificates that the server sent, leaf first. Empty for a host that the rules deny, which the probe doesn't
    /// contact.
    public let presentedChain: PresentedChain

    /// The verdict on the chain.
    public package(set) var verdict: TrustVerdict

    /// Whether the handshake completed. Always false for a refused server.
    package var isComplete = false

    /// `TLS 1.2`, `TLS 1.3`, or an older observed version. Nil if the handshake didn't complete.
    public package(set) var tlsVersion: String?

    /// The application protocol selected with ALPN, or nil for none.
    public package(set) var applicationProtocol: String?

    /// The server's request for a client certificate. Nil without such a request, and if the server was refused before
    /// it.
    package internal(set) var clientCertificateDemand: ClientCertificateDemand?

    /// The response to the request, if there was one.
    public internal(set) var response: Response?

    /// The error after a chain was trusted: the handshake didn't complete, or there was no response.
    ///
    /// ``verdict`` is about the chain. If there is an error, the server may not have proven that it has its
    /// certificate's key.
    public package(set) var failure: ConnectionFailure?

    /// The time from the lookup of the name to the result.
    public package(set) var duration = Duration.zero

    package init(_ server: EvaluatedServer, port: Int) {
        self.host = server.host
        self.port = port
        self.presentedChain = server.presentedChain
        self.verdict = server.verdict
    }

    static func name(of version: TLSVersion) -> String {
        switch version {
        case .tlsv1: "TLS 1.0"
        case .tlsv11: "TLS 1.1"
        case .tlsv12: "TLS 1.2"
        case .tlsv13: "TLS 1.3"
        }
    }
}

extension TrustProbeReport {
    /// Returns all valid paths of the presented chain at the verdict's date. It doesn't check revocation, pins or
    /// exceptions.
    /// - Parameter configuration: the configuration of the ``TrustProbe`` that made the report.
    package func validPaths(with configuration: ServerTrustConfiguration) -> [ValidatedPath] {
        var trust = configuration.trust(presentedChain: presentedChain, host: host)
        trust.verifyDate = .at(verdict.evaluationDate)
        return trust.validPaths()
    }
}

#endif
