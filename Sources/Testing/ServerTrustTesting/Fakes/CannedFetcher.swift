// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust

/// A fetcher with a prepared response for each URL. It doesn't use the network, and records its requests.
///
/// ```swift
/// let fetcher = CannedFetcher()
/// fetcher.answer("http://ca.example.com/ca.cer", with: intermediate.certificate.der)
/// fetcher.fail("http://ca.example.com/ca.crl", with: .fetchTimedOut)
/// // …
/// #expect(fetcher.count(of: "http://ca.example.com/ca.cer") == 1)
/// ```
/// A URL without a response throws `ErrorCode.fetchUnreachable`. As the `TrustFetcher` protocol requires, the fetcher
/// refuses responses that are larger than the request allows. It times out if a delay exceeds the request's timeout,
/// and ends early when it is canceled. It compares URLs as strings. Not checked: whether a client may connect to an
/// address.
public final class CannedFetcher: TrustFetcher {
    private struct Answer {
        var result: @Sendable (TrustFetchRequest) -> Result<TrustFetchResponse, TrustFetchError>
        var delay: Duration
    }

    private struct Contents {
        var answers: [String: Answer] = [:]
        var requests: [TrustFetchRequest] = []
    }

    private let contents = Locked(Contents())

    /// Creates a fetcher without responses.
    public init() {}

    /// Sets these bytes as the response for a URL.
    /// - Parameters:
    ///   - url: the URL.
    ///   - body: the body of the response.
    ///   - maximumAge: how long a cache may keep the bytes, or nil if the response doesn't specify this.
    ///   - delay: the delay before the response.
    public func answer(_ url: String, with body: [UInt8], maximumAge: Duration? = nil, after delay: Duration = .zero) {
        let response = TrustFetchResponse(body: body, maximumAge: maximumAge)
        set(url, delay) { _ in .success(response) }
    }

    /// Sets an OCSP responder for POST at a URL, and for GET at the URLs below it.
    public func answer(_ url: String, with responder: TestOCSPResponder, after delay: Duration = .zero) {
        set(url, delay) { request in
            .success(TrustFetchResponse(body: responder.response(to: request.ocspRequest(below: url)).der))
        }
    }

    /// Sets an error as the result for a URL.
    public func fail(_ url: String, with code: ErrorCode, after delay: Duration = .zero) {
        set(url, delay) { .failure(TrustFetchError(code, url: $0.url)) }
    }

    private func set(
        _ url: String, _ delay: Duration,
        _ result: @escaping @Sendable (TrustFetchRequest) -> Result<TrustFetchResponse, TrustFetchError>
    ) {
        contents.withLock { $0.answers[url] = Answer(result: result, delay: delay) }
    }

    // MARK: - Requests

    /// All requests so far, in order, including failed ones.
    public var requests: [TrustFetchRequest] { contents.withLock { $0.requests } }

    /// Returns the number of requests for exactly this URL.
    public func count(of url: String) -> Int { requests.count { $0.url == url } }

    /// Returns the prepared response after its delay.
    /// - Throws: `TrustFetchError` as described for the type.
    public func fetch(_ request: TrustFetchRequest) async throws(TrustFetchError) -> TrustFetchResponse {
        let answer = contents.withLock { contents in
            contents.requests.append(request)
            if let answer = contents.answers[request.url] { return Optional(answer) }
            guard request.resource == .ocsp, request.body == nil else { return nil }
            // A GET request has the OCSP request after the responder's URL.
            return contents.answers.filter { request.url.hasPrefix($0.key + "/") }
                .max { $0.key.utf8.count < $1.key.utf8.count }?.value
        }
        guard let answer else { throw TrustFetchError(.fetchUnreachable, url: request.url, detail: "no canned answer") }
        do {
            try await Task.sleep(for: min(answer.delay, request.timeout))
        } catch {
            throw TrustFetchError(.fetchCancelled, url: request.url)
        }
        guard answer.delay < request.timeout else { throw TrustFetchError(.fetchTimedOut, url: request.url) }
        let response = try answer.result(request).get()
        guard response.body.count <= request.maximumBytes else {
            throw TrustFetchError(.fetchTooLarge, url: request.url)
        }
        return response
    }
}

#endif
