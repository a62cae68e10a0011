// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An error in a root program's list. A list with an error is never used, not even in part.
public struct RootListError: TrustError, Hashable {
    public let code: ErrorCode
    /// The file, or nil for bytes in memory.
    public package(set) var file: String?
    /// The line, from 1, or nil if the error is about the whole file.
    public let line: Int?
    /// The problem, with the expected form.
    let problem: String

    init(
        _ code: ErrorCode = .rootListInvalid, file: String? = nil, line: Int?, _ problem: String
    ) {
        self.code = code
        self.file = file
        self.line = line
        self.problem = problem
    }

    /// Returns an error for a malformed part.
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
    /// The file of a root program's list can't be read or is too large.
    static let rootListUnreadable = ErrorCode("rootListUnreadable")
    /// A file isn't in any known format of root programs' lists.
    static let rootListFormUnknown = ErrorCode("rootListFormUnknown")
    /// A root program's list has an invalid part, at ``RootListError/line``.
    static let rootListInvalid = ErrorCode("rootListInvalid")
    /// A root program's list is empty, or is a whole list that trusts no root.
    static let rootListEmpty = ErrorCode("rootListEmpty")
}
