// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The report of `servertrust roots report`.
struct RootsAuditReport {
    let audit: RootAudit
    let system: SystemAnchors
    let list: RootList
    /// The effects on servers. Empty if the user named no servers.
    let hosts: [HostAudit]

    func text(_ palette: Palette) -> String {
        var lines = ["\(printable(list.source)) against \(RootStore.name(system))"]
        for (standing, title) in [
            (RootAudit.Standing.notListed, "not in the list"), (.notTrusted, "not trusted for TLS"),
            (.conditional, "trusted under conditions"),
            (.administratorsOwn, "not in the list, the administrator's own"),
        ] {
            let roots = audit.roots(standing)
            guard !roots.isEmpty else { continue }
            lines.append(palette.bold("\(title) (\(roots.count))"))
            for root in roots { lines += rows(root) }
        }
        lines.append(summary)
        if !list.isComplete {
            lines.append("the list is incomplete: roots that it doesn't contain are trusted without conditions")
        }
        if !hosts.isEmpty {
            let width = min(40, hosts.map(\.endpoint.description.count).max() ?? 0) + 2
            lines.append("")
            lines += hosts.map { $0.line(palette, nameWidth: width) }
            let broken = hosts.count { $0.effect == .breaks }
            lines.append("the list would break \(broken) of \(RootStore.count(hosts.count, "server"))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func rows(_ root: RootAudit.Root) -> [String] {
        let certificate = root.certificate
        let row =
            "  " + Hex.encode(certificate.sha256.prefix(8)).padded(to: 18)
            + printable(certificate.subject.description)
        let words: String? =
            switch root.standing {
            case .conditional: root.words
            case .notTrusted: root.distrustedAfter.map { "distrusted first for leaves issued after \($0)" }
            default: nil
            }
        return [row] + [words].compactMap { $0.map { String(repeating: " ", count: 20) + $0 } }
    }

    private var summary: String {
        let lost = audit.roots.count { $0.standing == .notListed || $0.standing == .notTrusted }
        let conditional = audit.roots(.conditional).count
        return "\(lost) of \(RootStore.count(audit.roots.count)) \(lost == 1 ? "is" : "are") no longer trusted"
            + (conditional == 0 ? "" : ", \(conditional) \(conditional == 1 ? "has" : "have") conditions")
    }

    func json() -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        json.array { json in
            json.object { json in
                json.key("schemaVersion")
                json.number(1)
                json.key("store")
                system.write(to: &json)
                json.key("list")
                list.write(to: &json)
                json.key("findings")
                json.array(of: audit.roots.filter(\.standing.isFinding)) { json, root in root.write(to: &json) }
                json.key("servers")
                json.array(of: hosts) { json, host in host.write(to: &json) }
            }
        }
        json.lineFeed()
        return json.bytes
    }
}
