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
        guard let oid else {
            words = value == nil ? "missing" : "malformed"
            parameters = nil
            return
        }
        let name = OIDNames.words(for: oid) ?? oid
        if oid == "1.2.840.113549.1.1.10" {
            words = Self.pss(rest) ?? name
            parameters = nil
        } else {
            words = name
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
    private static func pss(_ value: ASN1Value?) -> String? {
        var fields = FieldReader(value)
        func inner(_ value: ASN1Value?) -> ASN1Value? { value?.members.first { _ in true } }
        let hash = inner(fields.optional(context: 0)).map { AlgorithmDescription($0).words } ?? "SHA-1"
        let mask = inner(fields.optional(context: 1))
        let salt = inner(fields.optional(context: 2))?.number ?? 20
        var maskFields = FieldReader(mask)
        _ = maskFields.any()
        let maskHash = mask == nil ? "SHA-1" : AlgorithmDescription(maskFields.any()).words
        return "RSA-PSS with \(hash), MGF1 with \(maskHash), salt of \(salt) bytes"
    }
}
