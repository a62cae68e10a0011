// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
    // Private keys, and operations that need them or encrypt. The compiler prints the message where a program uses one.

    @available(*, unavailable, message: "SecKey is public here: sign with P256.Signing.PrivateKey of swift-crypto.")
    @discardableResult
    public func SecKeyCreateRandomKey(_ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?)
        -> SecKey?
    { nil }

    @available(*, unavailable, message: "SecKey is public here: sign with P256.Signing.PrivateKey of swift-crypto.")
    @discardableResult
    public func SecKeyGeneratePair(
        _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
        _ privateKey: UnsafeMutablePointer<SecKey?>?
    ) -> OSStatus { -4 }

    @available(*, unavailable, message: "SecKey is public here: sign with P256.Signing.PrivateKey of swift-crypto.")
    @discardableResult
    public func SecKeyCreateSignature(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
        _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
    ) -> CFData? { nil }

    @available(
        *, unavailable,
        message: "SecKey has public keys only. Pass the identity to URLCredential(identity:certificates:persistence:)."
    )
    @discardableResult
    public func SecIdentityCopyPrivateKey(_ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>)
        -> OSStatus
    { -4 }

    @available(
        *, unavailable, message: "SecKey verifies only. Use _RSA.Encryption of swift-crypto's CryptoExtras, or HPKE."
    )
    @discardableResult
    public func SecKeyCreateEncryptedData(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
        _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
    ) -> CFData? { nil }

    @available(
        *, unavailable, message: "SecKey verifies only. Use _RSA.Encryption of swift-crypto's CryptoExtras, or HPKE."
    )
    @discardableResult
    public func SecKeyCreateDecryptedData(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
        _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
    ) -> CFData? { nil }

    @available(*, unavailable, message: "SecKey has public keys only. Use P256.KeyAgreement of swift-crypto.")
    @discardableResult
    public func SecKeyCopyKeyExchangeResult(
        _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
        _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
    ) -> CFData? { nil }

    /// The padding of functions that the compiler refuses.
    @available(*, unavailable, message: "Name a SecKeyAlgorithm, such as rsaSignatureMessagePKCS1v15SHA256.")
    public struct SecPadding: Sendable {
        public static let PKCS1 = SecPadding()
        public static let PKCS1SHA1 = SecPadding()
        public static let PKCS1SHA256 = SecPadding()
        public static let PKCS1SHA384 = SecPadding()
        public static let PKCS1SHA512 = SecPadding()
        public static let OAEP = SecPadding()
    }

    @available(*, unavailable, message: "Pass the message and a Message algorithm to SecKeyVerifySignature.")
    @discardableResult
    public func SecKeyRawVerify(
        _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafePointer<UInt8>, _ signedDataLen: Int,
        _ sig: UnsafePointer<UInt8>, _ sigLen: Int
    ) -> OSStatus { -4 }

    @available(*, unavailable, message: "SecKey is public here: sign with P256.Signing.PrivateKey of swift-crypto.")
    @discardableResult
    public func SecKeyRawSign(
        _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafePointer<UInt8>, _ dataToSignLen: Int,
        _ sig: UnsafeMutablePointer<UInt8>, _ sigLen: UnsafeMutablePointer<Int>
    ) -> OSStatus { -4 }

    @available(
        *, unavailable, message: "SecKey verifies only. Use _RSA.Encryption of swift-crypto's CryptoExtras, or HPKE."
    )
    @discardableResult
    public func SecKeyEncrypt(
        _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafePointer<UInt8>, _ plainTextLen: Int,
        _ cipherText: UnsafeMutablePointer<UInt8>, _ cipherTextLen: UnsafeMutablePointer<Int>
    ) -> OSStatus { -4 }

    @available(*, unavailable, message: "SecKey is public here: sign with P256.Signing.PrivateKey of swift-crypto.")
    public var kSecAttrIsPermanent: CFString { "" }

    @available(*, unavailable, message: "SecKey is public here: sign with P256.Signing.PrivateKey of swift-crypto.")
    public var kSecAttrTokenID: CFString { "" }

    @available(*, unavailable, message: "SecKey is public here: sign with P256.Signing.PrivateKey of swift-crypto.")
    public var kSecAttrTokenIDSecureEnclave: CFString { "" }

    @available(*, unavailable, message: "SecKey is public here: sign with P256.Signing.PrivateKey of swift-crypto.")
    public var kSecPrivateKeyAttrs: CFString { "" }

    @available(*, unavailable, message: "SecKey is public here: sign with P256.Signing.PrivateKey of swift-crypto.")
    public var kSecPublicKeyAttrs: CFString { "" }

    @available(*, unavailable, message: "SecKey is public here: sign with P256.Signing.PrivateKey of swift-crypto.")
    public var kSecAttrCanSign: CFString { "" }

    @available(*, unavailable, message: "SecKey is public here: sign with P256.Signing.PrivateKey of swift-crypto.")
    public var kSecAttrCanDecrypt: CFString { "" }

    extension SecKeyAlgorithm {
        @available(*, unavailable, message: "SHA-1 and SHA-224 don't verify here: sign with SHA-256.")
        public static var rsaSignatureMessagePKCS1v15SHA1: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "SHA-1 and SHA-224 don't verify here: sign with SHA-256.")
        public static var rsaSignatureMessagePKCS1v15SHA224: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "SHA-1 and SHA-224 don't verify here: sign with SHA-256.")
        public static var rsaSignatureDigestPKCS1v15SHA1: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "SHA-1 and SHA-224 don't verify here: sign with SHA-256.")
        public static var rsaSignatureDigestPKCS1v15SHA224: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "SHA-1 and SHA-224 don't verify here: sign with SHA-256.")
        public static var rsaSignatureMessagePSSSHA1: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "SHA-1 and SHA-224 don't verify here: sign with SHA-256.")
        public static var rsaSignatureMessagePSSSHA224: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "SHA-1 and SHA-224 don't verify here: sign with SHA-256.")
        public static var ecdsaSignatureMessageX962SHA1: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "SHA-1 and SHA-224 don't verify here: sign with SHA-256.")
        public static var ecdsaSignatureMessageX962SHA224: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "SHA-1 and SHA-224 don't verify here: sign with SHA-256.")
        public static var ecdsaSignatureDigestX962SHA1: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "SHA-1 and SHA-224 don't verify here: sign with SHA-256.")
        public static var ecdsaSignatureDigestX962SHA224: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "RSA verifies messages only: use the algorithm with Message.")
        public static var rsaSignatureDigestPKCS1v15SHA256: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "RSA verifies messages only: use the algorithm with Message.")
        public static var rsaSignatureDigestPKCS1v15SHA384: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "RSA verifies messages only: use the algorithm with Message.")
        public static var rsaSignatureDigestPKCS1v15SHA512: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "RSA verifies messages only: use the algorithm with Message.")
        public static var rsaSignatureDigestPKCS1v15Raw: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "RSA verifies messages only: use the algorithm with Message.")
        public static var rsaSignatureDigestPSSSHA256: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "RSA verifies messages only: use the algorithm with Message.")
        public static var rsaSignatureDigestPSSSHA384: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "RSA verifies messages only: use the algorithm with Message.")
        public static var rsaSignatureDigestPSSSHA512: Self { Self(rawValue: "") }

        @available(*, unavailable, message: "RSA verifies messages only: use the algorithm with Message.")
        public static var rsaSignatureRaw: Self { Self(rawValue: "") }

        @available(
            *, unavailable,
            message: "Name the form of the signature and the hash function: ecdsaSignatureMessageX962SHA256."
        )
        public static var ecdsaSignatureRFC4754: Self { Self(rawValue: "") }

        @available(
            *, unavailable,
            message: "Name the form of the signature and the hash function: ecdsaSignatureMessageX962SHA256."
        )
        public static var ecdsaSignatureDigestX962: Self { Self(rawValue: "") }

        @available(
            *, unavailable,
            message: "SecKey verifies only. Use _RSA.Encryption of swift-crypto's CryptoExtras, or HPKE."
        )
        public static var rsaEncryptionPKCS1: Self { Self(rawValue: "") }

        @available(
            *, unavailable,
            message: "SecKey verifies only. Use _RSA.Encryption of swift-crypto's CryptoExtras, or HPKE."
        )
        public static var rsaEncryptionRaw: Self { Self(rawValue: "") }

        @available(
            *, unavailable,
            message: "SecKey verifies only. Use _RSA.Encryption of swift-crypto's CryptoExtras, or HPKE."
        )
        public static var rsaEncryptionOAEPSHA1: Self { Self(rawValue: "") }

        @available(
            *, unavailable,
            message: "SecKey verifies only. Use _RSA.Encryption of swift-crypto's CryptoExtras, or HPKE."
        )
        public static var rsaEncryptionOAEPSHA256: Self { Self(rawValue: "") }

        @available(
            *, unavailable,
            message: "SecKey verifies only. Use _RSA.Encryption of swift-crypto's CryptoExtras, or HPKE."
        )
        public static var rsaEncryptionOAEPSHA512: Self { Self(rawValue: "") }

        @available(
            *, unavailable,
            message: "SecKey verifies only. Use _RSA.Encryption of swift-crypto's CryptoExtras, or HPKE."
        )
        public static var rsaEncryptionOAEPSHA256AESGCM: Self { Self(rawValue: "") }

        @available(
            *, unavailable,
            message: "SecKey verifies only. Use _RSA.Encryption of swift-crypto's CryptoExtras, or HPKE."
        )
        public static var eciesEncryptionStandardX963SHA256AESGCM: Self { Self(rawValue: "") }

        @available(
            *, unavailable,
            message: "SecKey verifies only. Use _RSA.Encryption of swift-crypto's CryptoExtras, or HPKE."
        )
        public static var eciesEncryptionCofactorVariableIVX963SHA256AESGCM: Self { Self(rawValue: "") }
    }
#endif
