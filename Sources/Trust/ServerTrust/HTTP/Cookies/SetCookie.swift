// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A cookie that a server sets or removes (RFC 6265 § 5.2 and § 5.3).
package struct SetCookie: Sendable, Hashable {
    /// The maximum size of name and value together, in bytes. § 6.1 asks for at least this size, and browsers accept
    /// no more.
    static let maximumSize = 4096
    /// The maximum size of an attribute's value and of the path, in bytes (RFC 6265bis § 5.6).
    static let maximumAttributeSize = 1024

    package let name: String
    package let value: String
    /// The domain in lower case, without a leading dot.
    package let domain: String
    /// Whether the cookie is only for the host that set it, and not for its subdomains.
    package let isHostOnly: Bool
    package let path: String
    /// The time of expiry, or nil for the end of the session. A time in the past removes the stored cookie.
    package let expires: Time?
    package let isSecure: Bool
    package let isHTTPOnly: Bool

    /// Parses a `Set-Cookie` field. Returns nil for a field that sets no cookie.
    ///
    /// Such a field has no name, a control character or too many bytes. Or it names a public suffix or a domain that
    /// the server doesn't belong to, or violates the rules of its name's prefix (`__Host-`, `__Secure-`). Attributes
    /// with too many bytes are ignored.
    /// - Parameters:
    ///   - field: the value of the field. Commas are part of it.
    ///   - target: the target of the request.
    ///   - now: the time of receipt.
    package init?(_ field: String, from target: CookieTarget, now: Time) {
        guard RequestSyntax.isValue(field) else { return nil }
        let parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let pair = parts.first.flatMap(Self.pair), let value = pair.value, !pair.name.isEmpty,
            pair.name.utf8.count + value.utf8.count <= Self.maximumSize
        else { return nil }
        // The last attribute with a name counts.
        var attributes: [String: Substring] = [:]
        for attribute in parts.dropFirst().compactMap(Self.pair)
        where (attribute.value ?? "").utf8.count <= Self.maximumAttributeSize {
            attributes[attribute.name.asciiLowercased] = attribute.value ?? ""
        }
        guard let scope = Self.scope(attributes["domain"], target) else { return nil }
        self.name = String(pair.name)
        self.value = String(value)
        self.domain = scope.domain
        self.isHostOnly = scope.isHostOnly
        let path = attributes["path"].flatMap { $0.utf8.first == UInt8(ascii: "/") ? String($0) : nil }
        self.path = path ?? target.defaultPath
        self.expires =
            attributes["max-age"].flatMap { Self.end(maximumAge: $0, now) }
            ?? attributes["expires"].flatMap { CookieDate.parse($0) }
        self.isSecure = attributes["secure"] != nil
        self.isHTTPOnly = attributes["httponly"] != nil
        guard target.isSecure || !isSecure, self.path.utf8.count <= Self.maximumAttributeSize else { return nil }
        let prefix = name.asciiLowercased
        if prefix.hasPrefix("__secure-") || prefix.hasPrefix("__host-"), !isSecure { return nil }
        if prefix.hasPrefix("__host-"), !isHostOnly || path != "/" { return nil }
    }

    /// Returns the name and the value on both sides of the first `=`. Without `=`, there is no value.
    private static func pair(_ part: Substring.UTF8View) -> (name: Substring, value: Substring?)? {
        let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = sides.first.map({ Substring($0).withoutOuterSpace }) else { return nil }
        return (name, sides.count == 2 ? Substring(sides[1]).withoutOuterSpace : nil)
    }

    /// Returns the scope (§ 5.3 steps 4 to 6), or nil if the server may not set a cookie for the domain.
    private static func scope(
        _ attribute: Substring?, _ target: CookieTarget
    ) -> (domain: String, isHostOnly: Bool)? {
        let text = attribute ?? ""
        let domain = (text.utf8.first == UInt8(ascii: ".") ? text.dropFirst() : text).asciiLowercased
        guard !domain.isEmpty else { return (target.host, true) }
        guard target.matches(domain: domain) else { return nil }
        // A public suffix may set a cookie for itself, and an address has no subdomains.
        let isOwnName = domain.utf8.elementsEqual(target.host.utf8)
        guard let name = try? Hostname(domain), case .dns = name.kind, !name.isPublicSuffix else {
            return isOwnName ? (target.host, true) : nil
        }
        return (domain, false)
    }

    /// Returns the time of expiry (§ 5.2.2), or nil for a text that isn't a number. Such a text is ignored.
    private static func end(maximumAge text: Substring, _ now: Time) -> Time? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        guard let seconds = FreshnessLifetime.deltaSeconds(isNegative ? text.dropFirst() : text) else { return nil }
        return isNegative || seconds == 0 ? Time(secondsSinceEpoch: 0) : now.advanced(by: Int64(seconds))
    }
}
