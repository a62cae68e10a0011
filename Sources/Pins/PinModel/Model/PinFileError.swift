// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A problem in a file of pins.
public struct PinFileProblem: Sendable, Hashable {
    /// The kind of a problem, stable for programs. The set of codes may grow.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The stable name.
        public let name: String
        private init(_ name: String) { self.name = name }
        /// The name.
        public var description: String { name }

        /// The file can't be read as XML, JSON or a property list.
        package static let unreadable = Code("unreadable")
        /// The file is over the maximum size, or nested too deeply.
        package static let tooLarge = Code("tooLarge")
        /// The file is in no format, or in several.
        package static let formatUnclear = Code("formatUnclear")
        /// XML has a document type, an entity of its own or an external one.
        package static let entity = Code("entity")
        /// A key, element or attribute that the format doesn't have.
        package static let unknownKey = Code("unknownKey")
        /// A required key is missing.
        package static let missingKey = Code("missingKey")
        /// A key occurs twice.
        package static let duplicateKey = Code("duplicateKey")
        /// A value is of another type than the format defines for the key.
        package static let wrongType = Code("wrongType")
        /// A value is of the right type and not defined by the format.
        package static let badValue = Code("badValue")
        /// A pin that isn't base64.
        package static let badBase64 = Code("badBase64")
        /// A pin that isn't 32 bytes.
        package static let wrongLength = Code("wrongLength")
        /// A pin by another digest than SHA-256.
        package static let badDigest = Code("badDigest")
        /// A text that is no date.
        package static let badDate = Code("badDate")
        /// A text that is no domain, or a domain that the format's implementation can't match.
        package static let badHost = Code("badHost")
        /// A domain in a form that the format's implementation accepts and that no host has: its rule is never used.
        package static let unmatchableHost = Code("unmatchableHost")
        /// A key at a place where the format's implementation doesn't look for it.
        package static let misplacedKey = Code("misplacedKey")
        /// An entry that the format's implementation accepts, and by which it pins no host: a name that no host has, or an entry that it
        /// skips. The entry is left out, and the rest of the file can't be enforced.
        package static let nothingPinned = Code("nothingPinned")
        /// A domain occurs twice, perhaps in another case or with a trailing dot.
        package static let duplicateHost = Code("duplicateHost")
        /// A list without an element.
        package static let emptyList = Code("emptyList")
        /// A pin occurs twice.
        package static let duplicatePin = Code("duplicatePin")
        /// A pin that isn't 32 bytes in base64, in a format whose implementation skips it: no key meets it.
        package static let unmatchablePin = Code("unmatchablePin")
        /// There are fewer pins than the format's implementation requires.
        package static let tooFewPins = Code("tooFewPins")
        /// Data that is no certificate.
        package static let badCertificate = Code("badCertificate")
        /// A text that is no URL, or a URL that reports can't be sent to.
        package static let badURI = Code("badURI")
        /// A value of a source that is no literal, so that it isn't known. Rules of such a file are not enforced, because some are missing.
        package static let notLiteral = Code("notLiteral")
        /// Keys that exclude each other, or a domain without the parent domain that it requires.
        package static let contradiction = Code("contradiction")
    }

    /// The effect of a problem on the use of a file.
    public enum Grade: String, Sendable, Hashable, Codable, CaseIterable {
        /// The owner of the format refuses the file, or its meaning is ambiguous. Nothing of the file is used.
        case refused
        /// The owner of the format accepts the file, and its meaning is clear. The file is used.
        case odd
    }

    /// The kind of the problem.
    public var code: Code
    /// The effect on the use of the file.
    public var grade: Grade
    /// The location in the file.
    public var location: SourceLocation
    /// The value that was found and the one that was expected, for people; its wording may change.
    public var detail: String

    /// Creates a problem of a kind at a location.
    package init(_ code: Code, _ grade: Grade = .refused, at location: SourceLocation, _ detail: String) {
        self.code = code
        self.grade = grade
        self.location = location
        self.detail = detail
    }
}

extension PinFileProblem: CustomStringConvertible {
    /// `Info.plist:12: NSPinnedDomains.example.com: …`
    public var description: String { "\(location): \(detail) [\(code)]" }
}

/// The problems for which a file of pins can't be used. Nothing of the file is used then.
public struct PinFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems in the order of the file as far as it is known; never empty.
    public let problems: [PinFileProblem]

    /// Creates an error; nil without a problem.
    package init?(_ problems: [PinFileProblem]) {
        guard !problems.isEmpty else { return nil }
        self.problems = problems
    }

    package init(_ problem: PinFileProblem) { self.problems = [problem] }

    /// One line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
