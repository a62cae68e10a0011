// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
// Key algorithms that this module doesn't have. If a program uses one, the compiler prints the message.

@available(*, unavailable, message: "SHA-1 and SHA-224 signatures aren't supported. Sign with SHA-256.")
extension SecKeyAlgorithm {
    public static var rsaSignatureMessagePKCS1v15SHA1: Self { Self(rawValue: "") }
    public static var rsaSignatureMessagePKCS1v15SHA224: Self { Self(rawValue: "") }
    public static var rsaSignatureDigestPKCS1v15SHA1: Self { Self(rawValue: "") }
    public static var rsaSignatureDigestPKCS1v15SHA224: Self { Self(rawValue: "") }
    public static var rsaSignatureMessagePSSSHA1: Self { Self(rawValue: "") }
    public static var rsaSignatureMessagePSSSHA224: Self { Self(rawValue: "") }
    public static var ecdsaSignatureMessageX962SHA1: Self { Self(rawValue: "") }
    public static var ecdsaSignatureMessageX962SHA224: Self { Self(rawValue: "") }
    public static var ecdsaSignatureDigestX962SHA1: Self { Self(rawValue: "") }
    public static var ecdsaSignatureDigestX962SHA224: Self { Self(rawValue: "") }
    public static var rsaSignatureDigestPSSSHA1: Self { Self(rawValue: "") }
    public static var rsaSignatureDigestPSSSHA224: Self { Self(rawValue: "") }
}

@available(
    *, unavailable,
    message:
        "RSA signatures can be verified only over messages, not over digests. Use the algorithm with Message in its name."
)
extension SecKeyAlgorithm {
    public static var rsaSignatureDigestPKCS1v15SHA256: Self { Self(rawValue: "") }
    public static var rsaSignatureDigestPKCS1v15SHA384: Self { Self(rawValue: "") }
    public static var rsaSignatureDigestPKCS1v15SHA512: Self { Self(rawValue: "") }
    public static var rsaSignatureDigestPKCS1v15Raw: Self { Self(rawValue: "") }
    public static var rsaSignatureDigestPSSSHA256: Self { Self(rawValue: "") }
    public static var rsaSignatureDigestPSSSHA384: Self { Self(rawValue: "") }
    public static var rsaSignatureDigestPSSSHA512: Self { Self(rawValue: "") }
    public static var rsaSignatureRaw: Self { Self(rawValue: "") }
}

@available(
    *, unavailable,
    message: "Use an algorithm with a signature format and a hash function: ecdsaSignatureMessageX962SHA256."
)
extension SecKeyAlgorithm {
    public static var ecdsaSignatureRFC4754: Self { Self(rawValue: "") }
    public static var ecdsaSignatureDigestX962: Self { Self(rawValue: "") }
}

@available(
    *, unavailable,
    message: "SecKey can't encrypt or decrypt. Use _RSA.Encryption from swift-crypto's CryptoExtras, or HPKE."
)
extension SecKeyAlgorithm {
    public static var rsaEncryptionPKCS1: Self { Self(rawValue: "") }
    public static var rsaEncryptionRaw: Self { Self(rawValue: "") }
    public static var rsaEncryptionOAEPSHA1: Self { Self(rawValue: "") }
    public static var rsaEncryptionOAEPSHA256: Self { Self(rawValue: "") }
    public static var rsaEncryptionOAEPSHA512: Self { Self(rawValue: "") }
    public static var rsaEncryptionOAEPSHA256AESGCM: Self { Self(rawValue: "") }
    public static var eciesEncryptionStandardX963SHA256AESGCM: Self { Self(rawValue: "") }
    public static var eciesEncryptionCofactorVariableIVX963SHA256AESGCM: Self { Self(rawValue: "") }
    public static var rsaEncryptionOAEPSHA384: Self { Self(rawValue: "") }
    public static var eciesEncryptionStandardVariableIVX963SHA256AESGCM: Self { Self(rawValue: "") }
    public static var eciesEncryptionCofactorX963SHA256AESGCM: Self { Self(rawValue: "") }
}

@available(*, unavailable, message: "SecKey has no private keys. Use P256.KeyAgreement from swift-crypto.")
extension SecKeyAlgorithm {
    public static var ecdhKeyExchangeStandard: Self { Self(rawValue: "") }
    public static var ecdhKeyExchangeStandardX963SHA256: Self { Self(rawValue: "") }
    public static var ecdhKeyExchangeCofactor: Self { Self(rawValue: "") }
    public static var ecdhKeyExchangeCofactorX963SHA256: Self { Self(rawValue: "") }
}
#endif
