// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A public key in words (RFC 5280 § 4.1.2.7). If its bytes aren't a key of its algorithm, the description contains the
/// reason.
struct KeyDescription: Sendable {
    /// The kind and size: `RSA 2048 bits`, `EC P-256` or `Ed25519`.
    let words: String
    /// The identifier of the algorithm, or nil if it is malformed.
    let oid: String?
    /// The nominal size in bits, if the kind has one.
    let bits: Int?
    /// The fields that aren't as expected.
    let problems: [ASN1Problem]
    private let value: ASN1Value
    private let algorithm: ASN1Value?
    private let parameters: ASN1Value?
    private let key: ASN1Value?

    /// - Parameter value: a SubjectPublicKeyInfo.
    init(_ value: ASN1Value) {
        self.value = value
        var fields = FieldReader(value)
        algorithm = fields.read(.required(.sequence, "algorithm"))
        key = fields.read(.required(.bitString, "subjectPublicKey"))
        problems = fields.problems
        var parts = FieldReader(algorithm)
        oid = parts.any()?.oid
        parameters = parts.any()
        (words, bits) = Self.size(oid, parameters, key)
    }

    /// The SHA-256 digest of the whole SubjectPublicKeyInfo, in base64 after `sha256/`.
    var pin: String { "sha256/" + Base64.encode(Digests.sha256(Array(value.whole))) }

    /// All fields.
    var details: [Detail] {
        let numbers = numberDetails
        // An RSA key consists only of its two numbers.
        let bytes = Detail("bytes", ASN1Value.hex(key?.contents.dropFirst() ?? [], maximum: 4096))
        let isShown = numbers.contains { $0.label == "modulus" }
        let fault = (try? SubjectPublicKeyInfo(der: Array(value.whole)))?.keyFault.map { [Detail("problem", $0)] } ?? []
        return [AlgorithmDescription(algorithm).detail("algorithm")] + numbers + (isShown ? [] : [bytes]) + fault
    }

    // MARK: Kinds

    private static let rsa: Set = ["1.2.840.113549.1.1.1", "1.2.840.113549.1.1.10", "1.2.840.113549.1.1.7"]
    private static let ellipticCurve = "1.2.840.10045.2.1"
    private static let dsa = "1.2.840.10040.4.1"

    private static func size(
        _ oid: String?, _ parameters: ASN1Value?, _ key: ASN1Value?
    ) -> (words: String, bits: Int?) {
        switch oid {
        case let oid? where rsa.contains(oid):
            guard let modulus = key?.inside?.inner, modulus.isUniversal(.integer) else {
                return ("RSA, malformed", nil)
            }
            let bits = bitCount(modulus)
            return ("\(oid == "1.2.840.113549.1.1.10" ? "RSA-PSS" : "RSA") \(bits) bits", bits)
        case ellipticCurve:
            if let curve = parameters?.oid {
                return ("EC \(OIDNames.words(for: curve) ?? curve)", PrivateKeyFacts.sizes[curve])
            }
            // `ECParameters ::= SEQUENCE { version, fieldID SEQUENCE { type, prime }, … }`
            let prime = parameters?.members.dropFirst().first { _ in true }?.members.dropFirst().first { _ in true }
            let bits = prime.flatMap { $0.isUniversal(.integer) ? bitCount($0) : nil }
            return ("EC with an explicit curve\(bits.map { " of \($0) bits" } ?? "")", bits)
        case dsa:
            let bits = parameters?.inner.map(bitCount)
            return ("DSA\(bits.map { " \($0) bits" } ?? "")", bits)
        case let oid?: return (OIDNames.words(for: oid) ?? "unknown kind (\(oid))", PrivateKeyFacts.sizes[oid])
        case nil: return ("malformed key", nil)
        }
    }

    /// The lines of the numbers of an RSA or DSA key, or of the curve and point of an elliptic curve key.
    private var numberDetails: [Detail] {
        switch oid {
        case let oid? where Self.rsa.contains(oid):
            guard let bits else { return [] }
            let numbers = key?.inside?.members.prefix(2).map { $0 } ?? []
            let exponent = numbers.count > 1 && numbers[1].isUniversal(.integer) ? numbers[1] : nil
            let words = exponent.map { $0.number.map { "\($0) (0x\(String($0, radix: 16)))" } ?? "0x" + $0.hex() }
            return [
                Detail("size", "\(bits) bits"), Detail("modulus", Self.magnitude(numbers[0])),
                Detail("exponent", words ?? "missing"),
            ]
        case Self.ellipticCurve:
            guard parameters?.oid != nil else { return [Detail("curve", "explicit")] }
            return [.identifier("curve", parameters), Detail("point", pointWords)]
        case Self.dsa:
            let numbers = zip(["p", "q", "g"], parameters?.members.prefix(3).map { $0 } ?? [])
            return numbers.map { Detail($0, Self.magnitude($1)) }
                + (key?.inside.map { [Detail("y", Self.magnitude($0))] } ?? [])
        default: return []
        }
    }

    private var pointWords: String {
        switch key?.contents.dropFirst().first {
        case 2, 3: "compressed"
        case 4: "uncompressed"
        case 6, 7: "hybrid"
        default: "malformed"
        }
    }

    /// Returns a positive number in hexadecimal, without leading zeros.
    private static func magnitude(_ value: ASN1Value) -> String {
        Hex.encode(value.contents.drop { $0 == 0 }.prefix(2048))
    }

    private static func bitCount(_ value: ASN1Value) -> Int {
        let bytes = value.contents.drop { $0 == 0 }
        return bytes.count * 8 - (bytes.first?.leadingZeroBitCount ?? 0)
    }
}

/// The kinds of a certificate's key and signature in words, without the rest of its description. Use it for millions of
/// certificates.
package struct CertificateWords: Sendable {
    /// The kind of the key: `RSA 2048 bits`, `EC P-256`, `Ed25519`.
    package let key: String
    /// The signature algorithm without its parameters, for example `RSA with SHA-256`.
    package let signature: String

    package init(_ certificate: Certificate) {
        let value = try? ASN1Value(certificate.subjectPublicKeyInfo.der)
        key = value.map { KeyDescription($0).words } ?? "unreadable key"
        let algorithm = certificate.signatureAlgorithm.description
        signature = OIDNames.words(for: algorithm) ?? algorithm
    }
}
