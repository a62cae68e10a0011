// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import HTTPRules
import NIOHTTP1
import TrustSupport

/// The hops of one request so far, and the request of the next one.
///
/// As in browsers (Fetch § 4.4) and async-http-client, and stricter: never from `https` to `http`, and credentials stay with their
/// origin.
struct RedirectHops {
    private let isFollowing: Bool
    private var chain: RedirectChain

    /// Whether a hop led to another origin; credentials stay behind from there on, wherever later hops lead.
    var hasLeftOrigin: Bool { chain.hasLeftOrigin }

    init(_ redirects: TrustedHTTPConfiguration.Redirects, from url: String) {
        self.isFollowing = redirects.maximum > 0
        let rules = RedirectRules(maximum: redirects.maximum, allowsCycles: redirects.allowsCycles)
        self.chain = RedirectChain(rules, from: url)
    }

    /// The request that follows a response.
    /// - Returns: nil if the response is the answer: no redirect, redirects aren't followed, or the request's body was a stream
    ///   and has been read.
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
        var next = request
        next.url = redirect.url
        next.method = HTTPMethod(rawValue: redirect.method)
        if redirect.dropsBody { next.body = nil }
        if let body = next.body, !body.canBeSentAgain { return nil }
        for name in redirect.removedFields { next.headers.remove(name: name) }
        return next
    }
}

extension TrustedHTTPError {
    /// - Parameter url: of the request that was redirected.
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
    /// Whether the body is in memory, so that it can be sent twice; a stream can be read once, and reading it again is a crash.
    ///
    /// async-http-client doesn't say, so the value is read by reflection. A body that isn't recognized counts as a stream: the
    /// redirect isn't followed then, and the response is returned.
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
