// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Exception store")
struct ExceptionStoreTests {
    /// Returns exceptions for an expired leaf at `host`.
    static func exceptions(
        _ host: String = TrustLab.host, leaf: Certificate? = nil, at time: Time = TestAuthority.now,
        expires: Time? = nil
    ) throws -> TrustExceptions {
        let leaf = try leaf ?? TrustLab.selfSigned { $0.dnsNames = [host] }
        let verdict = try Trust.lab([leaf], anchors: [TrustLab.unrelatedRoot().certificate], host: host, at: time)
            .evaluate()
        return try verdict.exceptions(expires: expires)
    }

    /// Returns the error that an attempt throws, or nil if it throws none.
    static func error(_ attempt: () throws -> Void) -> ExceptionStoreError? {
        do { try attempt() } catch { return error as? ExceptionStoreError }
        return nil
    }

    // MARK: Storing entries

    @Test("A missing file is an empty store, and isn't created until an exception is stored")
    func missing() throws {
        let folder = try StoreFolder()
        let store = try ExceptionStore(file: folder.file)
        #expect(store.all.isEmpty)
        #expect(try store.exceptions(for: Hostname(TrustLab.host), leaf: TrustLab.selfSigned()) == nil)
        #expect(try folder.names().isEmpty)
    }

    @Test("The store finds an added entry by host and leaf, as do stores that open the file later")
    func add() throws {
        let folder = try StoreFolder()
        let store = try ExceptionStore(file: folder.file)
        let leaf = try TrustLab.selfSigned()
        let entry = try Self.exceptions(leaf: leaf)
        try store.add(entry)
        for store in [store, try ExceptionStore(file: folder.file)] {
            #expect(store.all == [entry])
            #expect(store.exceptions(for: try Hostname("WWW.example.com."), leaf: leaf) == entry)
            #expect(store.exceptions(for: try Hostname("api.example.com"), leaf: leaf) == nil)
            #expect(try store.exceptions(for: Hostname(TrustLab.host), leaf: TrustLab.selfSigned()) == nil)
        }
    }

    @Test("A stored exception covers only the same server after a restart")
    func afterRestart() throws {
        let folder = try StoreFolder()
        let lab = try TrustLab()
        let leaf = try lab.expiredLeaf()
        let host = try Hostname(TrustLab.host)
        try ExceptionStore(file: folder.file).add(lab.trust(leaf).evaluate().exceptions())
        let store = try ExceptionStore(file: folder.file)
        var trust = try lab.trust(leaf)
        #expect(trust.setExceptions(try #require(store.exceptions(for: host, leaf: leaf))) == .fits)
        #expect(trust.evaluate().result == .proceed)
        let other = try lab.expiredLeaf()
        #expect(store.exceptions(for: host, leaf: other) == nil)
    }

    @Test("A newer entry for the same host and leaf replaces the older one, and any other is added")
    func replace() throws {
        let folder = try StoreFolder()
        let store = try ExceptionStore(file: folder.file)
        let leaf = try TrustLab.selfSigned { $0.dnsNames = [TrustLab.host, "api.example.com"] }
        let older = try Self.exceptions(leaf: leaf)
        let newer = try Self.exceptions(leaf: leaf, expires: TestAuthority.now.advanced(by: 5))
        let otherHost = try Self.exceptions("api.example.com", leaf: leaf)
        let otherLeaf = try Self.exceptions()
        for entry in [older, otherHost, otherLeaf, newer] { try store.add(entry) }
        #expect(Set(store.all) == [newer, otherHost, otherLeaf])
        #expect(store.all.count == 3)
        #expect(store.exceptions(for: try Hostname(TrustLab.host), leaf: leaf) == newer)
        #expect(try ExceptionStore(file: folder.file).all == store.all)
    }

    @Test("Removing the entries of a host removes nothing else")
    func removeAll() throws {
        let folder = try StoreFolder()
        let store = try ExceptionStore(file: folder.file)
        for host in ["a.example.com", "a.example.com", "b.example.com", "example.com"] {
            try store.add(Self.exceptions(host))
        }
        #expect(store.all.count == 4)
        try store.removeAll(for: Hostname("A.example.com"))
        #expect(store.all.map(\.host) == ["b.example.com", "example.com"])
        try store.removeAll(for: Hostname("nobody.example.com"))
        #expect(try ExceptionStore(file: folder.file).all == store.all)
        #expect(store.all.count == 2)
    }

    @Test("The store removes an expired entry, which counts through its last second")
    func removeExpired() throws {
        let folder = try StoreFolder()
        let store = try ExceptionStore(file: folder.file)
        let end = TestAuthority.now.advanced(by: 100)
        try store.add(Self.exceptions("a.example.com", expires: end))
        try store.add(Self.exceptions("b.example.com", expires: end.advanced(by: 1)))
        try store.add(Self.exceptions("c.example.com"))
        try store.removeExpired(at: end)
        #expect(store.all.count == 3)
        try store.removeExpired(at: end.advanced(by: 1))
        #expect(store.all.map(\.host) == ["b.example.com", "c.example.com"])
        try store.removeExpired(at: Time(secondsSinceEpoch: .max))
        #expect(store.all.map(\.host) == ["c.example.com"])
        #expect(try ExceptionStore(file: folder.file).all == store.all)
    }

    @Test("The store keeps creation dates and end dates to the second")
    func dates() throws {
        let folder = try StoreFolder()
        let store = try ExceptionStore(file: folder.file)
        let seconds: [Int64] = [-86_400, 0, 951_782_400, 2_147_483_648, 4_102_444_799, 253_402_300_799]
        for (index, second) in seconds.enumerated() {
            let time = Time(secondsSinceEpoch: second)
            let entry = try Self.exceptions("h\(index).example.com", at: time, expires: time.advanced(by: -1))
            #expect(entry.created == time)
            try store.add(entry)
        }
        let read = try ExceptionStore(file: folder.file).all
        #expect(read == store.all)
        #expect(read.map(\.created.secondsSinceEpoch) == seconds)
        #expect(read.map(\.expires?.secondsSinceEpoch) == seconds.map { $0 - 1 })
    }

    // MARK: The file

    @Test("Only the owner can read and write to the file, even if others could before")
    func mode() throws {
        let folder = try StoreFolder()
        try ExceptionStore(file: folder.file).add(Self.exceptions())
        #expect(try folder.mode() == 0o600)
        #expect(try folder.mode("exceptions.json.lock") == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.file)
        try ExceptionStore(file: folder.file).add(Self.exceptions())
        #expect(try folder.mode() == 0o600)
        #expect(try ExceptionStore(file: folder.file).all.count == 2)
    }

    @Test("Only the file and its lock remain, even after a crash")
    func leftovers() throws {
        let folder = try StoreFolder()
        let store = try ExceptionStore(file: folder.file)
        try folder.write("half of an older file", "exceptions.json.new")
        for _ in 0..<5 { try store.add(Self.exceptions()) }
        try store.removeExpired(at: TestAuthority.now)
        #expect(try folder.names() == ["exceptions.json", "exceptions.json.lock"])
        #expect(try ExceptionStore(file: folder.file).all.count == 5)
    }

    @Test("The file is JSON with a version and ends with a line break")
    func format() throws {
        let folder = try StoreFolder()
        try ExceptionStore(file: folder.file).add(Self.exceptions())
        let bytes = try folder.bytes()
        let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        #expect(object?["schemaVersion"] as? Int == 1)
        #expect((object?["exceptions"] as? [Any])?.count == 1)
        #expect(bytes.last == 0x0a)
    }

    static let malformedRows: [(sentence: String, text: String)] = [
        ("nothing", ""), ("no JSON", "hello"), ("a list", "[]"), ("no version", #"{"exceptions":[]}"#),
        ("another version", #"{"schemaVersion":2,"exceptions":[]}"#),
        ("a version that is text", #"{"schemaVersion":"1","exceptions":[]}"#),
        ("no list", #"{"schemaVersion":1}"#), ("a list of something else", #"{"schemaVersion":1,"exceptions":[1]}"#),
        ("half an entry", #"{"schemaVersion":1,"exceptions":[{"host":"www.example.com"}]}"#),
        (
            "an entry without failures",
            #"{"schemaVersion":1,"exceptions":[{"host":"a.example","leafSHA256":"00","created":"2026-11-18T11:06:40Z"}]}"#
        ),
        (
            "a date that isn't a date",
            #"{"schemaVersion":1,"exceptions":[{"host":"a.example","leafSHA256":"00","failures":[],"created":"yesterday"}]}"#
        ),
        (
            "an end that isn't a date",
            #"{"schemaVersion":1,"exceptions":[{"host":"a.example","leafSHA256":"00","failures":[],"created":"2026-11-18T11:06:40Z","expires":"never"}]}"#
        ),
        ("cut off", #"{"schemaVersion":1,"exceptions":["#),
    ]

    @Test("A malformed file causes an error, is never an empty store, and stays unchanged", arguments: malformedRows)
    func malformed(sentence: String, text: String) throws {
        let folder = try StoreFolder()
        let store = try ExceptionStore(file: folder.file)
        let entry = try Self.exceptions()
        try store.add(entry)
        try folder.write(text)
        for attempt: () throws -> Void in [
            { _ = try ExceptionStore(file: folder.file) },
            { try store.add(entry) },
            { try store.removeExpired(at: TestAuthority.now) },
            { try store.reload() },
        ] {
            #expect(Self.error(attempt)?.code == .exceptionFileMalformed)
        }
        #expect(try folder.bytes() == [UInt8](text.utf8))
        #expect(store.all == [entry])
        #expect(try folder.names() == ["exceptions.json", "exceptions.json.lock"])
    }

    @Test("A file that is truncated anywhere causes an error")
    func truncated() throws {
        let folder = try StoreFolder()
        try ExceptionStore(file: folder.file).add(Self.exceptions(expires: TestAuthority.notAfter))
        let text = String(decoding: try folder.bytes(), as: UTF8.self)
        // The last two bytes are the closing brace and the line break.
        for length in stride(from: 0, to: text.utf8.count - 1, by: 7) {
            try folder.write(String(text.prefix(length)))
            #expect(throws: ExceptionStoreError.self) { try ExceptionStore(file: folder.file) }
        }
    }

    @Test("A file that is too large causes an error")
    func tooLarge() throws {
        let folder = try StoreFolder()
        let size = ExceptionStore.maximumSize + 1
        try Data(count: size).write(to: URL(fileURLWithPath: folder.file))
        let error = Self.error { _ = try ExceptionStore(file: folder.file) }
        #expect(error?.code == .exceptionFileTooLarge && error?.size == size)
    }

    @Test("A file that others can write to causes an error that states its permissions")
    func writableByOthers() throws {
        let folder = try StoreFolder()
        try ExceptionStore(file: folder.file).add(Self.exceptions())
        try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: folder.file)
        let error = Self.error { _ = try ExceptionStore(file: folder.file) }
        #expect(error?.code == .exceptionFileWritableByOthers)
        #expect(error?.permissions == 0o664 && error?.size == nil && error?.file == folder.file)
    }

    // MARK: Places that can't be read or written

    @Test("An unreadable location causes an error, and is never an empty store")
    func unreadable() throws {
        let folder = try StoreFolder()
        try folder.folder("exceptions.json")
        try folder.write("", "file")
        // A folder, a path below a file, and an impossible file name.
        for file in [
            folder.file, folder.path + "/file/exceptions.json", folder.path + "/" + String(repeating: "x", count: 300),
        ] {
            let error = #expect(throws: ExceptionStoreError.self) { try ExceptionStore(file: file) }
            #expect(error?.code == .exceptionFileNotReadable)
            #expect(error?.file == file)
        }
    }

    @Test("A location that isn't writable causes an error, and nothing changes in memory either")
    func unwritable() throws {
        let entry = try Self.exceptions()
        // A missing folder. For users who can write anywhere, folders instead of the lock and the new file.
        let missing = try StoreFolder()
        let locked = try StoreFolder()
        try locked.folder("exceptions.json.lock")
        let blocked = try StoreFolder()
        try ExceptionStore(file: blocked.file).add(entry)
        try blocked.folder("exceptions.json.new")
        for (file, before) in [(missing.path + "/no/exceptions.json", []), (locked.file, []), (blocked.file, [entry])] {
            let store = try ExceptionStore(file: file)
            for attempt: () throws -> Void in [
                { try store.removeExpired(at: TestAuthority.now) },
                { try store.add(entry) },
            ] {
                #expect(Self.error(attempt)?.code == .exceptionFileNotWritable, "\(file)")
            }
            #expect(store.all == before)
            #expect(try ExceptionStore(file: file).all == before)
        }
        #expect(try blocked.names() == ["exceptions.json", "exceptions.json.lock", "exceptions.json.new"])
    }

    // MARK: Concurrent stores

    @Test("A store reads another store's changes when it makes a change and when it reloads")
    func otherStore() throws {
        let folder = try StoreFolder()
        let stores = try (0..<3).map { _ in try ExceptionStore(file: folder.file) }
        for (index, store) in stores.enumerated() { try store.add(Self.exceptions("h\(index).example.com")) }
        #expect(stores.map(\.all.count) == [1, 2, 3])
        try stores[0].reload()
        #expect(stores[0].all == stores[2].all)
        try stores[1].removeAll(for: Hostname("h0.example.com"))
        #expect(stores[1].all.map(\.host) == ["h1.example.com", "h2.example.com"])
        try FileManager.default.removeItem(atPath: folder.file)
        try stores[0].reload()
        #expect(stores[0].all.isEmpty)
    }

    @Test("Stores that change the same file concurrently lose nothing, and readers never see a partial file")
    func threads() async throws {
        let folder = try StoreFolder()
        let file = folder.file
        let shared = try ExceptionStore(file: file)
        let leaf = try TrustLab.selfSigned()
        try await withThrowingTaskGroup { group in
            for writer in 0..<4 {
                group.addTask {
                    // Half of the writers share a store.
                    let store = try writer % 2 == 0 ? shared : ExceptionStore(file: file)
                    for index in 0..<10 {
                        try store.add(Self.exceptions("h\(index).w\(writer).example.com", leaf: leaf))
                        #expect(store.all.contains { $0.host == "h\(index).w\(writer).example.com" })
                    }
                    try store.removeAll(for: Hostname("h0.w\(writer).example.com"))
                }
            }
            group.addTask {
                for _ in 0..<50 {
                    let seen = try ExceptionStore(file: file).all
                    #expect(Set(seen.map(\.host)).count == seen.count)
                }
            }
            try await group.waitForAll()
        }
        let hosts = (0..<4).flatMap { writer in (1..<10).map { "h\($0).w\(writer).example.com" } }
        let all = try ExceptionStore(file: file).all
        #expect(Set(all.map(\.host)) == Set(hosts))
        #expect(all.count == hosts.count)
        #expect(try folder.names() == ["exceptions.json", "exceptions.json.lock"])
    }

    @Test("Processes that change the same file concurrently lose nothing")
    func processes() async throws {
        let folder = try StoreFolder()
        let file = folder.file
        await withTaskGroup { group in
            for process in 0..<3 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [file = file as String, process = process as Int] in
                        let store = try ExceptionStore(file: file)
                        for index in 0..<10 {
                            try store.add(ExceptionStoreTests.exceptions("h\(index).p\(process).example.com"))
                        }
                    }
                }
            }
        }
        let hosts = (0..<3).flatMap { process in (0..<10).map { "h\($0).p\(process).example.com" } }
        #expect(Set(try ExceptionStore(file: file).all.map(\.host)) == Set(hosts))
        #expect(try folder.names() == ["exceptions.json", "exceptions.json.lock"])
    }

    // MARK: The tests' folders

    @Test("Every test has its own folder, which is removed when the test ends")
    func folders() throws {
        var folders: [StoreFolder] = try (0..<10).map { _ in try StoreFolder() }
        let paths = folders.map(\.path)
        #expect(Set(paths).count == 10)
        #expect(paths.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        for folder in folders { try folder.write("x") }
        folders = []
        #expect(paths.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
    }
}
