// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

extension AdapterConformance {
    /// A rule that an adapter broke.
    public struct Violation: Sendable, Hashable, CustomStringConvertible {
        /// The rules, the most severe first.
        public enum Rule: String, Sendable, Hashable, CaseIterable {
            /// The adapter sent bytes of a request before it had a verdict (the result of the evaluation), or without
            /// one.
            case sendsBeforeVerdict
            /// The adapter contacted a host that the source denies, or didn't refuse it.
            case contactsDenied
            /// The adapter broke a rule of ``ClientConformance`` in a scenario.
            case client
            /// The adapter passed the source a host other than the request's.
            case wrongHost
            /// The adapter didn't pass the source the certificates that the server presented, or passed them in a
            /// different order.
            case wrongChain
            /// For one connection, the adapter didn't call the source, or called it several times.
            case wrongCount
            /// A connection without a verdict didn't end in time, or didn't end when the server disconnected.
            case waitsForever
            /// The connection continued after its task was canceled.
            case ignoresCancellation
            /// The adapter didn't cancel the source's task when the verdict was no longer needed.
            case leavesSourceWaiting
            /// The connection stayed open after its attempt had ended.
            case leavesConnectionOpen
            /// The adapter follows a rule that it is exempted from.
            case needlessExemption
        }

        /// The broken rule.
        public let rule: Rule
        /// The situation and the observation.
        let detail: String

        /// The rule and the detail in one line.
        public var description: String { "\(rule.rawValue): \(detail)" }
    }
}

#endif
