// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

extension RevocationFilter {
    /// The maximum size of a filter file in bytes: thirty times the largest filter of 2026.
    static let maximumSize = 256 << 20

    /// Opens a filter file. The filter maps the file into memory and reads bytes only where a query needs them, so 8 MB
    /// take no more memory than the pages in use.
    ///
    /// Don't write into the file while the filter is in use. To update it, replace it with another file (`rename`).
    /// - Parameters:
    ///   - path: the file.
    ///   - isDelta: whether the file only contains changes. If nil, a file whose name ends in `.delta` does.
    /// - Throws: ``RevocationFilterFileError`` with the file, if it can't be read or isn't a filter.
    public convenience init(contentsOfFile path: String, isDelta: Bool? = nil) throws(RevocationFilterFileError) {
        let file = try RevocationFilterFileError.reading(path) { () throws(SystemError) in
            try MappedFile(ofFile: path, maximumSize: Self.maximumSize)
        }
        do throws(ClubcardError) {
            try self.init(storage: file, isDelta: isDelta ?? path.hasSuffix(".delta"))
        } catch {
            throw RevocationFilterFileError(path: path, problem: error.description)
        }
    }
}

extension RevocationFilterFileError {
    /// Reads a file, and names it in an error.
    static func reading<Value>(
        _ path: String, _ read: () throws(SystemError) -> Value
    ) throws(RevocationFilterFileError) -> Value {
        do throws(SystemError) { return try read() } catch {
            throw RevocationFilterFileError(.filterFileUnreadable, path: path, problem: error.filterProblem)
        }
    }
}

extension SystemError {
    /// The error as the problem of a filter file, in words.
    var filterProblem: String {
        switch code {
        case ELOOP: "a symbolic link, expected a regular file"
        case EINVAL: "not a regular file"
        case EFBIG: "larger than \(RevocationFilter.maximumSize >> 20) MB"
        default: description
        }
    }
}
