// SPDX-License-Identifier: Apache-2.0

import PKIX

extension RootList {
    /// The maximum size of a file in bytes. Mozilla's has 1.3 MB.
    static let maximumSize = 32 << 20

    /// Reads a list in any known format: Mozilla's `certdata.txt`, Chrome's `root_store.textproto`, p11-kit's files,
    /// OpenSSL's `TRUSTED CERTIFICATE` in PEM, and this package's own JSON.
    /// - Parameters:
    ///   - path: the file.
    ///   - date: the date of the list, for verdicts. Only used for formats without a date. The default is the file's
    ///     modification date.
    /// - Throws: ``RootListError`` with the file and the line if the file can't be read or isn't in a known format.
    ///   Also throws if the format is that of a whole list, but no root is trusted.
    public init(contentsOfFile path: String, date: Time? = nil) throws(RootListError) {
        let contents: FileContents
        do throws(SystemError) {
            contents = try FileContents(ofFile: path, maximumSize: Self.maximumSize)
        } catch {
            throw RootListError(.rootListUnreadable, file: path, line: nil, error.description)
        }
        do throws(RootListError) {
            let changed = Time(secondsSinceEpoch: contents.status.modified)
            try self.init(contents.bytes, date: date ?? changed)
            isDateOfFile = date == nil && self.date == changed
        } catch {
            var error = error
            error.file = path
            throw error
        }
    }

    /// Reads a list in any known format, as ``init(contentsOfFile:date:)`` does.
    /// - Parameters:
    ///   - bytes: the contents of the list's file.
    ///   - date: the date of the list, for verdicts. Only used for formats without a date.
    /// - Throws: ``RootListError`` with the line.
    public init(_ bytes: [UInt8], date: Time? = nil) throws(RootListError) {
        guard bytes.count <= Self.maximumSize else {
            throw RootListError(
                .rootListUnreadable, line: nil,
                "over \(Self.maximumSize >> 20) MiB, expected a root program's list")
        }
        if RootListJSON.recognizes(bytes) {
            self = try RootListJSON.read(bytes)
        } else if CertdataReader.recognizes(bytes) {
            self = try CertdataReader.read(bytes, date: date)
        } else if P11KitReader.recognizes(bytes) {
            self = try P11KitReader.read(bytes, date: date)
        } else if ChromeRootStoreReader.recognizes(bytes) {
            self = try ChromeRootStoreReader.read(bytes, date: date)
        } else if TrustedCertificateListReader.recognizes(bytes) {
            self = try TrustedCertificateListReader.read(bytes, date: date)
        } else {
            let forms = "certdata.txt, root_store.textproto, a p11-kit file, TRUSTED CERTIFICATE in PEM, or JSON"
            throw RootListError(.rootListFormUnknown, line: nil, "expected \(forms)")
        }
    }
}
