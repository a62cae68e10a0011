// SPDX-License-Identifier: Apache-2.0

// The reason why a dNSName doesn't match the host. A name is hostile input. Each step reads it once, and the number of
// wildcards bounds the comparison with a pattern.

extension RejectedName {
    /// The largest name that the comparison reads, in bytes. DNS names have at most 253 bytes, but a URL may be longer.
    static let maximumSize = 512

    /// The largest number of wildcards in a name that is compared as a pattern.
    private static let maximumWildcards = 4

    /// Returns the reason why a dNSName doesn't match the host.
    static func reason(dnsName bytes: [UInt8], for host: Hostname) -> Reason {
        guard bytes.count <= maximumSize else { return .anotherName }
        let parts = bytes.split(whereSeparator: isSeparator)
        if parts.count > 1 {
            let isListed = parts.prefix(16).contains { part in
                let name = StrippedName(part)
                return !name.core.isEmpty
                    && (name.core.elementsEqual(host.dnsBytes) || isAddress(name.core, of: host))
            }
            return isListed ? .severalNames : .anotherName
        }
        let name = StrippedName(bytes[...])
        guard case .dns = host.kind else { return isAddress(name.core, of: host) ? .addressAsDNSName : .anotherName }
        return name.core.contains(star)
            ? wildcardReason(name, host.dnsBytes) : plainReason(name, host.dnsBytes)
    }

    private static let star = UInt8(ascii: "*")
    private static let dot = UInt8(ascii: ".")

    /// Whether a byte separates several names in one entry.
    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: " ")
    }

    private static func isAddress(_ core: ArraySlice<UInt8>, of host: Hostname) -> Bool {
        guard case .ip(let wanted) = host.kind, core.count <= 45 else { return false }
        return IPAddress(String(decoding: core, as: UTF8.self)) == wanted
    }

    /// Returns the reason why a name without a wildcard doesn't match.
    private static func plainReason(_ name: StrippedName, _ host: [UInt8]) -> Reason {
        if name.core.elementsEqual(host) { return name.defect ?? .malformedLabel }
        if isBelow(host[...], name.core) {
            guard name.core.contains(dot), PublicSuffixList.section(of: name.core.span) == nil else {
                return .anotherName
            }
            return name.defect == .leadingDot ? .leadingDot : .domainAbove
        }
        return isBelow(name.core, host[...]) ? .domainBelow : .anotherName
    }

    /// Returns the reason why a name with a wildcard doesn't match.
    private static func wildcardReason(_ name: StrippedName, _ host: [UInt8]) -> Reason {
        let core = name.core
        if core.count == 1 { return .wildcardOnly }
        let wildcards = core.reduce(0) { $1 == star ? $0 + 1 : $0 }
        guard wildcards == 1, core.starts(with: [star, dot]) else {
            guard wildcards <= maximumWildcards, fits(core, host[...]) else { return .anotherName }
            return core.drop { $0 != dot }.contains(star) ? .wildcardNotLeftmost : .partialWildcard
        }
        let domain = core.dropFirst(2)
        if domain.elementsEqual(host) { return .wildcardForDomainItself }
        guard isBelow(host[...], domain) else { return .anotherName }
        if PublicSuffixList.section(of: domain.span) != nil { return .wildcardAbovePublicSuffix }
        let isOneLabel = host.firstIndex(of: dot).map { host.count - $0 - 1 == domain.count } ?? false
        return isOneLabel ? name.defect ?? .malformedLabel : .wildcardForSeveralLabels
    }

    /// Whether a name is a subdomain of a domain, at any depth.
    private static func isBelow(_ name: ArraySlice<UInt8>, _ domain: ArraySlice<UInt8>) -> Bool {
        name.count > domain.count + 1 && name[name.endIndex - domain.count - 1] == dot
            && name.suffix(domain.count).elementsEqual(domain)
    }

    /// Whether a name matches a pattern. Each wildcard matches any bytes.
    private static func fits(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
        let parts = pattern.split(separator: star, omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, parts.count > 1,
            name.count >= first.count + last.count, name.starts(with: first),
            name.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = name.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            while rest.count >= part.count, !rest.starts(with: part) { rest = rest.dropFirst() }
            guard rest.count >= part.count else { return false }
            rest = rest.dropFirst(part.count)
        }
        return true
    }
}

/// A dNSName in lower case without the parts that a DNS name can't have, and the first of these defects.
private struct StrippedName {
    private(set) var core: ArraySlice<UInt8>
    private(set) var defect: RejectedName.Reason?

    init(_ name: ArraySlice<UInt8>) {
        core = name.map { asciiLowercased($0) }[...]
        // Failure texts escape control characters as `\00`.
        if let index = core.firstIndex(where: { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "\\") }) {
            defect = .controlCharacter
            core = core[..<index]
        }
        trim()
        dropScheme()
        cut(.path) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        if let at = core.lastIndex(of: UInt8(ascii: "@")) {
            note(.userInfo)
            core = core[(at + 1)...]
        }
        dropPort()
        if core.count > 1, core.last == UInt8(ascii: ".") {
            note(.trailingDot)
            core.removeLast()
        }
        if core.count > 1, core.first == UInt8(ascii: ".") {
            note(.leadingDot)
            core.removeFirst()
        }
    }

    private mutating func note(_ reason: RejectedName.Reason) { defect = defect ?? reason }

    private mutating func trim() {
        let blank = UInt8(ascii: " ")
        guard core.first == blank || core.last == blank else { return }
        note(.blank)
        while core.first == blank { core.removeFirst() }
        while core.last == blank { core.removeLast() }
    }

    private mutating func dropScheme() {
        guard let colon = core.firstIndex(of: UInt8(ascii: ":")),
            core[(colon + 1)...].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")])
        else { return }
        note(.scheme)
        core = core[(colon + 3)...]
    }

    private mutating func cut(_ reason: RejectedName.Reason, where isEnd: (UInt8) -> Bool) {
        guard let end = core.firstIndex(where: isEnd) else { return }
        note(reason)
        core = core[..<end]
    }

    private mutating func dropPort() {
        let colon = UInt8(ascii: ":")
        if core.first == UInt8(ascii: "["), let end = core.firstIndex(of: UInt8(ascii: "]")) {
            if core[(end + 1)...].first == colon { note(.port) }
            core = core[(core.startIndex + 1)..<end]
        } else if let index = core.firstIndex(of: colon), !core[(index + 1)...].contains(colon) {
            note(.port)
            core = core[..<index]
        }
    }
}
