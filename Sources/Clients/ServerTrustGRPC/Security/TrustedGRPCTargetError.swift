// SPDX-License-Identifier: Apache-2.0

/// The reason why a target can't be connected to: its servers could not be held against one host.
public struct TrustedGRPCTargetError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// The target is an address, and no host was given.
        case noHost
        /// The target or the authority names another host than the one that was given.
        case otherHost(String)
        /// The target's name is no host name.
        case unreadableHost(String)
    }
    package let reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    public var description: String {
        switch reason {
        case .noHost: "the target names no host; expected the host that its servers are evaluated for"
        case .otherHost(let name):
            "the target or the authority is \"\(name)\", another host than the one that was given"
        case .unreadableHost(let name): "\"\(name)\" is no host name"
        }
    }
}
