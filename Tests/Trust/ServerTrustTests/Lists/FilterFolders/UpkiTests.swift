// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing
import TrustScenes

@testable import ServerTrust
@testable import ServerTrustTesting

/// The filters in upki's cache.
@Suite struct UpkiTests {
    /// Returns a folder with upki's cache in `cache`.
    private func installed(_ configuration: String? = "cache-dir = \"CACHE\"") throws -> StoreFolder {
        let folder = try StoreFolder()
        for name in ["cache", "cache/revocation", "config", "config/upki"] { try folder.folder(name) }
        let manifest = RevocationFilterFolderTests.usual
        for file in manifest.files {
            try Data(file.bytes).write(to: URL(fileURLWithPath: "\(folder.path)/cache/revocation/\(file.name)"))
        }
        try folder.write(manifest.json, "cache/revocation/manifest.json")
        let text = configuration?.replacingOccurrences(of: "CACHE", with: folder.path + "/cache")
        if let text { try folder.write(text, "config/upki/config.toml") }
        return folder
    }

    /// Opens the filters with the XDG variables.
    private func open(_ folder: StoreFolder, file: String? = nil) throws(RevocationFilterFileError)
        -> RevocationFilterFolder?
    {
        try RevocationFilterFolder.upki(
            configurationFile: file,
            environment: ["XDG_CONFIG_HOME": folder.path + "/config", "XDG_CACHE_HOME": folder.path + "/none"])
    }

    private func problem(_ folder: StoreFolder, file: String? = nil) -> String? {
        do throws(RevocationFilterFileError) {
            _ = try open(folder, file: file)
            return nil
        } catch {
            return error.description.replacingOccurrences(of: folder.path + "/", with: "")
        }
    }

    @Test("The folder is the configured one, the user's, or the one that the caller names")
    func isFound() throws {
        let folder = try installed()
        #expect(try open(folder)?.filters.count == 2)
        #expect(try open(folder)?.path == folder.path + "/cache/revocation")
        try FileManager.default.moveItem(
            atPath: folder.path + "/config/upki/config.toml", toPath: folder.path + "/other.toml")
        #expect(try open(folder, file: folder.path + "/other.toml")?.filters.count == 2)
        #expect(problem(folder, file: folder.path + "/no.toml") == "no.toml: No such file or directory")
    }

    @Test("Without a configuration, the reader opens the user's cache")
    func usersCache() throws {
        let folder = try StoreFolder()
        for name in [".cache", ".cache/upki", ".cache/upki/revocation"] { try folder.folder(name) }
        let manifest = TestFilterManifest(files: [("a.filter", RevocationFilterFolderTests.complete)])
        try Data(manifest.files[0].bytes).write(
            to: URL(fileURLWithPath: folder.path + "/.cache/upki/revocation/a.filter"))
        try folder.write(manifest.json, ".cache/upki/revocation/manifest.json")
        let found = try RevocationFilterFolder.upki(environment: ["HOME": folder.path])
        #expect(found?.filters.count == 1)
    }

    @Test("A configured cache that is unreadable causes an error")
    func isUnreadable() throws {
        let empty = try installed()
        try FileManager.default.removeItem(atPath: empty.path + "/cache/revocation/manifest.json")
        #expect(problem(empty) == "cache/revocation/manifest.json: No such file or directory")
        let gone = try installed()
        try FileManager.default.removeItem(atPath: gone.path + "/cache")
        #expect(problem(gone) == "cache/revocation: No such file or directory")
        let open = try installed()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: open.path + "/cache/revocation")
        #expect(problem(open) == "cache/revocation: every user can write to the folder")
        let damaged = try installed()
        try damaged.write("upkiidx1", "cache/revocation/index.bin")
        #expect(problem(damaged) == "cache/revocation/index.bin: a field extends past the end of the file at 8 bytes")
        let newer = try installed()
        try newer.write("upkiidx7 of another form", "cache/revocation/index.bin")
        #expect(problem(newer) == nil)
    }

    @Test(
        "The reader accepts cache-dir in each TOML form that fits on a line",
        arguments: [
            ("cache-dir = \"/var/cache/upki\"\n\n[revocation]\nfetch-url = \"https://x/\"\n", "/var/cache/upki"),
            ("# note\n\tcache-dir='/a b'  # remark", "/a b"), ("\"cache-dir\" = \"/a\\\\b\\\"c\"", "/a\\b\"c"),
            ("cache-dirs = \"/x\"\ncache-dir=\"/y#z\"\r\n", "/y#z"), ("'cache-dir' = '/c\\d'", "/c\\d"),
        ])
    func configuration(text: String, folder: String) throws {
        #expect(try UpkiConfiguration.cacheFolder(Array(text.utf8)) == folder)
    }

    @Test(
        "Any other cache-dir causes an error with its line",
        arguments: [
            ("", "expected the key cache-dir"), ("[revocation]\ncache-dir = \"/x\"", "expected the key cache-dir"),
            ("cache_dir = \"/x\"", "expected the key cache-dir"), ("cache-dir = /x", "line 1: "),
            ("\ncache-dir = \"x/y\"", "line 2: "), ("cache-dir = \"/x", "line 1: "), ("cache-dir = \"", "line 1: "),
            ("cache-dir = \"/x\" y", "line 1: "), ("cache-dir = \"/\\u0041\"", "line 1: "), ("cache-dir =", "line 1: "),
            ("cache-dir = \"/x\"\ncache-dir = \"/y\"", "line 2: "), ("cache-dir = \"\"\"/x\"\"\"", "line 1: "),
            ("cache-dir = \"/x\0y\"", "line 1: "), ("cache-dir = \"/x\\", "line 1: "),
        ])
    func wrongConfiguration(text: String, error: String) {
        #expect {
            try UpkiConfiguration.cacheFolder(Array(text.utf8))
        } throws: { found in
            "\(found)".hasPrefix(error)
        }
    }

    @Test("Every truncation or flipped bit in a configuration causes an error or yields an absolute path")
    func damagedConfiguration() {
        let bytes = Array("cache-dir = \"/var/cache/upki\"  # x\n[a]\n".utf8)
        for index in bytes.indices {
            _ = try? UpkiConfiguration.cacheFolder(Array(bytes[..<index]))
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                guard let folder = try? UpkiConfiguration.cacheFolder(flipped) else { continue }
                #expect(folder.hasPrefix("/"))
            }
        }
    }
}
