// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An AlgorithmIdentifier in words (RFC 5280 § 4.1.1.2).
struct AlgorithmDescription: Sendable, Hashable {
    /// The identifier in dotted decimal, or nil if it is missing or malformed.
    let oid: String?
    /// The algorithm in words, for example `RSA with SHA-256`.
    let words: String
    /// The parameters that ``words`` doesn't contain, if any.
    let parameters: String?

    init(_ value: ASN1Value?) {
        var fields = FieldReader(value)
        oid = fields.any()?.oid
        let rest = fields.any()
        switch oid {
        case nil: (words, parameters) = (value == nil ? "missing" : "malformed", nil)
        case "1.2.840.113549.1.1.10": (words, parameters) = (Self.pss(rest), nil)
        case let oid?:
            words = OIDNames.words(for: oid) ?? oid
            let isPlain = rest == nil || rest?.isUniversal(.null) == true
            parameters =
                isPlain ? nil : rest.map { $0.oid.map { OIDNames.words(for: $0) ?? $0 } ?? ASN1Value.hex($0.whole) }
        }
    }

    /// Returns a line with the algorithm and its identifier.
    func detail(_ label: String) -> Detail {
        let named = oid.map { words == $0 ? words : "\(words) (\($0))" } ?? words
        return Detail(label, named, oid: oid, parameters.map { [Detail("parameters", $0)] } ?? [])
    }

    /// Parses `RSASSA-PSS-params` (RFC 4055 § 3.1). The defaults are SHA-1 and a salt of 20 bytes.
    private static func pss(_ value: ASN1Value?) -> String {
        var fields = FieldReader(value)
        let hash = fields.read(.explicit(0)).map { AlgorithmDescription($0).words } ?? "SHA-1"
        let maskHash = fields.read(.explicit(1)).map { mask in
            AlgorithmDescription(mask.members.dropFirst().first { _ in true }).words
        }
        let salt = fields.read(.explicit(2))?.number ?? 20
        return "RSA-PSS with \(hash), MGF1 with \(maskHash ?? "SHA-1"), salt of \(salt) bytes"
    }
}
