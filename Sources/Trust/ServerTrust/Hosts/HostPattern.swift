// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A pattern for the hosts that a setting applies to: one host, the names one label below a domain, or a domain with
/// all its subdomains.
///
/// | pattern | matches | doesn't match |
/// |---|---|---|
/// | `api.example.com` | `api.example.com` | `example.com`, `v1.api.example.com` |
/// | `192.0.2.1`, `2001:db8::1`, `[::1]` | that address in any notation | any name |
/// | `*.example.com` | `api.example.com` | `example.com`, `v1.api.example.com`, `api.notexample.com` |
/// | `**.example.com` | `example.com`, `api.example.com`, `v1.api.example.com` | `notexample.com` |
///
/// Case doesn't matter, and one trailing dot is ignored. The name after the stars is a `Hostname`, so it consists of
/// A-labels. Patterns are compared label by label from the right: the pattern's name must equal the last labels of the
/// host.
///
/// If several patterns match a host, the most specific pattern applies. An exact name comes first, then the pattern
/// with the longest name. For the same name, `*.example.com` comes before `**.example.com`.
///
/// Not checked: the Public Suffix List. `**.internal` is accepted, and so is `**.com`. A pattern doesn't limit which
/// names a certificate may contain. A wildcard in a certificate never matches more than one label.
public struct HostPattern: Sendable, Hashable {
    /// The wildcard before the name. No cases will be added.
    package enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// No wildcard: the name or address itself.
        case exact
        /// `*.`: exactly one label below the name.
        case oneLabel
        /// `**.`: the name and all its subdomains.
        case anyDepth
    }

    /// The wildcard before the name.
    package let kind: Kind

    /// The name after the stars. An address only in a pattern of kind `exact`.
    package let subject: Hostname.Kind

    /// Parses a pattern, as in the table above.
    /// - Throws: ``HostPatternError`` with the reason why `text` isn't a pattern. A pattern that can't match any host
    ///   is an error.
    public init(_ text: String) throws(HostPatternError) {
        if let code = Self.partOfURL(in: text) { throw HostPatternError(text, code) }
        let (kind, name) = try Self.splitStars(text)
        do throws(HostnameError) {
            self.init(kind: kind, subject: try Hostname.withoutZone(name).kind)
        } catch {
            throw HostPatternError(text, .hostPatternHostInvalid, host: error)
        }
        if case .ip = subject, kind != .exact { throw HostPatternError(text, .hostPatternWildcardBeforeAddress) }
        // RFC 1035 § 2.3.4: the 253 characters must have room for a label, its dot and the name.
        guard kind != .oneLabel || self.name.utf8.count <= 251 else {
            throw HostPatternError(text, .hostPatternTooLong)
        }
    }

    /// Creates a pattern that matches only `host`.
    public init(_ host: Hostname) { self.init(kind: .exact, subject: host.kind) }

    /// Creates a pattern of a kind for a name. `*.` before a name of more than 251 characters doesn't match any host.
    /// - Returns: nil for a wildcard before an address.
    package init?(_ kind: Kind, _ name: Hostname) {
        if case .ip = name.kind, kind != .exact { return nil }
        self.init(kind: kind, subject: name.kind)
    }

    /// Creates a pattern. `subject` must be a DNS name unless `kind` is `exact`.
    private init(kind: Kind, subject: Hostname.Kind) {
        self.kind = kind
        self.subject = subject
    }

    /// The patterns of all kinds for the name, or one pattern for an address.
    package var allOfName: [HostPattern] {
        if case .ip = subject { return [self] }
        return Kind.allCases.map { HostPattern(kind: $0, subject: subject) }
    }

    /// The name without stars and trailing dot, in lower case, or the address in the form of RFC 5952 without brackets.
    package var name: String {
        switch subject {
        case .dns(let name): name
        case .ip(let address): address.description
        }
    }

    /// Returns whether the pattern matches `host`. This method doesn't consider other patterns, which may be more
    /// specific.
    public func matches(_ host: Hostname) -> Bool {
        guard let labels = host.labels(below: subject) else { return false }
        return switch kind {
        case .exact: labels == 0
        case .oneLabel: labels == 1
        case .anyDepth: true
        }
    }
}

extension HostPattern: CustomStringConvertible {
    /// The pattern in canonical form, which you can parse again.
    public var description: String {
        switch kind {
        case .exact: name
        case .oneLabel: "*." + name
        case .anyDepth: "**." + name
        }
    }
}

// MARK: - Parsing

extension HostPattern {
    private static let star = UInt8(ascii: "*")
    private static let dot = UInt8(ascii: ".")
    private static let slash = UInt8(ascii: "/")
    private static let colon = UInt8(ascii: ":")

    /// Returns the error for the part of a URL that `text` contains in addition to the host, or nil if there isn't one.
    /// Without the port or path, the pattern would match more hosts than its author expects.
    private static func partOfURL(in text: String) -> ErrorCode? {
        let bytes = Array(text.utf8)
        if let first = bytes.firstIndex(of: slash), first > 0, bytes[first - 1] == colon,
            bytes[first...].starts(with: [slash, slash])
        {
            return .hostPatternHasScheme
        }
        if bytes.contains(where: { $0 == slash || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            return .hostPatternHasPath
        }
        // An IPv6 address without brackets has at least two colons. After brackets, an address has no colon.
        let bracket = bytes.lastIndex(of: UInt8(ascii: "]"))
        let colons = bytes[(bracket.map { $0 + 1 } ?? 0)...].count { $0 == colon }
        return colons == 1 || bracket != nil && colons > 0 ? .hostPatternHasPort : nil
    }

    /// Splits a pattern into the stars before the first dot and the text after it.
    private static func splitStars(_ text: String) throws(HostPatternError) -> (kind: Kind, name: String) {
        guard !text.isEmpty else { throw HostPatternError(text, .hostPatternEmpty) }
        // Split bytes, because a combining character after a dot would form one character with it.
        let labels = text.utf8.split(separator: dot, maxSplits: 1, omittingEmptySubsequences: false)
        let stars = labels[0].allSatisfy { $0 == star } ? labels[0].count : 0
        var kind = Kind.exact
        var name = text
        if stars == 1 || stars == 2 {
            guard labels.count == 2 else { throw HostPatternError(text, .hostPatternWithoutName) }
            guard !labels[1].isEmpty else { throw HostPatternError(text, .hostPatternWithoutName) }
            kind = stars == 1 ? .oneLabel : .anyDepth
            name = String(Substring(labels[1]))
        }
        if let label = name.utf8.split(separator: dot).first(where: { $0.contains(star) }) {
            throw HostPatternError(text, .hostPatternWildcardMisplaced, label: String(Substring(label)))
        }
        return (kind, name)
    }
}

extension HostPattern: Codable {
    /// Decodes the text of a pattern.
    /// - Throws: `DecodingError.dataCorrupted` with a ``HostPatternError`` if the text isn't a pattern.
    public init(from decoder: any Decoder) throws {
        self = try decoder.text { text throws(HostPatternError) in try Self(text) }
    }

    /// Encodes the pattern as text: `**.example.com`.
    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}
