// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust
@testable import ServerTrustTesting

/// Folders of filters with a manifest.
@Suite struct RevocationFilterFolderTests {
    static let log = [UInt8](repeating: 7, count: 32)
    static let issuer = [UInt8](repeating: 9, count: 32)

    /// Returns a filter for one log and one issuer.
    static func filter(_ issuer: [UInt8] = issuer, isRevoked: Bool, last: UInt64 = 1_800_000_000_000) -> [UInt8] {
        TestRevocationFilter(logs: [(log, 0, last)], issuers: [(issuer, isRevoked)]).bytes
    }

    static let complete = filter(isRevoked: false)
    static let delta = filter(isRevoked: true)
    static let usual = TestFilterManifest(
        files: [("20260304-1-default.filter", complete), ("20260305-0-default.filter.delta", delta)])

    /// Creates a folder with the files of a manifest.
    private func folder(_ manifest: TestFilterManifest = usual, json: String? = nil) throws -> StoreFolder {
        let folder = try StoreFolder()
        for file in manifest.files {
            try Data(file.bytes).write(to: URL(fileURLWithPath: "\(folder.path)/\(file.name)"))
        }
        try folder.write(json ?? manifest.json, "manifest.json")
        return folder
    }

    private func problem(_ folder: StoreFolder) -> String? {
        do throws(RevocationFilterFileError) {
            _ = try RevocationFilterFolder(contentsOfFolder: folder.path)
            return nil
        } catch {
            return error.description.replacingOccurrences(of: folder.path + "/", with: "")
        }
    }

    @Test("The folder opens all filters in the manifest, both complete ones and changes, and ignores other files")
    func isRead() throws {
        let folder = try folder()
        try folder.write("nonsense", "old.filter")
        let read = try RevocationFilterFolder(contentsOfFolder: folder.path)
        #expect(read.filters.map { $0.isDelta } == [false, true])
        #expect(read.date == TestAuthority.now)
        #expect(read.path == folder.path)
        #expect(read.manifest.comment == "a test")
        let stamps = [(log: Self.log, milliseconds: UInt64(5))]
        let statuses = read.filters.map { $0.status(issuerKey: Self.issuer, serial: [1], timestamps: stamps) }
        #expect(statuses == [.good, .revoked])
    }

    @Test("The manifest can use the name list for its files") func filesForFilters() throws {
        let json = Self.usual.json.replacingOccurrences(of: #""filters""#, with: #""files""#)
        let folder = try folder(json: json)
        #expect(problem(folder) == nil)
    }

    @Test(
        "A file that is missing, shorter, different, not a filter or not a regular file causes an error that names it"
    )
    func otherFiles() throws {
        let name = "20260305-0-default.filter.delta"
        let url = { (folder: StoreFolder) in URL(fileURLWithPath: "\(folder.path)/\(name)") }
        let missing = try folder()
        try FileManager.default.removeItem(at: url(missing))
        #expect(problem(missing) == "\(name): No such file or directory")
        let shorter = try folder()
        try Data(Self.delta.dropLast()).write(to: url(shorter))
        #expect(problem(shorter) == "\(name): \(Self.delta.count - 1) bytes, expected \(Self.delta.count)")
        let different = try folder()
        try Data(Self.complete).write(to: url(different))
        let digests = [Self.complete, Self.delta].map { Hex.encode(Digests.sha256($0)) }
        #expect(problem(different) == "\(name): SHA-256 \(digests[0]), expected \(digests[1])")
        let link = try folder()
        try FileManager.default.moveItem(at: url(link), to: URL(fileURLWithPath: link.path + "/other"))
        try FileManager.default.createSymbolicLink(atPath: url(link).path, withDestinationPath: "other")
        #expect(problem(link) == "\(name): a symbolic link, expected a regular file")
        let directory = try folder()
        try FileManager.default.removeItem(at: url(directory))
        try directory.folder(name)
        #expect(problem(directory) == "\(name): not a regular file")
        let pipe = try folder()
        try FileManager.default.removeItem(at: url(pipe))
        #expect(mkfifo(url(pipe).path, 0o600) == 0)
        #expect(problem(pipe) == "\(name): not a regular file")
        let nonsense = try folder(TestFilterManifest(files: [("a.filter", [1, 2, 3])]))
        #expect(problem(nonsense)?.hasPrefix("a.filter: not a CRLite filter: version at byte 0") == true)
    }

    private static let digest = Hex.encode([UInt8](repeating: 1, count: 32))

    /// Returns a manifest with one entry.
    private static func manifest(_ name: String = "a.filter", size: String = "3", hash: String = digest) -> String {
        #"{"generated_at":1,"filters":[{"filename":"\#(name)","size":\#(size),"hash":"\#(hash)"}]}"#
    }

    private static let wrongNames: [String] = [
        "../x.filter", "/etc/x.filter", "a/b.filter", "..", ".filter", "a.filter\\u0000", "a b.filter", "ä.filter", "",
        "a.txt", "a.filter.new", "manifest.json", "%2e%2e%2fa.filter", String(repeating: "a", count: 130) + ".filter",
    ]
    private static let wrongSizes: [String] = [
        "-1", "9223372036854775808", "18446744073709551615", "1e3", "268435457", "\"3\"", "null",
    ]
    private static let wrongHashes: [String] = [
        "", digest + "00", String(digest.dropLast(2)), String(repeating: "zz", count: 32),
    ]

    /// Returns a manifest with these entries.
    private static func manifest(of entries: [String]) -> String {
        #"{"generated_at":1,"filters":[\#(entries.joined(separator: ","))]}"#
    }

    private static let wrongLists: [(String, String)] = [
        ("", "expected a value"), ("{", "expected a key in quotes"), ("[]", "expected an object"),
        ("{}", "expected generated_at"), (#"{"generated_at":1}"#, "expected either filters or files"),
        (#"{"generated_at":1,"filters":[],"files":[]}"#, "expected either filters or files"),
        (manifest(of: []), "expected 1 to 1024 filters, found 0"),
        (#"{"generated_at":1,"filters":{}}"#, "expected an array"),
        (#"{"generated_at":-1,"filters":[]}"#, "expected generated_at in seconds"),
        (#"{"generated_at":9223372036854775807,"filters":[]}"#, "expected generated_at in seconds"),
        (manifest(of: [#"{"filename":"a.filter"}"#]), "expected filename, size and hash of filter 0"),
        (#"{"generated_at":1,"generated_at":2,"filters":[]}"#, "once"),
        (
            manifest(of: ["a.filter", "A.filter"].map { TestFilterManifest.entry($0, complete) }),
            "expected each filter once, found A.filter again"
        ),
        (manifest(of: large), "expected filters of at most 1073741824 bytes in total"),
        (manifest(of: [String](repeating: "0", count: 1_025)), "expected 1 to 1024 filters, found 1025"),
        (manifest(of: [String](repeating: "{}", count: 1_000_000)), "over 1048576 bytes"),
    ]

    /// Five entries of the maximum size.
    private static let large: [String] = (0..<5).map { index in
        #"{"filename":"\#(index).filter","size":268435456,"hash":"\#(digest)"}"#
    }

    static var wrong: [(json: String, error: String)] {
        var rows: [(json: String, error: String)] = []
        for name in wrongNames {
            rows.append((manifest(name), "a name of letters, digits, '.', '-' and '_' that ends in .filter or .delta"))
        }
        for size in wrongSizes { rows.append((manifest(size: size), "expected the size of a.filter, 0 to 268435456")) }
        for hash in wrongHashes {
            rows.append((manifest(hash: hash), "expected the SHA-256 of a.filter, 64 hexadecimal digits"))
        }
        return rows + wrongLists
    }

    @Test("A malformed manifest causes an error that states what was expected", .timeLimit(.minutes(10)))
    func wrongManifests() throws {
        for (json, error) in Self.wrong {
            let found = problem(try folder(TestFilterManifest(files: []), json: json))
            #expect(found?.contains(error) == true, "\(json.prefix(120)): \(found ?? "no error")")
            #expect(found?.hasPrefix("manifest.json: ") == true)
            #expect((found?.utf8.count ?? 0) < 400)
        }
        let none = try StoreFolder()
        #expect(problem(none) == "manifest.json: No such file or directory")
    }

    @Test(
        "Every truncation of a manifest causes an error, and every flipped bit causes an error or yields a manifest of plain names"
    )
    func damagedManifests() throws {
        let bytes = Array(Self.usual.json.utf8)
        for count in 0..<bytes.count {
            #expect(throws: RevocationFilterFileError.self) {
                try RevocationFilterManifest(Array(bytes[..<count]), name: "m")
            }
        }
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                guard let read = try? RevocationFilterManifest(flipped, name: "m") else { continue }
                #expect(read.files.allSatisfy { !$0.name.contains("/") && !$0.name.hasPrefix(".") })
                #expect(read.files.count == 2)
            }
        }
    }

    @Test("A filter that is replaced or removed after it was opened stays as it was")
    func replacedAfterwards() throws {
        let folder = try folder()
        let read = try RevocationFilterFolder(contentsOfFolder: folder.path)
        try Data(Self.delta).write(
            to: URL(fileURLWithPath: "\(folder.path)/20260304-1-default.filter"), options: .atomic)
        try FileManager.default.removeItem(atPath: "\(folder.path)/20260305-0-default.filter.delta")
        let stamps = [(log: Self.log, milliseconds: UInt64(5))]
        let statuses = read.filters.map { $0.status(issuerKey: Self.issuer, serial: [1], timestamps: stamps) }
        #expect(statuses == [.good, .revoked])
        #expect(problem(folder)?.contains("SHA-256") == true)
    }
}
