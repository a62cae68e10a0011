// SPDX-License-Identifier: Apache-2.0

/// The error of a lab server or repository that can't listen on its port.
public struct LabPortError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason. Further cases may be added.
    package enum Reason: Sendable, Hashable {
        /// Another socket listens on the port.
        case inUse
        /// The process lacks the permission, as a rule for a port below 1024.
        case notPermitted
        /// Any other error, with the system's message.
        case other(String)
    }

    /// The address of the port.
    package let address: LoopbackAddress
    /// The port asked for; 0 for the system's choice.
    public let port: Int
    /// The reason.
    package let reason: Reason

    /// One sentence with the port, the address and the reason.
    public var description: String {
        let problem =
            switch reason {
            case .inUse: "is in use"
            case .notPermitted: "may not be listened on"
            case .other(let text): "can not be listened on: \(text)"
            }
        return "port \(port) of \(address.rawValue) \(problem)"
    }
}
