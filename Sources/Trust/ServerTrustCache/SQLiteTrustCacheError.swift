// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustFetching

/// The error of opening or listing a cache. Its codes begin with `cache`. The file is left as it is.
public struct SQLiteTrustCacheError: TrustError, Hashable {
    /// The kind of error, with values.
    package enum Problem: Sendable, Hashable {
        /// The folder doesn't exist, or isn't a folder.
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
        /// The file isn't an SQLite database.
        case notADatabase
        /// The database is damaged.
        case damaged
        /// A damaged database can't be set aside, because a file that isn't a database has the name.
        case placeTaken(String)
        /// The database belongs to another program.
        case anotherDatabase
        /// A later version of this package made the file; with the version of its tables.
        case newerSchema(Int)
        /// SQLite reported an error; with its message.
        case database(String)
    }

    /// The path of the file.
    public let file: String
    let problem: Problem

    package init(_ problem: Problem, file: String) {
        self.file = file
        self.problem = problem
    }

    /// The kind of error.
    public var code: ErrorCode {
        switch problem {
        case .noFolder: .cacheFolderMissing
        case .notWritable: .cacheNotWritable
        case .notReadable: .cacheNotReadable
        case .notAFile, .notADatabase, .anotherDatabase: .cacheFileOfAnotherKind
        case .writableByOthers: .cacheWritableByOthers
        case .ownedByAnother: .cacheOwnedByAnother
        case .damaged: .cacheDamaged
        case .placeTaken: .cachePlaceTaken
        case .newerSchema: .cacheVersionNewer
        case .database: .cacheFailed
        }
    }

    /// The path of the missing folder, or of the file that has the name for a damaged database.
    package var otherPath: String? {
        switch problem {
        case .noFolder(let path), .placeTaken(let path): path
        default: nil
        }
    }

    /// The permissions of a file that others may write.
    package var permissions: Int? { if case .writableByOthers(let mode) = problem { mode } else { nil } }

    /// The number of the user to whom the file belongs.
    package var owner: Int? { if case .ownedByAnother(let user) = problem { user } else { nil } }

    /// The version of the file's tables.
    package var version: Int? { if case .newerSchema(let version) = problem { version } else { nil } }

    public var message: String {
        switch problem {
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

extension ErrorCode {
    /// The folder of the cache doesn't exist, or isn't a folder.
    package static let cacheFolderMissing = ErrorCode("cacheFolderMissing")
    /// The cache, or a file that belongs beside it, can't be created or written.
    public static let cacheNotWritable = ErrorCode("cacheNotWritable")
    /// The cache can't be read.
    package static let cacheNotReadable = ErrorCode("cacheNotReadable")
    /// The path names something other than a cache: a folder, another file, the database of another program.
    package static let cacheFileOfAnotherKind = ErrorCode("cacheFileOfAnotherKind")
    /// Group or others may write the cache.
    package static let cacheWritableByOthers = ErrorCode("cacheWritableByOthers")
    /// The cache belongs to a user other than this process's and root.
    package static let cacheOwnedByAnother = ErrorCode("cacheOwnedByAnother")
    /// The cache is damaged.
    public static let cacheDamaged = ErrorCode("cacheDamaged")
    /// A damaged cache can't be set aside, because another file has the name.
    package static let cachePlaceTaken = ErrorCode("cachePlaceTaken")
    /// A later version of this package made the cache.
    public static let cacheVersionNewer = ErrorCode("cacheVersionNewer")
}
