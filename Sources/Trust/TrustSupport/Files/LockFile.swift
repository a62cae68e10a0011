// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The file that processes lock to take turns at another file or a folder. It has no contents.
///
/// Only a regular file is opened, and no symbolic link is followed: where others may write the folder, a link would have a file
/// created elsewhere. The wait has a limit, as any process that may open the file can keep it locked.
package enum LockFile {
    /// The longest wait; 30 seconds.
    package static let patience = Duration.seconds(30)

    /// The reason why the file isn't locked.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package enum Reason: Hashable, Sendable {
            case system(SystemError)
            case symbolicLink
            case notRegular
            /// Another process had it for this long.
            case busy(Duration)
        }

        package let path: String
        package let reason: Reason

        /// The path and the reason.
        package var description: String {
            switch reason {
            case .system(let error): "\(path): \(error)"
            case .symbolicLink: "\(path): is a symbolic link, expected a regular file"
            case .notRegular: "\(path): is not a regular file"
            case .busy(let duration):
                "\(path): has been locked by another process for \(duration.components.seconds) s"
            }
        }
    }

    /// Creates the file unless it exists, and waits until it is locked for this caller alone.
    /// - Parameter patience: the longest wait; ``patience`` unless given.
    /// - Returns: a descriptor; the lock ends when it is closed.
    package static func lock(_ path: String, patience: Duration = patience) throws(Problem) -> FileDescriptor {
        let file: FileDescriptor
        do throws(SystemError) {
            file = try FileDescriptor(opening: path, O_RDWR | O_CREAT | safeFlags, permissions: 0o600)
        } catch {
            throw problem(error, path)
        }
        return try locked(file, .exclusive, path, patience)
    }

    /// Waits until an existing file is locked for this caller. Nothing is created or written.
    /// - Parameter patience: the longest wait; ``patience`` unless given.
    /// - Returns: a descriptor; nil if there is no such file, or none that this process may open.
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

    /// O_NONBLOCK: opening a pipe doesn't wait for its other end.
    private static let safeFlags = O_NOFOLLOW | O_NONBLOCK

    private static func problem(_ error: SystemError, _ path: String) -> Problem {
        Problem(path: path, reason: error.code == ELOOP ? .symbolicLink : .system(error))
    }

    /// Waits for the lock, and closes the file if there is none.
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

    /// Tries until the lock is taken: `flock(2)` itself waits without a limit.
    /// - Returns: false if it was not free within `patience`.
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
