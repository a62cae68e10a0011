// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The parts of enforcing pins that are not in a configuration but in the app.
public struct PinEnforcement: Sendable {
    /// Returns the certificates of a resource that the configuration names, Android's `@raw/NAME` as `raw/NAME`; nil for a missing one.
    package var resource: @Sendable (String) -> [Certificate]?
    /// The anchors that the user has added (Android's `user`); none by default.
    package var userAnchors: [Certificate]
    /// Whether Android's `debug-overrides` apply; false by default. Releases must not set it.
    public var isBeingDebugged: Bool
    /// Whether a file with odd problems, which its owner accepts and whose meaning is clear, can't be enforced; false by default.
    public var refusesOddities = false
    /// The cache of verdicts; nil to evaluate every connection anew.
    package var memory: VerdictMemory?
    /// The exceptions that users agreed to; nil for none.
    package var exceptions: ExceptionStore?

    /// Creates the parts; by default without resources, user anchors, debugging and exceptions.
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
