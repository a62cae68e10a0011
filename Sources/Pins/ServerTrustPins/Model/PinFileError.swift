// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A problem in a pin file.
public struct PinFileProblem: TrustError, Hashable, Codable {
    /// The effect of a problem on the use of a file.
    package enum Grade: String, Sendable, Hashable, Codable, CaseIterable {
        /// The format's owner refuses the file, or its meaning is ambiguous. Nothing in the file is used.
        case refused
        /// The format's owner accepts the file, and its meaning is clear. The file is used.
        case odd
        /// The format's owner accepts the file, and the value is common. Its pins cover less than they do in other
        /// formats. The file is used.
        case narrow
    }

    /// The kind of problem, one of the `pinFile…` codes.
    public var code: ErrorCode
    /// The effect on the use of the file.
    package var grade: Grade
    /// The location in the file.
    public var location: PinFileLocation
    /// A human-readable description of the value found and the value expected. Its wording may change.
    public var detail: String
    /// A human-readable remedy, or nil for the remedy in the guide to ``code``.
    package var fix: String?
    /// The SHA-1 digest that the file contains instead of a SHA-256 digest, or nil for other problems.
    package var sha1: [UInt8]?

    /// Creates a problem of a kind at a location.
    package init(
        _ code: ErrorCode, _ grade: Grade = .refused, at location: PinFileLocation, _ detail: String,
        fix: String? = nil, sha1: [UInt8]? = nil
    ) {
        self.code = code
        self.grade = grade
        self.location = location
        self.detail = detail
        self.fix = fix
        self.sha1 = sha1
    }
}

extension PinFileProblem {
    /// `Info.plist:12: NSPinnedDomains.example.com: …`
    public var message: String { "\(location): \(detail)" }

    /// The ``message``, followed by the kind of problem in brackets.
    public var description: String { "\(message) [\(shortCode)]" }

    /// The name of the code in reports and in the identifiers of lint rules: `badBase64`.
    package var shortCode: String { code.inPinFile }
}

/// The problems that make a pin file unusable. Nothing in the file is used.
public struct PinFileError: TrustError, Hashable {
    /// The problems in file order, as far as it is known. At least one.
    public let problems: [PinFileProblem]
    /// The rules that no problem concerns. Only the linter reads them.
    package var rest: [PinRule] = []

    /// Creates an error, or returns nil if there is no problem.
    package init?(_ problems: [PinFileProblem]) {
        guard !problems.isEmpty else { return nil }
        self.problems = problems
    }

    package init(_ problem: PinFileProblem) { self.problems = [problem] }

    package init(_ code: ErrorCode, in file: String, line: Int? = nil, _ detail: String) {
        self.init(PinFileProblem(code, at: PinFileLocation(file: file, line: line), detail))
    }

    /// Checks the size of a file.
    /// - Parameter form: words for the form with this size, if it isn't the file itself.
    static func checkSize(_ bytes: [UInt8], of file: String, _ form: String = "") throws(PinFileError) {
        guard bytes.count > PinConfiguration.maximumFileSize else { return }
        throw PinFileError(.pinFileTooLarge, in: file, "over \(PinConfiguration.maximumFileSize >> 20) MiB\(form)")
    }

    /// The code of the first problem.
    public var code: ErrorCode { problems.first?.code ?? .pinFileUnreadable }

    /// The file, line and key path of the first problem.
    public var location: PinFileLocation? { problems.first?.location }

    /// One line for each problem.
    public var message: String { problems.map(\.description).joined(separator: "\n") }
}
