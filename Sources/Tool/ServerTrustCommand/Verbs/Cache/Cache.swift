// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ServerTrust
import ServerTrustCache

/// `servertrust cache`: the verbs for the cache of fetched resources.
struct Cache: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "cache", abstract: "Show, fill and clear the cache of --fetch.",
        subcommands: [CacheList.self, CacheClear.self, CRLPrefetchVerb.self, CacheUpdate.self])
}

/// The options of both verbs.
struct CacheOptions: ParsableArguments {
    @Option(help: .book("cache --cache"), completion: .file())
    var cache: String?

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    /// Returns the file, or nil if the user has none yet. Doesn't create one.
    func file() throws(CommandFailure) -> String? {
        if let cache {
            guard FileManager.default.fileExists(atPath: cache) else { throw CommandFailure("\(cache): no such file") }
            return cache
        }
        let file = try CacheLocation.standard(isMade: false)
        return FileManager.default.fileExists(atPath: file) ? file : nil
    }

    /// Opens the cache for changes. Returns nil if the user has none yet.
    func open() throws(CommandFailure) -> SQLiteTrustCache? {
        guard let file = try file() else { return nil }
        return try CacheLocation.open(file, isNamed: cache != nil)
    }
}

/// `servertrust cache list`: shows the entries of the cache.
struct CacheList: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "cache list", abstract: "Show the cached resources, most recently used first.")

    @OptionGroup var options: CacheOptions

    /// Returns the entries of the file. The file stays unchanged even if it isn't a cache.
    private func entries() throws(CommandFailure) -> [SQLiteTrustCache.Summary] {
        guard let file = try options.file() else { return [] }
        return try CommandFailure.of { try SQLiteTrustCache.summaries(readOnly: file) }
    }

    func run() throws {
        let entries = try entries()
        try options.format.write { palette in
            guard !entries.isEmpty else { return "the cache is empty\n" }
            let header = "kind".padded(to: 8) + "bytes".padded(to: 10) + "fetched".padded(to: 22) + "address"
            let rows = entries.map { entry in
                entry.kind.rawValue.padded(to: 8) + "\(entry.size)".padded(to: 10)
                    + entry.fetched.description.padded(to: 22) + printable(entry.url)
            }
            return ([palette.bold(header)] + rows).joined(separator: "\n") + "\n"
        } json: {
            JSONWriter.answer(of: entries) { json, entry in
                json.member("kind", entry.kind.rawValue)
                json.member("url", entry.url)
                json.member("bytes", entry.size)
                json.member("fetched", entry.fetched.description)
            }
        }
    }
}

/// `servertrust cache clear`: empties the cache.
struct CacheClear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "cache clear", abstract: "Remove all cached resources.")

    @OptionGroup var options: CacheOptions

    func run() async throws {
        let cache = try options.open()
        let count = try await CommandFailure.awaiting { try await cache?.removeAll() ?? 0 }
        try options.format.write { _ in
            "\(counted(count, "entry", plural: "entries")) removed\n"
        } json: {
            JSONWriter.answer { $0.member("removed", count) }
        }
    }
}
