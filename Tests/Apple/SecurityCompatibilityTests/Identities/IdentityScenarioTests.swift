// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import SecurityCompatibility
import ServerTrust
import Testing

@testable import ServerTrustTesting

@Suite("Scenarios with identities from files", .enabled(if: OpenSSL.isAvailable, "the openssl command isn't installed"))
struct IdentityScenarioTests {
    private func chain(_ key: TestKey) throws -> (root: TestAuthority, leaf: TestIdentity, above: [TestIdentity]) {
        let root = try TestAuthority.root()
        let intermediate = try root.intermediate()
        return (
            root, try intermediate.issue(.client("client"), key: key), [root.identity, intermediate.identity]
        )
    }

    @Test("A file contains an identity with its chain, for each kind of key")
    func kinds() throws {
        for key in [TestKey.p256(), .p384(), .p521(), try .rsa()] {
            let (root, leaf, above) = try chain(key)
            let file = try OpenSSL.pkcs12(leaf, others: above, passphrase: "pass word ✓")
            let (status, identities) = ImportedIdentity.read(file, passphrase: "pass word ✓")
            #expect(status == errSecSuccess)
            let imported = try #require(identities.first)
            #expect(identities.count == 1)
            #expect(imported.certificate == Data(leaf.certificate.der))
            // The file's order is root, intermediate.
            #expect(
                imported.chain.map(\.certificate) == [leaf.certificate, above[1].certificate, above[0].certificate])
            #expect(imported.label == "client")
            #expect(imported.keyIdentifier == Data(key.identifier))
            let trust = try #require(imported.trust)
            #expect(TrustScenarios.setDate(trust, TestServers.now) == errSecSuccess)
            #expect(
                TrustScenarios.customAuthority(trust, [Data(root.certificate.der)], only: true) == errSecSuccess)
            #expect(TrustScenarios.evaluate(trust) == .trusted)
        }
    }

    @Test(
        "A file can use any AES encryption or none, and any SHA hash",
        arguments: [
            ["-keypbe", "AES-128-CBC", "-certpbe", "AES-192-CBC"], ["-keypbe", "NONE", "-certpbe", "NONE"],
            ["-keypbe", "AES-256-CBC", "-certpbe", "NONE"], ["-macalg", "SHA1"], ["-macalg", "SHA384"],
            ["-macalg", "SHA512"], ["-iter", "1", "-maciter"], ["-iter", "100000"], ["-nomaciter"],
        ])
    func options(options: [String]) throws {
        let (_, leaf, above) = try chain(.p256())
        let file = try OpenSSL.pkcs12(leaf, others: above, passphrase: "p", options)
        let (status, identities) = ImportedIdentity.read(file, passphrase: "p")
        #expect(status == errSecSuccess)
        #expect(identities.first?.certificate == Data(leaf.certificate.der))
    }

    @Test("A wrong, missing or empty passphrase doesn't open a file that needs another one")
    func passphrases() throws {
        let (_, leaf, _) = try chain(.p256())
        let file = try OpenSSL.pkcs12(leaf, passphrase: "right")
        #expect(ImportedIdentity.read(file, passphrase: "wrong").status == errSecAuthFailed)
        #expect(ImportedIdentity.read(file, passphrase: "").status == errSecAuthFailed)
        #expect(ImportedIdentity.read(file, passphrase: nil).status == errSecPassphraseRequired)
        let open = try OpenSSL.pkcs12(leaf, passphrase: "")
        #expect(ImportedIdentity.read(open, passphrase: "").identities.count == 1)
        #expect(ImportedIdentity.read(open, passphrase: "right").status == errSecAuthFailed)
    }

    @Test("A file without a key, or with only a key, has no identity")
    func withoutIdentity() throws {
        let (_, leaf, above) = try chain(.p256())
        let certificates = try OpenSSL.pkcs12(nil, others: [leaf] + above, passphrase: "p")
        let read = ImportedIdentity.read(certificates, passphrase: "p")
        #expect(read.status == errSecSuccess && read.identities.isEmpty)
        let keyAlone = try OpenSSL.pkcs12(leaf, passphrase: "p", ["-nocerts"])
        #expect(ImportedIdentity.read(keyAlone, passphrase: "p").status == errSecSuccess)
        #expect(ImportedIdentity.read(keyAlone, passphrase: "p").identities.isEmpty)
    }

    @Test("A file with older encryption or too many hash iterations has an unsupported format")
    func unsupported() throws {
        let (_, leaf, _) = try chain(.p256())
        // If OpenSSL can no longer write the older encryption, there is nothing to test.
        if let legacy = try? OpenSSL.pkcs12(leaf, passphrase: "p", ["-legacy"]) {
            #expect(ImportedIdentity.read(legacy, passphrase: "p").status == errSecUnsupportedFormat)
        }
        // The iteration count of the MAC is at the end: 100,000, replaced by 8,388,607.
        var costly = try OpenSSL.pkcs12(leaf, passphrase: "p", ["-iter", "100000"])
        let count = try #require(costly.range(of: Data([0x02, 0x03, 0x01, 0x86, 0xa0]), options: .backwards))
        costly.replaceSubrange(count, with: [0x02, 0x03, 0x7f, 0xff, 0xff])
        #expect(ImportedIdentity.read(costly, passphrase: "p").status == errSecUnsupportedFormat)
        costly.replaceSubrange(count, with: [0x02, 0x03, 0xff, 0xff, 0xff])
        #expect(ImportedIdentity.read(costly, passphrase: "p").status == errSecDecode)
    }

    @Test("Hostile bytes return a status and no identity")
    func hostile() throws {
        let (_, leaf, _) = try chain(.p256())
        let file = try OpenSSL.pkcs12(leaf, passphrase: "p", ["-iter", "1"])
        var hostile: [Data] = [
            Data(), Data([0x30]), Data([0x30, 0x80, 0, 0]), Data(repeating: 0x30, count: 100_000), leafData(leaf),
            Data([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]), file.dropLast(), file + [0],
        ]
        for index in 0..<file.count {
            for bit in [0x01, 0x80] as [UInt8] {
                var changed = file
                changed[index] ^= bit
                hostile.append(changed)
            }
        }
        for data in hostile {
            let (status, identities) = ImportedIdentity.read(data, passphrase: "p")
            // A changed file can have the same contents: the MAC covers the attributes that don't matter, but not its
            // own header.
            guard status == errSecSuccess else {
                #expect([errSecDecode, errSecAuthFailed, errSecUnsupportedFormat].contains(status))
                continue
            }
            #expect(identities.first?.certificate == Data(leaf.certificate.der))
        }
    }

    private func leafData(_ leaf: TestIdentity) -> Data { Data(leaf.certificate.der) }
}
