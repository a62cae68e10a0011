// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import SecurityCompatibility
import ServerTrust
import ServerTrustTesting
import Testing

@Suite("Certificate and key scenarios")
struct CertificateScenarioTests {
    @Test("The functions return a certificate's properties")
    func facts() throws {
        let root = try TestAuthority.root(.authority("  Root   of\tTests "))
        let leaf = try root.issue(
            CertificateTemplate.leaf("api.example.com").with {
                $0.commonName = "API"
                $0.organization = "Example"
                $0.serialNumber = [0x00, 0x80, 0x01]
                $0.alternativeNames = [.rfc822Name("admin@example.com")]
            })
        let facts = try #require(CertificateFacts(Data(leaf.certificate.der)))
        #expect(facts.summary == "API")
        #expect(facts.commonName == "API")
        #expect(facts.emailAddresses == ["admin@example.com"])
        #expect(facts.serialNumber == Data([0x00, 0x80, 0x01]))
        #expect(facts.notBefore == TestServers.now.addingTimeInterval(-90 * 86_400))
        #expect(facts.notAfter == TestServers.now.addingTimeInterval(90 * 86_400))
        #expect(CertificateFacts.expiry(Data(leaf.certificate.der)) == facts.notAfter)
        let issuer = try #require(CertificateFacts(Data(root.certificate.der)))
        #expect(facts.issuer == issuer.subject)
        #expect(facts.subject != facts.issuer)
    }

    @Test("Data that isn't a DER certificate has no properties")
    func malformed() throws {
        let servers = try TestServers()
        let pem = Data(servers.leaf.certificatePEM.utf8)
        for data in [Data(), Data([0x30]), pem, servers.leafData.dropLast(), Data([0]) + servers.leafData] {
            #expect(CertificateFacts(data) == nil)
            #expect(CertificateFacts.values(data, nil).isEmpty)
        }
        // The outer value's length isn't encoded in its shortest form.
        let padded = Data([0x30, 0x83, 0]) + servers.leafData.dropFirst(2)
        #expect(servers.leafData[1] == 0x82)
        #expect(CertificateFacts(padded) == nil)
    }

    @Test(
        "Trailing bytes after a certificate are dropped, not copied or compared, and don't affect trust"
    )
    func trailingBytes() throws {
        let servers = try TestServers()
        let certificate = try #require(SecCertificateCreateWithData(nil, servers.leafData as CFData))
        let tails = [Data([0]), Data(repeating: 0x41, count: 5000), servers.intermediateData, Data(count: 2 << 20)]
        for tail in tails {
            let data = servers.leafData + tail
            let found = try #require(SecCertificateCreateWithData(nil, data as CFData))
            #expect(SecCertificateCopyData(found) == servers.leafData)
            #expect(found == certificate)
            #expect(Set([found, certificate]).count == 1)
            #expect(TrustScenarios.evaluate(try servers.trust([data, servers.intermediateData])) == .trusted)
            // A slice of data has different indices.
            let slice = (Data([1, 2, 3]) + data).dropFirst(3)
            #expect(SecCertificateCreateWithData(nil, slice as CFData) == certificate)
        }
        // The engine's parser stays strict.
        #expect(throws: DERError.self) { try Certificate(der: [UInt8](servers.leafData + [0])) }
    }

    @Test("The functions read a certificate with the maximum number of names in linear time")
    func manyNames() throws {
        func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
            let size = contents.count
            return [tag, 0x83, UInt8(size >> 16), UInt8(size >> 8 & 0xff), UInt8(size & 0xff)] + contents
        }
        func short(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] { [tag, UInt8(contents.count)] + contents }
        let leaf = try TestAuthority.root().issue(.leaf("api.example.com"))
        let emailAddress: [UInt8] = short(0x06, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x01])
        let name = short(0x31, short(0x30, emailAddress + short(0x16, [0x62])))
        let subject = (0..<28_000).flatMap { _ in name }
        let others = (0..<170_000).flatMap { _ in short(0x81, [0x61]) }
        let algorithm = short(0x30, short(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
        let country = short(0x31, short(0x30, short(0x06, [0x55, 0x04, 0x06]) + short(0x13, Array("DE".utf8))))
        let dates = ["250101000000Z", "270101000000Z"].flatMap { short(0x17, Array($0.utf8)) }
        let extensions = short(0x06, [0x55, 0x1d, 0x11]) + longOctets(others)
        func longOctets(_ names: [UInt8]) -> [UInt8] { element(0x04, element(0x30, names)) }
        let version: [UInt8] = short(0xa0, short(0x02, [2])) + short(0x02, [1]) + algorithm
        let names: [UInt8] = short(0x30, country) + short(0x30, dates) + element(0x30, subject)
        let rest: [UInt8] =
            leaf.certificate.subjectPublicKeyInfo.der + element(0xa3, element(0x30, element(0x30, extensions)))
        let signature: [UInt8] = algorithm + short(0x03, [0, 0x30, 0])
        let der = element(0x30, element(0x30, version + names + rest) + signature)
        _ = try Certificate(der: der)
        let facts = try #require(CertificateFacts(Data(der)))
        #expect(facts.emailAddresses.count == 198_000)
        #expect(!CertificateFacts.values(Data(der), nil).isEmpty)
    }

    @Test("A certificate without a subject name gets its summary from its alternative names, or has none")
    func summaries() throws {
        let root = try TestAuthority.root()
        let dns = try root.issue(CertificateTemplate.leaf("api.example.com").with { $0.commonName = "" })
        #expect(CertificateFacts(Data(dns.certificate.der))?.commonName == nil)
        #expect(CertificateFacts(Data(dns.certificate.der))?.summary == "api.example.com")
        let address = try root.issue(CertificateTemplate.leaf("192.0.2.1").with { $0.commonName = "" })
        #expect(CertificateFacts(Data(address.certificate.der))?.summary == nil)
        let hostile = try root.issue(
            CertificateTemplate.leaf("api.example.com").with { $0.commonName = "a\u{202e}b\n" })
        #expect(CertificateFacts(Data(hostile.certificate.der))?.summary?.contains("\n") == false)
    }

    @Test("Normalized names are equal if the names differ only in case and spaces")
    func normalized() throws {
        let names = ["Example  Root", "example root", " EXAMPLE ROOT "]
        let sequences = try names.map { name in
            let root = try TestAuthority.root(.authority(name))
            return try #require(CertificateFacts(Data(root.certificate.der))?.subject)
        }
        let isPrintable = sequences[0].contains(0x13)
        // swift-certificates writes UTF8String, which isn't normalized.
        #expect(Set(sequences).count == (isPrintable ? 1 : 3))
    }

    @Test("The function returns printable values by OID, either all or the requested ones")
    func values() throws {
        let servers = try TestServers()
        let all = CertificateFacts.values(servers.leafData, nil)
        #expect(all.count >= 11)
        for (key, value) in all {
            let entry = try #require(value as? [String: Any], "\(key)")
            #expect(entry[kSecPropertyKeyLabel] is String && entry[kSecPropertyKeyType] is String)
            #expect(entry[kSecPropertyKeyValue] != nil)
        }
        let some = CertificateFacts.values(servers.leafData, [kSecOIDSubjectAltName, "1.2.3"])
        #expect(Array(some.keys) == [kSecOIDSubjectAltName])
        let names = (some[kSecOIDSubjectAltName] as? [String: Any])?[kSecPropertyKeyValue] as? [[String: Any]]
        #expect(names?.first?[kSecPropertyKeyValue] as? String == "api.example.com")
    }

    @Test("Keys have the same representation, kind and size as on Apple platforms")
    func keys() throws {
        let root = try TestAuthority.root()
        let rows: [(TestKey, String?, Int, Int, UInt8)] = [
            (.p256(), "73", 256, 65, 0x04), (.p384(), "73", 384, 97, 0x04), (.p521(), "73", 521, 133, 0x04),
            (try .rsa(), "42", 2048, 270, 0x30),
        ]
        for (key, type, bits, count, first) in rows {
            let leaf = try root.issue(.leaf("api.example.com"), key: key)
            let facts = try #require(KeyFacts.ofCertificate(Data(leaf.certificate.der)))
            #expect(facts.type == type && facts.bits == bits && facts.isPublic)
            #expect(facts.representation?.count == count && facts.representation?.first == first)
            #expect(facts.blockSize == (bits + 7) / 8 && facts.error == nil)
        }
        let leaf = try root.issue(.leaf("api.example.com"), key: .ed25519())
        let facts = try #require(KeyFacts.ofCertificate(Data(leaf.certificate.der)))
        #expect(facts.representation == nil && facts.error == Int(errSecInvalidKeyRef) && facts.type == nil)
    }

    @Test("The server's key is its leaf's key")
    func serverKey() throws {
        let servers = try TestServers()
        let trust = try servers.trust()
        #expect(KeyFacts.ofServer(trust) == KeyFacts.ofCertificate(servers.leafData))
    }

    @Test("Status codes have messages")
    func messages() {
        #expect(message(errSecSuccess) == "No error.")
        #expect(message(errSecHostNameMismatch) != message(errSecNotTrusted))
        #expect(message(12_345) == "OSStatus 12345")
    }

    @Test("CoreFoundation functions accept nil, as their headers permit")
    func optionals() {
        #expect(CFErrorGetCode(nil) == 0 && CFArrayGetCount(nil) == 0 && CFDateGetAbsoluteTime(nil) == 0)
        #expect(CFErrorGetDomain(nil) == nil && CFErrorCopyDescription(nil) == nil)
        #expect(CFErrorCopyUserInfo(nil) == nil)
        let error = NSError(domain: "test", code: 3, userInfo: ["a": 1])
        #expect(CFErrorCopyUserInfo(error)["a"] as? Int == 1 && CFErrorCopyDescription(error) != nil)
        #expect(CFAbsoluteTimeGetCurrent() > 0)
    }
}
