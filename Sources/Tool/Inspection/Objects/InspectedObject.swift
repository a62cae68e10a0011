// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

/// One object of a file: its place, its contents and its bytes.
package struct InspectedObject: Sendable {
    /// The place of an object.
    package struct Place: Sendable, Hashable {
        /// The name of the file as it was given.
        package var file: String
        /// The number among the objects of the file, from 1. Objects inside of containers count; a container that was opened doesn't.
        package var number: Int
        /// The line of the text on which the object starts, from 1; nil for objects of binary files.
        package var line: Int?
        /// The encodings and containers around the object, outermost first; at most ``ReadingLimits/depth``.
        package var layers: [Layer]

        package init(file: String, number: Int, line: Int? = nil, layers: [Layer] = []) {
            self.file = file
            self.number = number
            self.line = line
            self.layers = layers
        }
    }

    /// An encoding or container around an object. The set is complete.
    package enum Layer: String, Sendable, Hashable, CaseIterable {
        /// PEM (RFC 7468).
        case pem
        /// Base64 without BEGIN and END, in one of its two alphabets (RFC 4648 §§ 4 and 5).
        case base64
        /// Hexadecimal digits.
        case hex
        /// UTF-16 text.
        case utf16
        /// Text with percent-encoding (RFC 3986 § 2.1).
        case percentEncoding
        /// SignedData without a signature, for certificates and CRLs (RFC 5652 § 5).
        case pkcs7
        /// PKCS #12 (RFC 7292), decrypted.
        case pkcs12
    }

    /// The contents of an object.
    package enum Content: Sendable {
        case certificate(Certificate)
        /// A certificate in OpenSSL's own format, with trust settings.
        case trustedCertificate(TrustedCertificate)
        case certificateRevocationList(CertificateRevocationList)
        /// A request to an OCSP responder (RFC 6960 § 4.1), by its outer form; its fields are not checked.
        case ocspRequest
        case ocspResponse(OCSPResponse)
        /// A PKCS #10 request; its signature is not checked.
        case certificateRequest(CertificateRequest)
        /// A SubjectPublicKeyInfo, or one that was made of a PKCS #1 RSA key.
        case publicKey(SubjectPublicKeyInfo)
        /// A private key: its public facts. The secret bytes are not kept.
        case privateKey(PrivateKeyFacts)
        /// Parameters of a key: of Diffie-Hellman, DSA or an elliptic curve.
        case parameters(KeyParameters)
        /// An object of a known kind that can't be read.
        case malformed(MalformedObject)
        /// An object whose encryption keeps its contents from being read.
        case locked(InspectionProblem)
        /// An object of another kind.
        case foreign(InspectionProblem)
    }

    /// The place.
    package let place: Place
    /// The PEM label; nil outside of PEM.
    package let label: String?
    /// The contents.
    package let content: Content
    /// The bytes in DER, without encodings; empty for private keys and for objects that aren't DER.
    package let der: [UInt8]

    package init(place: Place, label: String? = nil, content: Content, der: [UInt8]) {
        self.place = place
        self.label = label
        self.content = content
        self.der = der
    }
}

extension InspectedObject {
    /// The kind of object; nil for contents of no known kind.
    package var kind: ObjectKind? {
        switch content {
        case .certificate: .certificate
        case .trustedCertificate: .trustedCertificate
        case .certificateRevocationList: .certificateRevocationList
        case .ocspRequest: .ocspRequest
        case .ocspResponse: .ocspResponse
        case .certificateRequest: .certificateRequest
        case .publicKey: .publicKey
        case .privateKey: .privateKey
        case .parameters: .parameters
        case .malformed(let object): object.kind
        case .locked(let problem), .foreign(let problem): problem.kind
        }
    }

    /// The certificate, with or without trust settings; nil for other objects.
    package var certificate: Certificate? {
        switch content {
        case .certificate(let certificate): certificate
        case .trustedCertificate(let trusted): trusted.certificate
        default: nil
        }
    }

    /// The problem of an object that wasn't read; nil for one that was.
    package var problem: InspectionProblem? {
        switch content {
        case .malformed(let object): object.problem
        case .locked(let problem), .foreign(let problem): problem
        default: nil
        }
    }
}

extension InspectedObject {
    /// The label of the object in PEM; nil for private keys, which are never written, and for objects of other kinds.
    package var pemLabel: String? {
        switch content {
        case .certificate: "CERTIFICATE"
        case .trustedCertificate: "TRUSTED CERTIFICATE"
        case .certificateRevocationList: "X509 CRL"
        case .certificateRequest: "CERTIFICATE REQUEST"
        case .publicKey: "PUBLIC KEY"
        case .ocspRequest: "OCSP REQUEST"
        case .ocspResponse: "OCSP RESPONSE"
        case .parameters: label
        case .malformed(let malformed): malformed.kind == .certificate ? "CERTIFICATE" : nil
        case .privateKey, .locked, .foreign: nil
        }
    }
}

/// The public facts of a private key. The secret bytes are not kept.
package struct PrivateKeyFacts: Sendable, Hashable {
    /// The format of the key. The set is complete.
    package enum Format: String, Sendable, Hashable, CaseIterable {
        /// PKCS #8 (RFC 5958), unencrypted.
        case pkcs8
        /// PKCS #8, encrypted (RFC 5958 § 3).
        case encryptedPKCS8
        /// `RSA PRIVATE KEY` (RFC 8017 § A.1.2).
        case pkcs1
        /// `EC PRIVATE KEY` (RFC 5915).
        case sec1
        /// OpenSSL's own form for DSA keys.
        case dsa
    }
    /// The format.
    package let format: Format
    /// The algorithm in words: `RSA`, `EC`, `Ed25519`, …; nil for a key that is encrypted.
    package let algorithm: String?
    /// The size in bits that the algorithm is known by; nil if there is none, or it is not known here.
    package let bits: Int?
    /// The name of an elliptic curve: `P-256`, or its identifier; nil for other keys.
    package let curve: String?
    /// The public half. Of elliptic curves and Ed25519 it is computed from the private one, of RSA it is that of the file. nil where it is
    /// not known.
    package let publicKey: SubjectPublicKeyInfo?
    /// Whether the key in the file is encrypted.
    package let isEncrypted: Bool

    package init(
        format: Format, algorithm: String?, bits: Int? = nil, curve: String? = nil,
        publicKey: SubjectPublicKeyInfo? = nil,
        isEncrypted: Bool = false
    ) {
        self.format = format
        self.algorithm = algorithm
        self.bits = bits
        self.curve = curve
        self.publicKey = publicKey
        self.isEncrypted = isEncrypted
    }
}

/// The kind of a set of key parameters. The set is complete.
package enum KeyParameters: String, Sendable, Hashable, CaseIterable {
    /// `DH PARAMETERS` (PKCS #3, RFC 2631).
    case diffieHellman = "Diffie-Hellman parameters"
    /// `DSA PARAMETERS` (RFC 3279 § 2.3.2).
    case dsa = "DSA parameters"
    /// `EC PARAMETERS` (RFC 5480 § 2.1.1).
    case ellipticCurve = "elliptic curve parameters"
}

/// An object of a known kind that its parser refuses.
package struct MalformedObject: Sendable {
    /// The kind that its label or shape indicates.
    package let kind: ObjectKind
    /// The refusal of the parser; nil for bytes that can't be decoded, or DER of another structure.
    package let error: DERError?
    /// The refusal in words.
    package let problem: InspectionProblem

    package init(kind: ObjectKind, error: DERError?, problem: InspectionProblem) {
        self.kind = kind
        self.error = error
        self.problem = problem
    }
}
