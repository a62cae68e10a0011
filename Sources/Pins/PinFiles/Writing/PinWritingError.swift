// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// The reason why a configuration can't be written in a format.
public struct PinWritingError: TrustError, Hashable {
    /// The kind of error, one of the `pinWriting…` codes.
    public let code: ErrorCode
    /// The format.
    public let format: PinFormat
    /// The problems for which the format's implementation would reject or misread the file, for `pinWritingRefused`; otherwise nil.
    public let refusal: PinFileError?

    package init(_ code: ErrorCode, _ format: PinFormat, refusal: PinFileError? = nil) {
        self.code = code
        self.format = format
        self.refusal = refusal
    }

    /// The error, for people; its wording may change.
    public var message: String {
        switch code {
        case .pinWritingNeedsHost:
            "\(format) has one list of pins for whatever host is asked for; name the host whose pins are meant"
        case .pinWritingRefused: "\(format) can't hold it: \(refusal?.description ?? code.name)"
        case .pinWritingNotBinary: "\(format) is not a property list"
        default: "nothing in the file that \(format) could hold"
        }
    }
}

extension ErrorCode {
    /// The format has one set of pins for any host, and there are several sets: name the host.
    package static let pinWritingNeedsHost = ErrorCode("pinWritingNeedsHost")
    /// There are no pins that the format can hold, or the named host has none.
    package static let pinWritingNothing = ErrorCode("pinWritingNothing")
    /// The format's implementation would reject or misread the file.
    package static let pinWritingRefused = ErrorCode("pinWritingRefused")
    /// A binary file was asked for, and the format isn't a property list.
    package static let pinWritingNotBinary = ErrorCode("pinWritingNotBinary")
}
