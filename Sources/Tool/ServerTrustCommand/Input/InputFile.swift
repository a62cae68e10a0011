// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Foundation
import ServerTrust

/// A reader for the bytes of a file, or of standard input if the name is `-`.
enum InputFile {
    /// The maximum size in bytes: larger than any certificate collection in use, but small enough for memory.
    static let maximumSize = 256 << 20

    /// Returns the name to show in errors.
    static func displayName(_ name: String) -> String { name == "-" ? "standard input" : name }

    /// Returns all bytes, in time proportional to their number.
    /// - Throws: ``CommandFailure`` with the file's name if it can't be read or is larger than ``maximumSize``.
    static func read(_ name: String) throws(CommandFailure) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(SystemError) { bytes = try contents(name) } catch { throw failure(name, problem(error)) }
        guard let bytes, bytes.count <= maximumSize else {
            throw failure(name, InspectionProblem(.tooLarge, ["limit": "\(maximumSize >> 20)"]))
        }
        return bytes
    }

    /// Reads a file, and finds its objects.
    /// - Parameter passphrases: the passphrases for containers.
    /// - Throws: ``CommandFailure`` if the file can't be read.
    static func inspect(
        _ name: String, _ passphrases: PassphraseOptions = .none
    ) throws(CommandFailure) -> InspectedFile {
        InspectionReader.read(
            try read(name), name: displayName(name), passphrases: try passphrases.source(for: name))
    }

    /// Returns the paths of all files in a folder and its subfolders, in the order of their bytes. Follows symbolic links
    /// to files, but not to folders.
    /// - Throws: ``CommandFailure`` if the folder or one of its subfolders can't be read.
    static func all(inFolder folder: String) throws(CommandFailure) -> [String] {
        var files: [String] = []
        // The folders that remain to be listed. The next one is last.
        var open = [folder]
        while let folder = open.popLast() {
            let names: [String]
            do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
                throw CommandFailure("\(folder): can't be listed, expected a readable folder")
            }
            for name in names {
                let path = (folder.hasSuffix("/") ? folder : folder + "/") + name
                if (try? FileStatus(ofFile: path))?.isFolder == true { open.append(path) } else { files.append(path) }
            }
        }
        return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func failure(_ name: String, _ problem: InspectionProblem) -> CommandFailure {
        CommandFailure(
            InspectionError(file: displayName(name), object: nil, problem: problem).description, hint: problem.remedy)
    }

    private static func problem(_ error: SystemError) -> InspectionProblem {
        switch error.code {
        case ENOENT, ENOTDIR: InspectionProblem(.fileMissing)
        case EISDIR: InspectionProblem(.folder)
        case EACCES, EPERM: InspectionProblem(.fileUnreadable, of: "permission")
        default: InspectionProblem(.fileUnreadable, ["error": "\(error)"])
        }
    }

    /// Returns all bytes, or nil if the file is too large. It doesn't read any byte of such a file.
    private static func contents(_ name: String) throws(SystemError) -> [UInt8]? {
        let descriptor = name == "-" ? .standardInput : try FileDescriptor(opening: name, O_RDONLY)
        defer { if name != "-" { try? descriptor.close() } }
        if let status = try? descriptor.status(), status.isRegularFile, status.size > maximumSize { return nil }
        // The size of a pipe or a device is unknown, and a file may change while it is read.
        return try descriptor.readAll(maximumSize: maximumSize)
    }
}

extension CommandFailure {
    /// Creates the failure for objects that can't be used, with at most 20 of them.
    init(_ errors: [InspectionError]) {
        self.init(errors: errors.prefix(20).map(\.description), hint: errors.first?.problem.remedy)
    }
}
