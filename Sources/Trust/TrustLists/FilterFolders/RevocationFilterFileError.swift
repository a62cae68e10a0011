// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The error of a file or a folder of revocation filters. A filter with an error is never used.
public struct RevocationFilterFileError: TrustError, Hashable {
    public let code: ErrorCode
    /// The file or the folder.
    public let path: String
    /// The line of a manifest, from 1; nil for another file, and if it isn't known.
    public let line: Int?
    /// The problem in words, with the field and the byte of a file that is no filter.
    package let problem: String

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
    /// A file or a folder of revocation filters can't be opened, or isn't there.
    package static let filterFileUnreadable = ErrorCode("filterFileUnreadable")
    /// A file isn't a revocation filter or a manifest, or differs from its manifest.
    package static let filterFileInvalid = ErrorCode("filterFileInvalid")
    /// A folder of revocation filters has other files, belongs to upki, or may be written by every user.
    package static let filterFolderUnsuitable = ErrorCode("filterFolderUnsuitable")
    /// Another run updates a folder of revocation filters.
    public static let filterFolderBusy = ErrorCode("filterFolderBusy")
}
