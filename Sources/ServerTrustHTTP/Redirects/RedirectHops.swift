// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOHTTP1
import PKIX

/// The hops of one request so far, and where the next one leads.
///
/// As browsers do (Fetch § 4.4) and async-http-client, and stricter: never from `https` to `http`, and what a server mustn't know
/// of another stays behind.
struct RedirectHops {
    private let redirects: TrustedHTTPConfiguration.Redirects
    private var visited: [String]
    /// Whether a hop led to another origin; credentials stay behind from there on, wherever later hops lead.
    private(set) var hasLeftOrigin = false

    init(_ redirects: TrustedHTTPConfiguration.Redirects, from url: String) {
        self.redirects = redirects
        self.visited = [url]
    }

    /// The request that follows a response.
    /// - Returns: nil if the response is the answer: no redirect, redirects aren't followed, or the request's body was a stream
    ///   and is gone.
    mutating func next(after request: HTTPClientRequest, _ response: HTTPClientResponse) throws(TrustedHTTPError)
        -> HTTPClientRequest?
    {
        guard redirects.maximum > 0, [301, 302, 303, 307, 308].contains(response.status.code),
            let location = response.headers.first(name: "location")
        else { return nil }
        let current = try RequestTarget(request.url)
        guard let url = URL(string: location, relativeTo: URL(string: request.url))?.absoluteString else {
            throw TrustedHTTPError(.malformedRedirect, url: request.url, detail: location)
        }
        let target: RequestTarget
        do {
            target = try RequestTarget(url)
        } catch {
            throw TrustedHTTPError(.malformedRedirect, url: request.url, detail: error.description)
        }
        guard target.authority.isSecure || !current.authority.isSecure else {
            throw TrustedHTTPError(.redirectToPlainHTTP, url: url)
        }
        guard visited.count <= redirects.maximum else { throw TrustedHTTPError(.tooManyRedirects, url: url) }
        guard redirects.allowsCycles || !visited.contains(url) else { throw TrustedHTTPError(.redirectCycle, url: url) }

        var next = request
        next.url = url
        if response.status.code.turnsIntoGET(request.method) {
            next.method = .GET
            next.body = nil
            for name in ["content-length", "content-type", "content-encoding", "content-language", "content-location"] {
                next.headers.remove(name: name)
            }
        }
        if let body = next.body, !body.canBeSentAgain { return nil }
        if target.authority != current.authority {
            hasLeftOrigin = true
            for name in ["authorization", "cookie", "proxy-authorization", "origin", "host"] {
                next.headers.remove(name: name)
            }
        }
        visited.append(url)
        return next
    }
}

extension UInt {
    /// 303 asks for GET; to POST, browsers take 301 and 302 for the same (RFC 9110 § 15.4.2).
    fileprivate func turnsIntoGET(_ method: HTTPMethod) -> Bool {
        switch self {
        case 303: method != .HEAD
        case 301, 302: method == .POST
        default: false
        }
    }
}

extension HTTPClientRequest.Body {
    /// Whether it is in memory, so that it can be sent twice; a stream can be read once, and reading it again is a crash.
    ///
    /// async-http-client knows and doesn't say, so that its value is looked into. What isn't recognised is taken for a stream:
    /// the redirect isn't followed then, and the answer handed over.
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
