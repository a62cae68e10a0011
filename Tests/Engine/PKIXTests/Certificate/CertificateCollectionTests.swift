// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustTesting
import Testing

@testable import PKIX

/// Handwritten certs-only messages, some with a few changed bytes.
struct CertsOnlyMessage {
    var version: [UInt8] = [0x02, 0x01, 0x01]
    var type: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]
    var digestAlgorithms: [UInt8] = [0x31, 0x00]
    var contents: [UInt8] = value(0x30, [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01])
    var certificates: [UInt8]
    var crls: [UInt8] = []
    var signers: [UInt8] = [0x31, 0x00]
    var trailer: [UInt8] = []
    /// Bytes after the signed data, and after its explicit tag.
    var afterSigned: [UInt8] = []
    var afterContent: [UInt8] = []

    init(_ members: [[UInt8]]) { self.certificates = members.isEmpty ? [] : Self.value(0xa0, members.flatMap { $0 }) }

    var der: [UInt8] {
        let signed = Self.value(
            0x30, version + digestAlgorithms + contents + certificates + crls + signers + trailer)
        return Self.value(0x30, type + Self.value(0xa0, signed + afterSigned) + afterContent)
    }

    static func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)]
            : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
        return [tag] + length + contents
    }
}

@Suite struct CertificateCollectionTests {
    let certificates: [Certificate]

    init() throws {
        let root = try TestAuthority.root()
        self.certificates = [root.certificate, try root.intermediate().certificate]
    }

    @Test func oneCertificateIsACollectionOfOne() throws {
        let collection = try CertificateCollection(der: certificates[0].der)
        #expect(collection.certificates == [certificates[0]])
        #expect(collection.unreadable.isEmpty)
    }

    @Test func aMessageHoldsAnyNumberInItsOwnOrder() throws {
        for members in [certificates, certificates.reversed(), [certificates[0]], []] {
            #expect(try CertificateCollection(der: CertsOnlyMessage(members.map(\.der)).der).certificates == members)
        }
    }

    @Test("A message may have any version from 1 to 5 (RFC 5652 § 5.1)")
    func versions() throws {
        for version in UInt8(1)...5 {
            var message = CertsOnlyMessage([certificates[0].der])
            message.version = [0x02, 0x01, version]
            #expect(try CertificateCollection(der: message.der).certificates == [certificates[0]])
        }
    }

    @Test func aCertificateThatComesTwiceCountsOnce() throws {
        let der = CertsOnlyMessage((certificates + certificates).map(\.der)).der
        #expect(try CertificateCollection(der: der).certificates == certificates)
    }

    @Test func membersThatAreNoCertificateAreToldAndCostTheOthersNothing() throws {
        let broken: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x00]
        let message = CertsOnlyMessage([broken, certificates[0].der, [0xa1, 0x02, 0x05, 0x00], certificates[1].der])
        let collection = try CertificateCollection(der: message.der)
        #expect(collection.certificates == certificates)
        let error = try #require(collection.unreadable.first)
        #expect(collection.unreadable.count == 1)
        // The offset counts from the start of the message.
        #expect(message.der[error.offset - 2..<error.offset + 3] == broken[...])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: String
        let change: @Sendable (inout CertsOnlyMessage) -> Void

        init(_ name: String, _ field: String, _ change: @escaping @Sendable (inout CertsOnlyMessage) -> Void) {
            self.testDescription = name
            self.field = field
            self.change = change
        }
    }

    static let refused: [Row] = [
        Row("version 0", "version") { $0.version = [0x02, 0x01, 0x00] },
        Row("version 6", "version") { $0.version = [0x02, 0x01, 0x06] },
        Row("enveloped data", "contentType") { $0.type[$0.type.count - 1] = 3 },
        Row("a digest algorithm", "digestAlgorithms") { $0.digestAlgorithms = [0x31, 0x02, 0x30, 0x00] },
        Row("signed contents", "encapContentInfo") {
            $0.contents = CertsOnlyMessage.value(0x30, Array($0.contents.dropFirst(2)) + [0xa0, 0x02, 0x04, 0x00])
        },
        Row("a signer", "signerInfos") { $0.signers = [0x31, 0x02, 0x30, 0x00] },
        Row("no set of signers", "signerInfos") { $0.signers = [] },
        Row("malformed CRLs", "crls") { $0.crls = [0xa1, 0x02, 0x30, 0x01] },
        Row("something after the signers", "signedData") { $0.trailer = [0x05, 0x00] },
        Row("something after the signed data", "content") { $0.afterSigned = [0x05, 0x00] },
        Row("something after the content", "contentInfo") { $0.afterContent = [0x05, 0x00] },
        Row("more certificates than the limit", "certificates") {
            $0.certificates = CertsOnlyMessage.value(0xa0, Array(repeatElement([0x30, 0x00], count: 129).joined()))
        },
    ]

    @Test(arguments: refused) func whatIsNotCertsOnlyIsRefused(_ row: Row) throws {
        var message = CertsOnlyMessage([certificates[0].der])
        row.change(&message)
        let der = message.der
        let error = try #require(throws: DERError.self) { try CertificateCollection(der: der) }
        #expect(error.field == row.field)
    }

    @Test func anyPrefixAndAnythingBehindIsRefused() throws {
        let der = CertsOnlyMessage([certificates[0].der]).der
        for count in 0..<der.count {
            #expect(throws: DERError.self) { try CertificateCollection(der: Array(der.prefix(count))) }
        }
        #expect(throws: DERError.self) { try CertificateCollection(der: der + [0]) }
    }

    @Test func anyFlippedBitOfTheFrameIsRefusedOrCostsACertificate() throws {
        let der = CertsOnlyMessage([certificates[0].der]).der
        let start = try #require(der.firstRange(of: certificates[0].der)?.lowerBound)
        for bit in 0..<(start * 8) {
            var changed = der
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let found = (try? CertificateCollection(der: changed).certificates) ?? []
            // The parser reads every member completely and without changes. Versions and the type of the absent
            // contents may vary.
            #expect(found.isEmpty || found == [certificates[0]])
        }
    }

    @Test func whatIsTooLargeIsNotLookedAt() {
        let bytes = [UInt8](repeating: 0x30, count: CertificateCollection.maximumSize + 1)
        #expect(throws: DERError.self) { try CertificateCollection(der: bytes) }
    }

    @Test(.enabled(if: !OpenSSL.isMissing)) func whatOpenSSLWritesIsRead() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-\(UUID()).pem")
        try Data(certificates.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined().utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let der = try OpenSSL.run(["crl2pkcs7", "-nocrl", "-certfile", file.path, "-outform", "DER"])
        #expect(Set(try CertificateCollection(der: der).certificates) == Set(certificates))
    }
}
