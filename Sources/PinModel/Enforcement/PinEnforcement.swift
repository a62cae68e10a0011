// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// What a configuration doesn't say itself and an app does, when pins are enforced.
public struct PinEnforcement: Sendable {
    /// The certificates of a resource that the configuration names, Android's `@raw/NAME` as `raw/NAME`; nil for one that isn't there.
    public var resource: @Sendable (String) -> [Certificate]?
    /// Anchors that the user has added (Android's `user`); none unless given.
    public var userAnchors: [Certificate]
    /// Whether Android's `debug-overrides` count. A release must say no.
    public var isBeingDebugged: Bool
    /// Where verdicts are remembered; nil to evaluate every connection anew.
    public var memory: VerdictMemory?
    /// What users agreed to.
    public var exceptions: ExceptionStore?

    /// No resource, no anchors of users, no debugging.
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

/// Why a configuration can't be enforced: everything that is missing.
public struct PinEnforcementError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Problem: Sendable, Hashable, CustomStringConvertible {
        /// The rule is for whatever host is asked for (curl): bind it to one (``PinConfiguration/bound(to:)``).
        case noHost
        /// The resource isn't there, or holds no certificate.
        case resourceMissing(String)
        /// Hosts without anchors of their own have others than the system's: ask for a
        /// ``PinConfiguration/serverTrustConfiguration(_:)``, a manager alone can't say so.
        case anchorsForAllHosts
        /// The rules make no manager.
        case rules(ServerTrustManagerError)

        public var description: String {
            switch self {
            case .noHost: "the pins are for whatever host is asked for, expected a host: bind them to one"
            case .resourceMissing(let name): "the resource \(name) is missing or holds no certificate"
            case .anchorsForAllHosts:
                "hosts without anchors of their own have others than the system's, which a manager alone can't say"
            case .rules(let error): error.description
            }
        }
    }

    /// Never empty.
    public let problems: [Problem]

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
