// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// Why nothing can be written.
public struct PinWritingError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Reason: Sendable, Hashable {
        /// The format has one set of pins for whatever host is asked for, and there are several: name the host.
        case severalPolicies
        /// No pins are there for the host that was named, or none at all that the format could hold.
        case nothingToWrite
        /// The format's owner would refuse what came out, or misread it.
        case refused(PinFileError)
        /// The format isn't a property list.
        case notBinary
    }

    public let format: PinFormat
    public let reason: Reason

    /// For people; its wording may change.
    public var description: String {
        switch reason {
        case .severalPolicies:
            "\(format) has one list of pins for whatever host is asked for; name the host whose pins are meant"
        case .nothingToWrite: "nothing in the file that \(format) could hold"
        case .refused(let error): "\(format) can't hold it: \(error)"
        case .notBinary: "\(format) is not a property list"
        }
    }
}
