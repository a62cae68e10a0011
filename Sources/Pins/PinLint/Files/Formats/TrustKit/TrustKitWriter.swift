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
        return hasParent ? .dictionary([(Keys.excluded, nil, .boolean(true))]) : nil
    }

    private static func policy(_ rule: PinRule, _ includesSubdomains: Bool) -> PinTree {
        var members: [(key: String, comment: String?, value: PinTree)] = [
            (
                Keys.hashes, nil,
                .array(rule.keysAnywhere.map { ($0.comment, .string(Base64.encode($0.key.sha256))) })
            ),
            (Keys.enforces, nil, .boolean(rule.mode == .enforced)),
            (Keys.includesSubdomains, nil, .boolean(includesSubdomains)),
        ]
        // Rounds up to whole days, so that the pins apply longer instead of shorter.
        if let time = rule.expiry?.time {
            let day = time.isMidnight ? time.day : time.advanced(by: 86_400).day
            members.append((Keys.expiry, nil, .string(day)))
        }
        if !rule.reportURIs.isEmpty {
            members.append((Keys.reportURIs, nil, .list(rule.reportURIs.map { .string($0) })))
        }
        let reportsToMaker = rule.settings.contains(PinSetting(.trustKit, Keys.disablesDefaultReportURI, "false"))
        members.append((Keys.disablesDefaultReportURI, nil, .boolean(!reportsToMaker)))
        let anchors = rule.anchors.compactMap { source -> PinTree? in
            guard case .certificate(let certificate) = source.kind else { return nil }
            return .string(PEM.encode(certificate.der, label: "CERTIFICATE"))
        }
        if !anchors.isEmpty { members.append((Keys.anchors, nil, .list(anchors))) }
        if let algorithms = rule.settings.first(where: { $0.format == .trustKit && $0.key == Keys.algorithms }) {
            members.append(
                (Keys.algorithms, nil, .list(algorithms.value.split(separator: ",").map { .string(String($0)) })))
        }
        return .dictionary(members)
    }
}
