// SPDX-License-Identifier: Apache-2.0

/// A fetched resource in a cache.
public struct TrustResourceEntry: Sendable, Hashable {
    /// The resource, which is the key of the entry.
    public let resource: TrustResource
    /// The bytes as they were received. They aren't validated.
    public let bytes: [UInt8]
    /// The time of the fetch, by the clock of the process that fetched.
    public let fetched: Time
    /// The lifetime that the server stated for caches, or nil if it stated none. A cache may store whole seconds,
    /// rounded down.
    public let maximumAge: Duration?
    /// The validators that the server sent with the bytes. Nil by default. A cache may drop them.
    package var validators: TrustResourceValidators?

    /// Creates an entry.
    /// - Parameters:
    ///   - resource: the key of the entry.
    ///   - bytes: the bytes as they were received.
    ///   - fetched: the time of the fetch.
    ///   - maximumAge: the lifetime that the server stated for caches, or nil (the default) if it stated none.
    public init(resource: TrustResource, bytes: [UInt8], fetched: Time, maximumAge: Duration? = nil) {
        self.resource = resource
        self.bytes = bytes
        self.fetched = fetched
        self.maximumAge = maximumAge
    }
}

/// A storage for fetched resources that outlives the process. `ServerTrustCache` provides one on disk.
///
/// A cache makes no decisions. The engine parses and evaluates its entries like bytes from an unknown server, so the
/// worst effect of wrong or old bytes is another fetch. A cache doesn't have to check dates. It may remove any entry at
/// any time.
public protocol TrustResourceCache: Sendable {
    /// Returns the last stored entry for a resource, or nil if there is no entry.
    /// - Throws: ``TrustResourceCacheError`` if the entry can't be read. The entry then counts as missing, and the
    ///   verdict contains a warning.
    func entry(for resource: TrustResource) async throws(TrustResourceCacheError) -> TrustResourceEntry?

    /// Stores an entry, completely or not at all. It replaces the entry for the same resource.
    func store(_ entry: TrustResourceEntry) async throws(TrustResourceCacheError)

    /// Removes the entry for a resource, because an evaluation refused its answer.
    func remove(_ resource: TrustResource) async throws(TrustResourceCacheError)
}

/// The error of a cache. Evaluations continue without the cache.
public struct TrustResourceCacheError: TrustError, Hashable {
    /// The name of the cache for people, such as a file.
    public let cache: String
    /// The reason, for people. The wording may change.
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
    /// The cache couldn't be read or written, or one of its entries was damaged.
    package static let cacheFailed = ErrorCode("cacheFailed")
}
