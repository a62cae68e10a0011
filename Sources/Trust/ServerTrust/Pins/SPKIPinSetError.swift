// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The problems of lists of pins that form no set.
public struct SPKIPinSetError: TrustError, Hashable {
    /// A problem of the lists.
    public struct Problem: TrustError, Hashable {
        /// The kind of problem: `pinSetEmpty`, `pinSetWithoutBackup`, `pinSetDuplicate`, or that of ``error``.
        public let code: ErrorCode
        /// The places in the lists: of the text that is no pin, or of all occurrences of ``pin``. Empty for a missing pin.
        public let places: [SPKIPinSet.Place]
        /// The pin that was given more than once; nil for other problems.
        public let pin: SPKIPin?
        /// The error in a text that is no pin; nil for other problems.
        public let error: SPKIPinError?

        /// Creates a problem of the lists as a whole.
        package init(_ code: ErrorCode) { self.init(code, at: []) }

        /// Creates the problem of a text that is no pin.
        package init(_ error: SPKIPinError, at place: SPKIPinSet.Place) {
            self.init(error.code, at: [place], error: error)
        }

        /// Creates the problem of a pin that was given more than once.
        package init(duplicate pin: SPKIPin, at places: [SPKIPinSet.Place]) {
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

        /// One line for people; its wording may change.
        public var message: String {
            let places = places.map(\.description).joined(separator: ", ")
            if let error { return "\(places): \(error)" }
            if let pin { return "\(pin) is given \(self.places.count) times, expected once: \(places)" }
            return code == .pinSetEmpty
                ? "no pin, expected at least one (sha256/BASE64)"
                : "no backup pin, expected at least one: if the pinned keys are lost, every user is locked out"
        }
    }

    /// The problems: missing pins first, then invalid texts, then duplicates, each in the order of the lists; at least one.
    public let problems: [Problem]

    /// The code of the first problem.
    public var code: ErrorCode { problems.first?.code ?? .pinSetEmpty }

    /// One line for people for each problem; the wording may change.
    public var message: String { problems.map(\.message).joined(separator: "\n") }
}

extension ErrorCode {
    /// No pin in use was given. An empty set would refuse every server.
    package static let pinSetEmpty = ErrorCode("pinSetEmpty")
    /// No backup pin was given.
    package static let pinSetWithoutBackup = ErrorCode("pinSetWithoutBackup")
    /// A pin was given more than once.
    package static let pinSetDuplicate = ErrorCode("pinSetDuplicate")
}
