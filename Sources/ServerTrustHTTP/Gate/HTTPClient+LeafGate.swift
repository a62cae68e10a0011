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
    /// connection is closed and not tried again. Initialisers that the configuration has run after it.
    ///
    /// Not checked, because async-http-client doesn't show it:
    /// * **the path**: neither intermediates nor the anchor. The issuer of the leaf is NIOSSL's finding, by its roots, not this
    ///   package's. Rules that need the path are refused by ``LeafPins``.
    /// * **the host**: a leaf is held against all hosts of the rules. The holder of the pinned key of one of them gets past the gate
    ///   for the others, as far as NIOSSL's host check allows.
    /// * hosts without a rule: they are refused, and so is plain HTTP.
    /// * a request with a TLS configuration of its own that turns verification off: then the pin is all that is checked.
    ///
    /// `TrustedHTTPClient` sees all of that.
    /// - Throws: ``LeafGateError`` for a configuration that turns NIOSSL's verification off.
    public mutating func gate(by pins: LeafPins) throws(LeafGateError) {
        guard tlsConfiguration.map({ $0.certificateVerification == .fullVerification }) ?? true else {
            throw .verificationTurnedOff
        }
        connectionPool.retryConnectionEstablishment = false
        let http1 = http1_1ConnectionDebugInitializer
        http1_1ConnectionDebugInitializer = { channel in
            pins.check(channel).flatMap { http1?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
        }
        let http2 = http2ConnectionDebugInitializer
        http2ConnectionDebugInitializer = { channel in
            pins.check(channel).flatMap { http2?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
        }
    }
}

/// The reason why a gate can't be put into a configuration.
public enum LeafGateError: String, Error, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// NIOSSL doesn't verify path and host, which the gate relies on.
    case verificationTurnedOff

    public var description: String {
        "the TLS configuration turns verification off; expected certificateVerification .fullVerification: a gate adds to it"
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
