// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import HTTPRules
    import NIOHTTP1
    import PKIX
    import ServerTrust

    /// `URLCache` for a session's responses (RFC 9111, a private cache, the part that is safe to do without the rest).
    ///
    /// A `URLCache` is shared as a rule, with tasks that ask less of a server, or nothing. So entries are marked with whose they
    /// are, the session's or one task delegate's in it, and others' are not used: an answer from a connection that wasn't evaluated must not
    /// be served under a policy. They are also marked with the request that they answer, by its address and by ``CacheClient``.
    struct ResponseCache {
        private let cache: URLCache
        private let scope: String
        /// The request that is to be answered.
        private let client: CacheClient
        /// The request's address without its fragment. Foundation's cache finds an entry by host, port and path, whatever the query.
        private let address: String
        private static let scopeKey = "servertrust.session"
        private static let addressKey = "servertrust.address"
        private static let clientKey = "servertrust.client"
        private static let dateKey = "servertrust.date"
        /// For one writer at a time.
        private static let writing = Locked(())

        init?(_ cache: URLCache?, scope: String, for client: CacheClient, at url: URL) {
            guard let cache else { return nil }
            self.cache = cache
            self.scope = scope
            self.client = client
            let text = url.absoluteString
            self.address = String(text[..<(text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex)])
        }

        /// The cached response for a request, and whether it may be used without asking the server.
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

        /// Headers that ask whether a cached response still holds; empty if it can't be asked.
        static func validators(_ cached: CachedURLResponse) -> [(String, String)] {
            guard let response = cached.response as? HTTPURLResponse else { return [] }
            var fields: [(String, String)] = []
            if let tag = response.value(forHTTPHeaderField: "ETag") { fields.append(("If-None-Match", tag)) }
            if let date = response.value(forHTTPHeaderField: "Last-Modified") {
                fields.append(("If-Modified-Since", date))
            }
            return fields
        }

        /// In bytes; a longer one isn't kept.
        var largestBody: Int { max(cache.memoryCapacity, cache.diskCapacity) / 20 }

        /// The response to keep; nil for one that may not be kept, or need not.
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

        /// A stored response with the fields of the 304 that says that it still holds, which are newer (RFC 9111 § 3.2). Those that describe its
        /// body stay.
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

        /// Fields of the body, and of the connection.
        private static let bodyFields: Set<String> = [
            "content-encoding", "content-length", "content-range", "content-type", "connection", "keep-alive",
            "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        ]

        /// Keeps a response, or removes the one before if this one may not be kept.
        /// - Parameter kept: the delegate's version of the proposal: it may have changed data and response, not whose it is.
        func store(_ kept: CachedURLResponse, for request: URLRequest) {
            guard let response = kept.response as? HTTPURLResponse, !Self.lifetime(response).forbidsStoring,
                let client = client.fingerprint(of: response)
            else { return invalidate(request) }
            var info = kept.userInfo ?? [:]
            info[Self.scopeKey] = scope
            info[Self.addressKey] = address
            info[Self.clientKey] = client
            info[Self.dateKey] = Date()
            // In memory: on disk the entry would outlive the session that its mark stands for.
            let entry = CachedURLResponse(
                response: kept.response, data: kept.data, userInfo: info, storagePolicy: .allowedInMemoryOnly)
            Self.writing.withLock { _ in
                // An entry that is stored over another one is listed twice, and the process ends when Foundation's cache drops both.
                cache.removeCachedResponse(for: request)
                cache.storeCachedResponse(entry, for: request)
            }
        }

        /// A change makes the cached response of the URL stale (RFC 9111 § 4.4).
        func invalidate(_ request: URLRequest) {
            Self.writing.withLock { _ in cache.removeCachedResponse(for: request) }
        }

        /// The times by the response's header fields, of which Foundation has joined those of one name by commas.
        private static func lifetime(_ response: HTTPURLResponse) -> FreshnessLifetime {
            FreshnessLifetime(now: .now()) { name in response.value(forHTTPHeaderField: name).map { [$0] } ?? [] }
        }
    }
#endif
