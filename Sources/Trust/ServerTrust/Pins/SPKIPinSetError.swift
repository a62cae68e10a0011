// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The error thrown if lists of pins don't form a set.
public struct SPKIPinSetError: TrustError, Hashable {
    /// A problem of the lists.
    public struct Problem: TrustError, Hashable {
        /// The kind of problem: `pinSetEmpty`, `pinSetWithoutBackup`, `pinSetDuplicate`, or the code of ``error``.
        public let code: ErrorCode
        /// The positions in the lists: of the text that isn't a pin, or of all occurrences of ``pin``. Empty for a
        /// missing pin.
        public let places: [SPKIPinSet.Place]
        /// The pin that occurs more than once, or nil for other problems.
        public let pin: SPKIPin?
        /// The error in a text that isn't a pin, or nil for other problems.
        public let error: SPKIPinError?

        /// Creates a problem of the lists as a whole.
        init(_ code: ErrorCode) { self.init(code, at: []) }

        /// Creates the problem of a text that isn't a pin.
        init(_ error: SPKIPinError, at place: SPKIPinSet.Place) {
            self.init(error.code, at: [place], error: error)
        }

        /// Creates the problem of a pin that occurs more than once.
        init(duplicate pin: SPKIPin, at places: [SPKIPinSet.Place]) {
            self.init(.pinSetDuplicate, at: places, pin: pin)
        }

        private init(
            _ code: ErrorCode, at places: [SPKIPinSet.Place], pin: SPKIPin? = nil, error: SPKIPinError? = nil
        ) {
            self.code = code
            self.places = places
            self.pin = pin
            self.error = error
        }

        /// One readable line. The wording may change.
        public var message: String {
            let places = places.map(\.description).joined(separator: ", ")
            if let error { return "\(places): \(error)" }
            if let pin { return "\(pin) occurs \(self.places.count) times, expected once: \(places)" }
            return code == .pinSetEmpty
                ? "no pin, expected at least one (sha256/BASE64)"
                : "no backup pin, expected at least one: if the pinned keys are lost, every user is locked out"
        }
    }

    /// The problems: missing pins first, then invalid texts, then duplicates, each in the order of the lists. There is
    /// at least one.
    public let problems: [Problem]

    /// The code of the first problem.
    public var code: ErrorCode { problems.first?.code ?? .pinSetEmpty }

    /// One readable line per problem. The wording may change.
    public var message: String { problems.map(\.message).joined(separator: "\n") }
}

extension ErrorCode {
    /// There is no pin in use. An empty set would refuse every server.
    static let pinSetEmpty = ErrorCode("pinSetEmpty")
    /// There is no backup pin.
    static let pinSetWithoutBackup = ErrorCode("pinSetWithoutBackup")
    /// A pin occurs more than once.
    static let pinSetDuplicate = ErrorCode("pinSetDuplicate")
}
