// SPDX-License-Identifier: Apache-2.0

/// The rows of ``OIDNames``: an identifier, its name, and a description if it is clearer than the name.
enum OIDNameData {
    /// Names, keys and algorithms.
    static let rows = """
        # X.520 and RFC 4519: attributes of names
        2.5.4.3 commonName
        2.5.4.4 surname
        2.5.4.5 serialNumber
        2.5.4.6 countryName
        2.5.4.7 localityName
        2.5.4.8 stateOrProvinceName
        2.5.4.9 streetAddress
        2.5.4.10 organizationName
        2.5.4.11 organizationalUnitName
        2.5.4.12 title
        2.5.4.13 description
        2.5.4.15 businessCategory
        2.5.4.16 postalAddress
        2.5.4.17 postalCode
        2.5.4.18 postOfficeBox
        2.5.4.20 telephoneNumber
        2.5.4.41 name
        2.5.4.42 givenName
        2.5.4.43 initials
        2.5.4.44 generationQualifier
        2.5.4.45 x500UniqueIdentifier
        2.5.4.46 dnQualifier
        2.5.4.65 pseudonym
        2.5.4.72 role
        2.5.4.97 organizationIdentifier
        0.9.2342.19200300.100.1.1 userId
        0.9.2342.19200300.100.1.25 domainComponent
        # PKCS #9, RFC 2985
        1.2.840.113549.1.9.1 emailAddress
        1.2.840.113549.1.9.2 unstructuredName
        1.2.840.113549.1.9.3 contentType
        1.2.840.113549.1.9.4 messageDigest
        1.2.840.113549.1.9.5 signingTime
        1.2.840.113549.1.9.6 countersignature
        1.2.840.113549.1.9.7 challengePassword
        1.2.840.113549.1.9.8 unstructuredAddress
        1.2.840.113549.1.9.14 extensionRequest
        1.2.840.113549.1.9.15 smimeCapabilities
        1.2.840.113549.1.9.20 friendlyName
        1.2.840.113549.1.9.21 localKeyID
        1.2.840.113549.1.9.22.1 x509Certificate
        1.2.840.113549.1.9.22.2 sdsiCertificate
        1.2.840.113549.1.9.23.1 x509Crl
        1.2.840.113549.1.9.16.2.12 signingCertificate
        1.2.840.113549.1.9.16.2.47 signingCertificateV2
        1.2.840.113549.1.9.16.1.4 id-ct-TSTInfo
        1.2.840.113549.1.9.16.3.18 id-alg-AEADChaCha20Poly1305
        # PKCS #1, RFC 8017, RFC 4055
        1.2.840.113549.1.1.1 rsaEncryption RSA
        1.2.840.113549.1.1.2 md2WithRSAEncryption RSA with MD2
        1.2.840.113549.1.1.3 md4WithRSAEncryption RSA with MD4
        1.2.840.113549.1.1.4 md5WithRSAEncryption RSA with MD5
        1.2.840.113549.1.1.5 sha1WithRSAEncryption RSA with SHA-1
        1.2.840.113549.1.1.7 rsaesOaep RSA-OAEP
        1.2.840.113549.1.1.8 mgf1
        1.2.840.113549.1.1.10 rsassaPss RSA-PSS
        1.2.840.113549.1.1.11 sha256WithRSAEncryption RSA with SHA-256
        1.2.840.113549.1.1.12 sha384WithRSAEncryption RSA with SHA-384
        1.2.840.113549.1.1.13 sha512WithRSAEncryption RSA with SHA-512
        1.2.840.113549.1.1.14 sha224WithRSAEncryption RSA with SHA-224
        1.2.840.113549.1.1.15 sha512-224WithRSAEncryption RSA with SHA-512/224
        1.2.840.113549.1.1.16 sha512-256WithRSAEncryption RSA with SHA-512/256
        1.3.14.3.2.29 sha1WithRSA RSA with SHA-1
        1.3.14.3.2.3 md5WithRSA RSA with MD5
        2.16.840.1.101.3.4.3.13 rsaWithSHA3-224 RSA with SHA3-224
        2.16.840.1.101.3.4.3.14 rsaWithSHA3-256 RSA with SHA3-256
        2.16.840.1.101.3.4.3.15 rsaWithSHA3-384 RSA with SHA3-384
        2.16.840.1.101.3.4.3.16 rsaWithSHA3-512 RSA with SHA3-512
        # ANSI X9.62, RFC 5480, RFC 5758
        1.2.840.10045.1.1 prime-field
        1.2.840.10045.1.2 characteristic-two-field
        1.2.840.10045.2.1 ecPublicKey EC
        1.2.840.10045.3.1.1 prime192v1 P-192
        1.2.840.10045.3.1.7 prime256v1 P-256
        1.2.840.10045.4.1 ecdsa-with-SHA1 ECDSA with SHA-1
        1.2.840.10045.4.3.1 ecdsa-with-SHA224 ECDSA with SHA-224
        1.2.840.10045.4.3.2 ecdsa-with-SHA256 ECDSA with SHA-256
        1.2.840.10045.4.3.3 ecdsa-with-SHA384 ECDSA with SHA-384
        1.2.840.10045.4.3.4 ecdsa-with-SHA512 ECDSA with SHA-512
        2.16.840.1.101.3.4.3.9 ecdsa-with-SHA3-224 ECDSA with SHA3-224
        2.16.840.1.101.3.4.3.10 ecdsa-with-SHA3-256 ECDSA with SHA3-256
        2.16.840.1.101.3.4.3.11 ecdsa-with-SHA3-384 ECDSA with SHA3-384
        2.16.840.1.101.3.4.3.12 ecdsa-with-SHA3-512 ECDSA with SHA3-512
        1.3.132.1.12 ecDH
        # SEC 2: curves
        1.3.132.0.10 secp256k1
        1.3.132.0.8 secp160r1
        1.3.132.0.31 secp192k1
        1.3.132.0.32 secp224k1
        1.3.132.0.33 secp224r1 P-224
        1.3.132.0.34 secp384r1 P-384
        1.3.132.0.35 secp521r1 P-521
        1.3.36.3.3.2.8.1.1.1 brainpoolP160r1
        1.3.36.3.3.2.8.1.1.3 brainpoolP192r1
        1.3.36.3.3.2.8.1.1.5 brainpoolP224r1
        1.3.36.3.3.2.8.1.1.7 brainpoolP256r1
        1.3.36.3.3.2.8.1.1.9 brainpoolP320r1
        1.3.36.3.3.2.8.1.1.11 brainpoolP384r1
        1.3.36.3.3.2.8.1.1.13 brainpoolP512r1
        # RFC 8410, RFC 9881 and 9909, FIPS 204 and 205
        1.3.101.110 X25519
        1.3.101.111 X448
        1.3.101.112 Ed25519
        1.3.101.113 Ed448
        2.16.840.1.101.3.4.3.17 id-ml-dsa-44 ML-DSA-44
        2.16.840.1.101.3.4.3.18 id-ml-dsa-65 ML-DSA-65
        2.16.840.1.101.3.4.3.19 id-ml-dsa-87 ML-DSA-87
        2.16.840.1.101.3.4.3.20 id-slh-dsa-sha2-128s SLH-DSA-SHA2-128s
        2.16.840.1.101.3.4.3.21 id-slh-dsa-sha2-128f SLH-DSA-SHA2-128f
        2.16.840.1.101.3.4.3.22 id-slh-dsa-sha2-192s SLH-DSA-SHA2-192s
        2.16.840.1.101.3.4.3.23 id-slh-dsa-sha2-192f SLH-DSA-SHA2-192f
        2.16.840.1.101.3.4.3.24 id-slh-dsa-sha2-256s SLH-DSA-SHA2-256s
        2.16.840.1.101.3.4.3.25 id-slh-dsa-sha2-256f SLH-DSA-SHA2-256f
        2.16.840.1.101.3.4.3.26 id-slh-dsa-shake-128s SLH-DSA-SHAKE-128s
        2.16.840.1.101.3.4.3.27 id-slh-dsa-shake-128f SLH-DSA-SHAKE-128f
        2.16.840.1.101.3.4.3.28 id-slh-dsa-shake-192s SLH-DSA-SHAKE-192s
        2.16.840.1.101.3.4.3.29 id-slh-dsa-shake-192f SLH-DSA-SHAKE-192f
        2.16.840.1.101.3.4.3.30 id-slh-dsa-shake-256s SLH-DSA-SHAKE-256s
        2.16.840.1.101.3.4.3.31 id-slh-dsa-shake-256f SLH-DSA-SHAKE-256f
        2.16.840.1.101.3.4.3.32 id-hash-ml-dsa-44-with-sha512 HashML-DSA-44 with SHA-512
        2.16.840.1.101.3.4.3.33 id-hash-ml-dsa-65-with-sha512 HashML-DSA-65 with SHA-512
        2.16.840.1.101.3.4.3.34 id-hash-ml-dsa-87-with-sha512 HashML-DSA-87 with SHA-512
        # draft-ietf-lamps-pq-composite-sigs
        1.3.6.1.5.5.7.6.37 id-MLDSA44-RSA2048-PSS-SHA256 composite ML-DSA-44-RSA2048-PSS-SHA256
        1.3.6.1.5.5.7.6.38 id-MLDSA44-RSA2048-PKCS15-SHA256 composite ML-DSA-44-RSA2048-PKCS15-SHA256
        1.3.6.1.5.5.7.6.39 id-MLDSA44-Ed25519-SHA512 composite ML-DSA-44-Ed25519-SHA512
        1.3.6.1.5.5.7.6.40 id-MLDSA44-ECDSA-P256-SHA256 composite ML-DSA-44-ECDSA-P256-SHA256
        1.3.6.1.5.5.7.6.41 id-MLDSA65-RSA3072-PSS-SHA512 composite ML-DSA-65-RSA3072-PSS-SHA512
        1.3.6.1.5.5.7.6.42 id-MLDSA65-RSA3072-PKCS15-SHA512 composite ML-DSA-65-RSA3072-PKCS15-SHA512
        1.3.6.1.5.5.7.6.43 id-MLDSA65-RSA4096-PSS-SHA512 composite ML-DSA-65-RSA4096-PSS-SHA512
        1.3.6.1.5.5.7.6.44 id-MLDSA65-RSA4096-PKCS15-SHA512 composite ML-DSA-65-RSA4096-PKCS15-SHA512
        1.3.6.1.5.5.7.6.45 id-MLDSA65-ECDSA-P256-SHA512 composite ML-DSA-65-ECDSA-P256-SHA512
        1.3.6.1.5.5.7.6.46 id-MLDSA65-ECDSA-P384-SHA512 composite ML-DSA-65-ECDSA-P384-SHA512
        1.3.6.1.5.5.7.6.47 id-MLDSA65-ECDSA-brainpoolP256r1-SHA512 composite ML-DSA-65-ECDSA-brainpoolP256r1-SHA512
        1.3.6.1.5.5.7.6.48 id-MLDSA65-Ed25519-SHA512 composite ML-DSA-65-Ed25519-SHA512
        1.3.6.1.5.5.7.6.49 id-MLDSA87-ECDSA-P384-SHA512 composite ML-DSA-87-ECDSA-P384-SHA512
        1.3.6.1.5.5.7.6.50 id-MLDSA87-ECDSA-brainpoolP384r1-SHA512 composite ML-DSA-87-ECDSA-brainpoolP384r1-SHA512
        1.3.6.1.5.5.7.6.51 id-MLDSA87-Ed448-SHAKE256 composite ML-DSA-87-Ed448-SHAKE256
        1.3.6.1.5.5.7.6.52 id-MLDSA87-RSA3072-PSS-SHA512 composite ML-DSA-87-RSA3072-PSS-SHA512
        1.3.6.1.5.5.7.6.53 id-MLDSA87-RSA4096-PSS-SHA512 composite ML-DSA-87-RSA4096-PSS-SHA512
        1.3.6.1.5.5.7.6.54 id-MLDSA87-ECDSA-P521-SHA512 composite ML-DSA-87-ECDSA-P521-SHA512
        # Falcon, in Open Quantum Safe's numbers until FN-DSA has some
        1.3.9999.3.11 falcon512 Falcon-512
        1.3.9999.3.14 falcon1024 Falcon-1024
        # RFC 3279, RFC 5758: DSA; PKCS #3 and X9.42: Diffie-Hellman
        1.2.840.10040.4.1 dsa DSA
        1.2.840.10040.4.3 dsa-with-SHA1 DSA with SHA-1
        2.16.840.1.101.3.4.3.1 dsa-with-SHA224 DSA with SHA-224
        2.16.840.1.101.3.4.3.2 dsa-with-SHA256 DSA with SHA-256
        2.16.840.1.101.3.4.3.3 dsa-with-SHA384 DSA with SHA-384
        2.16.840.1.101.3.4.3.4 dsa-with-SHA512 DSA with SHA-512
        1.2.840.113549.1.3.1 dhKeyAgreement Diffie-Hellman
        1.2.840.10046.2.1 dhpublicnumber Diffie-Hellman
        # GOST, RFC 4491 and RFC 9215; SM2
        1.2.643.2.2.19 gostR3410-2001
        1.2.643.2.2.3 gostR3411-94-with-gostR3410-2001
        1.2.643.7.1.1.1.1 gostR3410-2012-256
        1.2.643.7.1.1.1.2 gostR3410-2012-512
        1.2.643.7.1.1.3.2 gostR3410-2012-with-3411-2012-256
        1.2.643.7.1.1.3.3 gostR3410-2012-with-3411-2012-512
        1.2.156.10197.1.301 sm2
        1.2.156.10197.1.501 sm2-with-sm3 SM2 with SM3
        # Digests: OIW, RSA, NIST
        1.2.840.113549.2.2 md2 MD2
        1.2.840.113549.2.5 md5 MD5
        1.3.14.3.2.26 sha1 SHA-1
        2.16.840.1.101.3.4.2.1 sha256 SHA-256
        2.16.840.1.101.3.4.2.2 sha384 SHA-384
        2.16.840.1.101.3.4.2.3 sha512 SHA-512
        2.16.840.1.101.3.4.2.4 sha224 SHA-224
        2.16.840.1.101.3.4.2.5 sha512-224 SHA-512/224
        2.16.840.1.101.3.4.2.6 sha512-256 SHA-512/256
        2.16.840.1.101.3.4.2.7 sha3-224 SHA3-224
        2.16.840.1.101.3.4.2.8 sha3-256 SHA3-256
        2.16.840.1.101.3.4.2.9 sha3-384 SHA3-384
        2.16.840.1.101.3.4.2.10 sha3-512 SHA3-512
        # PKCS #5, #7, #12; NIST ciphers
        1.2.840.113549.1.5.3 pbeWithMD5AndDES-CBC
        1.2.840.113549.1.5.12 PBKDF2
        1.2.840.113549.1.5.13 PBES2
        1.2.840.113549.2.7 hmacWithSHA1 HMAC with SHA-1
        1.2.840.113549.2.9 hmacWithSHA256 HMAC with SHA-256
        1.2.840.113549.2.10 hmacWithSHA384 HMAC with SHA-384
        1.2.840.113549.2.11 hmacWithSHA512 HMAC with SHA-512
        1.2.840.113549.3.2 rc2-cbc
        1.2.840.113549.3.7 des-ede3-cbc
        2.16.840.1.101.3.4.1.2 aes128-cbc
        2.16.840.1.101.3.4.1.6 aes128-gcm
        2.16.840.1.101.3.4.1.22 aes192-cbc
        2.16.840.1.101.3.4.1.42 aes256-cbc
        2.16.840.1.101.3.4.1.46 aes256-gcm
        1.3.6.1.4.1.11591.4.11 scrypt
        1.2.840.113549.1.7.1 pkcs7-data
        1.2.840.113549.1.7.2 pkcs7-signedData
        1.2.840.113549.1.7.3 pkcs7-envelopedData
        1.2.840.113549.1.7.5 pkcs7-digestedData
        1.2.840.113549.1.7.6 pkcs7-encryptedData
        1.2.840.113549.1.12.1.3 pbeWithSHA1And3-KeyTripleDES-CBC
        1.2.840.113549.1.12.1.6 pbeWithSHA1And40BitRC2-CBC
        1.2.840.113549.1.12.10.1.1 keyBag
        1.2.840.113549.1.12.10.1.2 pkcs8ShroudedKeyBag
        1.2.840.113549.1.12.10.1.3 certBag
        1.2.840.113549.1.12.10.1.4 crlBag
        1.2.840.113549.1.12.10.1.5 secretBag
        1.2.840.113549.1.12.10.1.6 safeContentsBag

        """

    /// Extensions, purposes, access methods and policies.
    static let extensionRows = """
        # RFC 5280, X.509: extensions of certificates, CRLs and their entries
        2.5.29.1 authorityKeyIdentifier-obsolete
        2.5.29.9 subjectDirectoryAttributes
        2.5.29.14 subjectKeyIdentifier
        2.5.29.15 keyUsage
        2.5.29.16 privateKeyUsagePeriod
        2.5.29.17 subjectAltName
        2.5.29.18 issuerAltName
        2.5.29.19 basicConstraints
        2.5.29.20 cRLNumber
        2.5.29.21 reasonCode
        2.5.29.23 holdInstructionCode
        2.5.29.24 invalidityDate
        2.5.29.27 deltaCRLIndicator
        2.5.29.28 issuingDistributionPoint
        2.5.29.29 certificateIssuer
        2.5.29.30 nameConstraints
        2.5.29.31 cRLDistributionPoints
        2.5.29.32 certificatePolicies
        2.5.29.32.0 anyPolicy
        2.5.29.33 policyMappings
        2.5.29.35 authorityKeyIdentifier
        2.5.29.36 policyConstraints
        2.5.29.37 extKeyUsage
        2.5.29.37.0 anyExtendedKeyUsage any purpose
        2.5.29.46 freshestCRL
        2.5.29.54 inhibitAnyPolicy
        2.5.29.55 targetInformation
        2.5.29.56 noRevAvail
        2.5.29.60 expiredCertsOnCRL
        1.2.840.10040.2.1 holdinstruction-none
        1.2.840.10040.2.2 holdinstruction-callissuer
        1.2.840.10040.2.3 holdinstruction-reject
        # PKIX: id-pe, id-qt, id-kp, id-ad, id-on
        1.3.6.1.5.5.7.1.1 authorityInfoAccess
        1.3.6.1.5.5.7.1.2 biometricInfo
        1.3.6.1.5.5.7.1.3 qcStatements
        1.3.6.1.5.5.7.1.7 ipAddrBlocks
        1.3.6.1.5.5.7.1.8 autonomousSysIds
        1.3.6.1.5.5.7.1.11 subjectInfoAccess
        1.3.6.1.5.5.7.1.12 logotype
        1.3.6.1.5.5.7.1.14 proxyCertInfo
        1.3.6.1.5.5.7.1.24 tlsFeature
        1.3.6.1.5.5.7.1.26 tnAuthList
        1.3.6.1.5.5.7.1.30 acmeValidationV1
        1.3.6.1.5.5.7.1.31 acmeIdentifier
        1.3.6.1.5.5.7.2.1 cps
        1.3.6.1.5.5.7.2.2 userNotice
        1.3.6.1.5.5.7.3.1 serverAuth TLS server authentication
        1.3.6.1.5.5.7.3.2 clientAuth TLS client authentication
        1.3.6.1.5.5.7.3.3 codeSigning code signing
        1.3.6.1.5.5.7.3.4 emailProtection e-mail protection
        1.3.6.1.5.5.7.3.5 ipsecEndSystem IPsec end system
        1.3.6.1.5.5.7.3.6 ipsecTunnel IPsec tunnel
        1.3.6.1.5.5.7.3.7 ipsecUser IPsec user
        1.3.6.1.5.5.7.3.8 timeStamping time stamping
        1.3.6.1.5.5.7.3.9 OCSPSigning OCSP signing
        1.3.6.1.5.5.7.3.10 dvcs
        1.3.6.1.5.5.7.3.13 eapOverPPP EAP over PPP
        1.3.6.1.5.5.7.3.14 eapOverLAN EAP over LAN
        1.3.6.1.5.5.7.3.17 ipsecIKE IPsec IKE
        1.3.6.1.5.5.7.3.21 secureShellClient SSH client
        1.3.6.1.5.5.7.3.22 secureShellServer SSH server
        1.3.6.1.5.5.7.3.27 cmcCA CMC certification authority
        1.3.6.1.5.5.7.3.28 cmcRA CMC registration authority
        1.3.6.1.5.5.7.3.31 brandIndicatorforMessageIdentification BIMI
        1.3.6.1.5.5.7.3.36 documentSigning document signing
        1.3.6.1.5.5.7.48.1 ocsp OCSP
        1.3.6.1.5.5.7.48.2 caIssuers CA issuers
        1.3.6.1.5.5.7.48.3 timeStamping
        1.3.6.1.5.5.7.48.5 caRepository CA repository
        1.3.6.1.5.5.7.48.10 rpkiManifest
        1.3.6.1.5.5.7.48.11 signedObject
        1.3.6.1.5.5.7.48.13 rpkiNotify
        1.3.6.1.5.5.7.48.1.1 basicOCSPResponse
        1.3.6.1.5.5.7.48.1.2 ocspNonce
        1.3.6.1.5.5.7.48.1.3 ocspCRL
        1.3.6.1.5.5.7.48.1.4 ocspAcceptableResponses
        1.3.6.1.5.5.7.48.1.5 ocspNoCheck
        1.3.6.1.5.5.7.48.1.6 ocspArchiveCutoff
        1.3.6.1.5.5.7.48.1.7 ocspServiceLocator
        1.3.6.1.5.5.7.48.1.8 ocspPreferredSignatureAlgorithms
        1.3.6.1.5.5.7.48.1.9 ocspExtendedRevoke
        1.3.6.1.5.5.7.8.4 permanentIdentifier
        1.3.6.1.5.5.7.8.5 xmppAddr
        1.3.6.1.5.5.7.8.7 srvName
        1.3.6.1.5.5.7.8.9 smtpUTF8Mailbox
        1.3.6.1.5.5.7.9.1 dateOfBirth
        1.3.6.1.5.5.7.9.2 placeOfBirth
        1.3.6.1.5.5.7.9.3 gender
        1.3.6.1.5.5.7.9.4 countryOfCitizenship
        1.3.6.1.5.5.7.9.5 countryOfResidence
        1.3.6.1.5.5.7.11.1 qcs-pkixQCSyntax-v1
        1.3.6.1.5.5.7.11.2 qcs-pkixQCSyntax-v2
        1.3.6.1.5.2.3.4 pkInitClientAuth Kerberos client authentication
        1.3.6.1.5.2.3.5 pkInitKDC Kerberos KDC
        # ETSI EN 319 412-5 and PSD2 (TS 119 495)
        0.4.0.1862.1.1 qcCompliance EU qualified certificate
        0.4.0.1862.1.2 qcLimitValue limit of transactions
        0.4.0.1862.1.3 qcRetentionPeriod retention period in years
        0.4.0.1862.1.4 qcSSCD key in a qualified device
        0.4.0.1862.1.5 qcPDS disclosure statements
        0.4.0.1862.1.6 qcType kind of qualified certificate
        0.4.0.1862.1.7 qcCCLegislation countries of legislation
        0.4.0.1862.1.6.1 qct-esign electronic signature
        0.4.0.1862.1.6.2 qct-eseal electronic seal
        0.4.0.1862.1.6.3 qct-web website authentication
        0.4.0.19495.2 psd2 PSD2 roles
        0.4.0.194112.1.4 qcp-web
        0.4.0.194112.1.5 qncp-web
        0.4.0.2042.1.3 lcp
        0.4.0.2042.1.4 evcp
        0.4.0.2042.1.6 dvcp
        0.4.0.2042.1.7 ovcp
        # CA/Browser Forum: policies and extensions
        2.23.140.1.1 ev-guidelines extended validation
        2.23.140.1.2.1 domain-validated domain validated
        2.23.140.1.2.2 organization-validated organization validated
        2.23.140.1.2.3 individual-validated individual validated
        2.23.140.1.3 ev-code-signing extended validation of code signing
        2.23.140.1.4.1 code-signing-requirements code signing
        2.23.140.1.31 onion-EV
        2.23.140.3.1 cabfOrganizationIdentifier
        2.23.140.1.5.1.1 smime-mailbox-legacy
        2.23.140.1.5.1.2 smime-mailbox-multipurpose
        2.23.140.1.5.1.3 smime-mailbox-strict

        """

    /// Identifiers of vendors.
    static let privateRows = """
        # Certificate Transparency, RFC 6962
        1.3.6.1.4.1.11129.2.4.2 signedCertificateTimestampList
        1.3.6.1.4.1.11129.2.4.3 ctPoison precertificate poison
        1.3.6.1.4.1.11129.2.4.4 ctPrecertificateSigning precertificate signing
        1.3.6.1.4.1.11129.2.4.5 ocspSignedCertificateTimestampList
        1.3.6.1.4.1.11129.2.1.22 canSignHttpExchanges
        # Netscape
        2.16.840.1.113730.1.1 netscapeCertType
        2.16.840.1.113730.1.2 netscapeBaseUrl
        2.16.840.1.113730.1.3 netscapeRevocationUrl
        2.16.840.1.113730.1.4 netscapeCaRevocationUrl
        2.16.840.1.113730.1.7 netscapeRenewalUrl
        2.16.840.1.113730.1.8 netscapeCaPolicyUrl
        2.16.840.1.113730.1.12 netscapeSslServerName
        2.16.840.1.113730.1.13 netscapeComment
        2.16.840.1.113730.4.1 netscapeServerGatedCrypto Netscape server gated crypto
        # Microsoft
        1.3.6.1.4.1.311.2.1.14 msExtensionRequest
        1.3.6.1.4.1.311.2.1.21 msIndividualCodeSigning Microsoft individual code signing
        1.3.6.1.4.1.311.2.1.22 msCommercialCodeSigning Microsoft commercial code signing
        1.3.6.1.4.1.311.10.3.1 msTrustListSigning Microsoft trust list signing
        1.3.6.1.4.1.311.10.3.3 msServerGatedCrypto Microsoft server gated crypto
        1.3.6.1.4.1.311.10.3.4 msEncryptedFileSystem Microsoft encrypted file system
        1.3.6.1.4.1.311.10.3.5 msWindowsHardwareDriver Windows hardware driver
        1.3.6.1.4.1.311.10.3.9 msRootListSigner Microsoft root list signer
        1.3.6.1.4.1.311.10.3.12 msDocumentSigning Microsoft document signing
        1.3.6.1.4.1.311.10.3.13 msLifetimeSigning Microsoft lifetime signing
        1.3.6.1.4.1.311.13.2.1 msEnrolmentNameValuePair
        1.3.6.1.4.1.311.13.2.2 msEnrolmentCSP
        1.3.6.1.4.1.311.13.2.3 msOSVersion
        1.3.6.1.4.1.311.17.1 msCSPName
        1.3.6.1.4.1.311.20.2 msCertificateTemplateName
        1.3.6.1.4.1.311.20.2.1 msEnrolmentAgent Microsoft enrolment agent
        1.3.6.1.4.1.311.20.2.2 msSmartcardLogin Microsoft smart card log-on
        1.3.6.1.4.1.311.20.2.3 msUPN user principal name
        1.3.6.1.4.1.311.21.1 msCAVersion
        1.3.6.1.4.1.311.21.2 msPreviousCertHash
        1.3.6.1.4.1.311.21.3 msCRLVirtualBase
        1.3.6.1.4.1.311.21.4 msCRLNextPublish
        1.3.6.1.4.1.311.21.7 msCertificateTemplate
        1.3.6.1.4.1.311.21.10 msApplicationPolicies
        1.3.6.1.4.1.311.21.14 msCRLSelfCDP
        1.3.6.1.4.1.311.21.20 msRequestClientInfo
        1.3.6.1.4.1.311.25.2 msNTDSSecurity
        1.3.6.1.4.1.311.60.2.1.1 jurisdictionLocalityName
        1.3.6.1.4.1.311.60.2.1.2 jurisdictionStateOrProvinceName
        1.3.6.1.4.1.311.60.2.1.3 jurisdictionCountryName
        # Apple
        1.2.840.113635.100.4.1 appleCodeSigning Apple code signing
        1.2.840.113635.100.6.1.2 appleDeveloper
        1.2.840.113635.100.6.2.1 appleIntermediate
        1.2.840.113635.100.6.27.3.2 appleServerAuthentication
        1.2.840.113635.100.5.1 applePolicy
        1.2.840.113635.100.6.86 appleCertificateTransparency
        # Adobe, Entrust, Novell, S/MIME capabilities of others
        1.2.840.113583.1.1.5 adobeAuthenticDocuments Adobe document signing
        1.2.840.113583.1.1.9.1 adobeTimeStamp
        1.2.840.113583.1.1.9.2 adobeArchiveRevocationInfo
        1.2.840.113533.7.65.0 entrustVersInfo
        1.3.6.1.4.1.44947.1.1.1 isrgDomainValidated
        1.3.6.1.4.1.37476.9000.64.1 acmeAccount
        1.3.6.1.4.1.6449.1.2.1.3.4 comodoPolicy
        1.3.6.1.4.1.2312.16.1.1 redHatKernelModule

        """
}
