// SPDX-License-Identifier: Apache-2.0

/// An error in a file of pin sources, or in one object of it. It never contains bytes of the object.
public struct PinSourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of objects that yield a pin. The set is complete.
    package enum Kind: Sendable, Hashable, CustomStringConvertible {
        /// An X.509 certificate (RFC 5280 § 4.1).
        case certificate
        /// A SubjectPublicKeyInfo (RFC 5280 § 4.1.2.7).
        case publicKey
        /// An RSAPublicKey (RFC 8017 § A.1.1).
        case rsaPublicKey
        /// A PKCS #10 request (RFC 2986 § 4).
        case certificateRequest

        /// The name of the kind, for people.
        package var description: String {
            switch self {
            case .certificate: "certificate"
            case .publicKey: "public key"
            case .rsaPublicKey: "RSA public key (PKCS #1)"
            case .certificateRequest: "certificate request"
            }
        }
    }

    /// The reason why a file or object yields no pin. The set is complete.
    package enum Reason: Sendable, Hashable {
        /// The file has no bytes.
        case empty
        /// The file holds no object that yields a pin: the labels of its PEM objects, each once; empty for a file that is neither PEM
        /// nor DER of a known kind.
        case nothingToPin(labels: [String])
        /// A private key, encrypted or not (PKCS #8, SEC 1, PKCS #1, OpenSSH, …).
        case privateKey
        /// A PEM object can't be decoded.
        case pem(PEM.BlockError)
        /// An object that isn't of the kind that its label or shape indicates; without a `DERError` if it is valid DER of another
        /// structure.
        case malformed(Kind, DERError?)
        /// An object of another kind than its label names.
        case mislabelled(label: String, expected: Kind, found: Kind)
        /// OpenSSL's own format, with trust settings that this package does not read.
        case opensslTrusted
        /// An RSAPublicKey in DER, which can't be distinguished from other pairs of numbers.
        case unlabelledRSAPublicKey
        /// A certificate request whose signature its own key does not verify: it was altered or damaged.
        case requestSignatureInvalid
        /// A certificate request whose signature can't be verified: the unsupported signature algorithm, or that of the unsupported key.
        case requestSignatureNotVerifiable(OID)
    }

    /// The file's name as it was given.
    package let file: String
    /// The place among the objects of the file, from 1; nil for an error about the whole file.
    package let object: Int?
    /// The reason.
    package let reason: Reason

    /// One line for people; its wording may change.
    public var description: String {
        let place = object.map { "\(file): object \($0)" } ?? file
        let expected = "expected a certificate, a public key or a certificate request"
        return switch reason {
        case .empty: "\(place): empty, \(expected)"
        case .nothingToPin(let labels):
            labels.isEmpty
                ? "\(place): nothing to pin, \(expected) in PEM or DER"
                : "\(place): nothing to pin but \(listed(labels)), \(expected)"
        case .privateKey:
            "\(place) is a private key, \(expected); keep it in its place, and write its public key to a file of its own with \"openssl pkey -pubout\""
        case .pem(let error): "\(file): \(error)"
        case .malformed(let kind, let error?): "\(place) is not a \(kind): \(error)"
        case .malformed(let kind, nil): "\(place) is not a \(kind), but another structure in DER"
        case .mislabelled(let label, let expected, let found):
            "\(place) is labelled \(label) but is a \(found), expected a \(expected)"
        case .opensslTrusted: "\(place) is a TRUSTED CERTIFICATE of OpenSSL; convert it with \"openssl x509\""
        case .unlabelledRSAPublicKey:
            "\(place) has the form of a PKCS #1 RSA public key, which is ambiguous without a label; convert it with \"openssl rsa -RSAPublicKey_in -inform DER -pubout\""
        case .requestSignatureInvalid:
            "\(place) is a certificate request whose signature its own key does not verify: it was altered or damaged"
        case .requestSignatureNotVerifiable(let algorithm):
            "\(place) is a certificate request whose signature can't be verified here (algorithm \(algorithm)); take its public key with \"openssl req -noout -pubkey\""
        }
    }
}
