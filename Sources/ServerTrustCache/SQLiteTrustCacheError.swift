// SPDX-License-Identifier: Apache-2.0

/// Why there is no cache.
public struct SQLiteTrustCacheError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Reason: Sendable, Hashable {
        /// The folder isn't there, or is none.
        case noFolder(String)
        /// The file, or one that belongs beside it, can't be made or written; the operating system's words.
        case notWritable(String)
        /// Not a file: a folder, a device.
        case notAFile
        /// Group or others may write it; the permissions that it has.
        case writableByOthers(Int)
        /// It belongs to another user than this process's, who isn't root either; that user's number.
        case ownedByAnother(Int)
        /// The file can't be read; the operating system's words.
        case notReadable(String)
        /// Not a database of SQLite. It is left as it is.
        case notADatabase
        /// A database that is damaged, and is left as it is.
        case damaged
        /// A damaged database can't be set aside, because something else has the name that it would get.
        case placeTaken(String)
        /// A database of something else. It is left as it is.
        case anotherDatabase
        /// Made by a later version of this package; the version of its tables.
        case newerSchema(Int)
        /// What SQLite says.
        case database(String)
    }

    public let file: String
    public let reason: Reason

    init(_ reason: Reason, file: String) {
        self.file = file
        self.reason = reason
    }

    public var description: String {
        switch reason {
        case .noFolder(let folder): "\(file): there is no folder \(folder); make it first"
        case .notWritable(let reason): "\(file): can not be written: \(reason)"
        case .notAFile: "\(file): no regular file"
        case .writableByOthers(let mode):
            "\(file): may be written by others (mode \(String(mode, radix: 8))), expected 600; use \"chmod go-w\""
        case .ownedByAnother(let user):
            "\(file): belongs to user \(user), expected the one that runs this; use \"chown\", or name another file"
        case .notReadable(let reason): "\(file): can not be read: \(reason)"
        case .notADatabase: "\(file): no SQLite database, expected a cache or a new name; it is left as it is"
        case .damaged: "\(file): damaged, and left as it is; remove it, or name another file"
        case .placeTaken(let place):
            "\(file): damaged, and \(place), where it would be put, is no database; move one of the two away"
        case .anotherDatabase:
            "\(file): a database of something else, expected a cache of this package; name another file"
        case .newerSchema(let version):
            "\(file): made by a later version (tables of version \(version), expected \(CacheSchema.version)); name another file"
        case .database(let reason): "\(file): \(reason)"
        }
    }
}
