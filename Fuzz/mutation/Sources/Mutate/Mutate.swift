// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Writes copies of files with all mutants, and a list of the mutants.
///
///     Mutate SOURCES OUTPUT LIST EXCLUDED CHOSEN FILE…
///
/// The files are relative to both folders. EXCLUDED contains the identifiers of mutants to leave out. They keep their
/// numbers. If CHOSEN isn't empty, it contains the identifiers of the mutants to list. LIST gets a line of JSON for each
/// mutant, and a last line with what was skipped.
@main
enum Mutate {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().map { $0 }
        guard arguments.count > 5 else {
            FileHandle.standardError.write(Data("usage: Mutate SOURCES OUTPUT LIST EXCLUDED CHOSEN FILE…\n".utf8))
            exit(64)
        }
        let sources = URL(fileURLWithPath: arguments[0])
        let output = URL(fileURLWithPath: arguments[1])
        let excluded = try identifiers(in: arguments[3])
        let chosen = try identifiers(in: arguments[4])
        var lines: [String] = []
        var skipped: [String: Int] = [:]
        var number = 1
        let declarations = Declarations()
        let files = try arguments[5...].map { name in
            let source = try [UInt8](Data(contentsOf: sources.appending(path: name)))
            let tree = try OperatorTable.standardOperators.foldAll(
                Parser.parse(source: String(decoding: source, as: UTF8.self)))
            declarations.walk(tree)
            return (name, source, tree)
        }
        for (name, source, tree) in files {
            let finder = Finder(source, declarations)
            finder.walk(tree)
            let file = MutatedFile(name: name, source: source, sites: finder.sites, skipped: finder.skipped)
            var numbers: [Int?] = []
            for (site, identifiers) in zip(file.sites, file.identifiers()) {
                let isLeftOut = identifiers.contains(where: excluded.contains)
                let isChosen = chosen.isEmpty || identifiers.contains(where: chosen.contains)
                numbers.append(isLeftOut || !isChosen ? nil : number)
                let first = number
                for (mutant, identifier) in zip(site.mutants, identifiers) {
                    defer { number += 1 }
                    guard chosen.isEmpty || chosen.contains(identifier) else { continue }
                    let entry: [String: Any] = [
                        "number": number, "site": first, "identifier": identifier, "file": name,
                        "line": file.line(site.range.lowerBound), "end": file.line(site.range.upperBound),
                        "operator": mutant.kind.rawValue, "before": mutant.before, "after": mutant.after,
                        "declaration": site.declaration, "excluded": isLeftOut,
                    ]
                    let json = try JSONSerialization.data(
                        withJSONObject: entry, options: [.sortedKeys, .withoutEscapingSlashes])
                    lines.append(String(decoding: json, as: UTF8.self))
                }
            }
            skipped.merge(file.skipped, uniquingKeysWith: +)
            let target = output.appending(path: name)
            let text = file.rewritten(numbers)
            // An unchanged file isn't compiled again.
            if (try? String(contentsOf: target, encoding: .utf8)) != text {
                try FileManager.default.createDirectory(
                    at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
                try text.write(to: target, atomically: true, encoding: .utf8)
            }
        }
        let json = try JSONSerialization.data(withJSONObject: ["skipped": skipped], options: .sortedKeys)
        lines.append(String(decoding: json, as: UTF8.self))
        try (lines.joined(separator: "\n") + "\n").write(toFile: arguments[2], atomically: true, encoding: .utf8)
    }

    private static func identifiers(in path: String) throws -> Set<String> {
        Set(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init))
    }
}
