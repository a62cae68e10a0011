// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// Accepts connections on loopback and sends nothing.
struct SilentServer {
    private let channel: any Channel
    var port: Int { channel.localAddress?.port ?? 0 }

    static func start() async throws -> SilentServer {
        SilentServer(
            channel: try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(
                host: "127.0.0.1", port: 0
            ).get())
    }
}
