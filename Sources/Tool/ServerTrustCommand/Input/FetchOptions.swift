// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ServerTrust
import ServerTrustCache
import ServerTrustFetching
import ServerTrustHTTP

/// The options for fetching intermediates, OCSP responses and CRLs.
struct FetchOptions: ParsableArguments {
    @Flag(help: "Fetch missing intermediates and, with --revocation, OCSP responses and CRLs.")
    var fetch = false

    @Flag(help: "Print the chain that the server should send, in PEM.")
    var fix = false

    @Option(
        help: .wholePage(
            "A host or address to fetch from although it is not public. May be repeated.",
            valueName: "host"), transform: reading(Hostname.init))
    var fetchFrom: [Hostname] = []

    @Option(
        help: .wholePage("The file with fetched resources. (default: the user's caches)", valueName: "file"),
        completion: .file())
    var cache: String?

    @Flag(help: .wholePage("Don't use a cache."))
    var noCache = false

    /// Whether anything may be fetched: asked for, or implied by `--fix`.
    var fetches: Bool { fetch || fix }

    var isAnyGiven: Bool { fetches || !fetchFrom.isEmpty || cache != nil || noCache }

    func validate() throws {
        guard fetches || !isAnyGiven else {
            throw ValidationError("--fetch-from, --cache and --no-cache go with --fetch or --fix")
        }
        guard cache == nil || !noCache else { throw ValidationError("--cache and --no-cache contradict each other") }
    }

    /// Returns the source of fetched resources; nil without `--fetch` and `--fix`.
    /// - Parameter proxy: the choice of a proxy for each of its servers.
    /// - Throws: ``CommandFailure`` if the cache that was named can't be used.
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
        // The user named no cache, so the verdict doesn't depend on it.
        do throws(CommandFailure) {
            return try CacheLocation.open(CacheLocation.standard(isMade: true), isNamed: false)
        } catch {
            for text in error.errors { Diagnostics.warn("\(text); nothing is kept") }
            return nil
        }
    }
}

/// The file of fetched resources.
enum CacheLocation {
    /// Returns the path of `fetched.sqlite` in `$XDG_CACHE_HOME/servertrust`, or in the folder that the system has for caches.
    /// - Parameter isMade: whether a missing folder is created.
    /// - Throws: ``CommandFailure`` if it can't be created.
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
                throw CommandFailure("\(folder.path): can not be made")
            }
        }
        return folder.appendingPathComponent("fetched.sqlite").path
    }

    /// Opens the cache in a file.
    /// - Parameter isNamed: whether the user named the file, who may have meant another: a damaged one is then left in its place.
    /// - Throws: ``CommandFailure`` if it can't be opened.
    static func open(_ file: String, isNamed: Bool) throws(CommandFailure) -> SQLiteTrustCache {
        do throws(SQLiteTrustCacheError) {
            return try SQLiteTrustCache(file: file, damaged: isNamed ? .leave : .setAside) { Diagnostics.warn($0) }
        } catch {
            throw CommandFailure(error.description)
        }
    }
}
