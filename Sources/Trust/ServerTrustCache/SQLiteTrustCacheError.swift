// SPDX-License-Identifier: Apache-2.0

#if Cache || Everything

import PKIX
import ServerTrust

/// The error thrown if a cache can't be opened or listed. Its codes begin with `cache`. The file stays unchanged.
public struct SQLiteTrustCacheError: TrustError, Hashable {
    /// The kind of error, with its values.
    package enum Problem: Error, Hashable {
        /// The folder doesn't exist, or isn't a folder.
        case noFolder(String)
        /// The file, or a file that belongs next to it, can't be created or written. The value is the operating
        /// system's message.
        case notWritable(String)
        /// The path names something other than a regular file, such as a folder or a device.
        case notAFile
        /// Group or others have write permission for the file. The value is its permissions.
        case writableByOthers(Int)
        /// The file belongs to a user other than this process's and root. The value is that user's number.
        case ownedByAnother(Int)
        /// The file can't be read. The value is the operating system's message.
        case notReadable(String)
        /// The file isn't an SQLite database.
        case notADatabase
        /// The database is damaged.
        case damaged
        /// A damaged database can't be set aside, because a file that isn't a database has the new name.
        case placeTaken(String)
        /// The database belongs to another program.
        case anotherDatabase
        /// A later version of this package created the file. The value is the version of its tables.
        case newerSchema(Int)
        /// SQLite reported an error. The value is its message.
        case database(String)
    }

    /// The path of the file.
    public let file: String
    let problem: Problem

    init(_ problem: Problem, file: String) {
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

    /// The path of the missing folder, or of the file that has the new name of a damaged database.
    var otherPath: String? {
        switch problem {
        case .noFolder(let path), .placeTaken(let path): path
        default: nil
        }
    }

    /// The permissions of a file that others can write.
    var permissions: Int? { if case .writableByOthers(let mode) = problem { mode } else { nil } }

    /// The number of the user who owns the file.
    var owner: Int? { if case .ownedByAnother(let user) = problem { user } else { nil } }

    /// The version of the file's tables.
    var version: Int? { if case .newerSchema(let version) = problem { version } else { nil } }

    public var message: String {
        switch problem {
        case .noFolder(let folder): "\(file): the folder \(folder) doesn't exist; create it first"
        case .notWritable(let reason): "\(file): can't be written: \(reason)"
        case .notAFile: "\(file): not a regular file"
        case .writableByOthers(let mode):
            "\(file): others can write to it (mode \(String(mode, radix: 8))), expected 600; use \"chmod go-w\""
        case .ownedByAnother(let user):
            "\(file): belongs to user \(user), expected the user that runs this program; use \"chown\", or name another file"
        case .notReadable(let reason): "\(file): can't be read: \(reason)"
        case .notADatabase:
            "\(file): not an SQLite database, expected a cache or a new name; the file is left unchanged"
        case .damaged: "\(file): damaged and left unchanged; remove it, or name another file"
        case .placeTaken(let place):
            "\(file): damaged, but its new name \(place) belongs to a file that isn't a database; move one of the two"
        case .anotherDatabase:
            "\(file): a database of another program, expected a cache of this package; name another file"
        case .newerSchema(let version):
            "\(file): created by a later version (tables of version \(version), expected \(CacheSchema.version)); name another file"
        case .database(let reason): "\(file): \(reason)"
        }
    }
}

extension ErrorCode {
    /// The folder of the cache doesn't exist, or isn't a folder.
    static let cacheFolderMissing = ErrorCode("cacheFolderMissing")
    /// The cache, or a file that belongs next to it, can't be created or written.
    public static let cacheNotWritable = ErrorCode("cacheNotWritable")
    /// The cache can't be read.
    static let cacheNotReadable = ErrorCode("cacheNotReadable")
    /// The path names something other than a cache, such as a folder, another file or another program's database.
    static let cacheFileOfAnotherKind = ErrorCode("cacheFileOfAnotherKind")
    /// Group or others have write permission for the cache.
    static let cacheWritableByOthers = ErrorCode("cacheWritableByOthers")
    /// The cache belongs to a user other than this process's and root.
    static let cacheOwnedByAnother = ErrorCode("cacheOwnedByAnother")
    /// The cache is damaged.
    public static let cacheDamaged = ErrorCode("cacheDamaged")
    /// A damaged cache can't be set aside, because another file has the new name.
    static let cachePlaceTaken = ErrorCode("cachePlaceTaken")
    /// A later version of this package created the cache.
    public static let cacheVersionNewer = ErrorCode("cacheVersionNewer")
}

#endif
