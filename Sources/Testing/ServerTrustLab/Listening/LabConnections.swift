// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOConcurrencyHelpers
import NIOCore

/// The open connections of a server and their counts.
final class LabConnections: Sendable {
    let counts = LabCounter(LabCounts())
    private let open = NIOLockedValueBox<(channels: [ObjectIdentifier: any Channel], isClosed: Bool)>(([:], false))

    /// Adds a connection. The channel's initializer calls this before the channel reads any data.
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

    /// Closes all connections without a TLS close_notify, so that a slow peer doesn't delay the server.
    /// - Returns: one future for each connection.
    func close() -> [EventLoopFuture<Void>] {
        let channels = open.withLockedValue { open in
            open.isClosed = true
            return Array(open.channels.values)
        }
        for channel in channels { channel.abort() }
        return channels.map(\.closeFuture)
    }
}

#endif
