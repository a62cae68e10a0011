// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

/// No flipped bit in a CRL or a response makes it show that a certificate is good, or makes it withdraw anything.
@Suite("Flipped bits in evidence")
struct RevocationBitFlipTests {
    let fixture: RevocationFixture
    let path: ValidatedPath

    init() throws {
        fixture = try RevocationFixture()
        path = try fixture.path()
    }

    private func status(_ evidence: RevocationEvidence) throws -> RevocationFinding.Status {
        let checker = RevocationChecker(evidence, at: TestAuthority.now, memory: nil)
        return try #require(checker.findings(for: path).first).status
    }

    private func altered(_ der: [UInt8], _ body: ([UInt8], Int) throws -> Void) rethrows {
        for bit in 0..<(der.count * 8) {
            var copy = der
            copy[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            try body(copy, bit)
        }
    }

    @Test(
        "The engine ignores a CRL with any bit flipped, whether it revokes the leaf or not", arguments: [false, true]
    )
    func crl(isRevoking: Bool) throws {
        let made = try fixture.issuer.crl { if isRevoking { $0.revoke(fixture.leaf.certificate, reason: .superseded) } }
        let whole = try CertificateRevocationList(der: made.der)
        #expect(try status(RevocationEvidence(crls: [whole])) == (isRevoking ? .revoked(.superseded) : .good))
        var parsed = 0
        try altered(made.der) { der, bit in
            guard let crl = try? CertificateRevocationList(der: der) else { return }
            parsed += 1
            guard case .unobtainable = try status(RevocationEvidence(crls: [crl])) else {
                Issue.record("bit \(bit)")
                return
            }
        }
        #expect(parsed > made.der.count * 8 / 3)
    }

    @Test(
        "The engine ignores an OCSP response with any bit flipped, whether the issuer or a delegate signed it",
        arguments: [false, true])
    func ocsp(isDelegated: Bool) throws {
        let signer = isDelegated ? try fixture.issuer.issue(.ocspSigner()) : nil
        let made = try fixture.issuer.ocspResponse(signedBy: signer) { $0.add(fixture.leaf.certificate) }
        let whole = try OCSPResponse(der: made.der)
        #expect(try status(RevocationEvidence(staple: whole)) == .good)
        var parsed = 0
        try altered(made.der) { der, bit in
            guard let response = try? OCSPResponse(der: der) else { return }
            parsed += 1
            guard case .unobtainable = try status(RevocationEvidence(staple: response)) else {
                Issue.record("bit \(bit)")
                return
            }
        }
        #expect(parsed > made.der.count * 8 / 3)
    }
}
