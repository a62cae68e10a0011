// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

extension ClientConformance {
    /// A rule that a client broke in one scenario.
    public struct Violation: Sendable, Hashable, CustomStringConvertible {
        /// The rules, the most severe first.
        public enum Rule: String, Sendable, Hashable, CaseIterable {
            /// The client trusts a server that it has to refuse.
            case acceptsInvalid
            /// A refused server received bytes of a request.
            case sendsBytes
            /// The client completed the handshake with a server that it refuses.
            case completesHandshake
            /// The client refuses a server that it has to trust.
            case refusesValid
            /// The client refuses the server for a reason other than the scenario's.
            case wrongCode
            /// A trusted server received no request, or more than one.
            case wrongRequestCount
            /// The client opened no connection, or more than one.
            case reconnects
            /// The client threw an error that isn't an outcome.
            case fails
            /// The client conforms in an exempted scenario.
            case needlessExemption
        }

        /// The broken rule.
        public let rule: Rule
        /// The scenario of the server.
        public let scenario: LabScenario
        /// The TLS versions that the server offered.
        let versions: LabServer.TLSVersions
        /// The expected and the actual value.
        let detail: String

        /// The rule, the scenario, the TLS version and the values in one line.
        public var description: String { "\(rule.rawValue) (\(scenario), \(versions.rawValue)): \(detail)" }
    }
}

#endif
