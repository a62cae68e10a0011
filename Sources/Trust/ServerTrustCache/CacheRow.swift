// SPDX-License-Identifier: Apache-2.0

#if Cache || Everything

import Foundation
import GRDB
import PKIX
import ServerTrust

/// One row of the table of entries.
struct CacheRow {
    /// The result of a search for a row.
    enum Found {
        case entry(TrustResourceEntry)
        case nothing
        case damaged
    }

    /// The bytes that each entry counts in addition to its own size.
    static let overhead = 512

    private let key: Data
    private let kind: String
    private let url: String
    private let fetched: Int64
    /// The lifetime that the server states for caches, in seconds.
    private let maximumAge: Int64?
    private let used: Int64
    private let digest: Data
    private let body: Data
    private let validators: TrustResourceValidators?

    /// Finds the row of a resource.
    /// - Throws: `RowDecodingError` if a column contains a value of another type than was stored. Columns in SQLite
    ///   have no fixed type.
    static func find(_ resource: TrustResource, in database: Database) throws -> CacheRow? {
        let key = Data(resource.digest)
        let sql = "SELECT kind, url, fetched, maximumAge, used, digest, body FROM entry WHERE key = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [key]) else { return nil }
        // Uses `decode`, because the subscript would end the process if the type is wrong.
        return CacheRow(
            key: key, kind: try row.decode(forColumn: "kind"), url: try row.decode(forColumn: "url"),
            fetched: try row.decode(forColumn: "fetched"), maximumAge: try row.decode(forColumn: "maximumAge"),
            used: try row.decode(forColumn: "used"), digest: try row.decode(forColumn: "digest"),
            body: try row.decode(forColumn: "body"), validators: try validators(key, row, database))
    }

    /// Returns the validators of a row, or nil if it has none or they belong to other bytes.
    private static func validators(_ key: Data, _ row: Row, _ database: Database) throws -> TrustResourceValidators? {
        let sql = "SELECT entityTag, modified, digest FROM validator WHERE key = ?"
        guard let found = try Row.fetchOne(database, sql: sql, arguments: [key]) else { return nil }
        let (tag, modified): (String?, String?)
        let digest: Data
        do {
            tag = try found.decode(forColumn: "entityTag")
            modified = try found.decode(forColumn: "modified")
            digest = try found.decode(forColumn: "digest")
        } catch is RowDecodingError {
            return nil
        }
        let own = validatorDigest(try row.decode(forColumn: "digest"), tag, modified)
        return digest == own ? TrustResourceValidators(entityTag: tag, modified: modified) : nil
    }

    private static func validatorDigest(_ entry: Data, _ tag: String?, _ modified: String?) -> Data {
        Data(Digests.sha256([UInt8](entry) + Array("\(tag ?? "-")\n\(modified ?? "-")".utf8)))
    }

    /// Returns the size that a user reserved for the file, in bytes. 0 if there is no reservation.
    static func reserved(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT max(bytes) FROM reserved WHERE typeof(bytes) = 'integer'") ?? 0
    }

    /// Returns the entry of the row.
    /// - Returns: nil if it isn't the entry that was stored for this resource.
    func entry(for resource: TrustResource) -> TrustResourceEntry? {
        let bytes = [UInt8](body)
        guard kind == resource.kind.rawValue, url == resource.url,
            [UInt8](digest) == Self.digest(of: resource, bytes, fetched, maximumAge)
        else { return nil }
        var entry = TrustResourceEntry(
            resource: resource, bytes: bytes, fetched: Time(secondsSinceEpoch: fetched),
            maximumAge: maximumAge.map { .seconds($0) })
        entry.validators = validators
        return entry
    }

    /// Returns a digest over all parts of the entry, so that parts of two entries can't be mixed.
    private static func digest(
        of resource: TrustResource, _ bytes: [UInt8], _ fetched: Int64, _ maximumAge: Int64?
    ) -> [UInt8] {
        Digests.sha256(
            resource.digest + Digests.sha256(bytes) + Array("\(fetched) \(maximumAge.map { "\($0)" } ?? "-")".utf8))
    }

    func markUsed(in database: Database) throws {
        let last = try Self.lastUse(in: database)
        guard used < last else { return }
        try database.execute(sql: "UPDATE entry SET used = ? WHERE key = ?", arguments: [last + 1, key])
    }

    /// Returns the highest use number. Ignores values of another type.
    private static func lastUse(in database: Database) throws -> Int64 {
        let sql = "SELECT used FROM entry WHERE typeof(used) = 'integer' ORDER BY used DESC LIMIT 1"
        let last = try Int64.fetchOne(database, sql: sql) ?? 0
        guard last == .max else { return last }
        // No sequence of uses reaches this number, so another program wrote it.
        try database.execute(sql: "UPDATE entry SET used = 0")
        return 0
    }

    static func total(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT bytes FROM total") ?? 0
    }

    static func remove(_ resource: TrustResource, from database: Database) throws {
        try database.execute(sql: "DELETE FROM entry WHERE key = ?", arguments: [Data(resource.digest)])
    }

    /// Stores an entry within the given size, or within the size that a user reserved for the file if that is larger.
    static func store(_ entry: TrustResourceEntry, in database: Database, maximumBytes: Int) throws {
        let maximumBytes = max(maximumBytes, try reserved(in: database))
        try remove(entry.resource, from: database)
        let size = entry.bytes.count + entry.resource.url.utf8.count + overhead
        guard size <= maximumBytes else { return }
        while try total(in: database) > maximumBytes - size {
            try database.execute(
                sql: "DELETE FROM entry WHERE rowid = (SELECT rowid FROM entry ORDER BY used, size LIMIT 1)")
            // There is no row left, although the sum of the sizes says otherwise.
            guard database.changesCount > 0 else { break }
        }
        let seconds = entry.fetched.secondsSinceEpoch
        let maximumAge = entry.maximumAge?.wholeSeconds
        let resource = entry.resource
        let digest = Data(digest(of: resource, entry.bytes, seconds, maximumAge))
        try database.execute(
            sql: """
                INSERT INTO entry (key, kind, url, fetched, maximumAge, used, size, digest, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Data(resource.digest), resource.kind.rawValue, resource.url, seconds, maximumAge,
                try lastUse(in: database) + 1, size,
                digest, Data(entry.bytes),
            ])
        guard let validators = entry.validators else { return }
        let (tag, modified) = (validators.entityTag, validators.modified)
        try database.execute(
            sql: "INSERT OR REPLACE INTO validator (key, entityTag, modified, digest) VALUES (?, ?, ?, ?)",
            arguments: [Data(resource.digest), tag, modified, validatorDigest(digest, tag, modified)])
    }
}

#endif
