// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads every certificate in a folder, such as a program's resources or a folder that an administrator maintains.
///
/// Files are selected by their extension (`cer`, `crt`, `der`, `pem`, in any case) and read by their contents through ``CertificateFile``, because many
/// `.cer` files are PEM and many `.pem` files are DER. Each selected file is meant to count, so a file without a certificate is an
/// error and is never skipped. Files with other extensions are ignored.
public enum CertificateFolder {
    /// The extensions of the files that are read, in lower case; the extension of a file is compared without regard to case.
    package static let fileExtensions: Set<String> = ["cer", "crt", "der", "pem"]

    /// The largest file that is read, in bytes: 8 MiB. For comparison, all roots of the public web in one PEM file take 210 KB (Debian's
    /// `ca-certificates.crt`, 2026).
    package static let maximumFileSize = 8 << 20

    /// Reads the folder.
    ///
    /// Symbolic links to files are followed, and links to folders if `recursively` is true. A folder that is reachable through several
    /// links is read once, so a loop of links ends.
    /// - Parameters:
    ///   - path: the folder.
    ///   - recursively: whether folders inside it are read as well.
    /// - Returns: at least one certificate, in the Unicode order of the file names (a folder in its place among the files) and in
    ///   the order of each file. A certificate that occurs in two files occurs twice.
    /// - Throws: ``CertificateFolderError`` with every problem: folders and files that can't be read, or a folder without certificate
    ///   files.
    public static func certificates(
        in path: String, recursively: Bool = false
    ) throws(CertificateFolderError) -> [Certificate] {
        var reader = FolderReader(isRecursive: recursively)
        reader.readFolder(path)
        if reader.files == 0, reader.problems.isEmpty { reader.problems.append(.noCertificateFile(path)) }
        guard reader.problems.isEmpty else {
            throw CertificateFolderError(folder: path, problems: reader.problems)
        }
        return reader.certificates
    }
}

/// The problems of a folder of certificates.
public struct CertificateFolderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A problem of a folder. Paths start with the folder's path as it was given.
    package enum Problem: Sendable, Hashable {
        /// Nothing exists at this path, or symbolic links to it are broken.
        case missing(String)
        /// The path names a file; a folder is expected.
        case notAFolder(String)
        /// The folder exists, but the system doesn't permit listing it.
        case unreadableFolder(String)
        /// The folder (with its subfolders, if `recursively` was true) holds no file with one of the
        /// ``CertificateFolder/fileExtensions``.
        case noCertificateFile(String)
        /// A pipe, socket or device; a file is expected. It was not opened.
        case notAFile(String)
        /// The file exists, but the system doesn't permit reading it.
        case unreadableFile(String)
        /// The file is larger than ``CertificateFolder/maximumFileSize``; its size in bytes.
        case tooLarge(String, size: Int)
        /// An error in a file or in one object of it.
        case certificate(CertificateFileError)
    }
    /// The folder's path as it was given.
    package let folder: String
    /// The problems, in the order of the files; at least one.
    package let problems: [Problem]

    /// One line for people for each problem; the wording may change.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension CertificateFolderError.Problem: CustomStringConvertible {
    /// One line for people; its wording may change.
    package var description: String {
        switch self {
        case .missing(let path): "\(path): no such file or folder"
        case .notAFolder(let path): "\(path): a file, expected a folder with certificates"
        case .unreadableFolder(let path): "\(path): the folder can't be read"
        case .noCertificateFile(let path):
            "\(path): no certificate in this folder, expected files ending in "
                + CertificateFolder.fileExtensions.sorted().map { "." + $0 }.joined(separator: ", ")
        case .notAFile(let path): "\(path): a pipe, socket or device, expected a file"
        case .unreadableFile(let path): "\(path): the file can't be read"
        case .tooLarge(let path, let size):
            "\(path): \(size) bytes, expected at most \(CertificateFolder.maximumFileSize)"
        case .certificate(let error): error.description
        }
    }
}

// MARK: - Reading

private struct FolderReader {
    let isRecursive: Bool
    var certificates: [Certificate] = []
    var problems: [CertificateFolderError.Problem] = []
    /// The number of files with a certificate extension.
    var files = 0
    /// The real paths of the folders that were read or are being read.
    private var visited: Set<String> = []

    init(isRecursive: Bool) { self.isRecursive = isRecursive }

    mutating func readFolder(_ path: String) {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return problems.append(.missing(path))
        }
        guard isFolder else { return problems.append(.notAFolder(path)) }
        guard visited.insert(realPath(path)).inserted else { return }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            return problems.append(.unreadableFolder(path))
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
                problems.append(.missing(path))
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

    private mutating func readFile(_ path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: realPath(path)) else {
            return problems.append(.unreadableFile(path))
        }
        // Opening a pipe would block until a writer opens it.
        guard attributes[.type] as? FileAttributeType == .typeRegular else { return problems.append(.notAFile(path)) }
        // FoundationEssentials returns `UInt`, Foundation an `NSNumber` that bridges to it.
        if let size = (attributes[.size] as? UInt).map({ Int(clamping: $0) }), size > CertificateFolder.maximumFileSize
        {
            return problems.append(.tooLarge(path, size: size))
        }
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            return problems.append(.unreadableFile(path))
        }
        // The file may have grown, and some file systems don't report a size.
        guard data.count <= CertificateFolder.maximumFileSize else {
            return problems.append(.tooLarge(path, size: data.count))
        }
        for entry in CertificateFile.entries(in: [UInt8](data), name: path) {
            switch entry {
            case .success(let certificate): certificates.append(certificate)
            case .failure(let error): problems.append(.certificate(error))
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
