// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustFetching

/// A fetcher that knows its answers beforehand: by address, without network, counting who asks.
///
/// ```swift
/// let fetcher = CannedFetcher()
/// fetcher.answer("http://ca.example.com/ca.cer", with: intermediate.certificate.der)
/// fetcher.fail("http://ca.example.com/ca.crl", with: .timedOut)
/// // …
/// #expect(fetcher.count(of: "http://ca.example.com/ca.cer") == 1)
/// ```
/// What nobody has an answer for is `TrustFetchError.Reason.unreachable`. As a fetcher has to, it refuses answers that are
/// larger than the request allows, gives up where a delay is longer than the request's time, and ends early when it is cancelled.
/// Addresses are compared as texts; which of them a client may go to at all is not checked.
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

    /// Without answers.
    public init() {}

    /// Answers with these bytes from now on.
    /// - Parameters:
    ///   - maximumAge: seconds for which a cache may keep them; nil for no word about it.
    ///   - delay: how long the answer takes.
    public func answer(_ url: String, with body: [UInt8], maximumAge: Int? = nil, after delay: Duration = .zero) {
        let response = TrustFetchResponse(body: body, maximumAge: maximumAge)
        set(url, delay) { _ in .success(response) }
    }

    /// Answers OCSP requests as a responder does that is asked with POST, or with GET at an address below this one.
    public func answer(_ url: String, with responder: TestOCSPResponder, after delay: Duration = .zero) {
        set(url, delay) { request in
            .success(TrustFetchResponse(body: responder.response(to: request.ocspRequest(below: url)).der))
        }
    }

    /// Fails from now on.
    public func fail(_ url: String, with reason: TrustFetchError.Reason, after delay: Duration = .zero) {
        set(url, delay) { .failure(TrustFetchError(reason, url: $0.url)) }
    }

    private func set(
        _ url: String, _ delay: Duration,
        _ result: @escaping @Sendable (TrustFetchRequest) -> Result<TrustFetchResponse, TrustFetchError>
    ) {
        contents.withLock { $0.answers[url] = Answer(result: result, delay: delay) }
    }

    // MARK: - What was asked for

    /// Every request so far, in the order in which they came, failed ones too.
    public var requests: [TrustFetchRequest] { contents.withLock { $0.requests } }

    /// How often this very address was asked for.
    public func count(of url: String) -> Int { requests.count { $0.url == url } }

    public func fetch(_ request: TrustFetchRequest) async throws(TrustFetchError) -> TrustFetchResponse {
        let answer = contents.withLock { contents in
            contents.requests.append(request)
            if let answer = contents.answers[request.url] { return Optional(answer) }
            guard request.resource == .ocsp, request.body == nil else { return nil }
            // An OCSP request by GET stands behind the responder's address.
            return contents.answers.filter { request.url.hasPrefix($0.key + "/") }
                .max { $0.key.utf8.count < $1.key.utf8.count }?.value
        }
        guard let answer else { throw TrustFetchError(.unreachable, url: request.url, detail: "no canned answer") }
        do {
            try await Task.sleep(for: min(answer.delay, request.timeout))
        } catch {
            throw TrustFetchError(.cancelled, url: request.url)
        }
        guard answer.delay < request.timeout else { throw TrustFetchError(.timedOut, url: request.url) }
        let response = try answer.result(request).get()
        guard response.body.count <= request.maximumBytes else { throw TrustFetchError(.tooLarge, url: request.url) }
        return response
    }
}
