// SPDX-License-Identifier: Apache-2.0

// The names of Security, CryptoKit and CommonCrypto that trust code uses most, with the diagnostic for each.

import CommonCrypto
import CryptoKit
import Foundation
import Security

func trustObjects(_ trust: SecTrust, _ certificate: SecCertificate, _ challenge: URLAuthenticationChallenge) {
    _ = challenge.protectionSpace.serverTrust
    _ = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
    _ = challenge.protectionSpace.authenticationMethod.isEqual(NSURLAuthenticationMethodServerTrust)
    _ = URLCredential(trust: trust)
    _ = challenge.previousFailureCount
    _ = SecTrustEvaluateWithError(trust, nil)
    var result = SecTrustResultType.invalid
    _ = SecTrustEvaluate(trust, &result)
    _ = SecTrustGetTrustResult(trust, &result)
    _ = result == .unspecified
    _ = result == .confirm
    SecTrustEvaluateAsyncWithError(trust, .main) { _, _, _ in }
    _ = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
    _ = SecTrustGetCertificateAtIndex(trust, 0)
    _ = SecTrustGetCertificateCount(trust)
    _ = SecTrustCopyKey(trust)
    _ = SecTrustCopyPublicKey(trust)
    SecTrustSetAnchorCertificates(trust, [certificate] as CFArray)
    SecTrustSetAnchorCertificatesOnly(trust, true)
    SecTrustSetPolicies(trust, [SecPolicyCreateSSL(true, "api.example.com" as CFString)] as CFTypeRef)
    SecTrustSetPolicies(trust, SecPolicyCreateBasicX509())
    _ = SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod)
    var created: SecTrust?
    _ = SecTrustCreateWithCertificates([certificate] as CFArray, SecPolicyCreateBasicX509(), &created)
    _ = SecTrustCopyExceptions(trust)
    _ = SecTrustSetExceptions(trust, nil)
    SecTrustSetVerifyDate(trust, Date() as CFDate)
    SecTrustSetNetworkFetchAllowed(trust, false)
    SecTrustSetOCSPResponse(trust, Data() as CFData)
    _ = SecTrustSetKeychains(trust, nil)
    _ = SecTrustGetTypeID()
}

func sessions(_ configuration: URLSessionConfiguration, _ error: URLError) {
    configuration.waitsForConnectivity = true
    configuration.allowsExpensiveNetworkAccess = false
    configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
    _ = error.userInfo["_kCFStreamErrorCodeKey"] as? OSStatus == errSSLXCertChainInvalid
    _ = error.failureURLPeerTrust
    _ = kCFStreamPropertySSLPeerTrust
}

func certificatesAndKeys(_ certificate: SecCertificate, _ key: SecKey, _ data: Data) {
    _ = SecCertificateCreateWithData(nil, data as CFData)
    _ = SecCertificateCreateWithData(kCFAllocatorDefault, NSData(data: data))
    _ = SecCertificateCopyData(certificate) as Data
    let _: NSData = SecCertificateCopyData(certificate)
    _ = SecCertificateCopyKey(certificate)
    _ = SecCertificateCopyPublicKey(certificate)
    _ = SecCertificateCopySubjectSummary(certificate) as String?
    _ = SecCertificateCopySerialNumberData(certificate, nil)
    _ = SecKeyCopyExternalRepresentation(key, nil) as Data?
    _ = SecKeyCopyAttributes(key) as? [String: Any]
    _ = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic] as CFDictionary
    _ = kSecAttrKeyTypeEC
    _ = kSecAttrKeyTypeECSECPrimeRandom
    _ = kSecAttrKeySizeInBits
    _ = SecKeyGetBlockSize(key)
    _ = SecKeyCreateWithData(data as CFData, [:] as CFDictionary, nil)
    _ = SecKeyVerifySignature(key, .rsaSignatureMessagePKCS1v15SHA256, data as CFData, data as CFData, nil)
    _ = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
    _ = SecKeyAlgorithm.rsaSignatureDigestPKCS1v15SHA256
    _ = SecKeyAlgorithm.ecdhKeyExchangeStandard
    _ = SecKeyCreateRandomKey([:] as CFDictionary, nil)
    _ = SecKeyCreateSignature(key, .rsaSignatureMessagePKCS1v15SHA256, data as CFData, nil)
    _ = SecKeyCreateEncryptedData(key, .rsaSignatureMessagePKCS1v15SHA256, data as CFData, nil)
}

func identities(_ data: Data, _ identity: SecIdentity, _ item: [String: Any]) {
    var items: CFArray?
    _ = SecPKCS12Import(data as CFData, [kSecImportExportPassphrase: "p"] as CFDictionary, &items)
    _ = item[kSecImportItemIdentity as String] as? SecIdentity
    _ = item[kSecImportItemTrust as String]
    _ = item[kSecImportItemCertChain as String] as? [SecCertificate]
    var certificate: SecCertificate?
    _ = SecIdentityCopyCertificate(identity, &certificate)
    var key: SecKey?
    _ = SecIdentityCopyPrivateKey(identity, &key)
    _ = URLCredential(identity: identity, certificates: nil, persistence: .forSession)
}

func keychain(_ query: CFDictionary) {
    var result: CFTypeRef?
    _ = SecItemCopyMatching(query, &result)
    _ = SecItemAdd(query, nil)
    _ = SecItemUpdate(query, query)
    _ = SecItemDelete(query)
    _ = kSecClass
    _ = kSecClassCertificate
    _ = kSecReturnRef
    _ = kSecValueRef
    _ = kSecAttrLabel
    _ = kSecAttrAccessibleAfterFirstUnlock
    _ = kSecMatchLimitOne
    _ = SecAccessControlCreateWithFlags(nil, "", [.privateKeyUsage, .biometryCurrentSet], nil)
}

func coreFoundation(_ data: CFData, _ array: CFArray, _ error: CFError) {
    _ = NSData(bytes: CFDataGetBytePtr(data), length: CFDataGetLength(data))
    _ = UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: CFDataGetLength(data))
    _ = CFArrayGetCount(array)
    _ = CFArrayGetValueAtIndex(array, 0)
    _ = CFErrorCopyDescription(error)
    _ = CFErrorGetCode(error)
    _ = CFEqual(data, data)
    _ = CFGetTypeID(data)
    _ = kCFBooleanTrue as Any
    _ = errSecSuccess == noErr
    _ = errSecItemNotFound
    _ = SecCopyErrorMessageString(errSecParam, nil)
}

func digests(_ data: Data, _ key: SymmetricKey) {
    var hash = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
    data.withUnsafeBytes { _ = CC_SHA256($0.baseAddress, CC_LONG(data.count), &hash) }
    CC_SHA1([UInt8](data), CC_LONG(data.count), &hash)
    _ = CC_MD5_DIGEST_LENGTH
    CC_MD5([UInt8](data), CC_LONG(data.count), &hash)
    var context = CC_SHA256_CTX()
    CC_SHA256_Init(&context)
    CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), "key", 3, "data", 4, &hash)
    _ = SHA256.hash(data: data)
    _ = Insecure.SHA1.hash(data: data)
    _ = HMAC<SHA256>.authenticationCode(for: data, using: key)
    _ = try? P256.Signing.PublicKey(x963Representation: data)
    _ = try? AES.GCM.SealedBox(combined: data)
}
