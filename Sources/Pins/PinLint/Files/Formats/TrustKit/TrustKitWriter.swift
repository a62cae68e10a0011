// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// Writes TrustKit's dictionary with every relevant key, regardless of TrustKit's defaults.
enum TrustKitWriter {
    typealias Keys = TrustKitKeys

    /// Returns the dictionary, or nil if no host is pinned.
    static func tree(_ configuration: PinConfiguration) -> PinTree? {
        var domains: [(key: String, comment: String?, value: PinTree)] = []
        let table = PinTable(configuration)
        for row in PinProjection(configuration).rows {
            guard let entry = row.entry else { continue }
            let rule = entry.rule
            let value = rule.mode == .unpinned ? excluded(row, table) : policy(rule, entry.includesSubdomains)
            if let value { domains.append((row.name.description, rule.comment, value)) }
        }
        guard !domains.isEmpty else { return nil }
        var members: [(key: String, comment: String?, value: PinTree)] = []
        for setting in configuration.settings where setting.format == .trustKit {
            members.append((setting.key, nil, .boolean(setting.value == "true")))
        }
        members.append((Keys.pinnedDomains, configuration.comment, .dictionary(domains)))
        return .dictionary(members)
    }

    /// Returns an exclusion, which is possible only for a name below a pinned domain.
    private static func excluded(_ row: PinProjection.Row, _ table: PinTable) -> PinTree? {
        let hasParent = row.name.namesUpward.dropFirst().contains { name in
            guard table.lists(name), let below = HostPattern(.anyDepth, name) else { return false }
            return table.rule(for: below)?.mode ?? .unpinned != .unpinned
        }
        return hasParent ? .object([Keys.excluded: .boolean(true)]) : nil
    }

    private static func policy(_ rule: PinRule, _ includesSubdomains: Bool) -> PinTree {
        let pins = rule.keysAnywhere.map { (comment: $0.comment, value: PinTree.string(Base64.encode($0.key.sha256))) }
        let reportsToMaker = rule.settings.contains(PinSetting(.trustKit, Keys.disablesDefaultReportURI, "false"))
        let anchors = rule.anchors.compactMap { source -> PinTree? in
            guard case .certificate(let certificate) = source.kind else { return nil }
            return .string(PEM.encode(certificate.der, label: "CERTIFICATE"))
        }
        let algorithms = rule.settings.first { $0.format == .trustKit && $0.key == Keys.algorithms }
        return .object([
            Keys.hashes: .array(pins),
            Keys.enforces: .boolean(rule.mode == .enforced),
            Keys.includesSubdomains: .boolean(includesSubdomains),
            Keys.expiry: rule.expiry.map { .string($0.lastDay) },
            Keys.reportURIs: rule.reportURIs.isEmpty ? nil : .list(rule.reportURIs.map { .string($0) }),
            Keys.disablesDefaultReportURI: .boolean(!reportsToMaker),
            Keys.anchors: anchors.isEmpty ? nil : .list(anchors),
            Keys.algorithms: algorithms.map { setting in
                .list(setting.value.split(separator: ",").map { .string(String($0)) })
            },
        ])
    }
}
