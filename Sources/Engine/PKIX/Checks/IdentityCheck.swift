// SPDX-License-Identifier: Apache-2.0

/// Checks that the leaf names the server that the client connects to (RFC 9525 § 6).
///
/// The check compares a DNS name with the dNSNames in the subject alternative name, and an IP address with the
/// iPAddresses. It never reads the common name (§ 2), and doesn't use the address of the socket. It doesn't support SRV
/// and URI identities (§ 6.5).
enum IdentityCheck {
    static func run(
        _ certificate: Certificate, _ context: EvaluationContext, _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        guard let host = context.host else { return }
        guard certificate.storage.fields.extensions.has(.subjectAlternativeName) else {
            return list.add(.subjectAlternativeNameMissing, expected: .text(host.description))
        }
        // Two passes: one for the match, and one for the names that a mismatch lists.
        let value = certificate.storage.fields.extensions.value(.subjectAlternativeName)
        guard meter.charge(work: 2 * value.count) else { return }
        if matches(certificate, host, isStrict: context.policy.isStrict) { return }
        list.add(.hostMismatch, expected: .text(host.description), found: names(of: certificate).list)
    }

    /// Returns a certificate's DNS names and IP addresses, for a failure. Without such names, returns its other names
    /// with their form.
    private static func names(of certificate: Certificate) -> CountedList {
        let span = certificate.span
        var outer = DERReader(span, certificate.storage.fields.extensions.value(.subjectAlternativeName))
        var names = CountedList()
        var others = CountedList()
        guard var reader = try? outer.nextSequence("subjectAltName") else { return names }
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
        guard var names = try? outer.nextSequence("subjectAltName") else { return false }
        switch host.kind {
        case .dns:
            let view = host.dnsBytes[...]
            let wanted = view.span
            // Computed once: it depends only on the host, and thousands of wildcards may match.
            var mayBeWildcard: Bool?
            while !names.isAtEnd, let name = try? names.next("subjectAltName") {
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
            while !names.isAtEnd, let name = try? names.next("subjectAltName") {
                if name.tag == GeneralNameTag.ipAddress, equals(span, name.contents, address.bytes) { return true }
            }
        }
        return false
    }
}

extension DNSName {
    /// The result of comparing names according to RFC 9525 § 6.3. Names match if they are equal, ignoring case. A
    /// leftmost label `*` matches exactly one label of the reference.
    ///
    /// A `*` directly below a public suffix would cover domains of different owners, so it matches nothing. This always
    /// applies to the registries' section of the Public Suffix List and, as in browsers, to unlisted top-level domains.
    /// It applies to the private section (`*.github.io`, which its owner may well have) only under the strict rules
    /// (CA/Browser baseline § 3.2.2.6). A name that isn't in preferred form matches nothing, such as a partial wildcard
    /// (`w*.example.com`).
    enum Match {
        case none
        case exact
        /// A match only if ``mayBeWildcard(_:isStrict:)`` allows it.
        case wildcard
    }

    /// Compares a presented name with the reference.
    /// - Parameter reference: the name in lowercase, which ``Hostname`` has checked.
    static func match(presented: Span<UInt8>, _ range: Range<Int>, reference: Span<UInt8>) -> Match {
        guard range.count >= 3, presented[range.lowerBound] == UInt8(ascii: "*") else {
            // The reference may have hyphens where the preferred form doesn't allow them.
            return equal(presented, range, reference, 0..<reference.count)
                && check(presented, range, wildcard: false) == .valid ? .exact : .none
        }
        guard let dot = firstDot(reference) else { return .none }
        let suffix = (range.lowerBound + 1)..<range.upperBound
        guard equal(presented, suffix, reference, dot..<reference.count),
            check(presented, range, wildcard: true) == .valid
        else { return .none }
        return .wildcard
    }

    /// Whether a wildcard may replace the first label of `reference`.
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
    /// Returns whether the subject alternative name contains the host's DNS name or IP address, according to the rules
    /// that aren't strict. Doesn't check the path, dates or purposes.
    package func isNamed(_ host: Hostname) -> Bool { IdentityCheck.matches(self, host, isStrict: false) }
}
