// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension RevocationFilter {
    /// The largest file of a filter in bytes: thirty times the largest of 2026.
    package static let maximumSize = 256 << 20

    /// Opens a file. Its bytes are mapped into memory and read where a query needs them: 8 MB take no more than the pages that are used.
    ///
    /// The file has to stay as it is while it is in use; replace it by another one (`rename`), and don't write into it.
    /// - Parameters:
    ///   - path: the file.
    ///   - isDelta: whether it has changes alone; nil for a file whose name ends in `.delta`.
    /// - Throws: ``RevocationFilterFileError`` with the file, if it can't be read or is no filter.
    public convenience init(contentsOfFile path: String, isDelta: Bool? = nil) throws(RevocationFilterFileError) {
        let file: MappedFile
        do throws(SystemError) {
            file = try MappedFile(ofFile: path, maximumSize: Self.maximumSize)
        } catch {
            throw RevocationFilterFileError(.filterFileUnreadable, path: path, problem: error.filterProblem)
        }
        do throws(ClubcardError) {
            try self.init(storage: file, isDelta: isDelta ?? path.hasSuffix(".delta"))
        } catch {
            throw RevocationFilterFileError(path: path, problem: error.description)
        }
    }
}

extension SystemError {
    /// The error of opening a filter, in words.
    var filterProblem: String {
        switch code {
        case ELOOP: "a symbolic link, expected a regular file"
        case EINVAL: "not a regular file"
        case EFBIG: "larger than \(RevocationFilter.maximumSize >> 20) MB"
        default: description
        }
    }
}
