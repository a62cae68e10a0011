// SPDX-License-Identifier: Apache-2.0

// SecCertificate.h, SecCertificateOIDs.h, SecKey.h, SecItem.h, SecIdentity.h, SecImportExport.h and SecBase.h.

@discardableResult
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { stub() }
@discardableResult
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { stub() }
@discardableResult
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? { stub() }
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus { stub() }
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus { stub() }
@discardableResult
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? { stub() }
@discardableResult
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? { stub() }
@discardableResult
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { stub() }
@discardableResult
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { stub() }
// macOS 15, iOS 18
@discardableResult
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? { stub() }
@discardableResult
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? { stub() }
// macOS
@discardableResult
public func SecCertificateCopyValues(
    _ certificate: SecCertificate, _ keys: CFArray?, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFDictionary? { stub() }

// Values as such dictionaries print them.
public let kSecPropertyKeyType: CFString = "type"
public let kSecPropertyKeyLabel: CFString = "label"
public let kSecPropertyKeyValue: CFString = "value"
public let kSecPropertyTypeSection: CFString = "section"
public let kSecPropertyTypeData: CFString = "data"
public let kSecPropertyTypeString: CFString = "string"
public let kSecPropertyTypeNumber: CFString = "number"

public let kSecOIDX509V1Version: CFString = "2.16.840.1.113741.2.1.1.1.2"
public let kSecOIDX509V1SerialNumber: CFString = "2.16.840.1.113741.2.1.1.1.3"
public let kSecOIDX509V1IssuerName: CFString = "2.16.840.1.113741.2.1.1.1.5"
public let kSecOIDX509V1ValidityNotBefore: CFString = "2.16.840.1.113741.2.1.1.1.6"
public let kSecOIDX509V1ValidityNotAfter: CFString = "2.16.840.1.113741.2.1.1.1.7"
public let kSecOIDX509V1SubjectName: CFString = "2.16.840.1.113741.2.1.1.1.8"
public let kSecOIDX509V1SubjectPublicKey: CFString = "2.16.840.1.113741.2.1.1.1.10"
public let kSecOIDX509V1SignatureAlgorithm: CFString = "2.16.840.1.113741.2.1.3.2.1"
public let kSecOIDSubjectAltName: CFString = "2.5.29.17"
public let kSecOIDKeyUsage: CFString = "2.5.29.15"
public let kSecOIDExtendedKeyUsage: CFString = "2.5.29.37"
public let kSecOIDBasicConstraints: CFString = "2.5.29.19"
public let kSecOIDCommonName: CFString = "2.5.4.3"
public let kSecOIDOrganizationName: CFString = "2.5.4.10"
public let kSecOIDOrganizationalUnitName: CFString = "2.5.4.11"
public let kSecOIDCountryName: CFString = "2.5.4.6"

// MARK: - SecKey.h, SecItem.h

@discardableResult
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { stub() }
@discardableResult
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { stub() }
@discardableResult
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? { stub() }

public let kSecAttrKeyType: CFString = "type"
public let kSecAttrKeyClass: CFString = "kcls"
public let kSecAttrKeySizeInBits: CFString = "bsiz"
public let kSecAttrEffectiveKeySize: CFString = "esiz"
public let kSecAttrKeyClassPublic: CFString = "0"
public let kSecAttrKeyTypeRSA: CFString = "42"
public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
@available(*, deprecated)
public let kSecAttrKeyTypeEC: CFString = "73"

// MARK: - SecIdentity.h, SecImportExport.h

@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus { stub() }
@discardableResult
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { stub() }

public let kSecImportExportPassphrase: CFString = "passphrase"
public let kSecImportItemIdentity: CFString = "identity"
public let kSecImportItemCertChain: CFString = "chain"
public let kSecImportItemTrust: CFString = "trust"

// MARK: - SecBase.h

@discardableResult
public func SecCopyErrorMessageString(
    _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? { stub() }

public var errSecSuccess: OSStatus { 0 }
public var errSecParam: OSStatus { -50 }
public var errSecAuthFailed: OSStatus { -25293 }
public var errSecItemNotFound: OSStatus { -25300 }
public var errSecUnsupportedFormat: OSStatus { -25256 }
public var errSecPassphraseRequired: OSStatus { -25260 }
public var errSecDecode: OSStatus { -26275 }
public var errSecCreateChainFailed: OSStatus { -25318 }
public var errSecHostNameMismatch: OSStatus { -67602 }
public var errSecInternalError: OSStatus { -67671 }
public var errSecInvalidKeyRef: OSStatus { -67712 }
public var errSecCertificateExpired: OSStatus { -67818 }
public var errSecCertificateNotValidYet: OSStatus { -67819 }
public var errSecCertificateRevoked: OSStatus { -67820 }
public var errSecNotTrusted: OSStatus { -67843 }
public var errSSLATSCertificateTrustViolation: OSStatus { -9886 }
public var errSSLXCertChainInvalid: OSStatus { -9807 }
public var errSSLFatalAlert: OSStatus { -9802 }
public var errSSLBadCert: OSStatus { -9808 }
public var errSSLInternal: OSStatus { -9810 }
public var errSSLUnknownRootCert: OSStatus { -9812 }
public var errSSLNoRootCert: OSStatus { -9813 }
public var errSSLCertExpired: OSStatus { -9814 }
public var errSSLCertNotYetValid: OSStatus { -9815 }
public var errSSLHostNameMismatch: OSStatus { -9843 }
public var errSSLBadConfiguration: OSStatus { -9848 }
public var errSecTrustNotAvailable: OSStatus { -25245 }
public var errSecUnknownCriticalExtensionFlag: OSStatus { -67603 }
public var errSecNoBasicConstraints: OSStatus { -67604 }
public var errSecNoBasicConstraintsCA: OSStatus { -67605 }
public var errSecInvalidAuthorityKeyID: OSStatus { -67606 }
public var errSecInvalidSubjectKeyID: OSStatus { -67607 }
public var errSecInvalidKeyUsageForPolicy: OSStatus { -67608 }
public var errSecInvalidExtendedKeyUsage: OSStatus { -67609 }
public var errSecPathLengthConstraintExceeded: OSStatus { -67611 }
public var errSecInvalidRoot: OSStatus { -67612 }
public var errSecIncompleteCertRevocationCheck: OSStatus { -67635 }
public var errSecTrustSettingDeny: OSStatus { -67654 }
public var errSecInvalidSubjectName: OSStatus { -67655 }
public var errSecInvalidName: OSStatus { -67689 }
public var errSecUnsupportedKeySize: OSStatus { -67735 }
public var errSecInvalidDigestAlgorithm: OSStatus { -67815 }
public var errSecInvalidPolicyIdentifiers: OSStatus { -67835 }
public var errSecCertificateValidityPeriodTooLong: OSStatus { -67901 }
public var errSecCertificateIsCA: OSStatus { -67902 }
