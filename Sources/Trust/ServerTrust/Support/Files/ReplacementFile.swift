// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The new contents of a file, complete and on disk under a temporary name until they get the file's name.
///
/// A process killed in between leaves the file unchanged, with the temporary file next to it. Only a regular file is
/// replaced, as ``OutputPlace`` describes. A device, a pipe or a symbolic link would be lost.
package struct ReplacementFile: Sendable {
    /// The file to replace or create.
    package let path: String
    private let temporaryPath: String

    /// The permissions of the new file.
    package enum Mode: Sendable, Hashable {
        /// Readable and writable only by the owner, regardless of the umask.
        case secret
        /// Readable by all and writable by the owner, subject to the umask.
        case open
        /// The nine permission bits of the replaced file, regardless of the umask.
        case same(UInt16)
    }

    /// Writes `bytes` to a temporary file, `path` with `suffix`, and flushes them to disk.
    /// - Parameter replacesRemnant: whether to replace a temporary file left by a killed process. Otherwise, such a
    ///   file is an error. Only a caller that holds a lock on `path` knows that no other process is writing the
    ///   temporary file.
    /// - Throws: ``SystemError``, with the code `EINVAL` if `path` names anything except a regular file. Leaves no file
    ///   behind then.
    package init(
        _ bytes: [UInt8], for path: String, suffix: String, mode: Mode, replacesRemnant: Bool
    ) throws(SystemError) {
        self.path = path
        self.temporaryPath = path + suffix
        try OutputPlace.requireFile(path)
        if replacesRemnant { unlink(temporaryPath) }
        // O_EXCL doesn't follow a symbolic link either.
        let (permissions, isExact): (UInt16, Bool) =
            switch mode {
            case .secret: (0o600, true)
            case .open: (0o644, false)
            case .same(let permissions): (permissions, true)
            }
        // Other users can't open the file before it has its final permissions.
        let descriptor = try FileDescriptor(
            opening: temporaryPath, O_WRONLY | O_CREAT | O_EXCL, permissions: isExact ? 0o600 : permissions)
        do throws(SystemError) {
            do throws(SystemError) {
                if isExact { try descriptor.setPermissions(permissions) }
                try descriptor.writeAll(bytes)
                try descriptor.flush()
            } catch {
                try? descriptor.close()
                throw error
            }
            try descriptor.close()
        } catch {
            discard()
            throw error
        }
    }

    /// Renames the temporary file to the file's name, and replaces an existing file. The new name is on disk only after
    /// ``flushFolder()``.
    /// - Throws: ``SystemError``, with the code `EINVAL` if something other than a file got the name in the meantime.
    ///   Changes nothing then.
    package func replace() throws(SystemError) {
        try OutputPlace.requireFile(path)
        guard rename(temporaryPath, path) == 0 else { throw .last }
    }

    /// Gives the temporary file the file's name unless that name is in use, and removes the temporary name.
    /// - Throws: ``SystemError``, with the code `EEXIST` if the name is in use. Changes nothing then, so call
    ///   ``discard()``.
    package func create() throws(SystemError) {
        // Linking is atomic. A check beforehand could miss a file that another process creates in between.
        guard link(temporaryPath, path) == 0 else { throw .last }
        discard()
    }

    /// Deletes the temporary file.
    package func discard() { unlink(temporaryPath) }

    /// Waits until the file's name is on disk.
    package func flushFolder() throws(SystemError) { try FileDescriptor.flushFolder(of: path) }
}
