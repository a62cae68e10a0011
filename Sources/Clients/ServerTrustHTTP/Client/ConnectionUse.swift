// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import NIOSSL

/// The connection of a response, and its use for this response.
package struct ConnectionUse: Sendable {
    /// Whether the connection served an earlier request.
    package let isReused: Bool
    /// The time when the connection was ready for its first request.
    package let established: NIODeadline
    /// The time when the client began to send the request, or nil unless
    /// ``TrustedHTTPConfiguration/timesRequests`` is set.
    package let sent: NIODeadline?
    /// The server's address, or the proxy's if there is a proxy.
    package let remoteAddress: SocketAddress?
    package let localAddress: SocketAddress?
    /// The version of TLS to the server, or nil if the connection is in the clear.
    package let tlsVersion: TLSVersion?

    init(_ response: TrustedHTTPResponse) {
        let connection = response.connection
        isReused = response.number > 1
        established = connection.established
        sent = response.sent
        remoteAddress = connection.remoteAddress
        localAddress = connection.localAddress
        tlsVersion = connection.tlsVersion
    }
}

#endif
