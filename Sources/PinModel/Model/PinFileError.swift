// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// One thing that is wrong with a file of pins.
public struct PinFileProblem: Sendable, Hashable {
    /// What kind of thing it is, stable for programs. More may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        public let name: String
        private init(_ name: String) { self.name = name }
        public var description: String { name }

        /// The file can't be read as what it is said to be: XML, JSON, a property list.
        public static let unreadable = Code("unreadable")
        /// Over the size that is read, or nested too deeply.
        public static let tooLarge = Code("tooLarge")
        /// No format, or several, have this file.
        public static let formatUnclear = Code("formatUnclear")
        /// A document type, an entity of its own or an external one in XML.
        public static let entity = Code("entity")
        /// A key, element or attribute that the format doesn't have.
        public static let unknownKey = Code("unknownKey")
        /// A key that has to be there isn't.
        public static let missingKey = Code("missingKey")
        /// The key is there twice.
        public static let duplicateKey = Code("duplicateKey")
        /// The value is of another type than the format has for the key.
        public static let wrongType = Code("wrongType")
        /// The value is of the right type and none of those that the format knows.
        public static let badValue = Code("badValue")
        /// A pin that isn't base64.
        public static let badBase64 = Code("badBase64")
        /// A pin that isn't 32 bytes.
        public static let wrongLength = Code("wrongLength")
        /// A pin by another digest than SHA-256.
        public static let badDigest = Code("badDigest")
        /// A date that is none.
        public static let badDate = Code("badDate")
        /// A domain that is none, or that the format's owner could never match.
        public static let badHost = Code("badHost")
        /// A domain comes twice, perhaps in another case or with a trailing dot.
        public static let duplicateHost = Code("duplicateHost")
        /// A list without an element.
        public static let emptyList = Code("emptyList")
        /// A pin comes twice.
        public static let duplicatePin = Code("duplicatePin")
        /// Fewer pins than the format's owner asks for.
        public static let tooFewPins = Code("tooFewPins")
        /// A certificate that is none.
        public static let badCertificate = Code("badCertificate")
        /// A URL that is none, or not one that reports can be sent to.
        public static let badURI = Code("badURI")
        /// Keys that exclude each other, or a domain that has to have a parent and has none.
        public static let contradiction = Code("contradiction")
    }

    public var code: Code
    public var place: PinPlace
    /// What was found and what was expected, for people; its wording may change.
    public var detail: String

    public init(_ code: Code, at place: PinPlace, _ detail: String) {
        self.code = code
        self.place = place
        self.detail = detail
    }
}

extension PinFileProblem: CustomStringConvertible {
    /// `Info.plist:12: NSPinnedDomains.example.com: …`
    public var description: String { "\(place): \(detail) [\(code)]" }
}

/// Why a file of pins can't be used: everything that is wrong with it. Nothing of it counts then.
public struct PinFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// In the order of the file as far as it is known; never empty.
    public let problems: [PinFileProblem]

    /// nil without a problem.
    package init?(_ problems: [PinFileProblem]) {
        guard !problems.isEmpty else { return nil }
        self.problems = problems
    }

    package init(_ problem: PinFileProblem) { self.problems = [problem] }

    /// One line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
