// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// The property list that ISPCertificatePinning stores (`SSLPins.plist`). It maps each domain to a list of DER
// certificates. A connection passes if its chain was validated and contains one of the domain's certificates, byte for
// byte. Domains that aren't in the list are refused.

struct ISPReader: PinReading {
    /// Returns whether the file can have this format: a dictionary whose values are arrays of data.
    static func recognizes(_ root: PinNode) -> Bool {
        guard case .dictionary(let members) = root.value, !members.isEmpty else { return false }
        return members.allSatisfy { member in
            guard case .array(let elements) = member.node.value else { return false }
            return elements.allSatisfy { if case .data = $0.value { true } else { false } }
        }
    }

    var values: PinValueReader

    mutating func configuration(_ root: PlacedNode) throws(PinFileError) -> PinConfiguration {
        let rules = rules(values.dictionary(root) ?? [], host: { $0.values.host($1.key, $1.line, $1.path) }) {
            reader, member, name in
            let pins = reader.pins(member)
            guard let name, !pins.isEmpty else { return nil }
            return reader.values.rule([.only(name)], pins, comment: member.node.comment, member.line, member.path)
        }
        return try values.configuration(rules, unlistedHosts: .refused)
    }

    private mutating func pins(_ place: PlacedNode) -> [Pin] {
        let pins = values.elements(place) { values, element -> Pin? in
            guard case .data(let der) = element.value else {
                values.add(.pinFileWrongType, element, "\(element.value.kind), expected data")
                return nil
            }
            return values.certificate(der, element.line, element.path).map { certificate in
                Pin(.certificate(certificate), comment: element.node.comment, location: values.location(element))
            }
        }
        return values.unique(pins, place.path)
    }
}
