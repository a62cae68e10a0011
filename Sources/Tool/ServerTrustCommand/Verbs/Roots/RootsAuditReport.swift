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
            lines.append("the list would break \(broken) of \(counted(hosts.count, "server"))")
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
        return "\(lost) of \(counted(audit.roots.count, "root")) \(lost == 1 ? "is" : "are") no longer trusted"
            + (conditional == 0 ? "" : ", \(conditional) \(conditional == 1 ? "has" : "have") conditions")
    }

    func json() -> [UInt8] {
        JSONWriter.answer { json in
            json.object("store", system.write)
            json.object("list", list.write)
            json.objects("findings", of: audit.roots.filter(\.standing.isFinding)) { $1.write(to: &$0) }
            json.objects("servers", of: hosts) { $1.write(to: &$0) }
        }
    }
}
