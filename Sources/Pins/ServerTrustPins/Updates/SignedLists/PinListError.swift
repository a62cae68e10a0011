// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The reason why a client doesn't accept a signed pin list. The current list stays in force.
public struct PinListError: TrustError, Hashable {
    /// The kind of error, one of the `pinList…` codes.
    public let code: ErrorCode
    /// The place in the document, such as `the list, signers`, or the path of the store's file. Nil if the error is
    /// about the whole list.
    public let place: String?
    /// The expected value, or nil if a single value can't describe it.
    public let expected: TrustFailure.Value?
    /// The value found instead, or nil for none.
    public let found: TrustFailure.Value?
    /// A human-readable description of the value found and the value expected. Its wording may change.
    public let message: String

    init(
        _ code: ErrorCode, _ message: String, at place: String? = nil, expected: TrustFailure.Value? = nil,
        found: TrustFailure.Value? = nil
    ) {
        self.code = code
        self.place = place
        self.expected = expected
        self.found = found
        self.message = message
    }

    /// The ``message``, followed by the kind of error in brackets.
    public var description: String { "\(message) [\(code.inPinList)]" }

    /// Checks that a list or document isn't too large.
    /// - Parameter what: what the number counts, in the plural.
    static func check(_ count: Int, _ what: String, atMost maximum: Int) throws(PinListError) {
        guard count > maximum else { return }
        throw PinListError(
            .pinListTooLarge, "\(count) \(what), expected at most \(maximum)", expected: .number(maximum),
            found: .number(count))
    }
}
