// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The rules by which redirects are followed, as far as clients differ in them.
///
/// Common to all: the statuses (``Redirect/isRedirect(_:)``), the change of method and body, and that credentials stay with the
/// origin that they were meant for.
package struct RedirectRules: Sendable, Hashable {
    /// The URLs that a redirect may lead to.
    package enum Targets: Sendable, Hashable {
        /// `https` and `http` without a user, and from `https` to `https` alone: an answer in the clear can be replaced on the way.
        case withoutDowngrade
        /// `https` and `http` without a user, from either to either: for content that is signed itself.
        case anyHTTP
        /// Any URL. The caller refuses those that it sends no request to, after it has changed them.
        case checkedByCaller
    }

    /// The largest number of redirects that are followed.
    package var maximum: Int
    /// Whether a URL may be visited twice. The fragment doesn't count.
    package var allowsCycles: Bool
    package var targets: Targets
    /// Whether cookies are chosen for each request, so that none goes along even to the same origin.
    package var choosesCookiesAnew: Bool

    package init(
        maximum: Int, allowsCycles: Bool = false, targets: Targets = .withoutDowngrade, choosesCookiesAnew: Bool = false
    ) {
        self.maximum = maximum
        self.allowsCycles = allowsCycles
        self.targets = targets
        self.choosesCookiesAnew = choosesCookiesAnew
    }
}

/// The redirects that one request has met.
package struct RedirectChain: Sendable {
    private let rules: RedirectRules
    private var visited: [String]
    private var count = 0

    /// Whether a redirect led to another origin. It stays true wherever later ones lead: a server that had a say in the next URL is
    /// not the one that credentials were meant for.
    package private(set) var hasLeftOrigin = false

    /// - Parameter url: of the first request.
    package init(_ rules: RedirectRules, from url: String) {
        self.rules = rules
        self.visited = [Self.withoutFragment(url)]
    }

    /// The request that follows a response, which is counted as followed.
    /// - Parameters:
    ///   - status: of the response.
    ///   - location: the value of its `Location`; nil for none.
    ///   - url: of the request that it answers.
    ///   - method: of that request; case-sensitive.
    /// - Returns: nil if the response is no redirect, or has no `Location`.
    /// - Throws: ``RedirectError``. The chain is unchanged then.
    package mutating func next(
        status: Int, location: String?, from url: String, method: String
    ) throws(RedirectError) -> Redirect? {
        guard Redirect.isRedirect(status), let location else { return nil }
        guard let target = Self.resolve(location, against: url) else { throw .malformedLocation(location) }
        let origin = try origin(of: target, from: url)
        guard count < rules.maximum else { throw .tooMany(url: target) }
        let place = Self.withoutFragment(target)
        guard rules.allowsCycles || !visited.contains(place) else { throw .cycle(url: target) }
        let redirect = Redirect(from: url, to: target, origin, status: status, method: method, rules)
        count += 1
        if !rules.allowsCycles { visited.append(place) }
        if redirect.leavesOrigin { hasLeftOrigin = true }
        return redirect
    }

    private func origin(of target: String, from url: String) throws(RedirectError) -> Origin? {
        // Zones are names of this machine's interfaces: a server doesn't choose one.
        if let zone = Origin(url: target)?.host.zone, zone != Origin(url: url)?.host.zone {
            throw .unusableTarget(url: target, .malformed("an IPv6 zone that the request before didn't have"))
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
