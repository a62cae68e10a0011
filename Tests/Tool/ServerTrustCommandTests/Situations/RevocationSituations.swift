// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

@testable import ServerTrustTesting

/// CRLs and OCSP responses that can't be used.
extension Situation {
    private static let now = TestAuthority.now

    static let revocation: [Situation] = [
        required(
            "An expired CRL must be replaced, although the client certificate is good", file: "expired-crl",
            source: "NethServer/nethsecurity 739, Nyr/openvpn-install 352",
            ["--purpose", "clientAuth", "--crl", "ca.crl"], ["revocationUnavailable"]
        ) {
            let root = try TestAuthority.root(.authority("OpenVPN CA"))
            let leaf = try root.issue(.client("road-warrior"))
            let crl = try root.crl {
                $0.thisUpdate = now.advanced(by: .days(-180))
                $0.nextUpdate = now.advanced(by: .hours(-2))
            }
            return chain(leaf, of: root).merging(["ca.crl": Data(crl.pem.utf8)]) { $1 }
        },
        required(
            "A CRL from the issuing CA has no status for the intermediate", file: "crl-of-one-level",
            source: "nginx/nginx.org 188, Tongsuo-Project/Tongsuo 613",
            ["--purpose", "clientAuth", "--crl", "ca.crl"], ["revocationUnavailable"]
        ) {
            let authority = try TestAuthority.root(.authority("Intranet Root")).intermediate(.authority("Intranet CA"))
            return chain(try authority.issue(.client("bob")), of: authority).merging([
                "ca.crl": Data(try authority.crl().pem.utf8)
            ]) { $1 }
        },
        required(
            "A CRL for a different shard than the certificate's has no answer", file: "another-shard",
            source: "mozilla/crlite 356, letsencrypt/boulder 8067", ["--host", Lab.host, "--crl", "2.crl"],
            ["revocationUnavailable"]
        ) {
            let root = try TestAuthority.root(.authority("Sharded CA"))
            let leaf = try root.issue(
                .leaf(Lab.host).with { $0.crlDistributionPoints = ["http://crl.example.com/1.crl"] })
            let crl = try root.crl {
                $0.issuingDistributionPoint = .with { $0.fullName = [.uri("http://crl.example.com/2.crl")] }
            }
            return chain(leaf, of: root).merging(["2.crl": Data(crl.pem.utf8)]) { $1 }
        },
        required(
            "An OCSP response from an expired responder doesn't count", file: "expired-responder",
            source: "openssl/openssl 2159", ["--host", Lab.host, "--ocsp", "response.der"], ["revocationUnavailable"]
        ) {
            let root = try TestAuthority.root(.authority("Responder Root"))
            let leaf = try root.issue(.leaf(Lab.host))
            let signer = try root.issue(.ocspSigner().with { $0.notAfter = now.advanced(by: .days(-1)) })
            let response = try root.ocspResponse(signedBy: signer) { $0.add(leaf.certificate) }
            return chain(leaf, of: root).merging(["response.der": Data(response.der)]) { $1 }
        },
        required(
            "A CA without cRLSign can't sign its CRL", file: "authority-without-crl-sign",
            source: "hashicorp/vault 16865", ["--host", Lab.host, "--crl", "ca.crl", "--crl", "root.crl"],
            ["revocationUnavailable"]
        ) {
            let root = try TestAuthority.root(.authority("Imported Root"))
            let authority = try root.intermediate(.authority("Imported CA").with { $0.keyUsage = [.keyCertSign] })
            return chain(try authority.issue(.leaf(Lab.host)), of: authority).merging([
                "ca.crl": Data(try authority.crl().pem.utf8), "root.crl": Data(try root.crl().pem.utf8),
            ]) { $1 }
        },
        required(
            "A CRL from the future means that two clocks differ", file: "crl-of-tomorrow", source: "vyos/vyos-1x 4245",
            ["--purpose", "clientAuth", "--crl", "ca.crl"], ["revocationUnavailable"]
        ) {
            let root = try TestAuthority.root(.authority("VyOS CA"))
            let crl = try root.crl { $0.thisUpdate = now.advanced(by: .hours(2)) }
            return chain(try root.issue(.client("client1")), of: root).merging(["ca.crl": Data(crl.pem.utf8)]) { $1 }
        },
    ]

    /// Returns a situation that requires a CRL or OCSP response for every certificate.
    private static func required(
        _ description: String, file: String, source: String, _ arguments: [String], _ codes: [String],
        files: @escaping @Sendable () throws -> [String: Data]
    ) -> Situation {
        Situation(
            description, file: file, source: source, verify("--revocation", "required") + arguments, status: 1,
            .verdict(codes), files: files)
    }
}
