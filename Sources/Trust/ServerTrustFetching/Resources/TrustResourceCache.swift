// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A fetched resource as caches keep it.
public struct TrustResourceEntry: Sendable, Hashable {
    /// The resource; the key of the entry.
    public let resource: TrustResource
    /// The bytes as they were received. Nothing about them is validated.
    public let bytes: [UInt8]
    /// The time of the fetch, by the clock of the process that made it.
    public let fetched: Time
    /// The lifetime that the server gave to caches; nil if it gave none. A cache may keep whole seconds, rounded down.
    public let maximumAge: Duration?
    /// The validators that the server gave with the bytes; nil, the default, for none. A cache may lose them.
    package var validators: TrustResourceValidators?

    /// Creates an entry.
    /// - Parameters:
    ///   - resource: the key of the entry.
    ///   - bytes: the bytes as they were received.
    ///   - fetched: the time of the fetch.
    ///   - maximumAge: the lifetime that the server gave to caches; nil, unless given, for none.
    public init(resource: TrustResource, bytes: [UInt8], fetched: Time, maximumAge: Duration? = nil) {
        self.resource = resource
        self.bytes = bytes
        self.fetched = fetched
        self.maximumAge = maximumAge
    }
}

/// A storage for fetched resources that outlives the process; `ServerTrustCache` has one on disk.
///
/// A cache decides nothing. Its entries are parsed and evaluated like bytes from an unknown server, so the worst effect
/// of wrong or old bytes is another fetch; a cache need not check dates. It may remove any entry at any time.
public protocol TrustResourceCache: Sendable {
    /// Returns the entry that was stored last for a resource; nil if there is none.
    /// - Throws: ``TrustResourceCacheError`` if it can't be read; the entry counts as missing then, and the verdict has
    ///   a warning.
    func entry(for resource: TrustResource) async throws(TrustResourceCacheError) -> TrustResourceEntry?

    /// Stores an entry, whole or not at all. It replaces the entry for the same resource.
    func store(_ entry: TrustResourceEntry) async throws(TrustResourceCacheError)

    /// Removes the entry for a resource, because its answer was refused.
    func remove(_ resource: TrustResource) async throws(TrustResourceCacheError)
}

/// The error of a cache. Evaluations go on without the cache.
public struct TrustResourceCacheError: TrustError, Hashable {
    /// The name of the cache for people: a file.
    public let cache: String
    /// The reason, for people; wording may change.
    public let detail: String

    /// Creates an error.
    /// - Parameters:
    ///   - cache: the name of the cache for people.
    ///   - detail: the reason, for people.
    public init(cache: String, detail: String) {
        self.cache = cache
        self.detail = detail
    }

    /// `ErrorCode.cacheFailed`.
    public var code: ErrorCode { .cacheFailed }

    public var message: String { "\(cache): \(detail)" }
}

extension ErrorCode {
    /// The cache could not be read or written, or an entry of it was damaged.
    package static let cacheFailed = ErrorCode("cacheFailed")
}
