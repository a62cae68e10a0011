// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The failure of a system call.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The value of `errno`.
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// The error of the system call that has just failed on this thread.
    package static var last: SystemError { SystemError(code: errno) }

    /// True if there is no file of the name, or no folder that could have it.
    package var isAbsence: Bool { code == ENOENT || code == ENOTDIR }

    /// The operating system's text, such as "No such file or directory".
    package var description: String { String(cString: strerror(code)) }
}
