// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// A server as far as it is known: by certificates at hand, or by having been looked at.
public struct PinnedServer: Sendable {
    public let host: Hostname
    /// Every valid path from its leaf to an anchor, leaf first; empty if there is none.
    public let paths: [[Certificate]]

    /// - Parameters:
    ///   - host: whose they are.
    ///   - trust: what the server presented, with the anchors and the date that count.
    public init(host: Hostname, _ trust: Trust) {
        self.init(host: host, paths: trust.validPaths().map(\.certificates))
    }

    public init(host: Hostname, paths: [[Certificate]]) {
        self.host = host
        self.paths = paths
    }
}

extension PinLinter {
    /// Servers of pinned hosts whose leaf is among ``certificates``, with their valid paths: what can be said without looking at them.
    public func servers(in sources: [PinLintSource]) -> [PinnedServer] {
        guard let anchors else { return [] }
        var names: Set<Hostname> = []
        for rule in sources.lazy.compactMap(\.configuration).flatMap(\.rules) where rule.mode != .unpinned {
            for hosts in rule.hosts where hosts.includesName { names.insert(hosts.name) }
        }
        var servers: [PinnedServer] = []
        for leaf in certificates where !leaf.isAuthority {
            for host in Set(leaf.namedHosts(among: names)).sorted(by: { $0.description < $1.description }) {
                var trust = Trust(presentedChain: [leaf] + certificates.filter { $0 != leaf }, host: host)
                trust.anchors = TrustAnchors(anchors)
                trust.verifyDate = .at(time)
                let server = PinnedServer(host: host, trust)
                if !server.paths.isEmpty { servers.append(server) }
            }
        }
        return servers
    }
}

extension Certificate {
    /// Those of `names` that its alternative names may be about. Whether they are is for the engine to say.
    fileprivate func namedHosts(among names: Set<Hostname>) -> [Hostname] {
        (subjectAlternativeNames ?? []).flatMap { name -> [Hostname] in
            switch name {
            case .dnsName(let text) where text.hasPrefix("*."):
                return names.filter { $0.description.hasSuffix(text.dropFirst().lowercased()) }
            case .dnsName(let text): return [try? Hostname(text)].compactMap(\.self).filter(names.contains)
            case .ipAddress: return names.filter { if case .ip = $0.kind { true } else { false } }
            default: return []
            }
        }
    }
}

extension Certificate {
    /// Whether it says that it is a CA's; a certificate of version 1, which can't say so, counts if it is self-issued.
    var isAuthority: Bool { basicConstraints?.isCertificateAuthority ?? (version == 1 && isSelfIssued) }
}
