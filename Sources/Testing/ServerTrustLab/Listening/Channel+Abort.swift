// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOCore
import NIOSSL

extension Channel {
    /// Closes the socket immediately, without a TLS close_notify. Sending a close_notify would wait for the peer.
    func abort() {
        eventLoop.execute {
            // Closes below the TLS handler, which would otherwise start its own shutdown.
            if let context = try? self.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) {
                context.close(promise: nil)
            } else {
                self.close(promise: nil)
            }
        }
    }
}

#endif
