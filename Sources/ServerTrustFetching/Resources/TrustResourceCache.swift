// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// What was fetched, as caches keep it.
public struct TrustResourceEntry: Sendable, Hashable {
    public let resource: TrustResource
    /// As they came; nothing about them is believed.
    public let bytes: [UInt8]
    /// When they came, by the clock of whoever fetched them.
    public let fetched: Time
    /// Seconds for which the server said that it may be kept; nil if it didn't.
    public let maximumAge: Int?

    public init(resource: TrustResource, bytes: [UInt8], fetched: Time, maximumAge: Int? = nil) {
        self.resource = resource
        self.bytes = bytes
        self.fetched = fetched
        self.maximumAge = maximumAge
    }
}

/// Where what was fetched outlives the process: `ServerTrustCache` has one on disk.
///
/// A cache decides nothing. What it gives back is read and evaluated as if a stranger had sent it, so the worst that wrong or
/// old bytes can do is to be fetched again; it need not look at dates. It may forget anything at any time.
public protocol TrustResourceCache: Sendable {
    /// The entry that was stored last for a resource; nil if there is none.
    /// - Throws: ``TrustResourceCacheError`` if it can't be read; it counts as missing then, and the verdict tells.
    func entry(for resource: TrustResource) async throws(TrustResourceCacheError) -> TrustResourceEntry?

    /// Keeps an entry in the place of the one for the same resource, whole or not at all.
    func store(_ entry: TrustResourceEntry) async throws(TrustResourceCacheError)

    /// Forgets an entry: what came was refused.
    func remove(_ resource: TrustResource) async throws(TrustResourceCacheError)
}

/// Why a cache is of no use. Nothing else fails by it.
public struct TrustResourceCacheError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Its name for people: a file.
    public let cache: String
    /// For people; wording may change.
    public let detail: String

    public init(cache: String, detail: String) {
        self.cache = cache
        self.detail = detail
    }

    public var description: String { "\(cache): \(detail)" }
}
