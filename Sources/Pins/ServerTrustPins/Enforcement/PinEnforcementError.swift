// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The reasons why a configuration can't be enforced.
public struct PinEnforcementError: TrustError, Hashable {
    /// A reason why a configuration can't be enforced.
    public struct Problem: TrustError, Hashable {
        /// The kind of problem: one of the `pinEnforcement…` codes, or the code of ``file``.
        public let code: ErrorCode
        /// The name of the missing resource for `pinEnforcementResourceMissing`, otherwise nil.
        public let resource: String?
        /// The manager's error for `pinEnforcementRulesInvalid`, otherwise nil.
        let rules: ServerTrustManagerError?
        /// The problem in the file that prevents enforcement, with its location, or nil for other reasons.
        public let file: PinFileProblem?

        private init(
            _ code: ErrorCode, resource: String? = nil, rules: ServerTrustManagerError? = nil,
            file: PinFileProblem? = nil
        ) {
            self.code = code
            self.resource = resource
            self.rules = rules
            self.file = file
        }

        /// The rule is for any host (curl).
        static let noHost = Problem(.pinEnforcementHostMissing)
        /// Hosts whose rule has no anchors use anchors other than the system's.
        static let anchorsForAllHosts = Problem(.pinEnforcementAnchorsForAllHosts)

        /// The resource is missing or contains no certificate.
        static func resourceMissing(_ name: String) -> Problem {
            Problem(.pinEnforcementResourceMissing, resource: name)
        }

        /// The manager rejects the rules.
        static func rules(_ error: ServerTrustManagerError) -> Problem {
            Problem(.pinEnforcementRulesInvalid, rules: error)
        }

        /// The file has an odd problem and ``PinEnforcement/refusesOddities`` is set, or the file has an entry that
        /// pins no host.
        static func odd(_ problem: PinFileProblem) -> Problem { Problem(problem.code, file: problem) }

        /// A human-readable description of the reason. Its wording may change.
        public var message: String {
            if let file { return file.description }
            if let rules { return rules.description }
            if let resource { return "the resource \(resource) is missing or contains no certificate" }
            return code == .pinEnforcementHostMissing
                ? "the pins apply to any requested host, expected a single host: bind them to one"
                : "hosts without anchors in their rule use anchors other than the system's, but a manager has no anchors: create a configuration"
        }
    }

    /// The reasons, at least one.
    public let problems: [Problem]

    /// The code of the first reason.
    public var code: ErrorCode { problems.first?.code ?? .pinEnforcementRulesInvalid }

    /// One line for each reason.
    public var message: String { problems.map(\.message).joined(separator: "\n") }
}

extension ErrorCode {
    /// The pins are for any host (curl). Bind them to one host with ``PinConfiguration/bound(to:)``.
    public static let pinEnforcementHostMissing = ErrorCode("pinEnforcementHostMissing")
    /// The file names a resource of the app that is missing or contains no certificate.
    package static let pinEnforcementResourceMissing = ErrorCode("pinEnforcementResourceMissing")
    /// Hosts whose rule has no anchors use anchors other than the system's. Call
    /// ``PinConfiguration/serverTrustConfiguration(_:)``, because a manager has no anchors.
    static let pinEnforcementAnchorsForAllHosts = ErrorCode("pinEnforcementAnchorsForAllHosts")
    /// A manager can't be created from the rules.
    static let pinEnforcementRulesInvalid = ErrorCode("pinEnforcementRulesInvalid")
}
