// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// The reason why a signed pin list is not accepted. The list in force then stays.
public struct PinListError: TrustError, Hashable {
    /// The kind of error, one of the `pinList…` codes.
    public let code: ErrorCode
    /// The place in the document, such as `the list, signers`, or the path of the store's file; nil if the error is about the whole list.
    public let place: String?
    /// The value that would have been accepted; nil if a single value doesn't describe it.
    public let expected: TrustFailure.Value?
    /// The value found instead; nil for none.
    public let found: TrustFailure.Value?
    /// The value that was found and the one that was expected, for people; its wording may change.
    public let message: String

    package init(
        _ code: ErrorCode, _ message: String, at place: String? = nil, expected: TrustFailure.Value? = nil,
        found: TrustFailure.Value? = nil
    ) {
        self.code = code
        self.place = place
        self.expected = expected
        self.found = found
        self.message = message
    }

    /// The ``message``, and the kind of error in brackets.
    public var description: String { "\(message) [\(code.inPinList)]" }
}
