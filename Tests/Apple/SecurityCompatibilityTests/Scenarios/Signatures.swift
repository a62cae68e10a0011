// SPDX-License-Identifier: Apache-2.0

// Except for the imports, this file only uses the API of Apple's frameworks. It is compiled on Linux unchanged, and
// against stubs of Apple's declarations (Tests/External/apple).
import Foundation

#if canImport(Darwin)
import Security
#else
import SecurityCompatibility
#endif

/// The names, types and values of the module, one per line. The stubs' list is in
/// Tests/Apple/AppleStubs/SecurityForClients/signatures.txt. A type is printed without the conversions that a call or
/// an assignment makes.
protocol SignatureList {
    var lines: [String] { get }
}

struct CurrentSignatures: SignatureList {
    var lines: [String] { functions + constants + algorithms + types }

    private var functions: [String] {
        [
            type("CFAbsoluteTimeGetCurrent", CFAbsoluteTimeGetCurrent),
            type("CFArrayGetCount", CFArrayGetCount),
            type("CFDataCreate", CFDataCreate),
            type("CFDataGetLength", CFDataGetLength),
            type("CFDateCreate", CFDateCreate),
            type("CFDateGetAbsoluteTime", CFDateGetAbsoluteTime),
            type("CFEqual", CFEqual),
            type("CFErrorCopyDescription", CFErrorCopyDescription),
            type("CFErrorCopyUserInfo", CFErrorCopyUserInfo),
            type("CFErrorCreate", CFErrorCreate),
            type("CFErrorGetCode", CFErrorGetCode),
            type("CFErrorGetDomain", CFErrorGetDomain),
            type("SecCertificateCopyCommonName", SecCertificateCopyCommonName),
            type("SecCertificateCopyData", SecCertificateCopyData),
            type("SecCertificateCopyEmailAddresses", SecCertificateCopyEmailAddresses),
            type("SecCertificateCopyKey", SecCertificateCopyKey),
            type("SecCertificateCopyNormalizedIssuerSequence", SecCertificateCopyNormalizedIssuerSequence),
            type("SecCertificateCopyNormalizedSubjectSequence", SecCertificateCopyNormalizedSubjectSequence),
            type("SecCertificateCopyNotValidAfterDate", SecCertificateCopyNotValidAfterDate),
            type("SecCertificateCopyNotValidBeforeDate", SecCertificateCopyNotValidBeforeDate),
            type("SecCertificateCopySerialNumberData", SecCertificateCopySerialNumberData),
            type("SecCertificateCopySubjectSummary", SecCertificateCopySubjectSummary),
            type("SecCertificateCopyValues", SecCertificateCopyValues),
            type("SecCertificateCreateWithData", SecCertificateCreateWithData),
            type("SecCopyErrorMessageString", SecCopyErrorMessageString),
            type("SecIdentityCopyCertificate", SecIdentityCopyCertificate),
            type("SecKeyCopyAttributes", SecKeyCopyAttributes),
            type("SecKeyCopyExternalRepresentation", SecKeyCopyExternalRepresentation),
            type("SecKeyCopyPublicKey", SecKeyCopyPublicKey),
            type("SecKeyCreateWithData", SecKeyCreateWithData),
            type("SecKeyGetBlockSize", SecKeyGetBlockSize),
            type("SecKeyIsAlgorithmSupported", SecKeyIsAlgorithmSupported),
            type("SecKeyVerifySignature", SecKeyVerifySignature),
            type("SecPKCS12Import", SecPKCS12Import),
            type("SecPolicyCopyProperties", SecPolicyCopyProperties),
            type("SecPolicyCreateBasicX509", SecPolicyCreateBasicX509),
            type("SecPolicyCreateRevocation", SecPolicyCreateRevocation),
            type("SecPolicyCreateSSL", SecPolicyCreateSSL),
            type("SecRandomCopyBytes", SecRandomCopyBytes),
            type("SecTrustCopyCertificateChain", SecTrustCopyCertificateChain),
            type("SecTrustCopyCustomAnchorCertificates", SecTrustCopyCustomAnchorCertificates),
            type("SecTrustCopyExceptions", SecTrustCopyExceptions),
            type("SecTrustCopyKey", SecTrustCopyKey),
            type("SecTrustCopyPolicies", SecTrustCopyPolicies),
            type("SecTrustCopyProperties", SecTrustCopyProperties),
            type("SecTrustCopyResult", SecTrustCopyResult),
            type("SecTrustCreateWithCertificates", SecTrustCreateWithCertificates),
            type("SecTrustEvaluateAsyncWithError", SecTrustEvaluateAsyncWithError),
            type("SecTrustEvaluateWithError", SecTrustEvaluateWithError),
            type("SecTrustGetCertificateCount", SecTrustGetCertificateCount),
            type("SecTrustGetNetworkFetchAllowed", SecTrustGetNetworkFetchAllowed),
            type("SecTrustGetTrustResult", SecTrustGetTrustResult),
            type("SecTrustGetVerifyTime", SecTrustGetVerifyTime),
            type("SecTrustSetAnchorCertificates", SecTrustSetAnchorCertificates),
            type("SecTrustSetAnchorCertificatesOnly", SecTrustSetAnchorCertificatesOnly),
            type("SecTrustSetExceptions", SecTrustSetExceptions),
            type("SecTrustSetNetworkFetchAllowed", SecTrustSetNetworkFetchAllowed),
            type("SecTrustSetOCSPResponse", SecTrustSetOCSPResponse),
            type("SecTrustSetPolicies", SecTrustSetPolicies),
            type("SecTrustSetVerifyDate", SecTrustSetVerifyDate),
        ]
    }

    private var constants: [String] {
        [
            value("errSSLATSCertificateTrustViolation", errSSLATSCertificateTrustViolation),
            value("errSSLBadCert", errSSLBadCert),
            value("errSSLBadConfiguration", errSSLBadConfiguration),
            value("errSSLCertExpired", errSSLCertExpired),
            value("errSSLCertNotYetValid", errSSLCertNotYetValid),
            value("errSSLFatalAlert", errSSLFatalAlert),
            value("errSSLHostNameMismatch", errSSLHostNameMismatch),
            value("errSSLInternal", errSSLInternal),
            value("errSSLNoRootCert", errSSLNoRootCert),
            value("errSSLUnknownRootCert", errSSLUnknownRootCert),
            value("errSSLXCertChainInvalid", errSSLXCertChainInvalid),
            value("errSecAuthFailed", errSecAuthFailed),
            value("errSecCertificateExpired", errSecCertificateExpired),
            value("errSecCertificateIsCA", errSecCertificateIsCA),
            value("errSecCertificateNotValidYet", errSecCertificateNotValidYet),
            value("errSecCertificateRevoked", errSecCertificateRevoked),
            value("errSecCertificateValidityPeriodTooLong", errSecCertificateValidityPeriodTooLong),
            value("errSecCreateChainFailed", errSecCreateChainFailed),
            value("errSecDecode", errSecDecode),
            value("errSecHostNameMismatch", errSecHostNameMismatch),
            value("errSecIncompleteCertRevocationCheck", errSecIncompleteCertRevocationCheck),
            value("errSecInternalError", errSecInternalError),
            value("errSecInvalidAuthorityKeyID", errSecInvalidAuthorityKeyID),
            value("errSecInvalidDigestAlgorithm", errSecInvalidDigestAlgorithm),
            value("errSecInvalidExtendedKeyUsage", errSecInvalidExtendedKeyUsage),
            value("errSecInvalidKeyRef", errSecInvalidKeyRef),
            value("errSecInvalidKeyUsageForPolicy", errSecInvalidKeyUsageForPolicy),
            value("errSecInvalidName", errSecInvalidName),
            value("errSecInvalidPolicyIdentifiers", errSecInvalidPolicyIdentifiers),
            value("errSecInvalidRoot", errSecInvalidRoot),
            value("errSecInvalidSubjectKeyID", errSecInvalidSubjectKeyID),
            value("errSecInvalidSubjectName", errSecInvalidSubjectName),
            value("errSecItemNotFound", errSecItemNotFound),
            value("errSecNoBasicConstraints", errSecNoBasicConstraints),
            value("errSecNoBasicConstraintsCA", errSecNoBasicConstraintsCA),
            value("errSecNotTrusted", errSecNotTrusted),
            value("errSecParam", errSecParam),
            value("errSecPassphraseRequired", errSecPassphraseRequired),
            value("errSecPathLengthConstraintExceeded", errSecPathLengthConstraintExceeded),
            value("errSecSuccess", errSecSuccess),
            value("errSecTrustNotAvailable", errSecTrustNotAvailable),
            value("errSecTrustSettingDeny", errSecTrustSettingDeny),
            value("errSecUnknownCriticalExtensionFlag", errSecUnknownCriticalExtensionFlag),
            value("errSecUnsupportedFormat", errSecUnsupportedFormat),
            value("errSecUnimplemented", errSecUnimplemented),
            value("errSecUnsupportedKeySize", errSecUnsupportedKeySize),
            value("errSecVerifyFailed", errSecVerifyFailed),
            value("kCFBooleanFalse", kCFBooleanFalse),
            value("kCFBooleanTrue", kCFBooleanTrue),
            value("kCFErrorDomainOSStatus", kCFErrorDomainOSStatus),
            value("kSecAttrEffectiveKeySize", kSecAttrEffectiveKeySize),
            value("kSecAttrKeyClass", kSecAttrKeyClass),
            value("kSecAttrKeyClassPrivate", kSecAttrKeyClassPrivate),
            value("kSecAttrKeyClassPublic", kSecAttrKeyClassPublic),
            value("kSecAttrKeySizeInBits", kSecAttrKeySizeInBits),
            value("kSecAttrKeyType", kSecAttrKeyType),
            value("kSecAttrKeyTypeECSECPrimeRandom", kSecAttrKeyTypeECSECPrimeRandom),
            value("kSecAttrKeyTypeRSA", kSecAttrKeyTypeRSA),
            value("kSecImportExportPassphrase", kSecImportExportPassphrase),
            value("kSecImportItemCertChain", kSecImportItemCertChain),
            value("kSecImportItemIdentity", kSecImportItemIdentity),
            value("kSecImportItemKeyID", kSecImportItemKeyID),
            value("kSecImportItemLabel", kSecImportItemLabel),
            value("kSecImportItemTrust", kSecImportItemTrust),
            value("kSecOIDBasicConstraints", kSecOIDBasicConstraints),
            value("kSecOIDCommonName", kSecOIDCommonName),
            value("kSecOIDCountryName", kSecOIDCountryName),
            value("kSecOIDExtendedKeyUsage", kSecOIDExtendedKeyUsage),
            value("kSecOIDKeyUsage", kSecOIDKeyUsage),
            value("kSecOIDOrganizationName", kSecOIDOrganizationName),
            value("kSecOIDOrganizationalUnitName", kSecOIDOrganizationalUnitName),
            value("kSecOIDSubjectAltName", kSecOIDSubjectAltName),
            value("kSecOIDX509V1IssuerName", kSecOIDX509V1IssuerName),
            value("kSecOIDX509V1SerialNumber", kSecOIDX509V1SerialNumber),
            value("kSecOIDX509V1SignatureAlgorithm", kSecOIDX509V1SignatureAlgorithm),
            value("kSecOIDX509V1SubjectName", kSecOIDX509V1SubjectName),
            value("kSecOIDX509V1SubjectPublicKey", kSecOIDX509V1SubjectPublicKey),
            value("kSecOIDX509V1ValidityNotAfter", kSecOIDX509V1ValidityNotAfter),
            value("kSecOIDX509V1ValidityNotBefore", kSecOIDX509V1ValidityNotBefore),
            value("kSecOIDX509V1Version", kSecOIDX509V1Version),
            value("kSecPolicyAppleRevocation", kSecPolicyAppleRevocation),
            value("kSecPolicyAppleSSL", kSecPolicyAppleSSL),
            value("kSecPolicyAppleX509Basic", kSecPolicyAppleX509Basic),
            value("kSecPolicyClient", kSecPolicyClient),
            value("kSecPolicyName", kSecPolicyName),
            value("kSecPolicyOid", kSecPolicyOid),
            value("kSecPropertyKeyLabel", kSecPropertyKeyLabel),
            value("kSecPropertyKeyType", kSecPropertyKeyType),
            value("kSecPropertyKeyValue", kSecPropertyKeyValue),
            value("kSecPropertyTypeData", kSecPropertyTypeData),
            value("kSecPropertyTypeError", kSecPropertyTypeError),
            value("kSecPropertyTypeNumber", kSecPropertyTypeNumber),
            value("kSecPropertyTypeSection", kSecPropertyTypeSection),
            value("kSecPropertyTypeString", kSecPropertyTypeString),
            value("kSecPropertyTypeTitle", kSecPropertyTypeTitle),
            value("kSecRevocationCRLMethod", kSecRevocationCRLMethod),
            value("kSecRevocationNetworkAccessDisabled", kSecRevocationNetworkAccessDisabled),
            value("kSecRevocationOCSPMethod", kSecRevocationOCSPMethod),
            value("kSecRevocationPreferCRL", kSecRevocationPreferCRL),
            value("kSecRevocationRequirePositiveResponse", kSecRevocationRequirePositiveResponse),
            value("kSecRevocationUseAnyAvailableMethod", kSecRevocationUseAnyAvailableMethod),
            value("noErr", noErr),
            value("kSecTrustCertificateTransparency", kSecTrustCertificateTransparency),
            value("kSecTrustEvaluationDate", kSecTrustEvaluationDate),
            value("kSecTrustExtendedValidation", kSecTrustExtendedValidation),
            value("kSecTrustOrganizationName", kSecTrustOrganizationName),
            value("kSecTrustQCStatements", kSecTrustQCStatements),
            value("kSecTrustQWACValidation", kSecTrustQWACValidation),
            value("kSecTrustResultValue", kSecTrustResultValue),
            value("kSecTrustRevocationChecked", kSecTrustRevocationChecked),
            value("kSecTrustRevocationValidUntilDate", kSecTrustRevocationValidUntilDate),
        ]
    }

    private var algorithms: [String] {
        [
            value("rsaSignatureMessagePKCS1v15SHA256", SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256.rawValue),
            value("rsaSignatureMessagePKCS1v15SHA384", SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA384.rawValue),
            value("rsaSignatureMessagePKCS1v15SHA512", SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA512.rawValue),
            value("rsaSignatureMessagePSSSHA256", SecKeyAlgorithm.rsaSignatureMessagePSSSHA256.rawValue),
            value("rsaSignatureMessagePSSSHA384", SecKeyAlgorithm.rsaSignatureMessagePSSSHA384.rawValue),
            value("rsaSignatureMessagePSSSHA512", SecKeyAlgorithm.rsaSignatureMessagePSSSHA512.rawValue),
            value("ecdsaSignatureMessageX962SHA256", SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256.rawValue),
            value("ecdsaSignatureMessageX962SHA384", SecKeyAlgorithm.ecdsaSignatureMessageX962SHA384.rawValue),
            value("ecdsaSignatureMessageX962SHA512", SecKeyAlgorithm.ecdsaSignatureMessageX962SHA512.rawValue),
            value("ecdsaSignatureDigestX962SHA256", SecKeyAlgorithm.ecdsaSignatureDigestX962SHA256.rawValue),
            value("ecdsaSignatureDigestX962SHA384", SecKeyAlgorithm.ecdsaSignatureDigestX962SHA384.rawValue),
            value("ecdsaSignatureDigestX962SHA512", SecKeyAlgorithm.ecdsaSignatureDigestX962SHA512.rawValue),
            value("ecdsaSignatureMessageRFC4754SHA256", SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA256.rawValue),
            value("ecdsaSignatureMessageRFC4754SHA384", SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA384.rawValue),
            value("ecdsaSignatureMessageRFC4754SHA512", SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA512.rawValue),
        ] + (0...5).map { "operation \($0) = \(SecKeyOperationType(rawValue: $0).map { "\($0)" } ?? "none")" }
    }

    private var types: [String] {
        [
            "type CFArray = \(CFArray.self)",
            "type CFData = \(CFData.self)",
            "type CFString = \(CFString.self)",
            "type CFDate = \(CFDate.self)",
            "type CFDictionary = \(CFDictionary.self)",
            "type CFError = \(CFError.self)",
            "type CFAbsoluteTime = \(CFAbsoluteTime.self)",
            "type CFIndex = \(CFIndex.self)",
            "type CFOptionFlags = \(CFOptionFlags.self)",
            "type OSStatus = \(OSStatus.self)",
            "type SecTrustCallback = \(SecTrustCallback.self)",
            "type SecTrustWithErrorCallback = \(SecTrustWithErrorCallback.self)",
            "type SecTrustResultType = \(SecTrustResultType.self)",
            "type CFTypeRef = \(CFTypeRef.self)",
            "type CFBoolean = \(CFBoolean.self)",
            "type CFErrorDomain = \(CFErrorDomain.self)",
            type("kCFAllocatorDefault", kCFAllocatorDefault),
            type("kSecRandomDefault", kSecRandomDefault),
            type("DarwinBoolean.boolValue", \DarwinBoolean.boolValue),
        ]
            + (0...8 as ClosedRange<UInt32>).map {
                "case \($0) = \(SecTrustResultType(rawValue: $0).map { "\($0)" } ?? "none")"
            }
    }
}

/// The functions that older code uses.
struct OlderSignatures: SignatureList {
    @available(*, deprecated)
    var lines: [String] {
        [
            type("SecCertificateCopyPublicKey", SecCertificateCopyPublicKey),
            type("SecTrustCopyPublicKey", SecTrustCopyPublicKey),
            type("SecTrustEvaluate", SecTrustEvaluate),
            type("SecTrustEvaluateAsync", SecTrustEvaluateAsync),
            type("SecTrustGetCertificateAtIndex", SecTrustGetCertificateAtIndex),
            value("kSecAttrKeyTypeEC", kSecAttrKeyTypeEC),
        ]
    }
}

private func type<Value>(_ name: String, _ value: Value) -> String { "func \(name): \(Value.self)" }

private func value<Value>(_ name: String, _ value: Value) -> String { "let \(name): \(Value.self) = \(value)" }

/// Returns every name of the module with its type, sorted.
func signatures() -> [String] {
    ([CurrentSignatures(), OlderSignatures()] as [any SignatureList]).flatMap(\.lines).sorted()
}
