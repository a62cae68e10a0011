// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ServerTrust
import ServerTrustCache
import ServerTrustHTTP

/// The options for fetching intermediates, OCSP responses and CRLs.
struct FetchOptions: ParsableArguments {
    @Flag(help: "Fetch missing intermediates and, with --revocation, OCSP responses and CRLs.")
    var fetch = false

    @Flag(help: "Print the chain that the server should send, in PEM.")
    var fix = false

    @Option(help: .book("check --fetch-from"), transform: reading(Hostname.init))
    var fetchFrom: [Hostname] = []

    @Option(help: .book("check --cache"), completion: .file())
    var cache: String?

    @Flag(help: .wholePage("Don't use a cache."))
    var noCache = false

    /// Whether the command may fetch, because of `--fetch` or `--fix`.
    var fetches: Bool { fetch || fix }

    var isAnyGiven: Bool { fetches || !fetchFrom.isEmpty || cache != nil || noCache }

    func validate() throws {
        try OptionRule.check(
            .requires(
                ["--fetch": fetch, "--fix": fix],
                for: ["--fetch-from": fetchFrom, "--cache": cache, "--no-cache": noCache]),
            .excludes(["--cache": cache, "--no-cache": noCache]))
    }

    /// Returns the fetcher of resources, or nil without `--fetch` and `--fix`.
    /// - Parameter proxy: the rule that selects a proxy for each server.
    /// - Throws: ``CommandFailure`` if the cache that the option names can't be used.
    func resources(through proxy: ProxySelection) throws -> TrustFetchCoordinator? {
        guard fetches else { return nil }
        var rules = AddressRules.publicOnly
        for host in fetchFrom {
            rules.allowedHosts.insert(host)
            if case .ip(let address) = host.kind { rules.allowedAddresses.insert(address) }
        }
        let fetcher = try HTTPTrustFetcher(rules: rules, proxy: proxy)
        return TrustFetchCoordinator(fetcher: fetcher, cache: try openCache())
    }

    private func openCache() throws(CommandFailure) -> SQLiteTrustCache? {
        guard !noCache else { return nil }
        if let cache { return try CacheLocation.open(cache, isNamed: true) }
        // The user didn't name a cache, so the verdict doesn't depend on it.
        do throws(CommandFailure) {
            return try CacheLocation.open(CacheLocation.standard(isMade: true), isNamed: false)
        } catch {
            for text in error.errors { Diagnostics.warn("\(text); fetched resources aren't cached") }
            return nil
        }
    }
}

/// The location of the cache of fetched resources.
enum CacheLocation {
    /// Returns the path of `fetched.sqlite` in `$XDG_CACHE_HOME/servertrust`, or in the system's folder for caches.
    /// - Parameter isMade: whether to create a missing folder.
    /// - Throws: ``CommandFailure`` if the folder can't be created.
    static func standard(isMade: Bool) throws(CommandFailure) -> String {
        var folder = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".cache")
        if let named = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"], named.hasPrefix("/") {
            folder = URL(fileURLWithPath: named)
        } else {
            #if canImport(Darwin)
            folder = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Library/Caches")
            #endif
        }
        folder.appendPathComponent("servertrust")
        if isMade {
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw CommandFailure("\(folder.path): can't be created")
            }
        }
        return folder.appendingPathComponent("fetched.sqlite").path
    }

    /// Opens the cache in a file.
    /// - Parameter isNamed: whether the user named the file. If so, a damaged file is left unchanged, because the user
    ///   may have meant another one.
    /// - Throws: ``CommandFailure`` if it can't be opened.
    static func open(_ file: String, isNamed: Bool) throws(CommandFailure) -> SQLiteTrustCache {
        try CommandFailure.of {
            try SQLiteTrustCache(file: file, damaged: isNamed ? .leave : .setAside) { Diagnostics.warn($0) }
        }
    }
}
