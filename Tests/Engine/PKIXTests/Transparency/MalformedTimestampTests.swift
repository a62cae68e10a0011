// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrustTesting

@Suite("Malformed timestamps and log keys")
struct MalformedTimestampTests {
    @Test("A timestamp that ends early or late, or of another version, isn't read, but counts")
    func timestamps() throws {
        let (root, log) = (try TestAuthority.root(), try TestLog("Log", operatedBy: "Operator"))
        let leaf = try root.issue(.leaf("www.example.com")).certificate
        let list = try TestTimestamp.list([log.timestamp(at: TestAuthority.now)], for: leaf)
        let whole = Array(list[4...])
        #expect(try SignedCertificateTimestamp(whole).logID == log.logID)
        for bytes in (0..<whole.count).map({ Array(whole[..<$0]) }) + [whole + [0]] {
            #expect(throws: SignedCertificateTimestamp.Unreadable.malformed) { try SignedCertificateTimestamp(bytes) }
        }
        #expect(throws: SignedCertificateTimestamp.Unreadable.version(1)) {
            try SignedCertificateTimestamp([1] + whole.dropFirst())
        }
    }

    @Test("A log's key is P-256 or RSA with 2048 to 8192 bits")
    func keys() throws {
        for (key, isAllowed) in [
            (SigningKey.p256(), true), (.p384(), false), (.ed25519(), false), (try .rsa(), true),
            (try .rsa(FixedKeys.rsa1024), false),
        ] {
            let info = try SubjectPublicKeyInfo(der: key.publicKey)
            #expect((TransparencyLogKey(info) != nil) == isAllowed)
        }
        for (bits, isAllowed) in [(2047, false), (2048, true), (8192, true), (8193, false)] {
            let info = try SubjectPublicKeyInfo(der: ASN1.rsaKey(ASN1.odd(bits: bits)))
            #expect((TransparencyLogKey(info) != nil) == isAllowed, "\(bits) bits")
        }
        #expect(TransparencyLogKey(SubjectPublicKeyInfo(checkedDER: [0x30, 0x00])) == nil)
    }
}
