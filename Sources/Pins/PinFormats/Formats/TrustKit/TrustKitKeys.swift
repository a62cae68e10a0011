// SPDX-License-Identifier: Apache-2.0

import PinModel

/// TrustKit's keys as they stand in files. The Objective-C constants have a `k` before them, and so have dictionaries that were printed
/// from code: it is accepted, and never written. One key has another spelling (``excluded``).
package enum TrustKitKeys {
    /// The key in an `Info.plist` above all others.
    package static let configuration = "TSKConfiguration"
    package static let pinnedDomains = "TSKPinnedDomains"
    package static let swizzle = "TSKSwizzleNetworkDelegates"
    package static let ignoresUserAnchors = "TSKIgnorePinningForUserDefinedTrustAnchors"

    package static let hashes = "TSKPublicKeyHashes"
    package static let enforces = "TSKEnforcePinning"
    package static let includesSubdomains = "TSKIncludeSubdomains"
    /// The text of the constant `kTSKExcludeSubdomainFromParentPolicy`, in which a letter is missing (TSKTrustKitConfig.m, since 1.5).
    package static let excluded = "kSKExcludeSubdomainFromParentPolicy"
    /// The spelling of TrustKit's documentation, which TrustKit skips as every unknown key; without pins beside it, it raises an exception at
    /// launch.
    package static let documentedExcluded = "TSKExcludeSubdomainFromParentPolicy"
    package static let reportURIs = "TSKReportUris"
    package static let disablesDefaultReportURI = "TSKDisableDefaultReportUri"
    package static let expiry = "TSKExpirationDate"
    package static let anchors = "TSKAdditionalTrustAnchors"
    /// A key that was required before TrustKit 1.6 and has no effect since.
    package static let algorithms = "TSKPublicKeyAlgorithms"

    package static let global: Set<String> = [pinnedDomains, swizzle, ignoresUserAnchors]
    package static let domain: Set<String> = [
        hashes, enforces, includesSubdomains, excluded, reportURIs, disablesDefaultReportURI, expiry, anchors,
        algorithms,
    ]

    /// Returns the key without the `k` of its constant.
    static func withoutK(_ key: String) -> String { key.hasPrefix("kTSK") ? String(key.dropFirst()) : key }

    /// Returns the node with the keys of its dictionary and of those of its domains without `k`.
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
