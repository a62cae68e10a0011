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

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The replacement of a folder's filters by those of a newer manifest, under the folder's lock.
///
/// The manifest is replaced last, so that a run that ends at any moment leaves the set before usable: a file that both manifests have under one name
/// with other contents is renamed right before the manifest. Files that are whole already aren't received again. Filters that the new manifest
/// doesn't name are removed at the end; readers that have them open keep them.
package final class RevocationFilterFolderUpdate {
    /// The folder.
    package let path: String
    /// The manifest in force; nil for a new folder, and for one whose manifest can't be read.
    package let current: RevocationFilterManifest?
    private let lock: FileDescriptor
    /// Received files whose names the manifest in force has, by the names.
    private var replacements: [String] = []

    private static let lockName = "filters.lock"
    /// The suffix of a file that is received, until it was checked.
    package static let suffix = ".new"

    /// Locks a folder, and makes it unless it exists.
    /// - Parameter patience: the longest wait for another run.
    /// - Throws: ``RevocationFilterFileError`` for a folder with files of other kinds, for upki's, and if another run has it.
    package init(_ path: String, patience: Duration = LockFile.patience) throws(RevocationFilterFileError) {
        self.path = path
        if mkdir(path, 0o755) != 0, errno != EEXIST {
            throw RevocationFilterFileError(.filterFileUnreadable, path: path, problem: SystemError.last.description)
        }
        let names = try Self.names(path)
        // Files are removed later, so the folder has to be one that was made for filters.
        guard names.isEmpty || names.contains(Self.lockName) || names.contains(RevocationFilterManifest.fileName) else {
            throw RevocationFilterFileError(
                .filterFolderUnsuitable, path: path,
                problem: "has other files, expected an empty folder, or one of filters")
        }
        guard !names.contains("index.bin") else {
            throw RevocationFilterFileError(
                .filterFolderUnsuitable, path: path, problem: "upki keeps this folder, expected another one")
        }
        do throws(LockFile.Problem) {
            lock = try LockFile.lock("\(path)/\(Self.lockName)", patience: patience)
        } catch {
            throw RevocationFilterFileError(
                .filterFolderBusy, path: error.path,
                problem: String(error.description.dropFirst(error.path.count + 2)))
        }
        current = try? RevocationFilterManifest(
            FileContents(
                ofFile: RevocationFilterFolder.manifestPath(path), maximumSize: RevocationFilterManifest.maximumSize,
                onlyRegular: true
            ).bytes, name: "")
    }

    deinit { try? lock.close() }

    /// Returns the files of a manifest that the folder hasn't whole.
    package func missing(_ manifest: RevocationFilterManifest) -> [RevocationFilterManifest.File] {
        manifest.files.filter { (try? RevocationFilterFolder.filter($0, in: path)) == nil }
    }

    /// Returns the path at which a file is to be received.
    package func receivingPath(_ file: RevocationFilterManifest.File) -> String { "\(path)/\(file.name)\(Self.suffix)" }

    /// Takes up a file that was received: one of the manifest's size and digest, and a filter.
    /// - Throws: ``RevocationFilterFileError``; the received file is removed then.
    package func take(_ file: RevocationFilterManifest.File) throws(RevocationFilterFileError) {
        let received = receivingPath(file)
        do throws(RevocationFilterFileError) {
            _ = try RevocationFilterFolder.filter(file, in: path, suffix: Self.suffix)
        } catch {
            unlink(received)
            throw error
        }
        // The set before needs its file until the manifest is replaced.
        if current?.files.contains(where: { $0.name == file.name }) == true {
            replacements.append(file.name)
        } else {
            try rename(file.name)
        }
    }

    /// Puts the manifest in force, and removes all other filters.
    /// - Returns: the names of the removed files.
    /// - Throws: ``RevocationFilterFileError`` if a file can't be renamed or written; the set before stays then, unless a file of it was replaced.
    package func finish(_ manifest: RevocationFilterManifest) throws(RevocationFilterFileError) -> [String] {
        for name in replacements { try rename(name) }
        replacements = []
        let target = RevocationFilterFolder.manifestPath(path)
        if current != manifest {
            do throws(SystemError) {
                // The files' names are on the disk before the manifest's.
                try FileDescriptor.flushFolder(of: target)
                let file = try ReplacementFile(
                    manifest.json, for: target, suffix: Self.suffix, mode: .open, replacesRemnant: true)
                do throws(SystemError) { try file.replace() } catch {
                    file.discard()
                    throw error
                }
                try file.flushFolder()
            } catch {
                throw RevocationFilterFileError(.filterFileUnreadable, path: target, problem: error.description)
            }
        }
        let kept = Set(manifest.files.map(\.name))
        let others = try Self.names(path).filter { Self.isRemovable($0) && !kept.contains($0) }
        for name in others { unlink("\(path)/\(name)") }
        return others.filter { $0.hasSuffix(".filter") || $0.hasSuffix(".delta") }
    }

    /// Whether a name is that of a filter, or of one that a run that ended early has received in part.
    private static func isRemovable(_ name: String) -> Bool {
        let kinds = [".filter", ".delta"]
        let remnants = ["", suffix, suffix + ".part", suffix + ".part.info"]
        return kinds.contains { kind in remnants.contains { name.hasSuffix(kind + $0) } }
    }

    private func rename(_ name: String) throws(RevocationFilterFileError) {
        do throws(SystemError) {
            try OutputPlace.requireFile("\(path)/\(name)")
            guard systemRename("\(path)/\(name)\(Self.suffix)", "\(path)/\(name)") == 0 else { throw .last }
        } catch {
            throw RevocationFilterFileError(
                .filterFileUnreadable, path: "\(path)/\(name)", problem: error.description)
        }
    }

    /// Returns the names in a folder.
    private static func names(_ path: String) throws(RevocationFilterFileError) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw RevocationFilterFileError(
                .filterFileUnreadable, path: path, problem: "can't be listed, expected a folder")
        }
        return names.sorted()
    }
}

/// The function that the method above has the name of.
private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }
