// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import SecurityCompatibility

@Suite("Pinning class scenarios")
struct PinningScenarioTests {
    let servers: TestServers
    let other: TestServers

    init() throws {
        self.servers = try TestServers()
        self.other = try TestServers()
    }

    @Test("A pinned leaf, intermediate or root matches, but another server's certificate doesn't")
    func certificates() throws {
        let pins = CertificatePins()
        for pinned in [servers.leafData, servers.intermediateData, servers.rootData] {
            pins.set([pinned], for: "api.example.com")
            #expect(pins.verify(try servers.trust(), domain: "api.example.com"))
            #expect(!pins.verify(try other.trust(), domain: "api.example.com"))
            #expect(!pins.verify(try servers.trust(), domain: "other.example.com"))
        }
    }

    @Test("A pinned certificate that the server sends outside its path doesn't match")
    func besidePath() throws {
        let pins = CertificatePins()
        pins.set([servers.leafData], for: "api.example.com")
        let attacked = try other.trust(other.chain + servers.chain)
        #expect(TrustScenarios.evaluate(attacked) == .trusted)
        #expect(!pins.verify(attacked, domain: "api.example.com"))
        let key = PublicKeyPins(pins: [Self.pin(servers.leaf.certificate)], sha256: Self.sha256)
        #expect(!key.verify(attacked))
        #expect(!PublicKeys.verify(attacked, host: "api.example.com", keysOf: [servers.leafData]))
    }

    @Test("The header and the key's representation form the pinned SubjectPublicKeyInfo")
    func keys() throws {
        for key in [TestKey.p256(), .p384(), try .rsa()] {
            let leaf = try servers.intermediate.issue(.leaf("api.example.com"), key: key)
            let chain = [Data(leaf.certificate.der), servers.intermediateData]
            let secKey = SecKey(leaf.certificate.subjectPublicKeyInfo)
            #expect(PublicKeyPins.publicKeyInfo(secKey) == Data(leaf.certificate.subjectPublicKeyInfo.der))
            let pins = PublicKeyPins(pins: [Self.pin(leaf.certificate)], sha256: Self.sha256)
            #expect(pins.verify(try servers.trust(chain)))
            #expect(!pins.verify(try servers.trust()))
            #expect(!pins.verify(try servers.trust(chain, host: "other.example.com")))
        }
    }

    @Test("A renewed certificate with the same key matches a pinned key")
    func renewed() throws {
        let renewed = try servers.intermediate.issue(.leaf("api.example.com"), key: servers.leaf.key)
        let trust = try servers.trust([Data(renewed.certificate.der), servers.intermediateData])
        #expect(PublicKeys.verify(trust, host: "api.example.com", keysOf: [servers.leafData]))
        #expect(!PublicKeys.verify(trust, host: "api.example.com", keysOf: [other.leafData]))
        #expect(!PublicKeys.verify(trust, host: "other.example.com", keysOf: [servers.leafData]))
    }

    private static func pin(_ certificate: Certificate) -> Data { Data(certificate.subjectPublicKeyInfo.sha256) }

    private static func sha256(_ data: Data) -> Data {
        // The digest of a public key, computed with the package's own parser.
        (try? SubjectPublicKeyInfo(der: [UInt8](data))).map { Data($0.sha256) } ?? Data()
    }
}
