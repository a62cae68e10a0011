// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// The property list that ISPCertificatePinning stores (`SSLPins.plist`). It maps each domain to a list of DER
// certificates. A connection passes if its chain was validated and contains one of the domain's certificates, byte for
// byte. Domains that aren't in the list are refused.

struct ISPReader {
    /// Returns whether the file can have this format: a dictionary whose values are arrays of data.
    static func recognizes(_ root: PinNode) -> Bool {
        guard case .dictionary(let members) = root.value, !members.isEmpty else { return false }
        return members.allSatisfy { member in
            guard case .array(let elements) = member.node.value else { return false }
            return elements.allSatisfy { if case .data = $0.value { true } else { false } }
        }
    }

    private var values: PinValueReader

    static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = ISPReader(values: PinValueReader(file: file))
        return try reader.configuration(root)
    }

    private mutating func configuration(_ root: PinNode) throws(PinFileError) -> PinConfiguration {
        var rules: [PinRule] = []
        var seen: [Hostname: Int?] = [:]
        for member in values.dictionary(root, "") ?? [] {
            let path = values.join("", member.key)
            let name = values.host(member.key, member.node.line, path)
            if let name { _ = values.unique(name, member.node.line, path, among: &seen) }
            let pins = pins(member.node, path)
            let location = values.diagnostics.location(member.node.line, path)
            guard let name, !pins.isEmpty else { continue }
            let rule = values.diagnostics.rule(location) { () throws(PinRuleError) in
                try PinRule(hosts: [.only(name)], pins: pins, comment: member.node.comment, location: location)
            }
            if let rule { rules.append(rule) }
        }
        return try values.diagnostics.configuration { () throws(PinRuleError) in
            try PinConfiguration(rules: rules, unlistedHosts: .refused)
        }
    }

    private mutating func pins(_ node: PinNode, _ path: String) -> [Pin] {
        let pins = values.elements(node, path) { values, element, path -> Pin? in
            guard case .data(let der) = element.value else {
                values.diagnostics.add(.pinFileWrongType, element.line, path, "\(element.value.kind), expected data")
                return nil
            }
            let location = values.diagnostics.location(element.line, path)
            return values.certificate(der, element.line, path).map { certificate in
                Pin(.certificate(certificate), comment: element.comment, location: location)
            }
        }
        return values.unique(pins, path)
    }
}
