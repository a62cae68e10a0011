// SPDX-License-Identifier: Apache-2.0

extension Hostname {
    /// The date of the compiled Public Suffix List, such as `2026-10-22`.
    package static var publicSuffixListDate: String { PublicSuffixList.date }

    /// The name's public suffix (https://publicsuffix.org/list/), from the registries' section and the private section:
    /// `co.uk` for `www.example.co.uk`.
    ///
    /// If the list doesn't contain the top-level domain, the suffix is the last label. Nil for an address.
    var publicSuffix: String? {
        guard case .dns = kind else { return nil }
        let bytes = dnsBytes[...]
        return String(decoding: bytes.suffix(PublicSuffixList.suffixLength(of: bytes.span)), as: UTF8.self)
    }

    /// The registrable name, which is the public suffix with one more label: `example.co.uk` for `www.example.co.uk`.
    ///
    /// Nil for a public suffix itself and for an address.
    package var registrableDomain: String? {
        guard let publicSuffix, dnsBytes.count > publicSuffix.utf8.count else { return nil }
        let labels = dnsBytes.dropLast(publicSuffix.utf8.count + 1)
        let start = labels.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0
        return String(decoding: dnsBytes[start...], as: UTF8.self)
    }

    /// Whether the list contains the name's top-level domain: true for `example.com`, false for `nas.local` and for an
    /// address.
    package var hasKnownTopLevelDomain: Bool {
        if case .dns = kind { PublicSuffixList.listsLastLabel(of: dnsBytes.span) } else { false }
    }

    /// Whether customers register names directly below this name, so that it has no single owner: `com`, `co.uk`,
    /// `github.io`. False for an address.
    package var isPublicSuffix: Bool { publicSuffix.map { $0.utf8.count == dnsBytes.count } ?? false }
}
