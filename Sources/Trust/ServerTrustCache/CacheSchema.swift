// SPDX-License-Identifier: Apache-2.0

#if Cache || Everything

import GRDB

/// The tables of the cache.
///
/// There is only one version so far. Opening a cache of a later version fails, because this version doesn't know what
/// its tables mean.
enum CacheSchema {
    /// The identifier in the file's header ("sTrC"), so that another program's database isn't mistaken for a cache.
    static let application = 0x7354_7243
    static let version = 1

    /// Returns whether the database is empty.
    /// - Throws: `SQLiteTrustCacheError.Problem` for a database that this version can't use.
    static func isEmpty(_ database: Database) throws -> Bool {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        if application == 0, version == 0, tables == 0 { return true }
        typealias Problem = SQLiteTrustCacheError.Problem
        guard application == Self.application else { throw Problem.anotherDatabase }
        guard version <= Self.version else { throw Problem.newerSchema(version) }
        guard version == Self.version else { throw Problem.damaged }
        return false
    }

    /// Creates the tables.
    ///
    /// `fetched` is in seconds since 1970, `maximumAge` in seconds, `size` in bytes. `used` increases with every use, so
    /// that the order of eviction doesn't depend on a clock. Triggers maintain the sum of the sizes, so that a store
    /// doesn't have to compute it. No code changes a row's size. Each validator is bound to its entry's digest.
    /// `reserved` has the size that a user reserved for the file.
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
                CREATE TABLE validator (
                    key BLOB PRIMARY KEY NOT NULL, entityTag TEXT, modified TEXT, digest BLOB NOT NULL
                );
                CREATE TRIGGER entryRemovedWithValidator AFTER DELETE ON entry
                    BEGIN DELETE FROM validator WHERE key = old.key; END;
                CREATE TABLE reserved (bytes INTEGER NOT NULL);
                PRAGMA application_id = \(application);
                PRAGMA user_version = \(version);
                """)
    }
}

#endif
