// SPDX-License-Identifier: Apache-2.0

import Foundation
import TrustSupport

/// A folder whose place another folder takes by renaming: its owner and mode, and what is in the way.
struct ReplaceableFolder {
    private let path: String
    private let status: stat

    /// Reads the status of a folder; nil if nothing has the name. A symbolic link is not followed.
    /// - Throws: ``SystemError``, with `ENOTDIR` for anything but a folder.
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

    /// The reason for which the folder can't be replaced; nil if none is found. A mount of the same file system isn't noticed.
    var problem: String? {
        guard !holdsCurrentFolder else {
            return "the current folder can't be replaced, nor one above it; name a folder below, or start elsewhere"
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else { return "the folder can't be written: \(SystemError.last)" }
        guard let parent = Self.status(Self.parent(of: path)) else { return nil }
        guard parent.st_dev == status.st_dev else { return "a mount point can't be replaced; name a folder below it" }
        let user = geteuid()
        let isSticky = parent.st_mode & mode_t(S_ISVTX) != 0
        guard !isSticky || user == 0 || user == status.st_uid || user == parent.st_uid else {
            return "the folder is another user's, in a folder where owners alone rename"
        }
        return nil
    }

    /// The reason for which no folder can be made or renamed beside this name; nil if none is found.
    static func problemOfParent(of path: String) -> String? {
        let parent = parent(of: path)
        guard access(parent, W_OK | X_OK) == 0 else {
            return "\(printable(parent)) can't be written: \(SystemError.last)"
        }
        return nil
    }

    /// Gives this folder's mode to another one, with its group, and as the superuser with its owner.
    func giveOwnerAndMode(to other: String) {
        chown(other, geteuid() == 0 ? status.st_uid : uid_t.max, status.st_gid)
        // Last: a change of owner clears bits.
        chmod(other, status.st_mode & 0o7777)
    }

    /// Whether the current folder is this one or below it, by the numbers of the file system.
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
