// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Something that is served at an address and can be kept: what for, where, and what is asked.
///
/// Two resources are the same if all three are; a cache knows them by ``digest``.
public struct TrustResource: Sendable, Hashable {
    public typealias Kind = TrustFetchRequest.Resource

    public let kind: Kind

    /// As it stands in the certificate.
    public let url: String

    /// An OCSP request in DER that is sent with POST; nil for GET.
    public let request: [UInt8]?

    /// SHA-256 over kind, address and request: the key of caches.
    public let digest: [UInt8]

    /// Addresses that are longer, in bytes, aren't fetched. Those of public CAs have some 60; browsers and servers agree on
    /// about this many.
    public static let maximumURLSize = 4096

    /// - Parameters:
    ///   - kind: what it is for.
    ///   - url: where it is; not looked at yet.
    ///   - request: an OCSP request that is sent with POST.
    public init(_ kind: Kind, url: String, request: [UInt8]? = nil) {
        self.kind = kind
        self.url = url
        self.request = request
        // A zero byte between them, which neither a kind nor an address that is fetched has in it.
        self.digest = Digests.sha256(
            Array(kind.rawValue.utf8) + [0] + Array(url.utf8) + [0] + (request.map { [1] + $0 } ?? []))
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.digest == right.digest && left.kind == right.kind && left.url == right.url && left.request == right.request
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Host and port as they are written, in lower case: whose responders fail together. Decides nothing about trust.
    var authority: String {
        guard let scheme = url.firstRange(of: "://") else { return "" }
        let rest = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return rest[(rest.lastIndex(of: "@").map(rest.index(after:)) ?? rest.startIndex)...].lowercased()
    }
}

extension TrustResource: CustomStringConvertible {
    /// `crl http://crl.example.com/ca.crl`
    public var description: String { "\(kind.rawValue) \(url)" }
}

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
