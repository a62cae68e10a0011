// SPDX-License-Identifier: Apache-2.0

extension Hostname {
    /// The day of the compiled Public Suffix List, as `2026-10-22`.
    package static var publicSuffixListDate: String { PublicSuffixList.date }

    /// The name's public suffix (https://publicsuffix.org/list/), from the sections of registries and of private
    /// domains alike: `co.uk` of `www.example.co.uk`.
    ///
    /// The last label of a name under a top-level domain that isn't in the list; nil for an address.
    package var publicSuffix: String? {
        guard case .dns = kind else { return nil }
        let bytes = dnsBytes[...]
        return String(decoding: bytes.suffix(PublicSuffixList.suffixLength(of: bytes.span)), as: UTF8.self)
    }

    /// The public suffix with one more label, the registrable name: `example.co.uk` of `www.example.co.uk`.
    ///
    /// nil for a public suffix itself and for an address.
    package var registrableDomain: String? {
        guard let publicSuffix, dnsBytes.count > publicSuffix.utf8.count else { return nil }
        let labels = dnsBytes.dropLast(publicSuffix.utf8.count + 1)
        let start = labels.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0
        return String(decoding: dnsBytes[start...], as: UTF8.self)
    }

    /// Whether the top-level domain of the name is in the list: true for `example.com`, false for `nas.local` and for an address.
    package var hasKnownTopLevelDomain: Bool {
        if case .dns = kind { PublicSuffixList.listsLastLabel(of: dnsBytes.span) } else { false }
    }

    /// Whether names are registered directly below the name, so that it has no owner of its own: `com`, `co.uk`,
    /// `github.io`. False for an address.
    package var isPublicSuffix: Bool { publicSuffix.map { $0.utf8.count == dnsBytes.count } ?? false }
}
