// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Digests that people pin by mistake: the SHA-256 of some other part of a certificate than its SubjectPublicKeyInfo.
///
/// ```swift
/// PinMistakes(path).mistake(of: pin)?.hashed   // "the whole certificate"
/// ```
/// `openssl x509 -fingerprint` and `shasum -a 256` hash the certificate's file. Apple's
/// `SecKeyCopyExternalRepresentation` returns a key without its header. `openssl x509 -modulus` prints the modulus as
/// text. No key has such a pin, so no server matches it.
///
/// A SHA-1 digest isn't a pin. ``mistake(ofSHA1:)`` recognizes the SHA-1 digest of a key and of a whole certificate.
package struct PinMistakes: Sendable {
    /// A digest of something other than a key.
    package struct Mistake: Sendable, Hashable {
        /// The input of the digest, as text for people: `the whole certificate`.
        package let hashed: String
        /// The certificate whose key the author probably meant to pin.
        package let certificate: Certificate

        /// The pin of the key.
        package var meant: SPKIPin { SPKIPin(certificate) }
    }

    private var table: [[UInt8]: Mistake] = [:]
    /// The SHA-1 digests.
    private var short: [[UInt8]: Mistake] = [:]

    /// Computes all digests of some certificates.
    package init(_ certificates: some Sequence<Certificate>) {
        var seen: Set<Certificate> = []
        for certificate in certificates where seen.insert(certificate).inserted { add(certificate) }
    }

    /// Adds only the digest of each whole certificate, which is much faster than adding all digests.
    package mutating func add(fingerprintsOf certificates: some Sequence<Certificate>) {
        for certificate in certificates { add(certificate.sha256, Self.whole, certificate) }
    }

    /// Returns the input that the author of a pin hashed by mistake, or nil if no certificate explains the pin.
    package func mistake(of pin: SPKIPin) -> Mistake? { table[pin.sha256] }

    /// Returns the origin of a SHA-1 digest, or nil if none of the certificates explains it.
    package func mistake(ofSHA1 digest: [UInt8]) -> Mistake? { short[digest] }

    private static let whole = "the whole certificate"

    private mutating func add(_ certificate: Certificate) {
        add(certificate.sha256, Self.whole, certificate)
        let key = certificate.subjectPublicKeyInfo
        let inputs =
            Self.texts(certificate.der, "CERTIFICATE").map { ($0, "the certificate's PEM text") }
            + Self.texts(key.der, "PUBLIC KEY").map { ($0, "the key's PEM text") }
            + Self.parts(of: key.keyDescription) + [(key.sha256, "the key's SHA-256, once more")]
        for (input, name) in inputs { add(Digests.sha256(input), name, certificate) }
        for (input, name) in [(key.der, "the key"), (certificate.der, Self.whole)] {
            let digest = Digests.insecureSHA1(of: input)
            if short[digest] == nil { short[digest] = Mistake(hashed: name, certificate: certificate) }
        }
    }

    private mutating func add(_ digest: [UInt8], _ hashed: String, _ certificate: Certificate) {
        if table[digest] == nil { table[digest] = Mistake(hashed: hashed, certificate: certificate) }
    }

    /// Returns the PEM text with line feeds, with carriage returns and line feeds, and without its last line end, and
    /// then only the base64.
    private static func texts(_ der: [UInt8], _ label: String) -> [[UInt8]] {
        let pem = PEM.encode(der, label: label)
        return [pem, pem.replacing("\n", with: "\r\n"), String(pem.dropLast()), Base64.encode(der)].map {
            Array($0.utf8)
        }
    }

    /// Returns the parts of a key that people hash instead of the whole key, each with its name.
    private static func parts(of key: PublicKeyDescription) -> [(bytes: [UInt8], name: String)] {
        var parts = [(bytes: key.contents, name: "the key's bits, without the algorithm before them")]
        guard let modulus = modulus(of: key) else { return parts }
        let text = "Modulus=" + Hex.encode(modulus).uppercased()
        let inputs = [modulus, [0] + modulus, Array(text.utf8), Array((text + "\n").utf8)]
        parts += inputs.map { ($0, "the RSA modulus") }
        return parts
    }

    /// Returns the modulus of `RSAPublicKey ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER }` (RFC 8017 §
    /// A.1.1) without its leading zero, or nil for another key. A description with a size belongs to a key in valid
    /// DER.
    private static func modulus(of key: PublicKeyDescription) -> [UInt8]? {
        guard key.kind == .rsa, let bits = key.bits, let integer = header(key.contents, at: 0),
            let content = header(key.contents, at: integer)
        else { return nil }
        let first = content + (bits % 8 == 0 ? 1 : 0)
        let end = first + (bits + 7) / 8
        return end <= key.contents.count ? Array(key.contents[first..<end]) : nil
    }

    /// Returns the index after the tag and the length of an element.
    private static func header(_ der: [UInt8], at index: Int) -> Int? {
        guard index + 1 < der.count else { return nil }
        return index + 2 + (der[index + 1] < 0x80 ? 0 : Int(der[index + 1] & 0x7f))
    }
}
