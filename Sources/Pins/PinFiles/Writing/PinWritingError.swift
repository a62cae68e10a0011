// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// The reason why a configuration can't be written in a format.
public struct PinWritingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason.
    package enum Reason: Sendable, Hashable {
        /// The format has one set of pins for any host, and there are several: name the host.
        case severalPolicies
        /// The named host has no pins, or there are none that the format can hold.
        case nothingToWrite
        /// The format's implementation would reject or misread the file.
        case refused(PinFileError)
        /// The format isn't a property list.
        case notBinary
    }

    /// The format.
    package let format: PinFormat
    /// The reason.
    package let reason: Reason

    /// The error, for people; its wording may change.
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
