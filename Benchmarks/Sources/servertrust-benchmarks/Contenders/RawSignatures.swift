// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import PKIX

/// Only the signatures, verified with the library that this package uses. Keys and signature values are prepared
/// beforehand. The benchmark measures hashing the signed bytes and the verification itself.
struct RawSignatures: Contender {
    let name = ContenderName.raw
    private let signatures: [Signature]

    private enum Signature: Sendable {
        case p256(P256.Signing.PublicKey, P256.Signing.ECDSASignature, [UInt8])
        case rsa(_RSA.Signing.PublicKey, _RSA.Signing.RSASignature, [UInt8])
    }

    /// - Parameter pairs: certificates with their issuers.
    init(_ pairs: [(Certificate, Certificate)], _ kind: KeyKind) throws {
        self.signatures = try pairs.map { certificate, issuer in
            let key = issuer.subjectPublicKeyInfo.der
            let signature = certificate.signature
            return switch kind {
            case .p256:
                .p256(
                    try P256.Signing.PublicKey(derRepresentation: key),
                    try P256.Signing.ECDSASignature(derRepresentation: signature), certificate.tbsCertificate)
            case .rsa2048, .rsa4096:
                .rsa(
                    try _RSA.Signing.PublicKey(derRepresentation: key),
                    _RSA.Signing.RSASignature(rawRepresentation: signature), certificate.tbsCertificate)
            case .p384, .p521:
                throw WrongAnswer(contender: ContenderName.raw, what: "no \(kind.label) here")
            }
        }
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            for signature in signatures {
                let isValid =
                    switch signature {
                    case .p256(let key, let signature, let message):
                        key.isValidSignature(signature, for: digest(message))
                    case .rsa(let key, let signature, let message):
                        key.isValidSignature(signature, for: digest(message), padding: .insecurePKCS1v1_5)
                    }
                guard isValid else { throw WrongAnswer(contender: name, what: "signature invalid") }
            }
        }
    }

    private func digest(_ message: [UInt8]) -> SHA256.Digest {
        var function = SHA256()
        message.withUnsafeBytes { function.update(bufferPointer: $0) }
        return function.finalize()
    }
}
