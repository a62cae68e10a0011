// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The rules for following redirects that differ between clients.
///
/// All clients share the statuses (``Redirect/isRedirect(_:)``) and the changes of method and body. They never send
/// credentials to an origin that they weren't meant for.
package struct RedirectRules: Sendable, Hashable {
    /// The URLs that a redirect may lead to.
    package enum Targets: Sendable, Hashable {
        /// `https` and `http` without a user, but never from `https` to `http`, because an attacker on the network can
        /// replace an unencrypted response.
        case withoutDowngrade
        /// `https` and `http` without a user, in both directions. For content that has its own signature.
        case anyHTTP
        /// Any URL. The caller rewrites the URL and rejects those it doesn't send requests to.
        case checkedByCaller
    }

    /// The maximum number of redirects to follow.
    var maximum: Int
    /// Whether a URL may be visited twice. The fragment doesn't count.
    var allowsCycles: Bool
    var targets: Targets
    /// Whether the caller chooses cookies for each request, so that none are kept even for the same origin.
    var choosesCookiesAnew: Bool

    package init(
        maximum: Int, allowsCycles: Bool = false, targets: Targets = .withoutDowngrade, choosesCookiesAnew: Bool = false
    ) {
        self.maximum = maximum
        self.allowsCycles = allowsCycles
        self.targets = targets
        self.choosesCookiesAnew = choosesCookiesAnew
    }
}

/// The redirects that one request has followed.
package struct RedirectChain: Sendable {
    private let rules: RedirectRules
    /// The URL of the first request. Most requests have no redirect, so their URL isn't scanned.
    private let first: String
    /// The URLs of the redirects, without fragments.
    private var visited: [String] = []
    private var count = 0

    /// Whether a redirect led to another origin. Stays true whatever comes later: credentials weren't meant for a
    /// server that took part in choosing the next URL.
    package private(set) var hasLeftOrigin = false

    /// Creates a chain.
    /// - Parameter url: the URL of the first request.
    package init(_ rules: RedirectRules, from url: String) {
        self.rules = rules
        self.first = url
    }

    /// Returns the request that follows a response, and counts the redirect.
    /// - Parameters:
    ///   - status: the status of the response.
    ///   - location: the value of its `Location`, or nil if it has none.
    ///   - url: the URL of the redirected request.
    ///   - method: the method of the redirected request, case-sensitive.
    /// - Returns: the next request, or nil if the response isn't a redirect or has no `Location`.
    /// - Throws: ``RedirectError``. The chain is then unchanged.
    package mutating func next(
        status: Int, location: String?, from url: String, method: String
    ) throws(RedirectError) -> Redirect? {
        guard Redirect.isRedirect(status), let location else { return nil }
        let clear: String
        do throws(RequestTargetError) { clear = try Origin.withALabels(location) } catch {
            throw .unusableTarget(url: location, error)
        }
        guard let target = Self.resolve(clear, against: url) else { throw .malformedLocation(location) }
        let origin = try origin(of: target, from: url)
        guard count < rules.maximum else { throw .tooMany(url: target) }
        let place = Self.withoutFragment(target)
        let isKnown = place == Self.withoutFragment(first) || visited.contains(place)
        guard rules.allowsCycles || !isKnown else { throw .cycle(url: target) }
        let redirect = Redirect(from: url, to: target, origin, status: status, method: method, rules)
        count += 1
        if !rules.allowsCycles { visited.append(place) }
        if redirect.leavesOrigin { hasLeftOrigin = true }
        return redirect
    }

    private func origin(of target: String, from url: String) throws(RedirectError) -> Origin? {
        // Zones are names of this machine's interfaces, so a server must not choose one.
        if let zone = Origin(url: target)?.host.zone, zone != Origin(url: url)?.host.zone {
            throw .unusableTarget(url: target, .malformed("an IPv6 zone that the previous request didn't have"))
        }
        guard rules.targets != .checkedByCaller else { return Origin(url: target) }
        let origin: Origin
        do throws(RequestTargetError) { origin = try RequestTarget(target).origin } catch {
            throw .unusableTarget(url: target, error)
        }
        if rules.targets == .withoutDowngrade, !origin.isSecure, Origin(url: url)?.isSecure ?? true {
            throw .leavesTLS(url: target)
        }
        return origin
    }

    private static func resolve(_ location: String, against url: String) -> String? {
        guard let target = URL(string: location, relativeTo: URL(string: url))?.absoluteString else { return nil }
        guard !target.utf8.contains(UInt8(ascii: "#")), let sign = url.firstIndex(of: "#") else { return target }
        return target + url[sign...]
    }

    private static func withoutFragment(_ url: String) -> String { String(url.prefix { $0 != "#" }) }
}
