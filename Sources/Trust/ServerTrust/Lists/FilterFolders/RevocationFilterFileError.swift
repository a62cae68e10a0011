// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An error in a file or folder of revocation filters. A filter with an error is never used.
public struct RevocationFilterFileError: TrustError, Hashable {
    public let code: ErrorCode
    /// The file or the folder.
    public let path: String
    /// The line of a manifest, from 1. Nil if the line isn't known, or the file isn't a manifest.
    public let line: Int?
    /// The problem in words, including the field and byte offset if a file isn't a filter.
    let problem: String

    package init(_ code: ErrorCode = .filterFileInvalid, path: String, line: Int? = nil, problem: String) {
        self.code = code
        self.path = path
        self.line = line
        self.problem = problem
    }

    public var message: String {
        [path, line.map { "line \($0)" }, problem].compactMap { $0 }.joined(separator: ": ")
    }
}

extension ErrorCode {
    /// A file or folder of revocation filters can't be opened or doesn't exist.
    package static let filterFileUnreadable = ErrorCode("filterFileUnreadable")
    /// A file isn't a revocation filter or a manifest, or differs from its manifest.
    static let filterFileInvalid = ErrorCode("filterFileInvalid")
    /// A folder of revocation filters contains other files, belongs to upki, or is writable by every user.
    static let filterFolderUnsuitable = ErrorCode("filterFolderUnsuitable")
    /// Another run is updating a folder of revocation filters.
    public static let filterFolderBusy = ErrorCode("filterFolderBusy")
}
