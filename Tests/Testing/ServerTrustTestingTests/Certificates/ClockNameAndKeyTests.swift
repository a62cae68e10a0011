// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrustTesting

@Suite("Clock")
struct TestClockTests {
    @Test("A clock keeps its time until it is set")
    func standsStill() {
        let clock = TestClock()
        #expect(clock.now == TestAuthority.now)
        clock.advance(by: .seconds(60))
        #expect(clock.now == TestAuthority.now.advanced(by: 60))
        clock.advance(by: .seconds(-120))
        #expect(clock.now == TestAuthority.now.advanced(by: -60))
        clock.now = Time(secondsSinceEpoch: 0)
        #expect(clock.now.secondsSinceEpoch == 0)
    }
}

@Suite("Names")
struct GeneralNameTests {
    @Test(
        "A network is encoded as its address and its mask",
        arguments: [
            ("192.0.2.0/24", [192, 0, 2, 0, 255, 255, 255, 0]),
            ("0.0.0.0/0", [0, 0, 0, 0, 0, 0, 0, 0]),
            ("192.0.2.1/32", [192, 0, 2, 1, 255, 255, 255, 255]),
            ("10.128.0.0/9", [10, 128, 0, 0, 255, 128, 0, 0]),
            ("10.1.2.3/15", [10, 1, 2, 3, 255, 254, 0, 0]),
        ] as [(String, [UInt8])])
    func subnets(text: String, bytes: [UInt8]) throws {
        #expect(try GeneralName.subnet(text) == .ipAddress(bytes))
    }

    @Test(
        "The initializer rejects text that isn't a network",
        arguments: ["", "192.0.2.0", "192.0.2.0/", "192.0.2.0/33", "192.0.2.0/-1", "192.0.2/24", "::/129", "::/1/2"])
    func noSubnets(text: String) {
        #expect(throws: TestInputError.self) { try GeneralName.subnet(text) }
    }

    @Test(
        "The initializer rejects text that isn't an address",
        arguments: ["", "example.com", "192.0.2", "192.0.2.0/24", "[::1]"])
    func noAddresses(text: String) {
        #expect(throws: TestInputError.self) { try GeneralName.ip(text) }
    }
}

@Suite("Keys")
struct TestKeyTests {
    @Test("A key read from its PEM keeps its identifier and default algorithm", arguments: KeyKind.allCases)
    func roundTrip(kind: KeyKind) throws {
        let key = try kind.key()
        let back = try TestKey(pemRepresentation: key.pemRepresentation())
        #expect(back.identifier == key.identifier)
        #expect(back.defaultSignatureAlgorithm == key.defaultSignatureAlgorithm)
        // Certificates for both keys contain the same public key.
        let root = try TestAuthority.root(key: back)
        #expect(
            root.certificate.subjectPublicKeyInfoSHA256
                == (try TestAuthority.root(key: key)).certificate.subjectPublicKeyInfoSHA256)
    }

    @Test("The initializer rejects text that isn't a key, and the error doesn't repeat the text")
    func noKey() throws {
        let error = #expect(throws: TestInputError.self) { try TestKey(pemRepresentation: "secret") }
        #expect(error?.description.contains("secret") == false)
    }
}
