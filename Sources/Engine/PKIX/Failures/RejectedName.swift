// SPDX-License-Identifier: Apache-2.0

/// A name of a certificate that doesn't match the host, with the reason.
///
/// Only reports use this type. ``IdentityCheck`` decides and never reads it.
package struct RejectedName: Sendable, Hashable {
    /// The form of a name, as RFC 5280 calls it. Raw values are stable.
    package enum Form: String, Sendable, Hashable, CaseIterable {
        case dnsName = "dNSName"
        case ipAddress = "iPAddress"
        case uri = "uniformResourceIdentifier"
        case email = "rfc822Name"
        case directoryName
        case otherName
        case registeredID
        case x400Address
        case ediPartyName
        /// The common name of the subject. Clients don't compare it with the host.
        case commonName
    }

    /// The reason for rejecting a name, most specific first. Raw values are stable.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        // The name is nearly right.
        case addressAsDNSName
        case controlCharacter
        case blank
        case severalNames
        case scheme
        case path
        case userInfo
        case port
        case trailingDot
        case leadingDot
        case malformedLabel
        case partialWildcard
        case wildcardNotLeftmost
        case wildcardOnly
        case wildcardAbovePublicSuffix
        case wildcardForSeveralLabels
        case wildcardForDomainItself
        case domainAbove
        case domainBelow
        case mappedAddress
        case commonName
        // Clients don't compare names of this form with a host.
        case spiffeID
        case formNotCompared
        // The name belongs to another host.
        case anotherName
        case anotherAddress

        /// Whether the name is nearly right, or has a form that clients never compare with a host.
        var isNear: Bool { self != .anotherName && self != .anotherAddress }

        /// The order of reasons. A lower rank explains more.
        var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
    }

    /// The form.
    package let form: Form
    /// The name in printable form, at most 256 bytes in JSON.
    package let value: String
    /// The reason.
    package let reason: Reason

    init(_ form: Form, _ value: String, _ reason: Reason) {
        self.form = form
        self.value = DistinguishedName.printable(value.abridged(toBytes: 256)).abridged(toBytes: 256)
        self.reason = reason
    }
}

extension RejectedName {
    /// Creates a name from its text in the list of names that a failure found. In that list, forms that clients don't
    /// compare have a prefix.
    init(shownAs text: String, for host: Hostname) {
        for (prefix, form) in Self.prefixes where text.hasPrefix(prefix) {
            let value = String(text.dropFirst(prefix.count))
            self.init(form, value, Self.reason(form, Array(value.utf8.prefix(16))))
            return
        }
        // An address equal to the host's would have matched as an iPAddress, so this text comes from a dNSName.
        if let address = IPAddress(text), host.kind != .ip(address) {
            self.init(.ipAddress, text, Self.reason(address: address.bytes, for: host))
        } else {
            self.init(.dnsName, text, Self.reason(dnsName: Array(text.utf8), for: host))
        }
    }

    /// The prefixes of `GeneralName.description`.
    private static let prefixes: [(String, Form)] = [
        ("URI:", .uri), ("email:", .email), ("DirName:", .directoryName), ("otherName:", .otherName),
        ("registeredID:", .registeredID), ("x400Address:", .x400Address), ("ediPartyName:", .ediPartyName),
    ]

    /// Returns the reason for a name whose form clients don't compare with a host.
    static func reason(_ form: Form, _ start: [UInt8]) -> Reason {
        let scheme = Array("spiffe://".utf8)
        let isSPIFFE =
            form == .uri && start.count >= scheme.count
            && zip(start, scheme).allSatisfy { asciiLowercased($0) == $1 }
        return isSPIFFE ? .spiffeID : .formNotCompared
    }

    /// Returns the reason why an iPAddress doesn't match the host.
    static func reason(address bytes: [UInt8], for host: Hostname) -> Reason {
        guard case .ip(let wanted) = host.kind, let address = IPAddress(bytes: bytes) else { return .anotherAddress }
        let isPair = address.bytes.count != wanted.bytes.count && (address.isMapped || wanted.isMapped)
        return isPair && address.bytes.suffix(4) == wanted.bytes.suffix(4) ? .mappedAddress : .anotherAddress
    }
}

// MARK: - Words

extension RejectedName {
    /// The name and the rule that it violates, for a sentence that begins with `it has`: `10.0.0.5 as a DNS name, but
    /// an IP address must be an iPAddress entry`.
    func clause(for host: Hostname) -> String {
        switch reason {
        case .addressAsDNSName: "\(value) as a DNS name, but an IP address must be an iPAddress entry"
        case .controlCharacter: "\"\(value)\", but a DNS name has no control characters"
        case .blank: "\"\(value)\", but a DNS name has no spaces"
        case .severalNames: "\"\(value)\" in one entry, but each name needs its own entry"
        case .scheme: "\(value) as a DNS name, but a DNS name has no scheme"
        case .path: "\(value) as a DNS name, but a DNS name has no path"
        case .userInfo: "\(value) as a DNS name, but a DNS name has no user"
        case .port: "\(value) as a DNS name, but a DNS name has no port"
        case .trailingDot: "\(value), but a DNS name in a certificate doesn't end with a dot"
        case .leadingDot: "\(value), but a DNS name in a certificate doesn't start with a dot"
        case .malformedLabel: "\(value), but labels may contain only letters, digits, and hyphens between them"
        case .partialWildcard: "\(value), but a wildcard must be a whole label"
        case .wildcardNotLeftmost: "\(value), but only the first label may be a wildcard"
        case .wildcardOnly: "\(value), but a wildcard needs a domain"
        case .wildcardAbovePublicSuffix: "\(value), but a wildcard may not come directly before a public suffix"
        case .wildcardForSeveralLabels: "\(value), but a wildcard matches only one label"
        case .wildcardForDomainItself: "\(value), but a wildcard doesn't match the domain itself"
        case .domainAbove: "\(value), but a name doesn't cover its subdomains"
        case .domainBelow: "\(value), but a name doesn't cover the domain above it"
        case .mappedAddress: "\(value), but clients don't compare an IPv4 address with an IPv4-mapped IPv6 address"
        case .commonName: "\(value) as its common name, but clients read only the subject alternative name"
        case .spiffeID:
            "the SPIFFE ID \(value) of a workload, but clients compare only DNS names and IP addresses"
        case .formNotCompared: "the \(form.rawValue) \(value), but clients compare only DNS names and IP addresses"
        case .anotherName, .anotherAddress: value
        }
    }

    /// The remedy for a name that is nearly right: the names that the certificate should contain.
    func remedy(for host: Hostname) -> String {
        guard host.isCertifiable else {
            return "Give the server another name. Labels in certificates can't start or end with a hyphen."
        }
        let entry =
            switch host.kind {
            case .ip(let address): "the iPAddress entry \(address) (in OpenSSL's configuration: IP:\(address))"
            case .dns(let name): "the dNSName entry \(name) (in OpenSSL's configuration: DNS:\(name))"
            }
        let reissue = "Have the certificate reissued with \(entry) in the subject alternative name"
        switch reason {
        case .mappedAddress:
            guard case .ip(let address) = host.kind, address.isMapped else { return reissue + "." }
            return "\(reissue), or connect to the IPv4 address itself."
        case .wildcardForDomainItself: return "\(reissue), in addition to the wildcard."
        case .partialWildcard, .wildcardNotLeftmost, .wildcardForSeveralLabels:
            guard let wildcard = Self.wildcard(for: host) else { return reissue + "." }
            return "\(reissue), or with the wildcard \(wildcard)."
        case .domainAbove, .domainBelow:
            return "\(reissue), in addition to its other names. Or have clients use one of those."
        default: return reissue + "."
        }
    }

    /// Returns the wildcard that covers a host, or nil if no wildcard may cover it.
    private static func wildcard(for host: Hostname) -> String? {
        guard case .dns = host.kind, let dot = host.dnsBytes.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let domain = host.dnsBytes[(dot + 1)...]
        guard PublicSuffixList.section(of: domain.span) == nil else { return nil }
        return "*." + String(decoding: domain, as: UTF8.self)
    }
}
