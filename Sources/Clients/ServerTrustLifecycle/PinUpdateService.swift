// SPDX-License-Identifier: Apache-2.0

import PinUpdates
import ServiceLifecycle

/// The updates of a pin store as a service, until the group shuts down.
public struct PinUpdateService: Service {
    private let updater: PinUpdater

    /// Makes a service that runs an updater.
    public init(_ updater: PinUpdater) { self.updater = updater }

    /// Updates at once and then as scheduled. The graceful shutdown cancels an update that is on its way; a store is never left halfway.
    public func run() async throws {
        await cancelWhenGracefulShutdown { await updater.run() }
    }
}
