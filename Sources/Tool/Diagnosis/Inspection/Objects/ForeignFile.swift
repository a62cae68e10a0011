// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Recognizes files without certificates, keys or revocation data by their first bytes. The book has these bytes.
enum ForeignFile {
    private static let signatures = InspectionProblem.texts.entries.flatMap { entry in
        entry.all("bytes").compactMap(Hex.decode).map { (bytes: $0, name: entry.name) }
    }

    /// Returns the problem of a binary file of a known kind, or nil for other files.
    static func binary(_ bytes: [UInt8]) -> InspectionProblem? {
        if let known = signatures.first(where: { bytes.starts(with: $0.bytes) }) {
            return InspectionProblem(entry: known.name)
        }
        // These are OpenPGP packets in the old and the new format (RFC 9580 § 4.2): a key, a signature or an encrypted
        // message.
        if bytes.count > 16, [0x85, 0x95, 0x99, 0xc6, 0xc5].contains(bytes[0]),
            bytes[0] >= 0xc0 || bytes[3] == 3 || bytes[3] == 4
        {
            return InspectionProblem(.pgp)
        }
        return nil
    }

    /// Returns the problem of a text without objects.
    static func text(_ bytes: [UInt8]) -> InspectionProblem {
        let start = String(decoding: bytes.prefix(4_096), as: UTF8.self).drop { $0.isWhitespace }
        let lower = start.lowercased()
        // The texts are in quotation marks.
        let known = InspectionProblem.texts.entries.first { entry in
            entry.all("start").contains { lower.hasPrefix($0.dropFirst().dropLast()) }
                || entry.all("within").contains { lower.contains($0.dropFirst().dropLast()) }
        }
        if let known, let problem = InspectionProblem(entry: known.name) { return problem }
        let line = String(start.prefix { !$0.isNewline })
        let isPath = line.hasPrefix("/") && !line.contains(" ") || line.dropFirst().hasPrefix(":\\")
        return InspectionProblem(.text, of: isPath ? "path" : nil, ["start": clipped(line, to: 60)])
    }

    /// Returns the problem of a PEM object from software that doesn't use X.509, or nil for other labels.
    static func pemLabel(_ label: String) -> InspectionProblem? {
        if label.hasPrefix("PGP ") { return InspectionProblem(.pgp, of: "label", ["label": clipped(label, to: 64)]) }
        if label == "OPENSSH PRIVATE KEY" || label == "SSH2 ENCRYPTED PRIVATE KEY" {
            return InspectionProblem(.sshPrivateKey, of: "label", ["label": label], kind: .privateKey)
        }
        return label.hasPrefix("AGE ENCRYPTED") ? InspectionProblem(.ageKey, of: "label") : nil
    }
}

extension InspectionProblem {
    /// Creates the problem of a file that an entry of the book identifies.
    /// - Parameter name: the code, and a variant after a space, if any.
    fileprivate init?(entry name: String) {
        let words = name.split(separator: " ", maxSplits: 1).map(String.init)
        guard let code = Code(rawValue: words[0]) else { return nil }
        self.init(code, of: words.dropFirst().first)
    }
}
