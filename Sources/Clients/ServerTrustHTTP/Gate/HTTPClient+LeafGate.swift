// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOSSL
import PKIX
import ServerTrust

extension HTTPClient.Configuration {
    /// Has every connection of an `HTTPClient` checked for pins on its leaf, HTTP/2 and connections through a proxy included.
    ///
    /// ```swift
    /// var configuration = HTTPClient.Configuration()
    /// try configuration.gate(by: LeafPins(["api.example.com": SPKIPinsTrustEvaluator(pins: […], backup: […], scope: .leaf)]))
    /// let client = HTTPClient(configuration: configuration)
    /// ```
    ///
    /// It runs when TLS is up, after NIOSSL has verified the server by its own lights, and before the connection serves a request:
    /// a refused server gets no byte of one (over HTTP/2, the preface and SETTINGS). Requests fail with ``LeafRefusal``; the
    /// connection is closed and not tried again. Initialisers that the configuration has run after it; one that is set afterwards takes
    /// its place, so put the gate in last.
    ///
    /// Not checked, because async-http-client doesn't show it:
    /// * **the path**: neither intermediates nor the anchor. The issuer of the leaf is NIOSSL's finding, by its roots, not this
    ///   package's. Rules that need the path are refused by ``LeafPins``.
    /// * **the host**: a leaf is held against all hosts of the rules. The holder of the pinned key of one of them gets past the gate
    ///   for the others, as far as NIOSSL's host check allows.
    /// * hosts without a rule: they are refused, and so is plain HTTP.
    /// * a request with a TLS configuration of its own that turns verification off: then the pin is all that is checked.
    ///
    /// `TrustedHTTPClient` sees all of that, and so does ``gate(by:evaluationTimeout:)``, by means that are experimental.
    /// - Throws: ``HTTPClientGateError`` for a configuration with which the gate couldn't be relied on.
    public mutating func gate(by pins: LeafPins) throws(HTTPClientGateError) {
        if let tls = tlsConfiguration { try HTTPClientGateError.check(tls) }
        addConnectionCheck { pins.check($0) }
    }
}

extension LeafPins {
    /// Closes the connection as well: left alone it would stay open.
    fileprivate func check(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            // With HTTP/2 the TLS handler is there as well, below the streams.
            let tls = try? channel.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
            guard let presented = tls?.peerCertificate else { throw LeafRefusal(TrustFailure(.presentedChainEmpty)) }
            let leaf: Certificate
            do {
                leaf = try Certificate(der: presented.toDERBytes())
            } catch {
                throw LeafRefusal(
                    TrustFailure(
                        .certificateMalformed, certificate: 0, role: .leaf, found: .text(String(describing: error))))
            }
            try check(leaf)
        }.flatMapErrorThrowing { error in
            channel.close(promise: nil)
            throw error
        }
    }
}
