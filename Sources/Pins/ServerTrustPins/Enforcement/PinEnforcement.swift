// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The parts of enforcement that the app supplies, because the pin configuration doesn't contain them.
public struct PinEnforcement: Sendable {
    /// Returns the certificates in a resource that the configuration names, or nil if the resource is missing.
    /// Android's `@raw/NAME` is `raw/NAME`.
    var resource: @Sendable (String) -> [Certificate]?
    /// The anchors that the user has added (Android's `user`). Empty by default.
    var userAnchors: [Certificate]
    /// Whether Android's `debug-overrides` apply. The default is false. Don't set it in releases.
    public var isBeingDebugged: Bool
    /// Whether the enforcement refuses a file with odd problems, which its owner accepts and whose meaning is clear. The
    /// default is false.
    public var refusesOddities = false
    /// The cache of verdicts, or nil to evaluate every connection again.
    var memory: VerdictMemory?
    /// The exceptions that users have agreed to, or nil for none.
    var exceptions: ExceptionStore?

    /// Creates the parts. By default there are no resources, user anchors or exceptions, and no debugging.
    public init(
        userAnchors: [Certificate] = [], isBeingDebugged: Bool = false, memory: VerdictMemory? = VerdictMemory(),
        exceptions: ExceptionStore? = nil, resource: @escaping @Sendable (String) -> [Certificate]? = { _ in nil }
    ) {
        self.resource = resource
        self.userAnchors = userAnchors
        self.isBeingDebugged = isBeingDebugged
        self.memory = memory
        self.exceptions = exceptions
    }
}
