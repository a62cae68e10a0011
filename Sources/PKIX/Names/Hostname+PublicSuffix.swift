// SPDX-License-Identifier: Apache-2.0

extension Hostname {
    /// The day of the Public Suffix List that is compiled in, as `2026-10-22`.
    public static var publicSuffixListDate: String { PublicSuffixList.date }

    /// The name's public suffix (https://publicsuffix.org/list/), sections of registries and of private domains alike: `co.uk` of
    /// `www.example.co.uk`. Of a name under a top-level domain that isn't in the list its last label. nil for an address.
    public var publicSuffix: String? {
        guard case .dns = kind else { return nil }
        let bytes = dnsBytes[...]
        return String(decoding: bytes.suffix(PublicSuffixList.suffixLength(of: bytes.span)), as: UTF8.self)
    }

    /// The public suffix with one more label, what can be registered: `example.co.uk` of `www.example.co.uk`. nil for a public suffix
    /// itself and for an address.
    public var registrableDomain: String? {
        guard let publicSuffix, dnsBytes.count > publicSuffix.utf8.count else { return nil }
        let labels = dnsBytes.dropLast(publicSuffix.utf8.count + 1)
        let start = labels.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0
        return String(decoding: dnsBytes[start...], as: UTF8.self)
    }

    /// Whether names are registered right below it, so that it has no owner of its own: `com`, `co.uk`, `github.io`. An address is none.
    public var isPublicSuffix: Bool { publicSuffix.map { $0.utf8.count == dnsBytes.count } ?? false }
}
