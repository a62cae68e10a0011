// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import SecurityCompatibility
import ServerTrustTesting
import Testing

@Suite("CoreFoundation names")
struct CoreFoundationTests {
    private func certificate(_ name: String = "a.example.com") throws -> SecCertificate {
        let leaf = try TestAuthority.root().issue(.leaf(name)).certificate
        return try #require(SecCertificateCreateWithData(nil, Data(leaf.der)))
    }

    @Test("CFDataGetBytePtr provides a certificate's bytes for copying")
    func bytes() throws {
        let certificate = try certificate()
        #expect(KeyScenarios.bytes(certificate) == SecCertificateCopyData(certificate))
        #expect(CFDataGetBytePtr(nil) == nil)
        #expect(CFDataGetLength(nil as CFData?) == 0)
        let data = NSData(data: Data([1, 2, 3]))
        #expect(CFDataGetBytePtr(data) == [1, 2, 3])
        #expect(CFDataGetLength(data) == 3)
    }

    @Test("CFDataCreate copies bytes, and rejects a negative length and a nil pointer with a length")
    func creation() {
        #expect(CFDataCreate(nil, [1, 2, 3], 2) == Data([1, 2]))
        #expect(CFDataCreate(nil, nil, 0) == Data())
        #expect(CFDataCreate(nil, nil, 1) == nil)
        #expect(CFDataCreate(nil, [1], -1) == nil)
    }

    @Test("No function returns a pointer that would outlive the bytes")
    @available(*, deprecated)
    func dangling() {
        #expect(throws: NSError.self) { try UnsafeBufferPointer(start: CFDataGetBytePtr(Data([1])), count: 1) }
        #expect(throws: NSError.self) { try UnsafeRawBufferPointer(start: CFDataGetBytePtr(Data([1])), count: 1) }
    }

    @Test("CFEqual compares certificates, strings, bytes, arrays and dictionaries by value")
    func equality() throws {
        let (one, other) = (try certificate(), try certificate("b.example.com"))
        let same = try #require(SecCertificateCreateWithData(nil, SecCertificateCopyData(one)))
        #expect(KeyScenarios.areEqual(one, same) == (true, true))
        #expect(KeyScenarios.areEqual(one, other) == (false, false))
        #expect(CFEqual("a" as CFString, "a" as CFString))
        #expect(!CFEqual("a" as CFString, "b" as CFString))
        #expect(CFEqual(NSString(string: "a"), "a" as CFString))
        #expect(CFEqual(NSNumber(value: 1), 1))
        #expect(CFEqual(NSData(data: Data([1])), Data([1]) as CFData))
        #expect(CFEqual(Data([1]) as CFData, Data([1]) as CFData))
        #expect(!CFEqual(Data([1]) as CFData, "a" as CFString))
        #expect(CFEqual(["a": [1, 2]] as CFDictionary, ["a": [1, 2]] as CFDictionary))
        #expect(!CFEqual(["a": [1, 2]] as CFDictionary, ["a": [2, 1]] as CFDictionary))
        #expect(!CFEqual(["a": 1] as CFDictionary, ["b": 1] as CFDictionary))
        #expect(!CFEqual([one] as CFArray, [one, one] as CFArray))
        #expect(!CFEqual([] as CFArray, nil))
        #expect(!CFEqual(nil, nil))
    }

    @Test("CFErrorCreate keeps its domain, code and dictionary")
    func errors() {
        let error = KeyScenarios.error(errSecNotTrusted)
        #expect(CFErrorGetCode(error) == Int(errSecNotTrusted))
        #expect(CFErrorGetDomain(error) == NSOSStatusErrorDomain)
        #expect(CFErrorCopyUserInfo(error)[NSLocalizedDescriptionKey] as? String == "not pinned")
        #expect(CFErrorGetDomain(CFErrorCreate(nil, nil, 1, nil)) == "")
    }

    @Test("The constants have Apple's values")
    func constants() {
        #expect(kCFBooleanTrue == true)
        #expect(kCFBooleanFalse == false)
        #expect(noErr == errSecSuccess)
    }

    @Test("Random bytes have the requested length and differ")
    func random() throws {
        let (one, other) = (try #require(KeyScenarios.nonce(32)), try #require(KeyScenarios.nonce(32)))
        #expect(one.count == 32)
        #expect(one != other)
        #expect(KeyScenarios.nonce(0) == Data())
        var byte: UInt8 = 7
        #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &byte) == errSecParam)
        #expect(byte == 7)
    }

    @Test("The functions accept NSString, NSData, NSArray, NSDictionary and NSDate")
    func foundationClasses() throws {
        let certificate = try certificate()
        let data = SecCertificateCopyData(certificate)
        #expect(SecCertificateCreateWithData(nil, NSData(data: data)) == certificate)
        #expect(
            SecPolicyCreateSSL(true, NSString(string: "a.example.com")) == SecPolicyCreateSSL(true, "a.example.com"))
        #expect(SecPolicyCreateSSL(true, nil) == SecPolicyCreateSSL(true, nil as String?))
        var trust: SecTrust?
        SecTrustCreateWithCertificates(certificate, SecPolicyCreateBasicX509(), &trust)
        let object = try #require(trust)
        #expect(SecTrustSetAnchorCertificates(object, NSArray(array: [certificate])) == errSecSuccess)
        #expect(SecTrustSetVerifyDate(object, NSDate(timeIntervalSince1970: 1_000)) == errSecSuccess)
        #expect(SecTrustGetVerifyTime(object) == Date(timeIntervalSince1970: 1_000).timeIntervalSinceReferenceDate)
        #expect(!SecTrustSetExceptions(object, NSData(data: Data("{}".utf8))))
        #expect(SecTrustSetAnchorCertificates(object, NSArray(array: ["no certificate"])) == errSecParam)
        var items: CFArray?
        let options = NSDictionary(dictionary: [kSecImportExportPassphrase: "p"])
        #expect(SecPKCS12Import(NSData(data: Data([1])), options, &items) == errSecDecode)
        #expect(SecPKCS12Import(Data([1]), options, &items) == errSecDecode)
        #expect(SecPKCS12Import(NSData(data: Data([1])), [:] as CFDictionary, &items) == errSecPassphraseRequired)
        let key = try #require(SecCertificateCopyKey(certificate))
        let point = try #require(SecKeyCopyExternalRepresentation(key, nil))
        let attributes = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic]
        #expect(SecKeyCreateWithData(NSData(data: point), NSDictionary(dictionary: attributes), nil) == key)
        #expect(SecKeyCreateWithData(point, NSDictionary(dictionary: attributes), nil) == key)
        #expect(SecKeyCreateWithData(NSData(data: point), attributes as CFDictionary, nil) == key)
        #expect(
            !SecKeyVerifySignature(key, .ecdsaSignatureMessageX962SHA256, NSData(data: data), NSData(data: point), nil))
        #expect(CFArrayGetCount(NSArray(array: [1, 2])) == 2)
        #expect(CFErrorGetDomain(CFErrorCreate(kCFAllocatorDefault, "domain" as NSString?, 1, nil)) == "domain")
        let policies = NSMutableArray()
        policies.add(SecPolicyCreateSSL(true, "a.example.com" as CFString))
        #expect(SecTrustSetPolicies(object, policies) == errSecSuccess)
    }

    @Test("Results convert to Foundation's classes where the context expects them")
    func foundationResults() throws {
        let certificate = try certificate()
        let data: NSData = SecCertificateCopyData(certificate)
        #expect(data.isEqual(to: certificate.certificate.derData))
        #expect((SecCertificateCopyData(certificate) as NSData).length == data.length)
        let serial: NSData? = SecCertificateCopySerialNumberData(certificate, nil)
        #expect(serial?.length == SecCertificateCopySerialNumberData(certificate, nil)?.count)
        let summary: NSString? = SecCertificateCopySubjectSummary(certificate)
        #expect(summary?.description == "a.example.com")
        let key = try #require(SecCertificateCopyKey(certificate))
        let point: NSData? = SecKeyCopyExternalRepresentation(key, nil)
        #expect(point?.length == 65)
        #expect((SecKeyCopyAttributes(key) as NSDictionary?)?.count == SecKeyCopyAttributes(key)?.count)
        var created: SecTrust?
        SecTrustCreateWithCertificates(certificate, SecPolicyCreateBasicX509(), &created)
        let trust = try #require(created)
        #expect((SecTrustCopyCertificateChain(trust) as NSArray?)?.firstObject as? SecCertificate == certificate)
        let result: NSDictionary? = SecTrustCopyResult(trust)
        #expect(result?.count == SecTrustCopyResult(trust)?.count)
        let exceptions: NSData? = SecTrustCopyExceptions(trust)
        #expect(exceptions == nil)
        let message: NSString? = SecCopyErrorMessageString(errSecParam, nil)
        #expect(message?.description == SecCopyErrorMessageString(errSecParam, nil))
    }
}

extension Certificate {
    fileprivate var derData: Data { Data(der) }
}
