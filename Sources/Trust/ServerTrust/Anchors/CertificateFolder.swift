// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// A reader for folders of certificates, such as a program's resources or a folder that an administrator maintains.
///
/// It selects files by their extension (`cer`, `crt`, `der`, `pem`, in any case) and parses their contents with
/// ``CertificateFile``. The extension doesn't determine the format, because many `.cer` files are PEM and many `.pem`
/// files are DER. A selected file without a certificate is an error and is never skipped. Files with other extensions
/// are ignored.
public enum CertificateFolder {
    /// The extensions of the files to read, in lower case. The comparison ignores case.
    static let fileExtensions: Set<String> = ["cer", "crt", "der", "pem"]

    /// The largest file to read, in bytes: 8 MiB. For comparison, all roots of the public web in one PEM file take 210
    /// KB (Debian's `ca-certificates.crt`, 2026).
    static let maximumFileSize = 8 << 20

    /// Returns every certificate in a folder.
    ///
    /// Symbolic links to files are followed, and links to folders if `recursively` is true. A folder that is reachable
    /// through several links is read once, so a loop of links ends.
    /// - Parameters:
    ///   - path: the folder.
    ///   - recursively: whether to read the folders inside it, too.
    /// - Returns: at least one certificate, in the Unicode order of the file names and in the order within each file.
    ///   Folders are sorted among the files by name. A certificate that occurs in two files occurs twice.
    /// - Throws: ``CertificateFileError`` for the first problem, with all others in ``CertificateFileError/others``.
    ///   Problems are folders and files that can't be read, and a folder without certificate files.
    public static func certificates(
        in path: String, recursively: Bool = false
    ) throws(CertificateFileError) -> [Certificate] {
        var reader = FolderReader(isRecursive: recursively)
        reader.readFolder(path)
        if reader.files == 0, reader.errors.isEmpty { reader.add(.certificateFolderWithoutFiles, path) }
        if let error = CertificateFileError(reader.errors) { throw error }
        return reader.certificates
    }
}

extension CertificateFile {
    /// Returns every certificate of a file in PEM or DER, in order. There is at least one. Skips objects of other
    /// kinds, such as keys and parameters.
    ///
    /// ```swift
    /// let roots = try CertificateFile.certificates(contentsOfFile: "/etc/example/roots.pem")
    /// ```
    /// - Parameter path: the path of a regular file of at most 8 MiB.
    /// - Throws: ``CertificateFileError`` with every certificate that can't be read. No certificate is dropped
    ///   silently.
    public static func certificates(contentsOfFile path: String) throws(CertificateFileError) -> [Certificate] {
        var reader = FolderReader(isRecursive: false)
        if FileManager.default.fileExists(atPath: path) {
            reader.readFile(path)
        } else {
            reader.add(.certificateFileMissing, path)
        }
        if let error = CertificateFileError(reader.errors) { throw error }
        return reader.certificates
    }
}

// MARK: - Reading

private struct FolderReader {
    let isRecursive: Bool
    var certificates: [Certificate] = []
    var errors: [CertificateFileError] = []
    /// The number of files with a certificate extension.
    var files = 0
    /// The resolved paths of the folders that were read or are being read.
    private var visited: Set<String> = []

    init(isRecursive: Bool) { self.isRecursive = isRecursive }

    mutating func add(_ code: ErrorCode, _ path: String, size: Int? = nil) {
        errors.append(CertificateFileError(code, file: path).with { $0.size = size })
    }

    mutating func readFolder(_ path: String) {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return add(.certificateFileMissing, path)
        }
        guard isFolder else { return add(.certificateFolderIsFile, path) }
        guard visited.insert(realPath(path)).inserted else { return }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            return add(.certificateFolderUnreadable, path)
        }
        let prefix = path.hasSuffix("/") ? path : path + "/"
        for name in names.sorted() { readItem(prefix + name, isOurs: hasCertificateExtension(name)) }
    }

    private mutating func readItem(_ path: String, isOurs: Bool) {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            // A broken link, or a loop of links.
            if isOurs {
                files += 1
                add(.certificateFileMissing, path)
            }
            return
        }
        if isFolder {
            if isRecursive { readFolder(path) }
        } else if isOurs {
            files += 1
            readFile(path)
        }
    }

    mutating func readFile(_ path: String) {
        let limit = CertificateFolder.maximumFileSize
        let contents: FileContents
        do throws(SystemError) {
            contents = try FileContents(ofFile: path, maximumSize: limit, onlyRegular: true)
        } catch {
            // A socket can't be opened.
            let isOther = error.code == EINVAL || error.code == ENXIO
            return add(isOther ? .certificateFileNotRegular : .certificateFileUnreadable, path)
        }
        // The file may have grown, and some file systems don't report a size.
        guard contents.bytes.count <= limit else {
            return add(.certificateFileTooLarge, path, size: max(contents.status.size, contents.bytes.count))
        }
        for entry in CertificateFile.entries(in: contents.bytes, name: path) {
            switch entry {
            case .success(let certificate): certificates.append(certificate)
            case .failure(let error): errors.append(error)
            }
        }
    }

    /// Resolves symbolic links. The path must exist, which rules out loops of links.
    private func realPath(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    /// Whether the part after the last dot is a certificate extension. A dot at the start of the name doesn't count.
    private func hasCertificateExtension(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return false }
        return CertificateFolder.fileExtensions.contains(name[name.index(after: dot)...].lowercased())
    }
}
