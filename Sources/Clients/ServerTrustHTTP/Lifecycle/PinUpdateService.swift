// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import ServerTrustPins
import ServiceLifecycle

/// A service that updates a pin store until its group shuts down.
public struct PinUpdateService: Service {
    private let updater: PinUpdater

    /// Creates a service that runs an updater.
    public init(_ updater: PinUpdater) { self.updater = updater }

    /// Updates immediately and then as scheduled. A graceful shutdown cancels a running update. A canceled update never
    /// leaves a store in an incomplete state.
    public func run() async throws {
        await cancelWhenGracefulShutdown { await updater.run() }
    }
}

#endif
