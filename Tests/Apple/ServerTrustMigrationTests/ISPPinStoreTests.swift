// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PinTestSupport
import ServerTrust
import ServerTrustMigration
import ServerTrustTesting
import Testing

@Suite("The ISPCertificatePinning store") struct ISPPinStoreTests {
    @Test("An ISPCertificatePinning store is set up once and saved to disk") func isSetUpOnceAndKept() throws {
        let scene = try PinFixture.shared()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("pins-\(UUID().uuidString).plist").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let store = ISPPinStore(file: file)
        var trust = Trust(presentedChain: scene.chain, host: try Hostname("example.com"))
        trust.anchors = .only([scene.root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        let verdict = trust.evaluate()
        #expect(!store.verifyPinnedCertificate(for: verdict, domain: "example.com"), "nothing is set up yet")
        try store.setUp(["example.com": [scene.authority.certificate.der], "example.org": [scene.other.der]])
        let later = ISPPinStore(file: file)
        #expect(later.verifyPinnedCertificate(for: verdict, domain: "example.com"))
        #expect(!later.verifyPinnedCertificate(for: verdict, domain: "example.org"), "another certificate")
        #expect(!later.verifyPinnedCertificate(for: verdict, domain: "a.example.com"), "not listed")
        trust.verifyDate = .at(TestAuthority.notAfter.advanced(by: 1))
        #expect(!later.verifyPinnedCertificate(for: trust.evaluate(), domain: "example.com"), "not trusted")
        let pem = Array(PEM.encode(scene.leaf.der, label: "CERTIFICATE").utf8)
        #expect(throws: PinFileError.self) { try store.setUp(["example.com": [pem]]) }
        #expect(throws: PinFileError.self) { try store.setUp([:]) }
        #expect(later.verifyPinnedCertificate(for: verdict, domain: "example.com"), "a rejected set-up changes nothing")
    }
    @Test("An unreadable or unwritable file causes an error that contains its path")
    func errors() throws {
        let missing = "/nowhere-\(UUID().uuidString)/pins.plist"
        let store = ISPPinStore(file: missing)
        let scene = try PinFixture.shared()
        let ofReading = #expect(throws: PinFileError.self) { try store.configuration() }
        let ofWriting = #expect(throws: PinFileError.self) { try store.setUp(["example.com": [scene.leaf.der]]) }
        for error in [ofReading, ofWriting] {
            #expect(error?.code == .pinFileUnreadable)
            #expect(error?.location?.file == missing)
        }
    }
}
