// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOHTTP1
import ServerTrust

/// The hops of a request so far, and the request of the next hop.
///
/// It behaves like browsers (Fetch § 4.4) and async-http-client, but is stricter: it never goes from `https` to `http`,
/// and never takes credentials to another origin.
struct RedirectHops {
    private let isFollowing: Bool
    private var chain: RedirectChain

    /// Whether a hop went to another origin. From then on, no hop sends credentials, even if a later one goes back.
    var hasLeftOrigin: Bool { chain.hasLeftOrigin }

    init(_ redirects: TrustedHTTPConfiguration.Redirects, from url: String) {
        self.isFollowing = redirects.maximum > 0
        let rules = RedirectRules(maximum: redirects.maximum, allowsCycles: redirects.allowsCycles)
        self.chain = RedirectChain(rules, from: url)
    }

    /// Returns the request that follows a response.
    /// - Returns: nil if the response is the final one. Either it isn't a redirect, or the configuration doesn't follow
    ///   redirects, or the request's body was a stream that has been read.
    mutating func next(after request: HTTPClientRequest, _ response: HTTPClientResponse) throws(TrustedHTTPError)
        -> HTTPClientRequest?
    {
        guard isFollowing else { return nil }
        let redirect: Redirect?
        do throws(RedirectError) {
            redirect = try chain.next(
                status: Int(response.status.code), location: response.headers.first(name: "location"),
                from: request.url, method: request.method.rawValue)
        } catch {
            throw TrustedHTTPError(error, after: request.url)
        }
        guard let redirect else { return nil }
        let next = request.following(redirect)
        if let body = next.body, !body.canBeSentAgain { return nil }
        return next
    }
}

extension HTTPClientRequest {
    /// Returns the request for the target of a redirect.
    func following(_ redirect: Redirect) -> HTTPClientRequest {
        var next = self
        next.url = redirect.url
        next.method = HTTPMethod(rawValue: redirect.method)
        if redirect.dropsBody { next.body = nil }
        for name in redirect.removedFields { next.headers.remove(name: name) }
        return next
    }
}

extension TrustedHTTPError {
    /// - Parameter url: the URL of the redirected request.
    fileprivate init(_ error: RedirectError, after url: String) {
        switch error {
        case .malformedLocation(let location):
            self.init(.redirectMalformed, url: url, detail: withoutUserInformation(location))
        case .unusableTarget(let target, let error):
            self.init(.redirectMalformed, url: url, detail: TrustedHTTPError(unusable: error, url: target).description)
        case .leavesTLS(let target): self.init(.redirectToPlainHTTP, url: target)
        case .tooMany(let target): self.init(.redirectLimitExceeded, url: target)
        case .cycle(let target): self.init(.redirectCycle, url: target)
        }
    }
}

extension HTTPClientRequest.Body {
    /// Whether the body is in memory, so that the client can send it twice. Reading a stream a second time crashes.
    ///
    /// async-http-client doesn't expose this, so the property uses reflection. A body that it doesn't recognize counts
    /// as a stream: the client returns the response instead of following the redirect.
    var canBeSentAgain: Bool {
        guard let mode = Mirror(reflecting: self).children.first(where: { $0.label == "mode" }),
            let kind = Mirror(reflecting: mode.value).children.first
        else { return false }
        switch kind.label {
        case "byteBuffer": return true
        case "sequence":
            return Mirror(reflecting: kind.value).children.contains {
                $0.label == "canBeConsumedMultipleTimes" && $0.value as? Bool == true
            }
        default: return false
        }
    }
}

#endif
