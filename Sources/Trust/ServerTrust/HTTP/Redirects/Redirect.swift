// SPDX-License-Identifier: Apache-2.0

/// The next request after a redirect, described by its differences from the redirected request.
package struct Redirect: Sendable, Hashable {
    /// The absolute URL. Without its own fragment, it inherits the fragment of the redirected URL (RFC 9110 § 10.2.2).
    package let url: String
    /// The origin, or nil for a URL that can't be parsed. Only ``RedirectRules/Targets/checkedByCaller`` permits such a
    /// URL.
    let origin: Origin?
    package let method: String
    /// Whether the next request has no body. If false, it has the same body as the redirected request, if any.
    package let dropsBody: Bool
    /// Whether the redirect leads to another origin.
    let leavesOrigin: Bool
    /// The names, in lower case, of the header fields to remove.
    package let removedFields: [String]

    /// Returns whether a status redirects the client to another URL. 300 and 304 to 306 don't (RFC 9110 § 15.4).
    package static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    init(from url: String, to target: String, _ origin: Origin?, status: Int, method: String, _ rules: RedirectRules) {
        self.url = target
        self.origin = origin
        let rewrites = Self.rewrites(status, method)
        self.method = rewrites ? "GET" : method
        self.dropsBody = rewrites
        // An origin that can't be parsed counts as another origin.
        self.leavesOrigin = origin == nil || Origin(url: url) != origin
        var removed = rewrites ? Self.bodyFields : []
        if leavesOrigin { removed += Self.boundFields }
        if rules.choosesCookiesAnew || leavesOrigin { removed.append("cookie") }
        self.removedFields = removed
    }

    /// Returns whether the next request is GET without a body: after 303 for every method except HEAD (RFC 9110 §
    /// 15.4.4), and after 301 and 302 for POST, as in browsers (§ 15.4.2, Fetch § 4.4).
    private static func rewrites(_ status: Int, _ method: String) -> Bool {
        switch status {
        case 303: method != "HEAD"
        case 301, 302: method == "POST"
        default: false
        }
    }

    /// Fields that describe the body (Fetch § 4.4) or its transfer.
    private static let bodyFields = [
        "content-encoding", "content-language", "content-length", "content-location", "content-type",
        "transfer-encoding",
    ]

    /// Fields, in addition to cookies, that are meant for one origin.
    private static let boundFields = ["authorization", "proxy-authorization", "origin", "host"]
}

/// The reason why a client doesn't follow a redirect.
package enum RedirectError: Error, Sendable, Hashable {
    /// The `Location` isn't a URI reference.
    case malformedLocation(String)
    /// The client can't send a request to the URL.
    case unusableTarget(url: String, RequestTargetError)
    /// The redirect leads from `https` to `http`.
    case leavesTLS(url: String)
    /// There are more redirects than the rules allow.
    case tooMany(url: String)
    /// The redirect leads to a URL that was visited before.
    case cycle(url: String)
}
