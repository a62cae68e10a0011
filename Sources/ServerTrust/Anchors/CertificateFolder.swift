// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Every certificate of a folder: a program's resources, or what an administrator has put there.
///
/// Files are known by their extension (``fileExtensions``) and read by their contents through ``CertificateFile``, as many a
/// `.cer` is PEM and many a `.pem` is DER. Whoever puts a file into the folder means it to count, so one that
/// yields nothing is an error and never passed over. Files with other extensions are not looked at.
public enum CertificateFolder {
    /// The extensions of files that are read, in lower case; files may have them in any case.
    public static let fileExtensions: Set<String> = ["cer", "crt", "der", "pem"]

    /// The largest file that is read, in bytes: 8 MiB. All roots of the public web in one PEM file are 210 KB (Debian's
    /// `ca-certificates.crt`, 2026).
    public static let maximumFileSize = 8 << 20

    /// Reads the folder now.
    ///
    /// Symbolic links are followed, to files and (if `recursively`) to folders; a folder that several links lead to is read
    /// once, so that a loop of links ends.
    /// - Parameters:
    ///   - path: the folder.
    ///   - recursively: whether folders inside it are read as well.
    /// - Returns: at least one certificate; by name of the file in the order of Unicode (a folder in its place among the
    ///   files), and in a file's order. A certificate that is in two files is in the result twice.
    /// - Throws: ``CertificateFolderError`` with everything that is wrong: a folder that can't be read, files that can't be, no
    ///   file at all.
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

/// Why a folder's certificates can't be used: every problem of it.
public struct CertificateFolderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One thing that is wrong. Paths start with the folder's as it was given.
    public enum Problem: Sendable, Hashable {
        /// There is nothing at this path, or links to it lead nowhere.
        case missing(String)
        /// The path names a file, where a folder is expected.
        case notAFolder(String)
        /// The folder is there, and the system doesn't let its list of files be read.
        case unreadableFolder(String)
        /// The folder (with those in it, if they were asked for) holds no file with one of the
        /// ``CertificateFolder/fileExtensions``.
        case noCertificateFile(String)
        /// A pipe, socket or device, where a file is expected. It was not opened.
        case notAFile(String)
        /// The file is there, and the system doesn't let it be read.
        case unreadableFile(String)
        /// The file's size in bytes, which is over ``CertificateFolder/maximumFileSize``.
        case tooLarge(String, size: Int)
        /// The file, or one object of it, is no certificate.
        case certificate(CertificateFileError)
    }
    /// The folder's path as it was given.
    public let folder: String
    /// At least one, in the order of the files.
    public let problems: [Problem]

    /// One line for people for each problem; the wording may change.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension CertificateFolderError.Problem: CustomStringConvertible {
    /// One line for people; its wording may change.
    public var description: String {
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
    /// How many files had an extension of ours.
    var files = 0
    /// Real paths of the folders that were read or are being read.
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
            // A link that leads nowhere, or in a circle.
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
        // To open a pipe would wait for whoever writes into it.
        guard attributes[.type] as? FileAttributeType == .typeRegular else { return problems.append(.notAFile(path)) }
        // FoundationEssentials says `UInt`, Foundation a number that is one.
        if let size = (attributes[.size] as? UInt).map({ Int(clamping: $0) }), size > CertificateFolder.maximumFileSize
        {
            return problems.append(.tooLarge(path, size: size))
        }
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            return problems.append(.unreadableFile(path))
        }
        // It may have grown, and some file systems don't know the size beforehand.
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

    /// Only for what exists, which no circle of links does.
    private func realPath(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    /// The part after the last dot, unless the name starts with it.
    private func hasCertificateExtension(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return false }
        return CertificateFolder.fileExtensions.contains(name[name.index(after: dot)...].lowercased())
    }
}
