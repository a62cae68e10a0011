// SPDX-License-Identifier: Apache-2.0

/// The request that a redirect asks for, as far as it differs from the one that was answered.
package struct Redirect: Sendable, Hashable {
    /// Absolute, with the fragment of the URL that led here unless it has one of its own (RFC 9110 § 10.2.2).
    package let url: String
    /// nil for a URL that can't be read, which only ``RedirectRules/Targets/checkedByCaller`` lets through.
    package let origin: Origin?
    package let method: String
    /// Whether the next request has no body. Otherwise it has the body of this one, if there is any.
    package let dropsBody: Bool
    /// Whether the redirect leads to another origin.
    package let leavesOrigin: Bool
    /// The names, in lower case, of the header fields that don't go along.
    package let removedFields: [String]

    /// Whether a response of that status sends its client to another URL. 300 and 304 to 306 don't (RFC 9110 § 15.4).
    package static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    init(from url: String, to target: String, _ origin: Origin?, status: Int, method: String, _ rules: RedirectRules) {
        self.url = target
        self.origin = origin
        let rewrites = Self.rewrites(status, method)
        self.method = rewrites ? "GET" : method
        self.dropsBody = rewrites
        // An origin that can't be read is not known to be the same.
        self.leavesOrigin = origin == nil || Origin(url: url) != origin
        var removed = rewrites ? Self.bodyFields : []
        if leavesOrigin { removed += Self.boundFields }
        if rules.choosesCookiesAnew || leavesOrigin { removed.append("cookie") }
        self.removedFields = removed
    }

    /// Whether the next request is GET without a body: after 303 for every method but HEAD (RFC 9110 § 15.4.4), after 301 and 302 for
    /// POST, as browsers do (§ 15.4.2, Fetch § 4.4).
    private static func rewrites(_ status: Int, _ method: String) -> Bool {
        switch status {
        case 303: method != "HEAD"
        case 301, 302: method == "POST"
        default: false
        }
    }

    /// Fields that describe the body (Fetch § 4.4, and those of the transfer).
    private static let bodyFields = [
        "content-encoding", "content-language", "content-length", "content-location", "content-type",
        "transfer-encoding",
    ]

    /// Fields that are meant for one origin, besides cookies.
    private static let boundFields = ["authorization", "proxy-authorization", "origin", "host"]
}

/// The reason why a redirect isn't followed.
package enum RedirectError: Error, Sendable, Hashable {
    /// The `Location` is no URI reference.
    case malformedLocation(String)
    /// No request can be sent to the URL.
    case unusableTarget(url: String, RequestTargetError)
    /// The redirect leads from `https` to `http`.
    case leavesTLS(url: String)
    /// More redirects than the rules allow.
    case tooMany(url: String)
    /// The URL was visited before.
    case cycle(url: String)
}
