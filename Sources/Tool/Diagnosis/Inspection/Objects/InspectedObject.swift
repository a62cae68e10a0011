// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// One object of a file: its place, contents and bytes.
package struct InspectedObject: Sendable {
    /// The place of an object.
    package struct Place: Sendable, Hashable {
        /// The number among the file's objects, from 1. Objects in containers count, but an opened container doesn't.
        package var number: Int
        /// The line in the text where the object starts, from 1, or nil for objects in binary files.
        package var line: Int?
        /// The encodings and containers around the object, the outermost first. At most ``ReadingLimits/depth``.
        package var layers: [Layer]

        package init(number: Int, line: Int? = nil, layers: [Layer] = []) {
            self.number = number
            self.line = line
            self.layers = layers
        }
    }

    /// An encoding or container around an object. The list is complete.
    package enum Layer: String, Sendable, Hashable, CaseIterable {
        /// PEM (RFC 7468).
        case pem
        /// Base64 without BEGIN and END, in either alphabet (RFC 4648 §§ 4 and 5).
        case base64
        /// Hexadecimal digits.
        case hex
        /// UTF-16 text.
        case utf16
        /// Percent-encoded text (RFC 3986 § 2.1).
        case percentEncoding
        /// SignedData without a signature that contains certificates and CRLs (RFC 5652 § 5).
        case pkcs7
        /// PKCS #12 (RFC 7292), decrypted.
        case pkcs12
    }

    /// The contents of an object.
    package enum Content: Sendable {
        /// An object that the library's own parsers accept. Its signature and its dates aren't checked.
        case parsed(ParsedObject)
        /// A certificate in OpenSSL's own format with trust settings.
        case trustedCertificate(TrustedCertificate)
        /// A private key, represented by its public facts. The secret bytes are discarded.
        case privateKey(PrivateKeyFacts)
        /// Key parameters: Diffie-Hellman, DSA or an elliptic curve.
        case parameters(KeyParameters)
        /// An object that can't be parsed, because it is malformed, encrypted or of another kind.
        case unreadable(InspectionProblem)
    }

    /// The place.
    package let place: Place
    /// The PEM label, or nil outside PEM.
    package let label: String?
    /// The contents.
    package let content: Content
    /// The decoded bytes in DER. Empty for private keys and for objects that aren't DER.
    package let der: [UInt8]

    package init(place: Place, label: String? = nil, content: Content, der: [UInt8]) {
        self.place = place
        self.label = label
        self.content = content
        self.der = der
    }
}

extension InspectedObject {
    /// The kind of object, or nil for contents of an unknown kind.
    package var kind: ObjectKind? {
        switch content {
        case .parsed(let object): object.kind
        case .trustedCertificate: .trustedCertificate
        case .privateKey: .privateKey
        case .parameters: .parameters
        case .unreadable(let problem): problem.kind
        }
    }

    /// The certificate, with or without trust settings, or nil for other objects.
    package var certificate: Certificate? {
        switch content {
        case .parsed(.certificate(let certificate)): certificate
        case .trustedCertificate(let trusted): trusted.certificate
        default: nil
        }
    }

    /// The problem of an object that can't be parsed, or nil for other objects.
    package var problem: InspectionProblem? { if case .unreadable(let problem) = content { problem } else { nil } }

    /// The object's label in PEM. Nil for objects of other kinds and for private keys, which are never written.
    package var pemLabel: String? {
        switch content {
        case .parsed(let object): object.pemLabel
        case .trustedCertificate: "TRUSTED CERTIFICATE"
        case .parameters: label
        case .unreadable(let problem): problem.kind == .certificate ? "CERTIFICATE" : nil
        case .privateKey: nil
        }
    }
}

extension ParsedObject {
    private var names: (kind: ObjectKind, label: String) {
        switch self {
        case .certificate: (.certificate, "CERTIFICATE")
        case .certificateRevocationList: (.certificateRevocationList, "X509 CRL")
        case .ocspRequest: (.ocspRequest, "OCSP REQUEST")
        case .ocspResponse: (.ocspResponse, "OCSP RESPONSE")
        case .certificateRequest: (.certificateRequest, "CERTIFICATE REQUEST")
        case .publicKey: (.publicKey, "PUBLIC KEY")
        }
    }

    fileprivate var kind: ObjectKind { names.kind }
    fileprivate var pemLabel: String { names.label }
}

/// The public facts of a private key. The secret bytes are discarded.
package struct PrivateKeyFacts: Sendable, Hashable {
    /// The format of the key. The list is complete.
    package enum Format: String, Sendable, Hashable, CaseIterable {
        /// PKCS #8 (RFC 5958), unencrypted.
        case pkcs8
        /// PKCS #8, encrypted (RFC 5958 § 3).
        case encryptedPKCS8
        /// `RSA PRIVATE KEY` (RFC 8017 § A.1.2).
        case pkcs1
        /// `EC PRIVATE KEY` (RFC 5915).
        case sec1
        /// OpenSSL's own format for DSA keys.
        case dsa
    }
    /// The format.
    var format: Format
    /// The algorithm in words: `RSA`, `EC`, `Ed25519`, …, or nil for an encrypted key.
    let algorithm: String?
    /// The nominal size in bits, or nil if the algorithm has no such size or the size isn't known.
    var bits: Int?
    /// The name of an elliptic curve, such as `P-256`, or its identifier. Nil for other keys.
    var curve: String?
    /// The public key, or nil if it isn't known. For elliptic curves and Ed25519 it is computed from the private key.
    /// For RSA it comes from the file.
    var publicKey: SubjectPublicKeyInfo?
    /// Whether the key in the file is encrypted.
    var isEncrypted = false
}

/// The kinds of key parameters. The list is complete.
package enum KeyParameters: String, Sendable, Hashable, CaseIterable {
    /// `DH PARAMETERS` (PKCS #3, RFC 2631).
    case diffieHellman = "Diffie-Hellman parameters"
    /// `DSA PARAMETERS` (RFC 3279 § 2.3.2).
    case dsa = "DSA parameters"
    /// `EC PARAMETERS` (RFC 5480 § 2.1.1).
    case ellipticCurve = "elliptic curve parameters"
}
