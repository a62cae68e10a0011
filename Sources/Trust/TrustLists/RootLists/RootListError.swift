// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

/// The error of a root program's list that can't be read. A list with an error is never used in part.
public struct RootListError: TrustError, Hashable {
    public let code: ErrorCode
    /// The file; nil for bytes in memory.
    public package(set) var file: String?
    /// The line, from 1; nil if the error is about the whole file.
    public let line: Int?
    /// The problem, with the expected form.
    package let problem: String

    package init(
        _ code: ErrorCode = .rootListInvalid, file: String? = nil, line: Int?, _ problem: String
    ) {
        self.code = code
        self.file = file
        self.line = line
        self.problem = problem
    }

    /// Returns an error for a part that isn't in its form.
    static func unexpected(line: Int?, expected: String, found: String) -> RootListError {
        RootListError(
            line: line,
            found.isEmpty ? "expected \(expected)" : "expected \(expected), found \"\(clipped(found, to: 64))\"")
    }

    public var message: String {
        [file, line.map { "line \($0)" }, problem].compactMap { $0 }.joined(separator: ": ")
    }
}

extension ErrorCode {
    /// The file of a root program's list can't be read, or is too large for one.
    package static let rootListUnreadable = ErrorCode("rootListUnreadable")
    /// A file is in none of the forms of root programs' lists.
    package static let rootListFormUnknown = ErrorCode("rootListFormUnknown")
    /// A root program's list has a part that can't be read; ``RootListError/line`` is its place.
    package static let rootListInvalid = ErrorCode("rootListInvalid")
    /// A root program's list names nothing, or is a whole list that trusts no root.
    package static let rootListEmpty = ErrorCode("rootListEmpty")
}
