// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustLab
import Testing

@Suite("The demonstration site") struct DemoSiteLiveTests {
    private func demo(_ folder: URL) throws -> Tool.Outcome {
        try Tool.run(["lab", "demo", "--scenario", "good", "expired", "no-tls", "--html", folder.path])
    }

    private func files(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    static let written = ["expired.html", "good.html", "index.html", "no-tls.html", "servertrust-pages.txt"]

    @Test("The demonstration writes a page for each server to a new or empty folder, or over an earlier site")
    func folders() throws {
        try TemporaryFolder.with { folder in
            let new = folder.url.appendingPathComponent("new")
            #expect(try demo(new).status == 0)
            #expect(try files(new) == Self.written)
            let empty = folder.url.appendingPathComponent("empty")
            try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: false)
            #expect(try demo(empty).status == 0)
            #expect(try files(empty) == Self.written)
            #expect(try Tool.run(["lab", "demo", "--scenario", "good", "--html", new.path]).status == 0)
            #expect(try files(new) == ["good.html", "index.html", "servertrust-pages.txt"])
            // No temporary folder remains next to them.
            #expect(try files(folder.url) == ["empty", "new"])
        }
    }

    @Test(
        "The demonstration doesn't change a folder that contains another file",
        arguments: [["notes.txt"], ["index.html"], ["servertrust-pages.txt"], ["good.html", "other.html"]])
    func foldersOfOthers(_ names: [String]) throws {
        try TemporaryFolder.with { folder in
            let site = folder.url.appendingPathComponent("site")
            try FileManager.default.createDirectory(at: site, withIntermediateDirectories: false)
            for name in names { try Data("mine".utf8).write(to: site.appendingPathComponent(name)) }
            let outcome = try demo(site)
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
            #expect(try files(site) == names)
            for name in names { #expect(try Data(contentsOf: site.appendingPathComponent(name)) == Data("mine".utf8)) }
        }
    }

    @Test("The demonstration doesn't replace an earlier site if a file was added to it")
    func addedFile() throws {
        try TemporaryFolder.with { folder in
            let site = folder.url.appendingPathComponent("site")
            #expect(try demo(site).status == 0)
            try Data("mine".utf8).write(to: site.appendingPathComponent("mine.html"))
            #expect(try demo(site).status == 2)
            #expect(try files(site).contains("mine.html"))
        }
    }

    @Test("The demonstration removes no file outside its folder, even if an altered list names it")
    func hostileList() throws {
        try TemporaryFolder.with { folder in
            let site = folder.url.appendingPathComponent("site")
            #expect(try demo(site).status == 0)
            let mine = folder.url.appendingPathComponent("mine.html")
            try Data("mine".utf8).write(to: mine)
            let list = site.appendingPathComponent("servertrust-pages.txt")
            try Data(contentsOf: list).write(to: list)
            try (try String(contentsOf: list, encoding: .utf8) + "../mine.html\n").write(
                to: list, atomically: true, encoding: .utf8)
            #expect(try demo(site).status == 0)
            #expect(FileManager.default.fileExists(atPath: mine.path))
        }
    }

    @Test(
        "A file, a missing parent and a folder without permissions cause errors", arguments: ["file", "missing/site"])
    func places(_ name: String) throws {
        try TemporaryFolder.with { folder in
            _ = try folder.write("file", Data())
            #expect(try demo(folder.url.appendingPathComponent(name)).status == 2)
            #expect(try files(folder.url) == ["file"])
        }
    }

    @Test("A folder keeps its mode, whether it was empty or contained an earlier site", arguments: [0o700, 0o2750])
    func mode(_ mode: Int) throws {
        try TemporaryFolder.with { folder in
            let site = folder.url.appendingPathComponent("site")
            try FileManager.default.createDirectory(at: site, withIntermediateDirectories: false)
            #expect(chmod(site.path, mode_t(mode)) == 0)
            for _ in 0..<2 {
                #expect(try demo(site).status == 0)
                var status = stat()
                #expect(stat(site.path, &status) == 0)
                #expect(Int(status.st_mode & 0o7777) == mode)
            }
            #expect(try files(folder.url) == ["site"])
        }
    }

    @Test(
        "The demonstration refuses the current folder and any folder above it before it starts a server",
        arguments: [".", "..", "../../site"])
    func currentFolder(_ name: String) throws {
        try TemporaryFolder.with { folder in
            let site = folder.url.appendingPathComponent("site")
            #expect(try demo(site).status == 0)
            let written = try files(site)
            // The folder above contains no other file: its only entry is the current, empty folder.
            let current = name == "." ? site : site.appendingPathComponent("below")
            try FileManager.default.createDirectory(at: current, withIntermediateDirectories: true)
            let number = try FileManager.default.attributesOfItem(atPath: site.path)[.systemFileNumber] as? Int
            let outcome = try Tool.run(["lab", "demo", "--scenario", "good", "--html", name], in: current)
            #expect(outcome.status == 2)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("current folder"))
            #expect(try FileManager.default.attributesOfItem(atPath: site.path)[.systemFileNumber] as? Int == number)
            #expect(try files(site).filter { $0 != "below" } == written)
        }
    }

    @Test("The demonstration refuses a read-only parent before it starts a server, except for the superuser")
    func unwritableParent() throws {
        try TemporaryFolder.with { folder in
            #expect(chmod(folder.url.path, 0o500) == 0)
            let outcome = try demo(folder.url.appendingPathComponent("site"))
            #expect(chmod(folder.url.path, 0o700) == 0)
            #expect(outcome.status == (geteuid() == 0 ? 0 : 2))
            #expect(outcome.output.isEmpty == (geteuid() != 0))
        }
    }

    @Test("Every scenario has a page with its commands, and the index links to it")
    func links() throws {
        try TemporaryFolder.with { folder in
            let site = folder.url.appendingPathComponent("site")
            #expect(try Tool.run(["lab", "demo", "--html", site.path]).status == 0)
            let index = try String(contentsOf: site.appendingPathComponent("index.html"), encoding: .utf8)
            for scenario in LabScenario.all {
                let file = scenario.name.replacing(".", with: "-") + ".html"
                #expect(index.contains("<a href=\"\(file)\">"), "\(scenario)")
                let page = try String(contentsOf: site.appendingPathComponent(file), encoding: .utf8)
                #expect(page.contains("servertrust lab --scenario \(scenario.name) "), "\(scenario)")
            }
            #expect(try files(site).count == LabScenario.all.count + 2)
        }
    }
}
