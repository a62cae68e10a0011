// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The parts of enforcing pins that are not in a configuration but in the app.
public struct PinEnforcement: Sendable {
    /// Returns the certificates of a resource that the configuration names, Android's `@raw/NAME` as `raw/NAME`; nil for a missing one.
    package var resource: @Sendable (String) -> [Certificate]?
    /// The anchors that the user has added (Android's `user`); none by default.
    package var userAnchors: [Certificate]
    /// Whether Android's `debug-overrides` apply; false by default. Releases must not set it.
    package var isBeingDebugged: Bool
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

/// The reasons why a configuration can't be enforced.
public struct PinEnforcementError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A reason.
    package enum Problem: Sendable, Hashable, CustomStringConvertible {
        /// The rule is for any host (curl): bind it to one (``PinConfiguration/bound(to:)``).
        case noHost
        /// The resource is missing or holds no certificate.
        case resourceMissing(String)
        /// Hosts whose rule has no anchors have others than the system's: use
        /// ``PinConfiguration/serverTrustConfiguration(_:)``, since a manager has no anchors.
        case anchorsForAllHosts
        /// The manager rejects the rules.
        case rules(ServerTrustManagerError)
        /// The file has an odd problem, and ``PinEnforcement/refusesOddities`` is set; or it has an entry by which no host is pinned.
        case odd(PinFileProblem)

        /// The reason, for people; its wording may change.
        package var description: String {
            switch self {
            case .noHost: "the pins are for whatever host is asked for, expected a host: bind them to one"
            case .resourceMissing(let name): "the resource \(name) is missing or holds no certificate"
            case .anchorsForAllHosts:
                "hosts without anchors of their own have others than the system's, which a manager alone can't say"
            case .rules(let error): error.description
            case .odd(let problem): problem.description
            }
        }
    }

    /// The reasons; never empty.
    package let problems: [Problem]

    /// One line for each reason.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
