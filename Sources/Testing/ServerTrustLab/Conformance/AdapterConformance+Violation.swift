// SPDX-License-Identifier: Apache-2.0

extension AdapterConformance {
    /// A rule that an adapter broke.
    public struct Violation: Sendable, Hashable, CustomStringConvertible {
        /// The rule, the most severe first.
        public enum Rule: String, Sendable, Hashable, CaseIterable {
            /// Bytes of a request were sent before there was a verdict, or without one.
            case sendsBeforeVerdict
            /// A host that the source denies was contacted, or not refused.
            case contactsDenied
            /// A rule of ``ClientConformance`` is broken in a scenario.
            case client
            /// The source was asked for another host than the request's.
            case wrongHost
            /// The source was asked with other certificates than the server presented, or in another order.
            case wrongChain
            /// The source was not asked, or several times, for one connection.
            case wrongCount
            /// A connection without a verdict did not end in time, or not when the server left.
            case waitsForever
            /// The connection went on after its task was canceled.
            case ignoresCancellation
            /// The source's task was not canceled when its verdict was of no use any more.
            case leavesSourceWaiting
            /// The connection stayed open after its attempt had ended.
            case leavesConnectionOpen
            /// A rule that is exempted is kept.
            case needlessExemption
        }

        /// The rule that was broken.
        public let rule: Rule
        /// The situation and the observation.
        package let detail: String

        /// The rule and the detail in one line.
        public var description: String { "\(rule.rawValue): \(detail)" }
    }
}
