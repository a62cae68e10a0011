extension Hostname {
    /// Whether everybody may have names below it: `com`, `co.uk`, `github.io` (``PublicSuffixList``). Never for an address.
    package var isPublicSuffix: Bool {
        guard case .dns = kind else { return false }
        let view = dnsBytes[...]
        return PublicSuffixList.section(of: view.span) != nil
    }
}
