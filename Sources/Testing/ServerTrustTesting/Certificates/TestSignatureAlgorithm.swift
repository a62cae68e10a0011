// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import SwiftASN1
@preconcurrency import X509

/// The signature algorithm of a certificate, a CRL or an OCSP response.
///
/// It has to fit the key: ECDSA with any hash for a key on P-256, P-384 or P-521, and an RSA algorithm for an RSA key.
struct TestSignatureAlgorithm: Sendable, Hashable, CustomStringConvertible {
    enum Form: Hashable {
        case x509(X509.Certificate.SignatureAlgorithm)
        case pss
        /// RSASSA-PSS with SHA-1.
        case pssSHA1
        case ecdsaSHA1
        /// With SHA-256, and with parameters that the standard doesn't allow.
        case ecdsaNull
    }

    let form: Form
    /// The whole AlgorithmIdentifier.
    let identifier: [UInt8]
    /// The name in the ASN.1 modules of RFC 5280 and related RFCs.
    package let description: String

    private init(
        _ description: String, _ form: Form, _ oid: ASN1ObjectIdentifier, parameters: [UInt8] = []
    ) {
        self.description = description
        self.form = form
        self.identifier = DERWriter.sequence(DERWriter.oid(oid), parameters)
    }

    /// ECDSA with SHA-256.
    static let ecdsaSHA256 = Self("ecdsa-with-SHA256", .x509(.ecdsaWithSHA256), [1, 2, 840, 10045, 4, 3, 2])
    /// ECDSA with SHA-1, to test that your code refuses it. Only for P-256.
    static let ecdsaSHA1 = Self("ecdsa-with-SHA1", .ecdsaSHA1, [1, 2, 840, 10045, 4, 1])
    /// ECDSA with SHA-256 and NULL parameters, as Java 11 encoded them. RFC 5758 § 3.2 requires absent parameters.
    static let ecdsaSHA256Null = Self(
        "ecdsa-with-SHA256 with NULL", .ecdsaNull, [1, 2, 840, 10045, 4, 3, 2], parameters: DERWriter.null)
    /// ECDSA with SHA-384.
    static let ecdsaSHA384 = Self("ecdsa-with-SHA384", .x509(.ecdsaWithSHA384), [1, 2, 840, 10045, 4, 3, 3])
    /// ECDSA with SHA-512.
    static let ecdsaSHA512 = Self("ecdsa-with-SHA512", .x509(.ecdsaWithSHA512), [1, 2, 840, 10045, 4, 3, 4])
    /// RSA PKCS #1 v1.5 with SHA-1, to test that your code refuses it.
    static let rsaSHA1 = Self(
        "sha1WithRSAEncryption", .x509(.sha1WithRSAEncryption), [1, 2, 840, 113549, 1, 1, 5],
        parameters: DERWriter.null)
    /// RSA PKCS #1 v1.5 with SHA-256.
    static let rsaSHA256 = Self(
        "sha256WithRSAEncryption", .x509(.sha256WithRSAEncryption), [1, 2, 840, 113549, 1, 1, 11],
        parameters: DERWriter.null)
    /// RSA PKCS #1 v1.5 with SHA-384.
    static let rsaSHA384 = Self(
        "sha384WithRSAEncryption", .x509(.sha384WithRSAEncryption), [1, 2, 840, 113549, 1, 1, 12],
        parameters: DERWriter.null)
    /// RSA PKCS #1 v1.5 with SHA-512.
    static let rsaSHA512 = Self(
        "sha512WithRSAEncryption", .x509(.sha512WithRSAEncryption), [1, 2, 840, 113549, 1, 1, 13],
        parameters: DERWriter.null)
    /// RSASSA-PSS with SHA-256, MGF1 over SHA-256 and a salt of 32 bytes (RFC 4055 § 3.1).
    static let rsaPSSSHA256 = Self(
        "id-RSASSA-PSS", .pss, [1, 2, 840, 113549, 1, 1, 10],
        parameters: DERWriter.sequence(
            DERWriter.tagged(0, sha256), DERWriter.tagged(1, mgf1), DERWriter.tagged(2, DERWriter.integer(32))))
    /// RSASSA-PSS with the default parameters: SHA-1, MGF1 over SHA-1 and a salt of 20 bytes, to test that your code
    /// refuses it.
    static let rsaPSSSHA1 = Self(
        "id-RSASSA-PSS with SHA-1", .pssSHA1, [1, 2, 840, 113549, 1, 1, 10], parameters: DERWriter.sequence())
    /// Ed25519.
    static let ed25519 = Self("id-Ed25519", .x509(.ed25519), [1, 3, 101, 112])

    private static let sha256 = DERWriter.sequence(DERWriter.oid(Identifiers.sha256), DERWriter.null)
    private static let mgf1 = DERWriter.sequence(DERWriter.oid(Identifiers.mgf1), sha256)
}

#endif
