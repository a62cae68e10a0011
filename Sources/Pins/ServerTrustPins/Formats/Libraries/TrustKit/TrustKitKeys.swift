// SPDX-License-Identifier: Apache-2.0

/// TrustKit's keys as they occur in files. The Objective-C constants begin with `k`, and so do the keys of dictionaries
/// that were printed from code. The reader accepts this prefix, but the writer never writes it. One key is spelled
/// differently (``excluded``).
package enum TrustKitKeys {
    /// The key in an `Info.plist` that contains all other keys.
    package static let configuration = "TSKConfiguration"
    package static let pinnedDomains = "TSKPinnedDomains"
    static let swizzle = "TSKSwizzleNetworkDelegates"
    static let ignoresUserAnchors = "TSKIgnorePinningForUserDefinedTrustAnchors"

    package static let hashes = "TSKPublicKeyHashes"
    package static let enforces = "TSKEnforcePinning"
    package static let includesSubdomains = "TSKIncludeSubdomains"
    /// The value of the constant `kTSKExcludeSubdomainFromParentPolicy`. It lacks a letter (TSKTrustKitConfig.m, since
    /// 1.5).
    package static let excluded = "kSKExcludeSubdomainFromParentPolicy"
    /// The spelling in TrustKit's documentation. TrustKit skips it like every unknown key. If the domain has no pins,
    /// TrustKit raises an exception at launch.
    static let documentedExcluded = "TSKExcludeSubdomainFromParentPolicy"
    package static let reportURIs = "TSKReportUris"
    package static let disablesDefaultReportURI = "TSKDisableDefaultReportUri"
    package static let expiry = "TSKExpirationDate"
    package static let anchors = "TSKAdditionalTrustAnchors"
    /// A key that TrustKit required before version 1.6. It has had no effect since then.
    package static let algorithms = "TSKPublicKeyAlgorithms"

    package static let global: Set<String> = [pinnedDomains, swizzle, ignoresUserAnchors]
    package static let domain: Set<String> = [
        hashes, enforces, includesSubdomains, excluded, reportURIs, disablesDefaultReportURI, expiry, anchors,
        algorithms,
    ]

    /// Returns the key without the `k` of its constant.
    static func withoutK(_ key: String) -> String { key.hasPrefix("kTSK") ? String(key.dropFirst()) : key }

    /// Returns the node, with the `k` removed from all keys of its dictionary and of its domains.
    static func normalized(_ node: PinNode) -> PinNode {
        func renamed(_ node: PinNode, _ change: (String, PinNode) -> PinNode) -> PinNode {
            guard case .dictionary(let members) = node.value else { return node }
            let changed = members.map { member in
                let key = withoutK(member.key)
                return PinNode.Member(key: key, node: change(key, member.node))
            }
            return PinNode(.dictionary(changed), line: node.line, comment: node.comment)
        }
        return renamed(node) { key, node in
            guard key == pinnedDomains, case .dictionary(let members) = node.value else { return node }
            let domains = members.map { PinNode.Member(key: $0.key, node: renamed($0.node) { _, node in node }) }
            return PinNode(.dictionary(domains), line: node.line, comment: node.comment)
        }
    }
}
