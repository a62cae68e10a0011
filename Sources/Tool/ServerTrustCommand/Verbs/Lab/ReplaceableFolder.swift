// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// A folder that another folder replaces by renaming: its owner and mode, and any obstacle.
struct ReplaceableFolder {
    private let path: String
    private let status: stat

    /// Reads the status of a folder. Returns nil if nothing has this name. Doesn't follow a symbolic link.
    /// - Throws: ``SystemError``, with `ENOTDIR` for anything other than a folder.
    init?(_ path: String) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            let error = SystemError.last
            guard error.code == ENOENT else { throw error }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(code: ENOTDIR) }
        self.path = path
        self.status = status
    }

    /// The reason why the folder can't be replaced, or nil if none is found. A mount of the same file system isn't
    /// detected.
    var problem: String? {
        guard !holdsCurrentFolder else {
            return "can't replace the current folder or one above it; name a folder below it, or start elsewhere"
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else { return "can't write to the folder: \(SystemError.last)" }
        guard let parent = Self.status(Self.parent(of: path)) else { return nil }
        guard parent.st_dev == status.st_dev else { return "can't replace a mount point; name a folder below it" }
        let user = geteuid()
        let isSticky = parent.st_mode & mode_t(S_ISVTX) != 0
        guard !isSticky || user == 0 || user == status.st_uid || user == parent.st_uid else {
            return "another user owns the folder, and only owners can rename folders in its parent"
        }
        return nil
    }

    /// The reason why no folder can be created or renamed next to this name, or nil if none is found.
    static func problemOfParent(of path: String) -> String? {
        let parent = parent(of: path)
        guard access(parent, W_OK | X_OK) == 0 else {
            return "can't write to \(printable(parent)): \(SystemError.last)"
        }
        return nil
    }

    /// Copies this folder's mode and group to another folder, and its owner if the process is the superuser's.
    func giveOwnerAndMode(to other: String) {
        chown(other, geteuid() == 0 ? status.st_uid : uid_t.max, status.st_gid)
        // Comes last, because a change of owner clears mode bits.
        chmod(other, status.st_mode & 0o7777)
    }

    /// Whether the current folder is this folder or below it, compared by device and inode numbers.
    private var holdsCurrentFolder: Bool {
        let names = FileManager.default.currentDirectoryPath.split(separator: "/")
        return (0...names.count).contains { count in
            guard let above = Self.status("/" + names.prefix(count).joined(separator: "/")) else { return false }
            return above.st_dev == status.st_dev && above.st_ino == status.st_ino
        }
    }

    private static func parent(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
