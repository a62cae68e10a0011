// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@testable import ServerTrust

@Suite("Certificates with the same issuer and serial number")
struct IssuedNumbersTests {
    private static func leaf(of root: TestAuthority, _ number: UInt8) throws -> Certificate {
        try root.issue(.leaf("www.example.com").with { $0.serialNumber = [number] }).certificate
    }

    @Test("Only different certificates with the same issuer and serial number are reported, once each")
    func notes() throws {
        let root = try TestAuthority.root(.authority("First Root"))
        let other = try TestAuthority.root(.authority("Second Root"))
        let (one, two, three) = try (Self.leaf(of: root, 1), Self.leaf(of: root, 1), Self.leaf(of: root, 2))
        let elsewhere = try Self.leaf(of: other, 1)
        #expect(IssuedNumbers.notes(on: PresentedChain([one, three, elsewhere, one]), [one, three]).isEmpty)
        let notes = IssuedNumbers.notes(on: PresentedChain([one, three]), [two, elsewhere, one])
        #expect(notes.count == 1)
        let start =
            "certificate sent as number 1 and certificate \"www.example.com\" are different certificates with the same issuer (CN=First Root,O=Test) and serial number (01)."
        #expect(notes.first?.hasPrefix(start) == true, "\(notes)")
    }

    @Test("The verdict on a chain doesn't depend on the numbers")
    func verdict() throws {
        let root = try TestAuthority.root(.authority("First Root"))
        let (one, two) = try (Self.leaf(of: root, 1), Self.leaf(of: root, 1))
        var trust = Trust(presentedChain: [one, two], host: try Hostname("www.example.com"))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        #expect(trust.evaluate().isTrusted)
    }
}
