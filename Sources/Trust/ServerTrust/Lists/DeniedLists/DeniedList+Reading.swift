// SPDX-License-Identifier: Apache-2.0

import PKIX

extension DeniedList {
    /// The maximum size of a list in bytes. OneCRL has 1 MB, a CRLSet less than that.
    public static let maximumSize = 16 << 20

    /// Reads a list from a file, as ``init(_:allowsEmpty:)`` does.
    /// - Throws: ``DeniedListError`` with the file and the place.
    public init(contentsOfFile path: String, allowsEmpty: Bool = false) throws(DeniedListError) {
        do throws(DeniedListError) {
            let contents: FileContents
            do throws(SystemError) {
                contents = try FileContents(ofFile: path, maximumSize: Self.maximumSize)
            } catch {
                throw DeniedListError(code: .deniedListUnreadable, error.description)
            }
            try self.init(contents.bytes, allowsEmpty: allowsEmpty)
        } catch {
            var error = error
            error.file = path
            throw error
        }
    }

    /// Reads a list: the JSON of OneCRL (the records of Mozilla's collection `security-state/onecrl`), or a CRLSet of
    /// Chrome. The initializer recognizes the format by the contents.
    /// - Parameters:
    ///   - bytes: the contents of the list's file.
    ///   - allowsEmpty: whether a list may have no entries. The default is false, because an empty list is usually a
    ///     mistake.
    /// - Throws: ``DeniedListError`` with the place of the first invalid part.
    public init(_ bytes: [UInt8], allowsEmpty: Bool = false) throws(DeniedListError) {
        guard bytes.count <= Self.maximumSize else {
            throw DeniedListError(
                code: .deniedListUnreadable, "over \(Self.maximumSize >> 20) MiB, expected OneCRL or a CRLSet")
        }
        if let header = CRLSetReader.header(bytes) {
            self = try CRLSetReader.read(bytes, header)
        } else if OneCRLReader.recognizes(bytes) {
            self = try OneCRLReader.read(bytes)
        } else {
            throw DeniedListError(code: .deniedListFormUnknown, "expected OneCRL's JSON, or a CRLSet")
        }
        guard allowsEmpty || count > 0 else {
            throw DeniedListError(code: .deniedListEmpty, "expected at least one entry")
        }
    }
}
