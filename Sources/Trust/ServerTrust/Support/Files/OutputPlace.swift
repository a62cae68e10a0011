// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The kind of place that a path names for output. Every writer that replaces files checks it here first, or in
/// ``ReplacementFile``.
///
/// Writers only replace a regular file or create a new one. They write through a character device or a pipe, also
/// through a symbolic link to one, and leave it in place. They refuse a folder, a block device, a socket, and a
/// symbolic link to a file, because replacing the link would leave its target unchanged.
package enum OutputPlace: Sendable, Hashable {
    /// A regular file, or a name that isn't in use yet.
    case file
    /// A character device or a pipe.
    case stream
    /// A descriptor of this process: `/dev/stdout`, `/dev/stderr`, `/dev/fd/N`. Opening such a name again would start
    /// at a file's beginning, and fails for a socket.
    case descriptor(Int32)

    /// Finds out what a path names. Opens nothing.
    /// - Throws: ``SystemError``, with the code `EINVAL` for a kind of file that isn't written to.
    package init(_ path: String) throws(SystemError) {
        if let number = Self.descriptor(path) {
            _ = try FileDescriptor(rawValue: number).status()
            self = .descriptor(number)
            return
        }
        let status: FileStatus
        do throws(SystemError) { status = try FileStatus(ofFile: path) } catch {
            guard error.code == ENOENT else { throw error }
            self = .file
            return
        }
        switch status.kind {
        case .regular: self = .file
        case .characterDevice, .pipe: self = .stream
        case .symbolicLink:
            // A dangling link isn't a stream either.
            let end = try? FileStatus(following: path)
            guard end?.kind == .characterDevice || end?.kind == .pipe else { throw SystemError(found: .symbolicLink) }
            self = .stream
        case .folder, .blockDevice, .socket, .other: throw SystemError(found: status.kind)
        }
    }

    /// Opens a stream or a descriptor for writing. Waits for a pipe's reader.
    /// - Parameter path: the path that this place was created from.
    /// - Returns: the descriptor, or nil for a file.
    package func open(_ path: String) throws(SystemError) -> FileDescriptor? {
        switch self {
        case .file: return nil
        case .stream:
            let descriptor = try FileDescriptor(opening: path, O_WRONLY | O_NOCTTY)
            do throws(SystemError) {
                // Another process may have replaced it with a file.
                let kind = try descriptor.status().kind
                guard kind == .characterDevice || kind == .pipe else { throw SystemError(found: kind) }
            } catch {
                try? descriptor.close()
                throw error
            }
            return descriptor
        case .descriptor(let number):
            let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { throw .last }
            return FileDescriptor(rawValue: copy)
        }
    }

    /// Checks that a path names a regular file or isn't in use yet. Call it before replacing the file.
    /// - Throws: ``SystemError``, with the code `EINVAL` for every other kind of file.
    package static func requireFile(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            let kind = try FileStatus(ofFile: path).kind
            guard kind == .regular else { throw SystemError(found: kind) }
        } catch {
            // If the folder is missing, writing the file fails with its own error.
            guard error.isAbsence else { throw error }
        }
    }

    private static func descriptor(_ path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
                let digits = path.dropFirst(folder.count)
                guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
                return Int32(digits)
            }
            return nil
        }
    }
}
