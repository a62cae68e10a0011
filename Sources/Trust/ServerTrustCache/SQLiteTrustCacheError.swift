// SPDX-License-Identifier: Apache-2.0

#if Cache || Everything

import PKIX
import ServerTrust

/// The error thrown if a cache can't be opened or listed. Its codes begin with `cache`. The file stays unchanged.
public struct SQLiteTrustCacheError: TrustError, Hashable {
    /// A code and the rest of its message.
    package struct Problem: Error, Hashable {
        let code: ErrorCode
        let text: String

        private init(_ code: ErrorCode, _ text: String) {
            self.code = code
            self.text = text
        }

        /// The folder doesn't exist, or isn't a folder.
        package static func noFolder(_ folder: String) -> Self {
            Self(.cacheFolderMissing, "the folder \(folder) doesn't exist; create it first")
        }
        /// The file, or a file that belongs next to it, can't be created or written. `reason` is the operating system's
        /// message.
        package static func notWritable(_ reason: String) -> Self {
            Self(.cacheNotWritable, "can't be written: \(reason)")
        }
        /// The path names something other than a regular file, such as a folder or a device.
        package static let notAFile = Self(.cacheFileOfAnotherKind, "not a regular file")
        /// Group or others have write permission for the file.
        package static func writableByOthers(_ mode: Int) -> Self {
            let found = "mode \(String(mode, radix: 8))"
            return Self(.cacheWritableByOthers, "others can write to it (\(found)), expected 600; use \"chmod go-w\"")
        }
        /// The file belongs to a user other than this process's and root.
        package static func ownedByAnother(_ user: Int) -> Self {
            Self(
                .cacheOwnedByAnother,
                "belongs to user \(user), expected the user that runs this program; use \"chown\", or name another file"
            )
        }
        /// The file can't be read. `reason` is the operating system's message.
        package static func notReadable(_ reason: String) -> Self {
            Self(.cacheNotReadable, "can't be read: \(reason)")
        }
        /// The file isn't an SQLite database.
        package static let notADatabase = Self(
            .cacheFileOfAnotherKind,
            "not an SQLite database, expected a cache or a new name; the file is left unchanged")
        /// The database is damaged.
        package static let damaged = Self(
            .cacheDamaged, "damaged and left unchanged; remove it, or name another file")
        /// A damaged database can't be set aside, because a file that isn't a database has the new name.
        package static func placeTaken(_ place: String) -> Self {
            Self(
                .cachePlaceTaken,
                "damaged, but its new name \(place) belongs to a file that isn't a database; move one of the two")
        }
        /// The database belongs to another program.
        package static let anotherDatabase = Self(
            .cacheFileOfAnotherKind,
            "a database of another program, expected a cache of this package; name another file")
        /// A later version of this package created the file, with this version of its tables.
        package static func newerSchema(_ version: Int) -> Self {
            let expected = "expected \(CacheSchema.version)"
            return Self(
                .cacheVersionNewer,
                "created by a later version (tables of version \(version), \(expected)); name another file")
        }
        /// SQLite reported an error.
        package static func database(_ reason: String) -> Self { Self(.cacheFailed, reason) }
    }

    /// The path of the file.
    public let file: String
    let problem: Problem

    init(_ problem: Problem, file: String) {
        self.file = file
        self.problem = problem
    }

    /// The kind of error.
    public var code: ErrorCode { problem.code }
    public var message: String { "\(file): \(problem.text)" }
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
