// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An error in a list of denied certificates. A list with an error is never used, not even in part.
public struct DeniedListError: TrustError, Hashable {
    public let code: ErrorCode
    /// The file, or nil for bytes in memory.
    public package(set) var file: String?
    /// The part of the list, such as `data[3].serialNumber` or `header.BlockedSPKIs`, or nil if the error is about the
    /// whole list.
    let part: String?
    /// The line of a list in JSON, from 1. Nil if the line isn't known, or the list isn't JSON.
    public let line: Int?
    /// The byte offset in a CRLSet, from 0. Nil for errors in the header, and for other lists.
    public let offset: Int?
    /// The problem, with the expected form.
    let problem: String

    init(
        code: ErrorCode = .deniedListInvalid, part: String? = nil, line: Int? = nil, offset: Int? = nil,
        _ problem: String
    ) {
        self.code = code
        self.part = part
        self.line = line
        self.offset = offset
        self.problem = problem
    }

    /// Creates an error for a part of a list.
    init(_ part: String?, _ problem: String) { self.init(part: part, problem) }

    /// Creates an error from an error in a list's JSON.
    init(_ error: RootListError, in part: String? = nil) {
        self.init(part: part, line: error.line, error.problem)
    }

    public var message: String {
        let place = [part, line.map { "line \($0)" }, offset.map { "byte \($0)" }].compactMap { $0 }
        return [file, place.isEmpty ? nil : place.joined(separator: ", "), problem].compactMap { $0 }
            .joined(separator: ": ")
    }
}

extension ErrorCode {
    /// A denied list's file can't be read or is too large.
    static let deniedListUnreadable = ErrorCode("deniedListUnreadable")
    /// A file is neither the JSON of OneCRL nor a CRLSet.
    static let deniedListFormUnknown = ErrorCode("deniedListFormUnknown")
    /// A denied list has an invalid part.
    static let deniedListInvalid = ErrorCode("deniedListInvalid")
    /// A denied list has no entries.
    static let deniedListEmpty = ErrorCode("deniedListEmpty")
}
