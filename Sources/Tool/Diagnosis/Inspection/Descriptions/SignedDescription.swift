// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The fields of a signed object for display: a certificate, a CRL, a request or an OCSP response. It also works for
/// objects that the strict parser refuses.
///
/// Don't base any decision on a description. Its parser accepts BER and damaged values, and lists the invalid positions
/// in ``problems``.
struct SignedDescription: Sendable {
    /// The schema of a kind of object.
    struct Schema: Sendable {
        /// The object in words.
        let object: String
        /// The name of the signed part in the grammar.
        let name: String
        /// The fields of the signed part.
        let fields: [Field]
        /// Returns the extensions of the object.
        var extensions: @Sendable (Record) -> [ExtensionDescription] = { ExtensionDescription.list($0["extensions"]) }
    }

    /// The fields of the signed part.
    let fields: Record
    let issuer: NameDescription
    let subject: NameDescription
    let key: KeyDescription?
    let extensions: [ExtensionDescription]
    /// The algorithm next to the signature.
    let algorithm: AlgorithmDescription
    /// The certificates after the signature of an OCSP response.
    let certificates: ASN1Value?
    /// The fields that don't comply with the object's standard, each with its offset.
    let problems: [ASN1Problem]
    private let signature: ASN1Value?

    /// - Parameter der: any bytes.
    init(der: [UInt8], _ schema: Schema) {
        let whole = ASN1Value.whole(der, schema.object)
        self.init(whole.value, schema, problems: whole.problems)
    }

    init(_ whole: ASN1Value?, _ schema: Schema, problems: [ASN1Problem] = []) {
        var outer = FieldReader(whole)
        let signed = outer.read(.required(.sequence, schema.name))
        algorithm = AlgorithmDescription(outer.read(.required(.sequence, "signatureAlgorithm")))
        signature = outer.read(.required(.bitString, "signature"))
        certificates = outer.read(.explicit(0))
        fields = Record(signed, schema.fields, rest: .refused("the end"))
        issuer = NameDescription(fields["issuer"])
        subject = NameDescription(fields["subject"])
        key = fields["public key"].map(KeyDescription.init)
        extensions = schema.extensions(fields)
        let inner = (key?.problems ?? []) + extensions.flatMap(\.problems)
        self.problems = Array((problems + outer.problems + fields.problems + inner).prefix(100))
    }

    /// Returns the extension with that identifier, or nil if the object doesn't contain it.
    func first(_ oid: String) -> ExtensionDescription? { extensions.first { $0.oid == oid } }

    /// Returns the values of the extension with that identifier, one per line. Empty if the object doesn't contain the
    /// extension.
    func values(_ oid: String) -> [String] { first(oid)?.details.compactMap(\.value) ?? [] }

    /// The subject alternative names, or the common names without them. DNS names and addresses have no prefix for
    /// their kind.
    var names: [String] {
        let names = first("2.5.29.17")?.details.map(GeneralNameDescription.plain) ?? []
        return names.isEmpty ? subject.values("2.5.4.3") : names
    }

    /// The line of the key's pin, if the object has a key.
    var pinDetails: [Detail] { key.map { [Detail("pin", $0.pin)] } ?? [] }

    /// The lines of the algorithm, unless the signed part contains the same, and of the signature.
    var signatureDetails: [Detail] {
        let hasInner = fields.contains("signature algorithm")
        let isRepeated = hasInner && algorithm == AlgorithmDescription(fields["signature algorithm"])
        let outer = algorithm.detail(hasInner ? "outer signature algorithm" : "signature algorithm")
        let bits = signature.map { ASN1Value.hex($0.contents.dropFirst(), maximum: 8192) }
        return (isRepeated ? [] : [outer]) + [Detail("signature", bits ?? "missing")]
    }
}

extension ASN1Value {
    /// Parses the only value of a file, and reports what makes it incomplete or what follows it.
    static func whole(_ der: [UInt8], _ object: String) -> (value: ASN1Value?, problems: [ASN1Problem]) {
        do throws(ASN1Problem) {
            let value = try ASN1Value(der)
            let rest = ASN1Problem(.invalid("bytes after the end of the \(object)"), at: value.next)
            return (value, [value.problem, value.next < der.count ? rest : nil].compactMap { $0 })
        } catch {
            return (nil, [error])
        }
    }
}

/// The digest that identifies an object.
func fingerprint(_ der: [UInt8]) -> String { Hex.encode(Digests.sha256(der)) }
