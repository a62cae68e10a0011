// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOConcurrencyHelpers

/// The numbers of connections, handshakes, bytes and requests that a lab server has received since its start.
public struct LabCounts: Sendable, Hashable {
    /// Accepted TCP connections.
    public internal(set) var connections = 0
    /// Accepted connections that are still open.
    public internal(set) var openConnections = 0
    /// TLS handshakes that the server completed: the client's Finished arrived, both in TLS 1.2 and in 1.3.
    package internal(set) var handshakes = 0
    /// Completed handshakes in which the client sent a certificate.
    package internal(set) var clientCertificates = 0
    /// Decrypted application bytes, including HTTP/2's preface and SETTINGS. Bytes sent to a server without TLS don't
    /// count.
    public internal(set) var requestBytes = 0
    /// Requests whose head has arrived.
    public internal(set) var requests = 0
    /// Requests over HTTP/2.
    package internal(set) var http2Requests = 0

    init() {}
}

/// The counts, shared by the event loops.
typealias LabCounter = NIOLockedValueBox<LabCounts>

#endif
