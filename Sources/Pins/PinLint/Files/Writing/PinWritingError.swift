// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// The reason why a configuration can't be written in a format.
public struct PinWritingError: TrustError, Hashable {
    /// The kind of error, one of the `pinWriting…` codes.
    public let code: ErrorCode
    /// The format.
    public let format: PinFormat
    /// For `pinWritingRefused`, the problems that would make the format's implementation reject or misread the file.
    /// Otherwise nil.
    public let refusal: PinFileError?

    init(_ code: ErrorCode, _ format: PinFormat, refusal: PinFileError? = nil) {
        self.code = code
        self.format = format
        self.refusal = refusal
    }

    /// A human-readable description of the error. Its wording may change.
    public var message: String {
        switch code {
        case .pinWritingNeedsHost:
            "\(format) has a single list of pins for any host; name the host whose pins to write"
        case .pinWritingRefused: "\(format) can't express it: \(refusal?.description ?? code.name)"
        case .pinWritingNotBinary: "\(format) isn't a property list"
        default: "the file contains nothing that \(format) can express"
        }
    }
}

extension ErrorCode {
    /// The format has one set of pins for any host, but the configuration has several sets. Name the host.
    package static let pinWritingNeedsHost = ErrorCode("pinWritingNeedsHost")
    /// There are no pins that the format can express, or the named host has none.
    package static let pinWritingNothing = ErrorCode("pinWritingNothing")
    /// The format's implementation would reject or misread the file.
    static let pinWritingRefused = ErrorCode("pinWritingRefused")
    /// The caller requested a binary file, but the format isn't a property list.
    static let pinWritingNotBinary = ErrorCode("pinWritingNotBinary")
}
