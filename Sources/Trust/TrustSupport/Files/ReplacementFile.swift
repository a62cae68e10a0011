// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The new contents of a file, complete and on the disk under another name, before they get the file's name.
///
/// A process that is killed in between leaves the file as it was, and the other name beside it. Only a regular file is replaced, as
/// ``OutputPlace`` has it: a device, a pipe or a symbolic link would be gone.
package struct ReplacementFile: Sendable {
    /// The file that is replaced or made.
    package let path: String
    private let temporaryPath: String

    /// The permissions of a file that is made.
    package enum Mode: Sendable, Hashable {
        /// Readable and writable by the owner alone, independently of the umask.
        case secret
        /// Readable by all and writable by the owner, subject to the umask.
        case open
        /// The permissions of a file that is replaced, its nine bits, independently of the umask.
        case same(UInt16)
    }

    /// Writes `bytes` under the name of `path` with `suffix`, and flushes them to the disk.
    /// - Parameter replacesRemnant: whether a file of the other name, left by a process that was killed, is replaced; otherwise it is an
    ///   error. Only a caller that holds a lock on `path` knows that no other process writes it.
    /// - Throws: ``SystemError``, with the code `EINVAL` if `path` names anything but a regular file; no file is left then.
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
        // No other user opens it before it has its permissions.
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

    /// Gives the contents the file's name, in the place of an existing file. The new name is on the disk after ``flushFolder()`` only.
    /// - Throws: ``SystemError``, with the code `EINVAL` if something else than a file got the name meanwhile. Nothing has changed then.
    package func replace() throws(SystemError) {
        try OutputPlace.requireFile(path)
        guard rename(temporaryPath, path) == 0 else { throw .last }
    }

    /// Gives the contents the file's name unless there is such a file, and discards the other name.
    /// - Throws: ``SystemError``, with the code `EEXIST` if there is one. Nothing has changed then, and ``discard()`` is left to do.
    package func create() throws(SystemError) {
        // Unlike a search beforehand, a link can't be overtaken by another process's file.
        guard link(temporaryPath, path) == 0 else { throw .last }
        discard()
    }

    /// Deletes the contents under their other name.
    package func discard() { unlink(temporaryPath) }

    /// Waits until the file's name is on the disk.
    package func flushFolder() throws(SystemError) { try FileDescriptor.flushFolder(of: path) }
}
