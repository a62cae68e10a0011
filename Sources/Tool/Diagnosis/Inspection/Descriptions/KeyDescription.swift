// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A public key in words (RFC 5280 § 4.1.2.7). If its bytes aren't a key of its algorithm, the description contains the
/// reason.
struct KeyDescription: Sendable, Hashable {
    /// The kind and size: `RSA 2048 bits`, `EC P-256` or `Ed25519`.
    let words: String
    /// The identifier of the algorithm, or nil if it is malformed.
    let oid: String?
    /// The nominal size in bits, if the kind has one.
    let bits: Int?
    /// All fields.
    let details: [Detail]
    /// The SHA-256 digest of the whole SubjectPublicKeyInfo, in base64 after `sha256/`.
    let pin: String
    /// The fields that aren't as expected.
    let problems: [ASN1Problem]

    /// - Parameter value: a SubjectPublicKeyInfo.
    init(_ value: ASN1Value) {
        var fields = FieldReader(value)
        let algorithm = fields.required(.sequence, "algorithm")
        let key = fields.required(.bitString, "subjectPublicKey")
        var parts = FieldReader(algorithm)
        oid = parts.any()?.oid
        let parameters = parts.any()
        let form = Self.form(oid, parameters, key)
        bits = form.bits
        words = form.words
        // An RSA key consists only of its two numbers.
        let bytes = Detail("bytes", ASN1Value.hex(key?.contents.dropFirst() ?? [], maximum: 4096))
        let isShown = form.details.contains { $0.label == "modulus" }
        let fault = (try? SubjectPublicKeyInfo(der: Array(value.whole)))?.keyFault.map { [Detail("problem", $0)] } ?? []
        details =
            [AlgorithmDescription(algorithm).detail("algorithm")] + form.details + (isShown ? [] : [bytes]) + fault
        pin = "sha256/" + Base64.encode(Digests.sha256(Array(value.whole)))
        problems = fields.problems
    }

    /// Returns only ``words``, for millions of keys.
    static func words(_ value: ASN1Value) -> String {
        var fields = FieldReader(value)
        var parts = FieldReader(fields.required(.sequence, "algorithm"))
        let key = fields.required(.bitString, "subjectPublicKey")
        let oid = parts.any()?.oid
        let parameters = parts.any()
        switch oid {
        case "1.2.840.10045.2.1":
            if let curve = parameters?.oid { return curveWords(curve) }
        case "1.2.840.113549.1.1.1":
            var numbers = FieldReader(key?.inside)
            if let modulus = numbers.required(.integer, "modulus") { return rsaWords(oid, bitCount(modulus.contents)) }
        default: break
        }
        return form(oid, parameters, key).words
    }

    private static func curveWords(_ curve: String) -> String { "EC \(OIDNames.words(for: curve) ?? curve)" }

    private static func rsaWords(_ oid: String?, _ bits: Int) -> String {
        "\(oid == "1.2.840.113549.1.1.10" ? "RSA-PSS" : "RSA") \(bits) bits"
    }

    private typealias Form = (words: String, bits: Int?, details: [Detail])

    private static func form(_ oid: String?, _ parameters: ASN1Value?, _ key: ASN1Value?) -> Form {
        switch oid {
        case "1.2.840.113549.1.1.1", "1.2.840.113549.1.1.10", "1.2.840.113549.1.1.7": return rsa(oid, key)
        case "1.2.840.10045.2.1": return ellipticCurve(parameters, key)
        case "1.2.840.10040.4.1": return dsa(parameters, key)
        default:
            guard let oid else { return ("malformed key", nil, []) }
            let name = OIDNames.words(for: oid) ?? "unknown kind (\(oid))"
            let bits = oid == "1.3.101.112" ? 256 : oid == "1.3.101.113" ? 456 : nil
            return (name, bits, [])
        }
    }

    private static func rsa(_ oid: String?, _ key: ASN1Value?) -> Form {
        var numbers = FieldReader(key?.inside)
        guard let modulus = numbers.required(.integer, "modulus") else { return ("RSA, malformed", nil, []) }
        let exponent = numbers.required(.integer, "publicExponent")
        let bits = bitCount(modulus.contents)
        let exponentWords = exponent.map { $0.number.map { "\($0) (0x\(String($0, radix: 16)))" } ?? "0x" + $0.hex() }
        return (
            rsaWords(oid, bits), bits,
            [
                Detail("size", "\(bits) bits"), Detail("modulus", Hex.encode(magnitude(modulus.contents).prefix(2048))),
                Detail("exponent", exponentWords ?? "missing"),
            ]
        )
    }

    private static func ellipticCurve(_ parameters: ASN1Value?, _ key: ASN1Value?) -> Form {
        guard let curve = parameters?.oid else {
            let bits = parameters.flatMap(explicitSize)
            return (
                "EC with an explicit curve\(bits.map { " of \($0) bits" } ?? "")", bits, [Detail("curve", "explicit")]
            )
        }
        let form: String =
            switch key?.contents.dropFirst().first {
            case 2, 3: "compressed"
            case 4: "uncompressed"
            case 6, 7: "hybrid"
            default: "malformed"
            }
        return (curveWords(curve), curveSize(curve), [.identifier("curve", parameters), Detail("point", form)])
    }

    /// Returns the size in bits of the prime in `ECParameters ::= SEQUENCE { version, fieldID SEQUENCE { type, prime },
    /// … }`.
    private static func explicitSize(_ parameters: ASN1Value) -> Int? {
        var fields = FieldReader(parameters)
        _ = fields.any()
        var field = FieldReader(fields.any())
        _ = field.any()
        return field.optional(.integer).map { bitCount($0.contents) }
    }

    private static func dsa(_ parameters: ASN1Value?, _ key: ASN1Value?) -> Form {
        var fields = FieldReader(parameters)
        let prime = fields.any()
        let size = prime.map { bitCount($0.contents) }
        let numbers = [("p", prime), ("q", fields.any()), ("g", fields.any()), ("y", key?.inside)]
        let details = numbers.compactMap { name, value in
            value.map { Detail(name, Hex.encode(magnitude($0.contents).prefix(2048))) }
        }
        return ("DSA\(size.map { " \($0) bits" } ?? "")", size, details)
    }

    private static func curveSize(_ oid: String) -> Int? {
        switch oid {
        case "1.2.840.10045.3.1.1": 192
        case "1.3.132.0.33": 224
        case "1.2.840.10045.3.1.7", "1.3.132.0.10", "1.3.36.3.3.2.8.1.1.7": 256
        case "1.3.132.0.34", "1.3.36.3.3.2.8.1.1.11": 384
        case "1.3.36.3.3.2.8.1.1.13": 512
        case "1.3.132.0.35": 521
        default: nil
        }
    }

    /// Returns the bytes of a positive number without leading zeros.
    static func magnitude(_ contents: ArraySlice<UInt8>) -> ArraySlice<UInt8> { contents.drop { $0 == 0 } }

    static func bitCount(_ contents: ArraySlice<UInt8>) -> Int {
        let bytes = magnitude(contents)
        return bytes.count * 8 - (bytes.first?.leadingZeroBitCount ?? 0)
    }
}
