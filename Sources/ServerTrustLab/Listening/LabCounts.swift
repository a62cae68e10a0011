// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// What arrived at a lab server since it was started.
public struct LabCounts: Sendable, Hashable {
    /// TCP connections that were accepted.
    public internal(set) var connections = 0
    /// Of those, the ones still open.
    public internal(set) var openConnections = 0
    /// TLS handshakes that were completed, as the server sees it: with TLS 1.2 and 1.3 alike the client's Finished arrived.
    public internal(set) var handshakes = 0
    /// Of those, the ones with a certificate of the client's.
    public internal(set) var clientCertificates = 0
    /// Application bytes that arrived and were decrypted; with HTTP/2 its preface and settings are among them. What is
    /// sent to a server without TLS isn't counted.
    public internal(set) var requestBytes = 0
    /// Requests whose head arrived.
    public internal(set) var requests = 0
    /// Of those, the ones over HTTP/2.
    public internal(set) var http2Requests = 0

    public init() {}
}

/// The counts, shared by the event loops.
typealias LabCounter = NIOLockedValueBox<LabCounts>
