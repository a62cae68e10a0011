// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import Crypto
import Foundation
import FoundationNetworking
import NIOHTTP1
import PKIX
import ServerTrust

/// A `URLCache` for a session's responses, as a private cache of RFC 9111. It implements only the parts that are
/// safe without the rest.
///
/// A `URLCache` is usually shared with tasks that check servers less strictly, or not at all. A response from a
/// connection that wasn't evaluated must not be used under a policy. So each entry records its owner, which is the
/// session or one task delegate in it, and entries of other owners are ignored. Each entry also records the request
/// that it answers, as an address and a ``CacheClient``.
struct ResponseCache {
    private let cache: URLCache
    private let scope: String
    /// The user that the request is for.
    private let client: CacheClient
    /// The request's address without its fragment. Foundation's cache finds an entry by host, port and path,
    /// whatever the query is.
    private let address: String
    private static let scopeKey = "servertrust.session"
    private static let addressKey = "servertrust.address"
    private static let clientKey = "servertrust.client"
    private static let dateKey = "servertrust.date"
    /// A lock that allows one writer at a time.
    private static let writing = Locked(())

    init?(_ cache: URLCache?, scope: String, for client: CacheClient, at url: URL) {
        guard let cache else { return nil }
        self.cache = cache
        self.scope = scope
        self.client = client
        let text = url.absoluteString
        self.address = String(text[..<(text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex)])
    }

    /// Returns the cached response for a request, and whether it may be used without contacting the server.
    func lookUp(_ request: URLRequest) -> (response: CachedURLResponse, isFresh: Bool)? {
        guard request.httpMethod ?? "GET" == "GET", let cached = cache.cachedResponse(for: request),
            mayUse(cached),
            let stored = cached.userInfo?[Self.dateKey] as? Date, let response = cached.response as? HTTPURLResponse
        else { return nil }
        let age = Date().timeIntervalSince(stored)
        guard let lifetime = Self.lifetime(response).seconds else { return (cached, false) }
        return (cached, age >= 0 && age < TimeInterval(lifetime))
    }

    /// Whether a stored response is for this request, fresh or not.
    func mayUse(_ cached: CachedURLResponse) -> Bool {
        guard cached.userInfo?[Self.scopeKey] as? String == scope,
            cached.userInfo?[Self.addressKey] as? String == address,
            let response = cached.response as? HTTPURLResponse, let client = client.fingerprint(of: response)
        else { return false }
        return cached.userInfo?[Self.clientKey] as? String == client
    }

    /// Returns headers that ask the server whether a cached response is still valid. Empty if the response has no
    /// validators.
    static func validators(_ cached: CachedURLResponse) -> [(String, String)] {
        guard let response = cached.response as? HTTPURLResponse else { return [] }
        var fields: [(String, String)] = []
        if let tag = response.value(forHTTPHeaderField: "ETag") { fields.append(("If-None-Match", tag)) }
        if let date = response.value(forHTTPHeaderField: "Last-Modified") {
            fields.append(("If-Modified-Since", date))
        }
        return fields
    }

    /// The size in bytes of the largest body that is stored.
    var largestBody: Int { max(cache.memoryCapacity, cache.diskCapacity) / 20 }

    /// Returns the response to store, or nil if it may not be stored or storing it is useless.
    func proposal(_ response: HTTPURLResponse, _ data: Data, for request: URLRequest) -> CachedURLResponse? {
        let lifetime = Self.lifetime(response)
        guard request.httpMethod ?? "GET" == "GET", response.statusCode == 200, !lifetime.forbidsStoring,
            client.fingerprint(of: response) != nil, request.value(forHTTPHeaderField: "Range") == nil,
            data.count <= largestBody
        else { return nil }
        let proposal = CachedURLResponse(
            response: response, data: data, userInfo: [Self.scopeKey: scope, Self.dateKey: Date()],
            storagePolicy: .allowedInMemoryOnly)
        guard lifetime.seconds != nil || !Self.validators(proposal).isEmpty else { return nil }
        return proposal
    }

    /// Returns a stored response, updated with the newer fields of the 304 that confirms it (RFC 9111 § 3.2).
    /// Fields that describe the body don't change.
    static func updated(_ cached: CachedURLResponse, by headers: HTTPHeaders) -> CachedURLResponse {
        let newer = ResponseHead.fields(headers).filter { !bodyFields.contains($0.key.asciiLowercased) }
        guard !newer.isEmpty, let old = cached.response as? HTTPURLResponse, let url = old.url else {
            return cached
        }
        var fields: [String: String] = [:]
        for (name, value) in old.allHeaderFields { fields[ResponseHead.canonical("\(name)")] = "\(value)" }
        fields.merge(newer) { $1 }
        guard
            let response = HTTPURLResponse(
                url: url, statusCode: old.statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
        else { return cached }
        return CachedURLResponse(
            response: response, data: cached.data, userInfo: cached.userInfo, storagePolicy: cached.storagePolicy)
    }

    /// The fields that describe the body or the connection.
    private static let bodyFields: Set<String> = [
        "content-encoding", "content-length", "content-range", "content-type", "connection", "keep-alive",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Stores a response. If it may not be stored, removes the previous one.
    /// - Parameter kept: the delegate's version of the proposal. The delegate may have changed the data and the
    ///   response, but not the owner.
    func store(_ kept: CachedURLResponse, for request: URLRequest) {
        guard let response = kept.response as? HTTPURLResponse, !Self.lifetime(response).forbidsStoring,
            let client = client.fingerprint(of: response)
        else { return invalidate(request) }
        var info = kept.userInfo ?? [:]
        info[Self.scopeKey] = scope
        info[Self.addressKey] = address
        info[Self.clientKey] = client
        info[Self.dateKey] = Date()
        // Stored only in memory: on disk, the entry would outlive the session that owns it.
        let entry = CachedURLResponse(
            response: kept.response, data: kept.data, userInfo: info, storagePolicy: .allowedInMemoryOnly)
        Self.writing.withLock { _ in
            // Without this, Foundation's cache lists a replaced entry twice, and the process crashes when the cache
            // drops both.
            cache.removeCachedResponse(for: request)
            cache.storeCachedResponse(entry, for: request)
        }
    }

    /// Removes the cached response of a URL, which becomes stale after a change (RFC 9111 § 4.4).
    func invalidate(_ request: URLRequest) {
        Self.writing.withLock { _ in cache.removeCachedResponse(for: request) }
    }

    /// Returns the lifetime from the response's header fields. Foundation has joined fields of the same name with
    /// commas.
    private static func lifetime(_ response: HTTPURLResponse) -> FreshnessLifetime {
        FreshnessLifetime(now: .now()) { name in response.value(forHTTPHeaderField: name).map { [$0] } ?? [] }
    }
}

/// The user of a cache, identified by the request as it is sent. A stored response only answers requests with the
/// same credentials.
///
/// A session is one cache but may serve many users, for example in a server that calls another server on their
/// behalf. So a stored response is bound to more properties than in a cache with one user.
struct CacheClient: Sendable {
    /// The fields of the request, without the fields that HTTP authentication adds.
    let fields: HTTPHeaders
    /// The user and password of HTTP authentication, or nil without authentication. The header field itself can't
    /// be used, because Digest changes it for each request.
    let password: [String]?
    /// The client certificates that the server has received so far, in PEM, with an empty text where no certificate
    /// was sent.
    let certificates: Set<String>

    /// Whether the request has `Authorization`.
    var isAuthorized: Bool { password != nil || fields.contains(name: "authorization") }

    /// Returns a text that is the same for two requests exactly if each may get the response to the other. Their
    /// credentials must be the same, and so must the fields that the response varies by (RFC 9111 § 4.1).
    ///
    /// `Cookie` counts as credentials unless the response has `public`, because many servers send a user's own data
    /// with `max-age` and without `Vary`.
    /// - Returns: nil if no other request may get the response. That includes a response that may have arrived over
    ///   connections with different client certificates.
    func fingerprint(of response: HTTPURLResponse) -> String? {
        let control = CacheControl(Self.values("Cache-Control", response))
        guard certificates.count <= 1, !isAuthorized || control.allowsAuthorization,
            case .fields(let varying) = Vary(Self.values("Vary", response))
        else { return nil }
        var names = Set(varying)
        if !control.contains("public") { names.insert("cookie") }
        // The hash always includes this field.
        names.remove("authorization")
        var hash = SHA256()
        Self.add(password ?? [], to: &hash)
        Self.add(fields["authorization"], to: &hash)
        Self.add(Array(certificates), to: &hash)
        for name in names.sorted() {
            Self.add([name], to: &hash)
            Self.add(fields[name].map { String($0.withoutOuterSpace) }, to: &hash)
        }
        return Data(hash.finalize()).base64EncodedString()
    }

    private static func values(_ name: String, _ response: HTTPURLResponse) -> [String] {
        response.value(forHTTPHeaderField: name).map { [$0] } ?? []
    }

    /// Adds texts so that no other list of texts adds the same bytes.
    private static func add(_ texts: [String], to hash: inout SHA256) {
        hash.update(data: Data("\(texts.count);".utf8))
        for text in texts { hash.update(data: Data("\(text.utf8.count):\(text)".utf8)) }
    }
}

#endif
