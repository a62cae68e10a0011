// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import NIOHTTP1

extension TaskExchange {
    /// Returns the session's cache for a request with these fields and this password.
    func cache(
        for fields: HTTPHeaders, _ password: PasswordCredential?, at url: URL, of server: ConnectionKey?,
        _ scope: DelegateScope
    ) -> ResponseCache? {
        let client = CacheClient(
            fields: fields, password: password.map { [$0.user, $0.password] },
            certificates: server.map { scope.credentials.certificates(for: $0) } ?? [])
        return ResponseCache(context.configuration.urlCache, scope: scope.id, for: client, at: url)
    }

    /// Returns the cached response, if the request's cache policy allows looking for one.
    func cachedAnswer(
        _ cache: ResponseCache?, _ request: URLRequest
    ) throws -> (response: CachedURLResponse, isFresh: Bool)? {
        // The server has to answer a conditional request or a request for a range.
        guard !Self.conditions.contains(where: { request.value(forHTTPHeaderField: $0) != nil }) else { return nil }
        switch request.cachePolicy == .useProtocolCachePolicy
            ? context.configuration.requestCachePolicy : request.cachePolicy
        {
        case .useProtocolCachePolicy: return cache?.lookUp(request)
        case .returnCacheDataElseLoad: return cache?.lookUp(request).map { ($0.response, true) }
        case .returnCacheDataDontLoad:
            guard let found = cache?.lookUp(request) else {
                throw SessionError.make(.resourceUnavailable, at: request.url)
            }
            return (found.response, true)
        case .reloadRevalidatingCacheData: return cache?.lookUp(request).map { ($0.response, false) }
        default: return nil
        }
    }

    private static let conditions = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "Range",
    ]
}
#endif
