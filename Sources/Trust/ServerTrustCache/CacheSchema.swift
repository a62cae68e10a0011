// SPDX-License-Identifier: Apache-2.0

#if Cache || Everything

import GRDB

/// The tables of the cache.
///
/// There is only one version so far. A cache of another version contains only data that can be fetched again.
enum CacheSchema {
    /// The identifier in the file's header ("sTrC"), so that another program's database isn't mistaken for a cache.
    static let application = 0x7354_7243
    static let version = 1

    enum Finding {
        /// The database is empty.
        case empty
        case current
        case newer(Int)
        case foreign

        /// Returns whether the database is empty.
        /// - Throws: an error for a database that this version can't use.
        func isEmpty() throws(SQLiteTrustCacheError.Problem) -> Bool {
            switch self {
            case .empty: return true
            case .current: return false
            case .newer(let version): throw .newerSchema(version)
            case .foreign: throw .anotherDatabase
            }
        }
    }

    static func inspect(_ database: Database) throws -> Finding {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        if application == Self.application { return version == Self.version ? .current : .newer(version) }
        return application == 0 && version == 0 && tables == 0 ? .empty : .foreign
    }

    /// Creates the tables that files from earlier versions don't have. A cache is also correct without them: they
    /// contain the validators of entries, each bound to its entry's digest, and the size that a user reserved for the
    /// file.
    static func addOptionalTables(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS validator (
                    key BLOB PRIMARY KEY NOT NULL, entityTag TEXT, modified TEXT, digest BLOB NOT NULL
                );
                CREATE TABLE IF NOT EXISTS reserved (bytes INTEGER NOT NULL);
                CREATE TRIGGER IF NOT EXISTS entryRemovedWithValidator AFTER DELETE ON entry
                    BEGIN DELETE FROM validator WHERE key = old.key; END;
                """)
    }

    /// Returns whether the tables of ``addOptionalTables(to:)`` exist.
    static func hasOptionalTables(_ database: Database) throws -> Bool {
        let names = "'validator', 'reserved', 'entryRemovedWithValidator'"
        return try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master WHERE name IN (\(names))") == 3
    }

    /// Creates the tables. `used` increases with every use, so that the order of eviction doesn't depend on a clock.
    /// Triggers maintain the sum of the sizes, so that a store doesn't have to compute it.
    static func make(in database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE entry (
                    key BLOB PRIMARY KEY NOT NULL,
                    kind TEXT NOT NULL,
                    url TEXT NOT NULL,
                    fetched INTEGER NOT NULL,
                    maximumAge INTEGER,
                    used INTEGER NOT NULL,
                    size INTEGER NOT NULL,
                    digest BLOB NOT NULL,
                    body BLOB NOT NULL
                );
                CREATE INDEX entryByUse ON entry (used, size);
                CREATE TABLE total (bytes INTEGER NOT NULL);
                INSERT INTO total VALUES (0);
                CREATE TRIGGER entryAdded AFTER INSERT ON entry
                    BEGIN UPDATE total SET bytes = bytes + new.size; END;
                CREATE TRIGGER entryRemoved AFTER DELETE ON entry
                    BEGIN UPDATE total SET bytes = bytes - old.size; END;
                PRAGMA application_id = \(application);
                PRAGMA user_version = \(version);
                """)
    }
}

#endif
