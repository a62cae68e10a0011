// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// The valid paths of a server, from known certificates or from a probe.
public struct PinnedServer: Sendable {
    /// The host.
    public let host: Hostname
    /// Every valid path from the server's certificate to an anchor, leaf first. Empty if there is no valid path.
    public let paths: [[Certificate]]
    /// The time when the server's CA suggests renewing its certificate, or nil if unknown.
    var renewal: RenewalWindow?

    /// Creates a server with the valid paths of presented certificates.
    /// - Parameters:
    ///   - host: the host.
    ///   - trust: the presented certificates, with the anchors, policy and date of the validation.
    public init(host: Hostname, _ trust: Trust) {
        self.init(host: host, paths: trust.validPaths().map(\.certificates))
    }

    /// Creates a server with known paths.
    init(host: Hostname, paths: [[Certificate]], renewal: RenewalWindow? = nil) {
        self.host = host
        self.paths = paths
        self.renewal = renewal
    }
}

extension PinLinter {
    /// Returns the servers of pinned hosts whose leaf is among ``certificates``, with their valid paths to ``anchors``.
    public func servers(in sources: [PinLintSource]) -> [PinnedServer] {
        guard let anchors else { return [] }
        var names: Set<Hostname> = []
        for rule in sources.lazy.compactMap(\.configuration).flatMap(\.rules) where rule.mode != .unpinned {
            for hosts in rule.hosts where hosts.includesName { names.insert(hosts.name) }
        }
        let trustAnchors = TrustAnchors.only(anchors)
        var servers: [PinnedServer] = []
        for leaf in certificates where !leaf.isAuthority {
            for host in Set(leaf.namedHosts(among: names)).sorted(by: { $0.description < $1.description }) {
                var trust = Trust(presentedChain: [leaf] + certificates.filter { $0 != leaf }, host: host)
                trust.anchors = trustAnchors
                trust.verifyDate = .at(time)
                let server = PinnedServer(host: host, trust)
                if !server.paths.isEmpty { servers.append(server) }
            }
        }
        return servers
    }
}

extension Certificate {
    /// The names that the alternative names may match. The engine decides whether they do.
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
    /// Whether the certificate belongs to a CA. The basic constraints decide. A version 1 certificate has none, and
    /// counts as a CA certificate if it is self-issued.
    var isAuthority: Bool { basicConstraints?.isCertificateAuthority ?? (version == 1 && isSelfIssued) }
}
