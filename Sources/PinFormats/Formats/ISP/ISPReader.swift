// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

// The property list that ISPCertificatePinning keeps (`SSLPins.plist`): domain to a list of certificates in DER. A connection passes if
// its chain was validated and holds one of the domain's certificates, byte for byte; a domain that isn't in the list is refused.

struct ISPReader {
    /// Whether the file can be one: a dictionary of nothing but lists of data.
    static func recognizes(_ root: PinNode) -> Bool {
        guard case .dictionary(let members) = root.value, !members.isEmpty else { return false }
        return members.allSatisfy { member in
            guard case .array(let elements) = member.node.value else { return false }
            return elements.allSatisfy { if case .data = $0.value { true } else { false } }
        }
    }

    private var problems: ProblemList

    static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = ISPReader(problems: ProblemList(file: file))
        return try reader.configuration(root)
    }

    private mutating func configuration(_ root: PinNode) throws(PinFileError) -> PinConfiguration {
        var rules: [PinRule] = []
        var seen: [Hostname: Int?] = [:]
        for member in problems.dictionary(root, "") ?? [] {
            let name = problems.host(member.key, member.node.line, member.key)
            if let name { _ = problems.unique(name, member.node.line, member.key, among: &seen) }
            let pins = pins(member.node, member.key)
            let place = problems.place(member.node.line, member.key)
            guard let name, !pins.isEmpty else { continue }
            let rule = problems.rule(place) { () throws(PinRuleError) in
                try PinRule(hosts: [.only(name)], pins: pins, comment: member.node.comment, place: place)
            }
            if let rule { rules.append(rule) }
        }
        return try problems.configuration { () throws(PinConfigurationError) in
            try PinConfiguration(rules: rules, unlistedHosts: .refused)
        }
    }

    private mutating func pins(_ node: PinNode, _ path: String) -> [Pin] {
        var pins: [Pin] = []
        for (index, element) in (problems.list(node, path) ?? []).enumerated() {
            let elementPath = "\(path)[\(index)]"
            guard case .data(let der) = element.value else {
                problems.add(.wrongType, element.line, elementPath, "\(element.value.kind), expected data")
                continue
            }
            guard let certificate = problems.certificate(der, element.line, elementPath) else { continue }
            pins.append(
                Pin(
                    .certificate(certificate), comment: element.comment,
                    place: problems.place(element.line, elementPath)))
        }
        return problems.unique(pins, path)
    }
}
