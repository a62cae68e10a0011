// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustCache
import Testing

/// A folder for one test, removed at its end.
final class CacheScene {
    let folder: String
    var file: String { folder + "/trust.sqlite" }

    private let recorder = WarningRecorder()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The cache's warnings.
    var warnings: [String] { recorder.texts }

    func open(
        maximumBytes: Int = 64 << 20, damaged: SQLiteTrustCache.DamagedFilePolicy = .setAside
    ) throws -> SQLiteTrustCache {
        let recorder = recorder
        return try SQLiteTrustCache(file: file, maximumBytes: maximumBytes, damaged: damaged) { recorder.add($0) }
    }

    /// Creates a user's file next to the cache, or instead of it.
    func write(_ contents: Data, suffix: String = "") throws {
        _ = FileManager.default.createFile(
            atPath: file + suffix, contents: contents, attributes: [.posixPermissions: 0o600])
    }

    /// Every file in the folder with its bytes, its inode number and its modification date.
    func snapshot() throws -> [String: [String]] {
        var files: [String: [String]] = [:]
        for name in try names() {
            var status = stat()
            #expect(stat(folder + "/" + name, &status) == 0)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
            files[name] = [
                bytes.base64EncodedString(), "\(status.st_ino)", "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)",
            ]
        }
        return files
    }

    /// The names in the folder, sorted.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions] as? Int
    }

    /// `@unchecked`: only code that has `lock` reads and writes `texts`.
    private final class WarningRecorder: @unchecked Sendable {
        private let lock = NSLock()
        private var list: [String] = []

        var texts: [String] { lock.withLock { list } }
        func add(_ text: String) { lock.withLock { list.append(text) } }
    }
}

extension TrustResource {
    static func numbered(_ number: Int) -> TrustResource {
        TrustResource(.crl, url: "http://crl.example.com/\(number)")
    }
}

extension TrustResourceEntry {
    static func numbered(_ number: Int, size: Int = 100, fetched: Int64 = 1000, age: Duration? = nil)
        -> TrustResourceEntry
    {
        TrustResourceEntry(
            resource: .numbered(number), bytes: Array(repeating: UInt8(truncatingIfNeeded: number), count: size),
            fetched: Time(secondsSinceEpoch: fetched), maximumAge: age)
    }
}

/// Returns the error that the closure throws.
func cacheError(_ body: () throws -> Void) -> SQLiteTrustCacheError? {
    do { try body() } catch { return error as? SQLiteTrustCacheError }
    return nil
}
