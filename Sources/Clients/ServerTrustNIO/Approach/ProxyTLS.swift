// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import PKIX

/// TLS to proxies.
package struct ProxyTLS: Sendable {
    /// Adds the handlers for TLS to a host, with a time limit for the handshake. See
    /// `ServerTrustTLS.addHandlers(to:host:position:)`.
    let addHandlers:
        @Sendable (
            ChannelPipeline.SynchronousOperations, Hostname, ChannelPipeline.SynchronousOperations.Position, Duration
        ) throws -> EventLoopFuture<EvaluatedServer>
}

#endif
