// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Compares the module's names and types with Apple's declarations and with the table in the documentation.
@Suite("Names and signatures")
struct SignatureTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns the names after `keyword` in the sources' declarations at file scope, except for declarations that the
    /// compiler rejects.
    private static func declared(_ keyword: String) throws -> Set<String> {
        try names(keyword).subtracting(names(keyword, "Unavailable"))
    }

    /// Returns the names after `keyword` in the declarations at file scope in a folder's sources.
    private static func names(_ keyword: String, _ path: String = "") throws -> Set<String> {
        let folder = root.appendingPathComponent("Sources/Apple/SecurityCompatibility/" + path)
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var names: Set<String> = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let expression = try Regex("(?m)^public \(keyword) ([A-Za-z0-9_]+)")
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: expression) {
                if let name = match.output[1].substring { names.insert(String(name)) }
            }
        }
        return names
    }

    @Test("Each function and constant has the type and value that Apple declares")
    func types() throws {
        let expected = try Self.text("Tests/Apple/AppleStubs/SecurityForClients/signatures.txt").split(separator: "\n")
        let found = signatures()
        #expect(found.count > 140)
        #expect(Set(found).subtracting(expected.map(String.init)).sorted() == [])
        #expect(Set(expected.map(String.init)).subtracting(found).sorted() == [])
    }

    @Test("The list covers each public function and constant in the module")
    func complete() throws {
        let compared = Set(
            signatures().compactMap { line in
                line.split(separator: " ").dropFirst().first.map { String($0.prefix { $0 != ":" }) }
            })
        let functions = try Self.declared("func")
        #expect(functions.count >= 50)
        // It returns an array instead of a pointer.
        #expect(functions.subtracting(compared).sorted() == ["CFDataGetBytePtr"])
        #expect(try Self.declared("let").subtracting(compared).sorted() == [])
    }

    /// Returns the rows of the table: the function, and "yes" or the word for a missing one.
    private static func rows() throws -> [(name: String, compiles: String, behaves: String)] {
        try text("Documentation/SecurityCompatibility.md").split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 4, cells[0].hasPrefix("`"), cells[0].hasSuffix("`") else { return nil }
            return (cells[0].trimmingCharacters(in: ["`"]), cells[1], cells[2])
        }
    }

    @Test("The documentation's table lists each function once, including those that the compiler rejects")
    func table() throws {
        let rows = try Self.rows()
        let functions = try Self.declared("func")
        let present = rows.filter { $0.compiles == "yes" }.map(\.name)
        #expect(Set(present) == functions)
        #expect(present.count == functions.count)
        let unavailable = rows.filter { $0.compiles == "unavailable" }.map(\.name)
        #expect(try Set(unavailable).symmetricDifference(Self.names("func", "Unavailable")).sorted() == [])
        #expect(Set(unavailable).count == unavailable.count && unavailable.count >= 20)
        let absent = rows.filter { $0.compiles == "absent" }.map(\.name)
        #expect(Set(absent).isDisjoint(with: functions.union(unavailable)))
        #expect(Set(absent).count == absent.count)
        #expect(rows.allSatisfy { ["yes", "unavailable", "absent"].contains($0.compiles) })
        #expect(rows.allSatisfy { ["yes", "differs", "–"].contains($0.behaves) })
    }

    @Test("The scenarios use nearly every function in the module")
    func scenarios() throws {
        let folder = "Tests/Apple/SecurityCompatibilityTests/Scenarios/"
        var sources = ""
        for name in ["Trust", "Certificate", "Key", "Pinning", "Identity", "Session"] {
            sources += try Self.text("\(folder)\(name)Scenarios.swift")
        }
        let used = try Self.declared("func").filter { sources.contains("\($0)(") }
        let unused = try Self.declared("func").subtracting(used)
        #expect(used.count >= 48)
        #expect(
            unused == [
                "CFAbsoluteTimeGetCurrent", "CFDateGetAbsoluteTime", "CFErrorCopyDescription", "CFErrorCopyUserInfo",
            ])
    }
}
