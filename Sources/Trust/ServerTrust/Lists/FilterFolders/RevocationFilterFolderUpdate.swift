// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// An update of a folder's filters to a newer manifest, under the folder's lock.
///
/// The update replaces the manifest last, so a run that ends at any moment leaves the previous set usable. If both
/// manifests have a file with the same name but different contents, the update renames the new file right before it
/// replaces the manifest. It doesn't receive complete files again. At the end it removes the filters that the new
/// manifest doesn't name. Readers that have these filters open can still use them.
package final class RevocationFilterFolderUpdate {
    /// The folder.
    let path: String
    /// The current manifest, or nil if the folder is new or its manifest can't be read.
    package let current: RevocationFilterManifest?
    private let lock: FileDescriptor
    /// The names of received files that the current manifest also has.
    private var replacements: [String] = []

    private static let lockName = "filters.lock"
    /// The suffix of a received file that hasn't been checked yet.
    static let suffix = ".new"

    /// Locks a folder, and creates it if it doesn't exist.
    /// - Parameter patience: the longest wait for another run.
    /// - Throws: ``RevocationFilterFileError`` if the folder contains other files, belongs to upki, or is locked by
    ///   another run.
    package init(_ path: String, patience: Duration = LockFile.patience) throws(RevocationFilterFileError) {
        self.path = path
        if mkdir(path, 0o755) != 0, errno != EEXIST {
            throw RevocationFilterFileError(.filterFileUnreadable, path: path, problem: SystemError.last.description)
        }
        let names = try Self.names(path)
        // The update removes files later, so only use a folder that was created for filters.
        guard names.isEmpty || names.contains(Self.lockName) || names.contains(RevocationFilterManifest.fileName) else {
            throw RevocationFilterFileError(
                .filterFolderUnsuitable, path: path,
                problem: "contains other files, expected an empty folder or a folder of filters")
        }
        guard !names.contains("index.bin") else {
            throw RevocationFilterFileError(
                .filterFolderUnsuitable, path: path, problem: "upki manages this folder, expected a different one")
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

    /// Returns the manifest's files that are missing or different in the folder.
    package func missing(_ manifest: RevocationFilterManifest) -> [RevocationFilterManifest.File] {
        manifest.files.filter { (try? RevocationFilterFolder.filter($0, in: path)) == nil }
    }

    /// Returns the path for receiving a file.
    package func receivingPath(_ file: RevocationFilterManifest.File) -> String { "\(path)/\(file.name)\(Self.suffix)" }

    /// Checks a received file and adds it to the folder. It has to be a filter with the manifest's size and digest.
    /// - Throws: ``RevocationFilterFileError``, after removing the received file if it isn't valid.
    package func take(_ file: RevocationFilterManifest.File) throws(RevocationFilterFileError) {
        let received = receivingPath(file)
        do throws(RevocationFilterFileError) {
            _ = try RevocationFilterFolder.filter(file, in: path, suffix: Self.suffix)
        } catch {
            unlink(received)
            throw error
        }
        // The previous set needs its file until the manifest is replaced.
        if current?.files.contains(where: { $0.name == file.name }) == true {
            replacements.append(file.name)
        } else {
            try rename(file.name)
        }
    }

    /// Replaces the manifest, and removes all other filters.
    /// - Returns: the names of the removed files.
    /// - Throws: ``RevocationFilterFileError`` if a file can't be renamed or written. The previous set stays in use
    ///   then, unless one of its files was replaced.
    package func finish(_ manifest: RevocationFilterManifest) throws(RevocationFilterFileError) -> [String] {
        for name in replacements { try rename(name) }
        replacements = []
        let target = RevocationFilterFolder.manifestPath(path)
        if current != manifest {
            do throws(SystemError) {
                // Writes the files' names to disk before the manifest's name.
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

    /// Whether the name belongs to a filter, or to the partly received filter of an interrupted run.
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

    /// Returns the names of a folder's files.
    private static func names(_ path: String) throws(RevocationFilterFileError) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw RevocationFilterFileError(
                .filterFileUnreadable, path: path, problem: "can't be listed, expected a folder")
        }
        return names.sorted()
    }
}

/// Calls the system's `rename`, which the method of the same name hides.
private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }
