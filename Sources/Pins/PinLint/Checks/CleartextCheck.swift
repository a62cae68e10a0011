// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

// Checks connections without TLS to pinned hosts. If a host has several statements, the statement with the longest name
// decides (AOSP, ApplicationConfig; Apple, NSExceptionDomains). If it has no statement, the statement for all hosts
// decides.

extension PinLintContext {
    mutating func checkCleartext() {
        guard configuration.cleartext.contains(where: { $0.isPermitted == true }) else { return }
        let statements = CleartextTable(configuration.cleartext)
        var reported: Set<Hostname> = []
        for rule in configuration.rules where rule.mode != .unpinned {
            let permitted = rule.hosts.filter { statements.isPermitted(for: $0.name) }
            guard let first = permitted.first else { continue }
            reported.formUnion(permitted.map(\.name))
            let names = permitted.map(\.description).joined(separator: ", ")
            add(
                .cleartextBesidePins, at: statements.location(for: first.name) ?? rule.location, subject: names,
                "\(Self.shortened(permitted)): pinned, but connections without TLS are permitted")
        }
        checkStatements(&reported)
    }

    /// Reports the statements about hosts that no pinned rule names. The hosts of one element share a finding.
    private mutating func checkStatements(_ reported: inout Set<Hostname>) {
        var others: [PinFileLocation: [PinnedHosts]] = [:]
        var order: [PinFileLocation] = []
        for statement in configuration.cleartext where statement.isPermitted == true && statement.isExplicit {
            guard let hosts = statement.hosts else {
                add(
                    .cleartextByDefault, at: statement.location,
                    "connections without TLS are permitted to all hosts without a separate setting")
                continue
            }
            guard reported.insert(hosts.name).inserted else { continue }
            if let rule = table.rule(for: hosts.name), rule.mode != .unpinned {
                add(
                    .cleartextBesidePins, at: statement.location, subject: "\(hosts)",
                    "\(hosts): connections without TLS are permitted, but the rule for \(rule.subject) pins the hosts")
            } else if !hosts.name.isLocal {
                if others[statement.location] == nil { order.append(statement.location) }
                others[statement.location, default: []].append(hosts)
            }
        }
        for location in order {
            let hosts = others[location] ?? []
            add(
                .cleartextHost, at: location, subject: hosts.map(\.description).joined(separator: ", "),
                "\(Self.shortened(hosts)): connections without TLS are permitted")
        }
    }

    /// Returns the first ten hosts and the number of the remaining ones.
    private static func shortened(_ hosts: [PinnedHosts]) -> String {
        let list = hosts.prefix(10).map(\.description).joined(separator: ", ")
        return hosts.count > 10 ? "\(list) and \(hosts.count - 10) more" : list
    }
}

/// The statements of a file by host.
private struct CleartextTable {
    private var byName: [Hostname: CleartextStatement] = [:]
    private let forAll: CleartextStatement?

    init(_ statements: [CleartextStatement]) {
        for statement in statements {
            if let hosts = statement.hosts, byName[hosts.name] == nil { byName[hosts.name] = statement }
        }
        forAll = statements.first { $0.hosts == nil }
    }

    private func statement(for host: Hostname) -> CleartextStatement? {
        for name in host.namesUpward {
            if let statement = byName[name], statement.hosts?.matches(host) == true { return statement }
        }
        return forAll
    }

    func isPermitted(for host: Hostname) -> Bool { statement(for: host)?.isPermitted == true }

    /// Returns the location of the statement for a host, or nil if the statement for all hosts applies.
    func location(for host: Hostname) -> PinFileLocation? {
        statement(for: host).flatMap { $0.hosts == nil ? nil : $0.location }
    }
}

extension Hostname {
    /// Whether the host belongs to a private network or is the device itself: RFC 1918, RFC 3927, RFC 4193, RFC 6761,
    /// RFC 6762.
    fileprivate var isLocal: Bool {
        let text = description
        switch kind {
        case .dns: return !text.contains(".") || registrableDomain == nil || text.hasSuffix(".local")
        case .ip:
            if text.contains(":") {
                let start = text.prefix(4).lowercased()
                return text == "::1" || start == "fe80" || start.hasPrefix("fc") || start.hasPrefix("fd")
            }
            let bytes = text.split(separator: ".").compactMap { UInt8($0) }
            guard bytes.count == 4 else { return false }
            return [10, 127].contains(bytes[0]) || bytes[0] == 172 && (16...31).contains(bytes[1])
                || bytes[0] == 192 && bytes[1] == 168 || bytes[0] == 169 && bytes[1] == 254
        }
    }
}
