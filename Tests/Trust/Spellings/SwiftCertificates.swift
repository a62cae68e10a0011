// SPDX-License-Identifier: Apache-2.0

// The API of swift-certificates for verifying a server, with the diagnostic for each spelling if a file imports this
// package but not X509.

import PKIX
import ServerTrust
import ServerTrustMigration

func stores(_ roots: [Certificate]) {
    _ = CertificateStore(roots)
    _ = CertificateStore.systemTrustRoots
    _ = TrustAnchors(roots)
    _ = TrustAnchors.systemTrustRoots
}

func verifiers(_ anchors: TrustAnchors, _ trust: Trust, _ leaf: Certificate, _ verdict: TrustVerdict) async throws {
    _ = try Verifier(rootCertificates: anchors) { 1 }
    _ = RFC5280Policy()
    _ = ServerIdentityPolicy(serverHostname: "api.example.com", serverIP: nil)
    _ = await trust.validate(leaf: leaf, intermediates: [])
    _ = verdict.validCertificate
}

func certificates(_ der: [UInt8], _ pem: String) throws {
    let certificate = try Certificate(der: der)
    _ = try Certificate(derEncoded: der)
    _ = try Certificate(pemEncoded: pem)
    _ = certificate.notValidBefore
    _ = certificate.notValidAfter
    _ = certificate.publicKey
    _ = certificate.subject
    _ = certificate.issuer
    _ = certificate.serialNumber
}
