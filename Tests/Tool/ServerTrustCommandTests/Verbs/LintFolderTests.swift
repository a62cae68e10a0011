// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `pins lint` with folders.
@Suite struct LintFolderTests {
    private static let key = LintTests.pins[0].dropFirst(7)
    private static let other = LintTests.pins[1].dropFirst(7)

    private static let android = """
        <!-- <network-security-config> --><network-security-config><domain-config><domain>a.example.com</domain>
        <pin-set><pin digest="SHA-256">\(key)</pin><pin digest="SHA-256">\(other)</pin></pin-set></domain-config></network-security-config>
        """
    private static let trustKit = """
        {"TSKPinnedDomains": {"a.example.com": {"TSKPublicKeyHashes": ["\(key)", "\(other)"]}}}
        """
    private static let ours = """
        {"schemaVersion": 1, "selection": "mostSpecific", "unlistedHosts": "evaluatedByDefault", "rules": [
        {"hosts": ["a.example.com"], "mode": "enforced", "pins": [{"key": "sha256/\(key)", "scope": "anywhere"}]}]}
        """

    private static func propertyList(_ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
        let pin = ["SPKI-SHA256-BASE64": String(key)]
        let domains = ["a.example.com": ["NSPinnedCAIdentities": [pin]]]
        return try PropertyListSerialization.data(
            fromPropertyList: ["NSAppTransportSecurity": ["NSPinnedDomains": domains]], format: format, options: 0)
    }

    /// Returns files by name, with their contents and format, or nil for a file without pins.
    private static func files() throws -> [(name: String, contents: Data, format: String?)] {
        [
            ("xml/anything.xml", Data(android.utf8), "android"), ("a/One.plist", try propertyList(.xml), "ats"),
            ("a/Two", try propertyList(.binary), "ats"), ("trust.json", Data(trustKit.utf8), "trustkit"),
            ("pins.txt", Data(LintTests.clean.utf8), "okhttp"), ("ours", Data(ours.utf8), "json"),
            ("broken.json", Data(ours.dropLast(3).utf8), "json"),
            ("options", Data("--pinnedpubkey sha256//\(key)".utf8), "curl"),
            // None of these is a pin file.
            ("empty", Data(), nil), ("notes.md", Data("the pin is sha256/\(key)\n\(LintTests.clean)".utf8), nil),
            ("AndroidManifest.xml", Data("<manifest><!-- <network-security-config --></manifest>".utf8), nil),
            ("Info.plist", Data("<plist version=\"1.0\"><dict><key>A</key><data>AA==</data></dict></plist>".utf8), nil),
            ("package.json", Data("{\"schemaVersion\": 1, \"rules\": \"pins\"}".utf8), nil),
            ("program", Data([0x7f, 0x45, 0x4c, 0x46, 0, 0]) + Data(LintTests.clean.utf8), nil),
            // lint skips these folders.
            (".git/pins.txt", Data(LintTests.clean.utf8), nil), ("build/pins.txt", Data(LintTests.clean.utf8), nil),
            ("node_modules/x/pins.txt", Data(LintTests.clean.utf8), nil),
            ("Pods/pins.txt", Data(LintTests.clean.utf8), nil),
            ("DerivedData/pins.txt", Data(LintTests.clean.utf8), nil),
        ]
    }

    private func withTree(_ body: (URL) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let root = folder.url.appendingPathComponent("tree")
            for file in try Self.files() {
                let url = root.appendingPathComponent(file.name)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try file.contents.write(to: url)
            }
            try body(root)
        }
    }

    @Test("lint recognizes pin files in every format by their contents") func contents() throws {
        try withTree { root in
            let outcome = try Tool.run(["pins", "lint", root.path, "--format", "json"])
            let found = try outcome.json([LintTests.Answer].self)
            let expected = try Self.files().filter { $0.format != nil }.map(\.name).sorted()
            #expect(found.map { String($0.file.dropFirst(root.path.count + 1)) } == expected)
            for file in try Self.files() where file.format != nil && file.name != "broken.json" {
                #expect(
                    found.first { $0.file.hasSuffix("/" + file.name) }?.formats == [file.format ?? ""], "\(file.name)")
            }
            let text = try Tool.run(["pins", "lint", root.path])
            #expect(text.lines.contains { $0.hasPrefix("\(expected.count) of ") })
            let one = try Tool.run(["pins", "lint", root.path, "--from", "trustkit", "--format", "json"])
            #expect(try one.json([LintTests.Answer].self).map(\.formats) == [["trustkit"]])
        }
    }

    private static let call = "CertificatePinner.Builder().add(\"a.example.com\", \"sha256/\(key)\").build()\n"

    /// A pin file that has one finding or that can't be read.
    struct Source: Sendable, CustomTestStringConvertible {
        let name: String
        let contents: Data
        let isReadable: Bool
        var testDescription: String { name }

        /// - Parameter text: the contents. lint reads `\u{e9}` as Latin-1.
        init(_ name: String, _ text: String, isReadable: Bool) {
            self.name = name
            self.contents = Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
            self.isReadable = isReadable
        }

        init(wide name: String, _ text: String) {
            self.name = name
            self.contents = LintFolderTests.wide(text)
            self.isReadable = false
        }
    }

    static let sources: [Source] = [
        Source("alone.kt", "b.add(\"a.example.com\",\"sha256/\(key)\")", isReadable: true),
        Source("block.kt", "certificatePinner { add(\"a.example.com\", \"sha256/\(key)\") }", isReadable: true),
        Source("large.kt", "\(call)/*\(String(repeating: "a", count: 4 << 20))*/", isReadable: true),
        Source("latin.kt", "\(call)// caf\u{e9}\n", isReadable: false),
        Source("latin.txt", "# caf\u{e9}\na.example.com sha256/\(key)\n", isReadable: false),
        Source(wide: "marked.kt", "\u{feff}\(call)"), Source(wide: "wide.kt", call), Source(wide: "wide.xml", android),
        Source("nul.kt", "\(call)// \0\n", isReadable: false),
        Source("late.kt", "\(call)\(String(repeating: "// a\n", count: 2_000))// \0\n", isReadable: false),
        Source("huge.kt", "\(call)/*\(String(repeating: "a", count: 32 << 20))*/", isReadable: false),
    ]

    private static func wide(_ text: String) -> Data {
        Data(text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
    }

    @Test("lint doesn't skip an unreadable file with pins", arguments: sources)
    func unreadable(_ source: Source) throws {
        try TemporaryFolder.with { folder in
            _ = try folder.write(source.name, source.contents)
            _ = try folder.write("pins.txt", Data(LintTests.clean.utf8))
            let outcome = try Tool.run(["pins", "lint", folder.url.path, "--format", "json"])
            #expect(outcome.status == (source.isReadable ? 1 : 2), "\(source.name)")
            let answer = try outcome.json([LintTests.Answer].self).first { $0.file.hasSuffix("/" + source.name) }
            #expect(answer?.outcome == (source.isReadable ? "findings" : "undecided"), "\(source.name)")
            #expect(outcome.errors.contains(source.name) == !source.isReadable)
        }
    }

    @Test("lint skips text without pins in another encoding") func otherTexts() throws {
        try TemporaryFolder.with { folder in
            let prose = "the pin is sha256/\(Self.key)\n"
            _ = try folder.write("wide.txt", Self.wide(prose))
            for (name, text) in [
                ("latin.txt", "caf\u{e9}\n\(prose)"), ("nul.txt", "\(prose)\0"),
                ("program", "\u{7f}ELF\0\u{1}\(Self.call)"),
            ] {
                _ = try folder.write(name, Source(name, text, isReadable: false).contents)
            }
            _ = try folder.write("pins.txt", Data(LintTests.clean.utf8))
            let outcome = try Tool.run(["pins", "lint", folder.url.path, "--format", "json"])
            #expect(outcome.status == 0)
            #expect(try outcome.json([LintTests.Answer].self).count == 1)
        }
    }

    @Test("lint reads a file once, even if the command line names it and a folder contains it") func twice() throws {
        try withTree { root in
            let file = root.appendingPathComponent("pins.txt").path
            let outcome = try Tool.run(["pins", "lint", root.path, file, root.path + "/", "--format", "json"])
            #expect(try outcome.json([LintTests.Answer].self).count { $0.file.hasSuffix("pins.txt") } == 1)
        }
    }

    @Test("lint names each file and folder that it skips, with the reason") func skipped() throws {
        struct Skipped: Decodable {
            let file: String
            let reason: String
            let fix: String?
        }
        struct Element: Decodable { let skipped: [Skipped]? }
        try withTree { root in
            let dart = root.appendingPathComponent("a/pins.dart")
            try Data("check(allowedSHAFingerprints: [\"9D 7C\"]);\n".utf8).write(to: dart)
            let elements = try Tool.run(["pins", "lint", root.path, "--format", "json"]).json([Element].self)
            let skipped = elements.flatMap { $0.skipped ?? [] }
            let reasons = Dictionary(
                uniqueKeysWithValues: skipped.map { ($0.file.dropFirst(root.path.count + 1), $0.reason) })
            let expected = try Self.files().filter { $0.format == nil }.map { file in
                let folder = file.name.prefix { $0 != "/" }
                return file.name.contains("/") ? folder + "/" : folder
            }
            #expect(Set(reasons.keys) == Set(expected + ["a/pins.dart"]))
            #expect(reasons["empty"] == "empty")
            #expect(reasons["program"] == "binary")
            #expect(reasons["notes.md"] == "no sign of pins")
            #expect(reasons["Pods/"]?.contains("dependencies") == true)
            #expect(skipped.filter { $0.fix != nil }.map(\.file) == [dart.path])
            for number in 1...30 { try Data("a".utf8).write(to: root.appendingPathComponent("text\(number)")) }
            let text = try Tool.run(["pins", "lint", root.path]).text.replacing("\n       ", with: " ")
            #expect(text.contains("skipped: 1 file, fingerprints of whole certificates"))
            #expect(text.contains("skipped: 1 file, binary: program\n"))
            #expect(text.contains("skipped: 34 files, no sign of pins: AndroidManifest.xml, Info.plist,"))
            #expect(text.contains(", and 29 more, which --format json names\n"))
            let sarif = try Tool.run(["pins", "lint", root.path, "--format", "sarif"]).text
            #expect(sarif.contains("a/pins.dart. Fix: "))
        }
    }

    @Test("A folder without pins causes an error") func nothing() throws {
        try TemporaryFolder.with { folder in
            let outcome = try Tool.run(["pins", "lint", folder.url.path, "--format", "json"])
            #expect(outcome.status == 2)
            #expect(try outcome.json([LintTests.Answer].self).map(\.outcome) == ["undecided"])
            #expect(outcome.errors.contains("no file with pins among 0 files"))
        }
    }

    @Test("lint reads a folder despite links, pipes and unreadable names", .timeLimit(.minutes(10))) func hostile()
        throws
    {
        try TemporaryFolder.with { folder in
            _ = try folder.write("pins.txt", Data(LintTests.clean.utf8))
            let manager = FileManager.default
            for (name, target) in [("loop", "."), ("self", "self"), ("root", "/"), ("gone", "/nonexistent")] {
                try manager.createSymbolicLink(
                    atPath: folder.url.appendingPathComponent(name).path, withDestinationPath: target)
            }
            let pipe = Process()
            pipe.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            pipe.arguments = ["mkfifo", folder.url.appendingPathComponent("pipe").path]
            try pipe.run()
            pipe.waitUntilExit()
            let outcome = try Tool.run(["pins", "lint", folder.url.path, "--format", "json"])
            #expect(outcome.status == 0)
            #expect(try outcome.json([LintTests.Answer].self).count == 1)
            let linked = folder.url.appendingPathComponent("loop").path
            #expect(try Tool.run(["pins", "lint", linked, "--format", "json"]).status == 0)
        }
    }

    @Test("A folder with too many levels causes an error", .timeLimit(.minutes(10))) func deep() throws {
        try TemporaryFolder.with { folder in
            let path = folder.url.path + String(repeating: "/d", count: 70)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            #expect(try Tool.run(["pins", "lint", folder.url.path]).status == 2)
        }
    }
}
