// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting

/// Files that aren't certificates or have an unusual form.
extension Situation {
    static let unreadable: [Situation] = [
        Situation(
            "Files joined without a line break are still a chain", file: "glued",
            source: "zenhack/simp_le 149", verify("--host", Lab.host), status: 0, .verdict([])
        ) {
            let authority = try TestAuthority.root(.authority("Glue Root")).intermediate(.authority("Glue CA"))
            let files = chain(try authority.issue(.leaf(Lab.host)), of: authority)
            let glued = String(decoding: files["chain.pem"] ?? Data(), as: UTF8.self)
                .replacingOccurrences(of: "-----\n-----BEGIN", with: "----------BEGIN")
            return files.merging(["chain.pem": Data(glued.utf8)]) { $1 }
        },
        Situation(
            "A private key isn't a certificate and must stay secret", file: "key-as-certificate",
            source: "gravitational/teleport 37263", verify("--host", Lab.host), status: 2, .error
        ) {
            [
                "chain.pem": Data(try TestKey.p256().pemRepresentation().utf8),
                "root.pem": text([try TestAuthority.root(.authority("Key Root")).certificate]),
            ]
        },
        Situation(
            "The file contains a web page instead of the certificate", file: "answer-as-certificate",
            source: "inverse-inc/packetfence 5195", verify("--host", Lab.host), status: 2, .error
        ) {
            let answer = #"{"status":403,"error":"session expired","contentType":"application/json"}"#
            return [
                "chain.pem": Data(answer.utf8),
                "root.pem": text([try TestAuthority.root(.authority("Portal Root")).certificate]),
            ]
        },
        Situation(
            "The file contains a path instead of the certificate", file: "path-as-certificate",
            source: "rogchap/wombat 49", verify("--host", Lab.host), status: 2, .error
        ) {
            [
                "chain.pem": Data("/home/user/certs/cert.pem\n".utf8),
                "root.pem": text([try TestAuthority.root(.authority("Path Root")).certificate]),
            ]
        },
        Situation(
            "The user passed the certificate to revoke as the CRL", file: "certificate-as-crl",
            source: "haproxy/haproxy 1201", verify("--purpose", "clientAuth", "--crl", "revoked.pem"), status: 2,
            .error
        ) {
            let root = try TestAuthority.root(.authority("Front Root"))
            let leaf = try root.issue(.client("valid"))
            let revoked = try root.issue(.client("revoked"))
            return chain(leaf, of: root).merging(["revoked.pem": text([revoked.certificate])]) { $1 }
        },
    ]
}
