// SPDX-License-Identifier: Apache-2.0

/// The error of opening or using a cache.
public struct SQLiteTrustCacheError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason of an error.
    package enum Reason: Sendable, Hashable {
        /// The folder doesn't exist, or is no folder.
        case noFolder(String)
        /// The file, or one that belongs beside it, can't be created or written; with the operating system's message.
        case notWritable(String)
        /// The path names something other than a regular file: a folder, a device.
        case notAFile
        /// Group or others may write the file; with its permissions.
        case writableByOthers(Int)
        /// The file belongs to a user other than this process's and root; with that user's number.
        case ownedByAnother(Int)
        /// The file can't be read; with the operating system's message.
        case notReadable(String)
        /// The file isn't an SQLite database. It is left as it is.
        case notADatabase
        /// The database is damaged, and left as it is.
        case damaged
        /// A damaged database can't be set aside, because a file that isn't a database has the name.
        case placeTaken(String)
        /// The database belongs to another program. It is left as it is.
        case anotherDatabase
        /// A later version of this package made the file; with the version of its tables.
        case newerSchema(Int)
        /// SQLite reported an error; with its message.
        case database(String)
    }

    /// The path of the file.
    package let file: String
    /// The reason.
    package let reason: Reason

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
