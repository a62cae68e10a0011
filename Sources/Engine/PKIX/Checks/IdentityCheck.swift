// SPDX-License-Identifier: Apache-2.0

/// The leaf names the server that the client connects to (RFC 9525 § 6).
///
/// A DNS name is compared with the dNSNames and an IP address with the iPAddresses of the subject alternative name; the
/// common name is never read (§ 2), whichever address the socket has. Not done: SRV and URI identities (§ 6.5).
enum IdentityCheck {
    static func run(
        _ certificate: Certificate, _ context: EvaluationContext, _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        guard let host = context.host else { return }
        guard certificate.storage.fields.extensions.has(.subjectAlternativeName) else {
            return list.add(.subjectAlternativeNameMissing, expected: .text(host.description))
        }
        // Twice: for the match, and for the names that a mismatch lists.
        let value = certificate.storage.fields.extensions.value(.subjectAlternativeName)
        guard meter.charge(work: 2 * value.count) else { return }
        if matches(certificate, host, isStrict: context.policy.isStrict) { return }
        list.add(.hostMismatch, expected: .text(host.description), found: names(of: certificate).list)
    }

    /// Returns the DNS names and IP addresses of a certificate, for a failure; names of other forms, with their form, if it has none.
    private static func names(of certificate: Certificate) -> CountedList {
        let span = certificate.span
        var outer = DERReader(span, certificate.storage.fields.extensions.value(.subjectAlternativeName))
        var names = CountedList()
        var others = CountedList()
        guard let sequence = try? outer.next(DERTag.sequence, "subjectAltName") else { return names }
        var reader = outer.inside(sequence)
        while !reader.isAtEnd, let name = try? reader.next("subjectAltName") {
            guard name.contentCount <= 255 else { continue }
            switch name.tag {
            case GeneralNameTag.dnsName:
                names.add(
                    DistinguishedName.printable(String(decoding: certificate.copy(name.contents), as: UTF8.self)))
            case GeneralNameTag.ipAddress: names.add(IPAddress.text(certificate.copy(name.contents)))
            default: if names.isEmpty { others.add(certificate.shortName(name)) }
            }
        }
        return names.isEmpty ? others : names
    }

    static func matches(_ certificate: Certificate, _ host: Hostname, isStrict: Bool) -> Bool {
        let span = certificate.span
        var outer = DERReader(span, certificate.storage.fields.extensions.value(.subjectAlternativeName))
        guard let sequence = try? outer.next(DERTag.sequence, "subjectAltName") else { return false }
        var names = outer.inside(sequence)
        switch host.kind {
        case .dns:
            let view = host.dnsBytes[...]
            let wanted = view.span
            // Found once: it depends on the host alone, and thousands of wildcards may fit it.
            var mayBeWildcard: Bool?
            while !names.isAtEnd {
                guard let name = try? names.next("subjectAltName") else { return false }
                guard name.tag == GeneralNameTag.dnsName else { continue }
                switch DNSName.match(presented: span, name.contents.indices, reference: wanted) {
                case .none: break
                case .exact: return true
                case .wildcard:
                    let isAllowed = mayBeWildcard ?? DNSName.mayBeWildcard(wanted, isStrict: isStrict)
                    mayBeWildcard = isAllowed
                    if isAllowed { return true }
                }
            }
        case .ip(let address):
            while !names.isAtEnd {
                guard let name = try? names.next("subjectAltName") else { return false }
                if name.tag == GeneralNameTag.ipAddress, equals(span, name.contents, address.bytes) { return true }
            }
        }
        return false
    }
}

extension DNSName {
    /// A match of RFC 9525 § 6.3: equal without regard to case, or a whole leftmost label `*` for exactly one label of
    /// the reference.
    ///
    /// `*` directly above a public suffix would stand for domains of other owners and matches nothing: the registries'
    /// part of the Public Suffix List always (unlisted top-level domains among it, as in browsers), the private part
    /// (`*.github.io`, which its owner may well hold) under the strict rules (CA/Browser baseline § 3.2.2.6). Anything
    /// that isn't a DNS name in preferred form, a partial wildcard (`w*.example.com`) among it, matches nothing.
    enum Match {
        case none
        case exact
        /// A match if ``mayBeWildcard(_:isStrict:)`` allows it.
        case wildcard
    }

    /// Compares a presented name with the reference.
    /// - Parameter reference: lower case, checked by ``Hostname``.
    static func match(presented: Span<UInt8>, _ range: Range<Int>, reference: Span<UInt8>) -> Match {
        guard range.count >= 3, presented[range.lowerBound] == UInt8(ascii: "*") else {
            // A reference may have hyphens that a name in preferred form doesn't have.
            return equal(presented, range, reference, 0..<reference.count)
                && check(presented, range, wildcard: false) == .valid ? .exact : .none
        }
        guard let dot = firstDot(reference) else { return .none }
        let suffix = (range.lowerBound + 1)..<range.upperBound
        guard presented[suffix.lowerBound] == UInt8(ascii: "."),
            equal(presented, suffix, reference, dot..<reference.count),
            check(presented, range, wildcard: true) == .valid
        else { return .none }
        return .wildcard
    }

    /// Whether a wildcard may stand for the first label of `reference`.
    static func mayBeWildcard(_ reference: Span<UInt8>, isStrict: Bool) -> Bool {
        guard let dot = firstDot(reference) else { return false }
        switch PublicSuffixList.section(of: reference.extracting((dot + 1)..<reference.count)) {
        case nil: return true
        case .icann: return false
        case .privateDomains: return !isStrict
        }
    }

    private static func firstDot(_ bytes: Span<UInt8>) -> Int? {
        for index in 0..<bytes.count where bytes[index] == UInt8(ascii: ".") { return index }
        return nil
    }
}

extension Certificate {
    /// Whether the certificate names this host (RFC 9525 § 6), by the rules of path validation. Nothing else is
    /// checked.
    package func names(_ host: Hostname) -> Bool { IdentityCheck.matches(self, host, isStrict: false) }
}

extension Certificate {
    /// Returns whether a DNS name or IP address of the subject alternative name is that of a host, by the rules that are not strict. A path
    /// to an anchor, dates and purposes are not checked.
    package func isNamed(_ host: Hostname) -> Bool {
        storage.fields.extensions.has(.subjectAlternativeName) && IdentityCheck.matches(self, host, isStrict: false)
    }
}
