import Foundation
import PKIX
import ServerTrust
import ServerTrustCache

/// A folder of one test's own, gone when the test is over.
final class CacheScene {
    let folder: String
    var file: String { folder + "/trust.sqlite" }

    private let told = Told()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// What was warned of.
    var warnings: [String] { told.texts }

    func open(maximumBytes: Int = 64 << 20) throws -> SQLiteTrustCache {
        let told = told
        return try SQLiteTrustCache(file: file, maximumBytes: maximumBytes) { told.add($0) }
    }

    /// The names in the folder, sorted.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions] as? Int
    }

    /// `@unchecked`: `texts` is read and written under `lock` alone.
    private final class Told: @unchecked Sendable {
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
    static func numbered(_ number: Int, size: Int = 100, fetched: Int64 = 1000, age: Int? = nil) -> TrustResourceEntry {
        TrustResourceEntry(
            resource: .numbered(number), bytes: Array(repeating: UInt8(truncatingIfNeeded: number), count: size),
            fetched: Time(secondsSinceEpoch: fetched), maximumAge: age)
    }
}
