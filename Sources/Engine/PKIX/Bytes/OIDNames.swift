// SPDX-License-Identifier: Apache-2.0

/// The names of object identifiers for messages and descriptions. No check uses them.
package enum OIDNames {
    /// Returns the name that the standard defines, such as `subjectAltName`, or nil if the table doesn't contain the
    /// identifier.
    package static func name(of dotted: String) -> String? { table[dotted]?.name }

    /// Returns a description if it is clearer than the standard's name, such as `TLS server authentication`. Otherwise
    /// returns the name.
    package static func words(for dotted: String) -> String? { table[dotted].map { $0.words ?? $0.name } }

    /// Returns the short name of a distinguished name attribute in RFC 4514 and OpenSSL, such as `CN`, or nil for other
    /// identifiers.
    package static func attribute(of dotted: String) -> String? { attributes[dotted] }

    /// Adds the name to a text that begins with an identifier: `secp256k1 (1.3.132.0.10)`. Returns any other text
    /// unchanged.
    static func naming(_ text: String) -> String {
        let identifier = text.utf8.prefix { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
        let rest = text.utf8.dropFirst(identifier.count)
        guard (5...64).contains(identifier.count), rest.isEmpty || rest.first == UInt8(ascii: " "),
            let dotted = String(identifier), let name = name(of: dotted)
        else { return text }
        return "\(name) (\(dotted))" + text[rest.startIndex...]
    }

    private static let table: [String: (name: String, words: String?)] = {
        var table: [String: (name: String, words: String?)] = [:]
        for line in (OIDNameData.rows + OIDNameData.extensionRows + OIDNameData.privateRows).split(separator: "\n")
        where line.first != "#" {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count >= 2 else { continue }
            table[String(parts[0])] = (String(parts[1]), parts.count > 2 ? String(parts[2]) : nil)
        }
        return table
    }()

    private static let attributes: [String: String] = [
        "2.5.4.3": "CN", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.10": "O", "2.5.4.11": "OU", "2.5.4.6": "C",
        "2.5.4.9": "STREET", "0.9.2342.19200300.100.1.25": "DC", "0.9.2342.19200300.100.1.1": "UID", "2.5.4.4": "SN",
        "2.5.4.42": "GN", "1.2.840.113549.1.9.1": "emailAddress", "1.3.6.1.4.1.311.60.2.1.1": "jurisdictionL",
        "1.3.6.1.4.1.311.60.2.1.2": "jurisdictionST", "1.3.6.1.4.1.311.60.2.1.3": "jurisdictionC",
    ]
}
