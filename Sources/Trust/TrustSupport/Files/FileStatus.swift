// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The kind, size, owner and permissions of a file.
package struct FileStatus: Sendable, Hashable {
    /// The kinds of files.
    package enum Kind: Sendable, Hashable {
        case regular
        case folder
        case symbolicLink
        case characterDevice
        case blockDevice
        case pipe
        case socket
        /// A kind that this system alone has.
        case other
    }

    package let kind: Kind
    /// In bytes.
    package let size: Int
    /// The nine bits for owner, group and others.
    package let permissions: Int
    /// The user's number.
    package let owner: UInt32
    /// Device and number together identify a file.
    package let device: UInt64
    package let number: UInt64
    /// The number of the file's names.
    package let links: UInt64
    /// The time of the last change of the contents, in seconds since 1970.
    package let modified: Int64
    /// The nanoseconds of that time.
    package let modifiedNanoseconds: Int64

    init(_ status: stat) {
        self.kind = Kind(status.st_mode)
        self.size = Int(status.st_size)
        self.permissions = Int(status.st_mode & 0o777)
        self.owner = status.st_uid
        self.device = UInt64(truncatingIfNeeded: status.st_dev)
        self.number = UInt64(truncatingIfNeeded: status.st_ino)
        self.links = UInt64(status.st_nlink)
        #if canImport(Darwin)
            self.modified = Int64(status.st_mtimespec.tv_sec)
            self.modifiedNanoseconds = Int64(status.st_mtimespec.tv_nsec)
        #else
            self.modified = Int64(status.st_mtim.tv_sec)
            self.modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
        #endif
    }

    /// The status of a file by its name; a symbolic link is not followed.
    package init(ofFile path: String) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .last }
        self.init(status)
    }

    /// The status of what a name leads to, symbolic links followed. Nothing is opened, so a pipe's writer doesn't notice.
    package init(following path: String) throws(SystemError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .last }
        self.init(status)
    }

    package var isRegularFile: Bool { kind == .regular }
    package var isFolder: Bool { kind == .folder }

    /// True if this process's user owns the file, alone and under one name.
    package var isOwnRegularFile: Bool { isRegularFile && owner == geteuid() && links == 1 }

    /// True if group or others may write the file.
    package var isWritableByOthers: Bool { permissions & 0o022 != 0 }

    /// True if the file belongs to this process's user or to root. An owner can write a file regardless of its permissions.
    package var hasTrustedOwner: Bool { owner == geteuid() || owner == 0 }
}

extension FileStatus.Kind {
    fileprivate init(_ mode: mode_t) {
        self =
            switch mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .symbolicLink
            case S_IFCHR: .characterDevice
            case S_IFBLK: .blockDevice
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            default: .other
            }
    }

    /// The kind in words.
    package var words: String {
        switch self {
        case .regular: "a regular file"
        case .folder: "a folder"
        case .symbolicLink: "a symbolic link"
        case .characterDevice: "a character device"
        case .blockDevice: "a block device"
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .other: "a special file"
        }
    }
}
