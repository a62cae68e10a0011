// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The kind, size, owner and permissions of a file.
package struct FileStatus: Sendable, Hashable {
    /// The kinds of files.
    /// The kind of file. The raw value is the kind in words.
    package enum Kind: String, Sendable, Hashable {
        case regular = "a regular file"
        case folder = "a folder"
        case symbolicLink = "a symbolic link"
        case characterDevice = "a character device"
        case blockDevice = "a block device"
        case pipe = "a pipe"
        case socket = "a socket"
        /// A kind that only this system has.
        case other = "a special file"
    }

    let kind: Kind
    /// The size in bytes.
    package let size: Int
    /// The nine permission bits for owner, group and others.
    package let permissions: Int
    /// The owner's user ID.
    package let owner: UInt32
    /// The device. Device and number together identify a file.
    package let device: UInt64
    package let number: UInt64
    /// The number of names (hard links) of the file.
    let links: UInt64
    /// The modification time of the contents, in seconds since 1970.
    package let modified: Int64
    /// The nanoseconds of the modification time.
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

    /// Reads the status of a file by its name. Doesn't follow a symbolic link.
    package init(ofFile path: String) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .last }
        self.init(status)
    }

    /// Reads the status of a file by its name, and follows symbolic links. Doesn't open the file, so a pipe's writer
    /// doesn't notice.
    package init(following path: String) throws(SystemError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .last }
        self.init(status)
    }

    package var isRegularFile: Bool { kind == .regular }
    package var isFolder: Bool { kind == .folder }

    /// Whether this process's user owns the file and it has only one name.
    package var isOwnRegularFile: Bool { isRegularFile && owner == geteuid() && links == 1 }

    /// Whether the group or others may write to the file.
    package var isWritableByOthers: Bool { permissions & 0o022 != 0 }

    /// Whether the file belongs to this process's user or to root. An owner can write to a file regardless of its
    /// permissions.
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
}
