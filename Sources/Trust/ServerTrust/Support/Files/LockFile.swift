// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file that processes lock to take turns at another file or a folder. It has no contents.
///
/// Locking only opens a regular file, and follows no symbolic link. If others may write to the folder, a link could
/// create a file elsewhere. The wait has a limit, because any process that may open the file can keep it locked.
package enum LockFile {
    /// The longest wait: 30 seconds.
    package static let patience = Duration.seconds(30)

    /// The reason why locking failed.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package enum Reason: Hashable, Sendable {
            case system(SystemError)
            case symbolicLink
            case notRegular
            /// Another process held the lock for this long.
            case busy(Duration)
        }

        package let path: String
        package let reason: Reason

        /// The path and the reason.
        package var description: String {
            switch reason {
            case .system(let error): "\(path): \(error)"
            case .symbolicLink: "\(path): is a symbolic link, expected a regular file"
            case .notRegular: "\(path): isn't a regular file"
            case .busy(let duration):
                "\(path): has been locked by another process for \(duration.components.seconds) s"
            }
        }
    }

    /// Creates the file if it doesn't exist, and waits for an exclusive lock.
    /// - Parameter patience: the longest wait. The default is ``patience``.
    /// - Returns: a descriptor. Closing it ends the lock.
    package static func lock(_ path: String, patience: Duration = patience) throws(Problem) -> FileDescriptor {
        let file: FileDescriptor
        do throws(SystemError) {
            file = try FileDescriptor(opening: path, O_RDWR | O_CREAT | safeFlags, permissions: 0o600)
        } catch {
            throw problem(error, path)
        }
        return try locked(file, .exclusive, path, patience)
    }

    /// Waits for a lock on an existing file. Creates and writes nothing.
    /// - Parameter patience: the longest wait. The default is ``patience``.
    /// - Returns: a descriptor, or nil if the file doesn't exist or this process may not open it.
    package static func lockExisting(
        _ path: String, _ kind: FileDescriptor.Lock, patience: Duration = patience
    ) throws(Problem) -> FileDescriptor? {
        let file: FileDescriptor
        do throws(SystemError) { file = try FileDescriptor(opening: path, O_RDONLY | safeFlags) } catch {
            guard [ENOENT, EACCES, EPERM].contains(error.code) else { throw problem(error, path) }
            return nil
        }
        return try locked(file, kind, path, patience)
    }

    /// With O_NONBLOCK, opening a pipe doesn't wait for its other end.
    private static let safeFlags = O_NOFOLLOW | O_NONBLOCK

    private static func problem(_ error: SystemError, _ path: String) -> Problem {
        Problem(path: path, reason: error.code == ELOOP ? .symbolicLink : .system(error))
    }

    /// Waits for the lock, and closes the file on failure.
    private static func locked(
        _ file: FileDescriptor, _ kind: FileDescriptor.Lock, _ path: String, _ patience: Duration
    ) throws(Problem) -> FileDescriptor {
        var reason: Problem.Reason?
        do throws(SystemError) {
            if try !file.status().isRegularFile {
                reason = .notRegular
            } else if try !take(file, kind, patience) {
                reason = .busy(patience)
            }
        } catch {
            reason = .system(error)
        }
        guard let reason else { return file }
        try? file.close()
        throw Problem(path: path, reason: reason)
    }

    /// Tries until it gets the lock. `flock(2)` itself waits without a limit.
    /// - Returns: false if the lock wasn't free within `patience`.
    private static func take(
        _ file: FileDescriptor, _ kind: FileDescriptor.Lock, _ patience: Duration
    ) throws(SystemError) -> Bool {
        let end = ContinuousClock.now + patience
        var pause: UInt32 = 500
        while try !file.tryLock(kind) {
            guard ContinuousClock.now < end else { return false }
            usleep(pause)
            pause = min(2 * pause, 10_000)
        }
        return true
    }
}
