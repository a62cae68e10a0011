// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// A name in a certificate of an ``AuthorityFolder``: a host name, a wildcard such as `*.example.com`, or an IP
/// address.
package struct CertifiedName: Sendable, Hashable, CustomStringConvertible {
    /// The host. For a wildcard, the part after `*.`.
    package let host: Hostname
    /// Whether the name is a wildcard, which covers any single label before ``host``.
    package let isWildcard: Bool

    /// Parses `api.example.com`, `*.example.com`, `192.0.2.1` or `2001:db8::1`.
    ///
    /// It doesn't check whether verifiers accept a wildcard at that level. ``AuthorityFolder`` checks this before it
    /// writes a certificate.
    /// - Throws: ``HostnameError``. A `*` is a malformed label unless it is the whole leftmost label.
    package init(_ text: String) throws(HostnameError) {
        guard text.hasPrefix("*.") else {
            self.host = try Self.host(text)
            self.isWildcard = false
            return
        }
        let host = try Self.host(String(text.dropFirst(2)))
        guard case .dns = host.kind else {
            // An address can't have a wildcard, so this throws.
            self.host = try Hostname(text)
            self.isWildcard = false
            return
        }
        self.host = host
        self.isWildcard = true
    }

    /// Parses a host in a form that a certificate can contain.
    fileprivate static func host(_ text: String) throws(HostnameError) -> Hostname {
        let host = try Hostname.withoutZone(text)
        guard host.isCertifiable else { throw HostnameError(.hostLabelNotCertifiable, text: text) }
        return host
    }

    init(_ address: IPAddress) {
        self.host = Hostname(address)
        self.isWildcard = false
    }

    package var description: String { (isWildcard ? "*." : "") + host.description }

    /// The name in a certificate.
    var generalName: PKIX.GeneralName {
        switch host.kind {
        case .dns: .dnsName(description)
        case .ip(let address): .ipAddress(address.bytes)
        }
    }

    /// The file name without a suffix. It contains neither `*`, which shells expand, nor `:`, where makefiles and `scp`
    /// split names.
    var fileName: String {
        (isWildcard ? "_wildcard." : "") + String(host.description.map { $0 == ":" ? "_" : $0 })
    }

    /// A host that the name must match.
    var example: Hostname {
        guard isWildcard, let host = try? Hostname("any.\(host)") else { return host }
        return host
    }
}

/// A subtree of names that a name-constrained root may certify (RFC 5280 § 4.2.1.10).
package struct PermittedSubtree: Sendable, Hashable, CustomStringConvertible {
    package let description: String
    let name: PKIX.GeneralName

    /// Parses a domain, which covers all names below it, or a network: `example.com`, `192.0.2.0/24`, `192.0.2.1` or
    /// `2001:db8::/32`.
    /// - Throws: ``PermittedSubtreeError`` for anything else, including wildcards.
    package init(_ text: String) throws(PermittedSubtreeError) {
        do {
            if text.contains("/") {
                let subnet = try PKIX.GeneralName.subnet(text)
                self.description = text
                self.name = Self.cleared(subnet)
                return
            }
            let host = try CertifiedName.host(text)
            self.description = host.description
            switch host.kind {
            case .dns(let domain): self.name = .dnsName(domain)
            case .ip(let address):
                self.name = .ipAddress(address.bytes + address.bytes.map { _ in 0xff })
            }
        } catch {
            throw PermittedSubtreeError(text: text)
        }
    }

    /// Clears the bits outside the mask, because some verifiers compare addresses without masking them first.
    private static func cleared(_ subnet: PKIX.GeneralName) -> PKIX.GeneralName {
        guard case .ipAddress(let bytes) = subnet else { return subnet }
        let mask = bytes.suffix(bytes.count / 2)
        return .ipAddress(zip(bytes, mask).map { $0 & $1 } + mask)
    }
}

/// The error for a text that isn't a subtree of names.
package struct PermittedSubtreeError: Error, Sendable, Hashable, CustomStringConvertible {
    package let text: String

    package var description: String {
        "\"\(text)\" is neither a domain such as example.com, which covers all names below it, nor a network such as 192.0.2.0/24"
    }
}
