// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

struct IssuedAnswer: Decodable {
    var schemaVersion: Int
    var serial: String
    var names: [String]
    var chain: String
    var key: String?
}

struct ListAnswer: Decodable {
    var names: [String]
    var file: String?
    var status: String
    var reason: String?
}

struct CRLAnswer: Decodable { var number: Int }

struct HintAnswer: Decodable {
    var platform: String
    var install: [String]
    var remove: [String]
}

/// The folder of one CA.
struct CAFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        self.path = url.path
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    static func with(_ body: (CAFolder) throws -> Void) throws {
        let folder = try CAFolder()
        defer { folder.remove() }
        try body(folder)
    }

    func path(_ name: String) -> String { path + "/" + name }

    @discardableResult
    func run(_ verb: String, _ arguments: [String] = [], status: Int32 = 0) throws -> Tool.Outcome {
        let outcome = try Tool.run(["ca", verb] + arguments + ["--folder", path])
        #expect(outcome.status == status, "\(verb) \(arguments): \(outcome.errors)")
        return outcome
    }

    @discardableResult
    func issue(_ arguments: [String]) throws -> IssuedAnswer {
        try #require(try run("issue", arguments + ["--format", "json"]).json([IssuedAnswer].self).first)
    }

    func list(leftovers: [String]? = nil) throws -> [ListAnswer] {
        let outcome = try run("list", ["--format", "json"])
        if let leftovers { #expect(warnedFiles(outcome) == leftovers) }
        return try outcome.json()
    }

    func leftovers() throws -> [String] { warnedFiles(try run("list")) }

    /// Returns the files with a warning.
    private func warnedFiles(_ outcome: Tool.Outcome) -> [String] {
        let start = "servertrust: warning: \(path)/"
        return outcome.errors.split(separator: "\n").filter { $0.hasPrefix(start) }.map {
            String($0.dropFirst(start.count).prefix { $0 != ":" })
        }
    }

    func issuedFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path("issued")).sorted()
    }

    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

    func write(_ name: String) throws { try Data("left".utf8).write(to: URL(fileURLWithPath: path(name))) }

    /// Returns every file with its bytes.
    func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? [] {
            contents[name] = FileManager.default.contents(atPath: path(name)) ?? Data()
        }
        return contents
    }

    /// Returns the path of a request that openssl creates, with a new key by default.
    func request(_ name: String, extensions: [String], key: String? = nil) throws -> String {
        let file = path(name + ".csr")
        let newKey = [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", path(name + ".csr.key"),
        ]
        try Openssl.expectSuccess(
            ["req", "-new", "-subj", "/CN=\(name).example.com", "-out", file]
                + (key.map { ["-key", $0] } ?? newKey) + extensions.flatMap { ["-addext", $0] })
        return file
    }
}
