// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting

/// The certificates that the tests share: a root, a CA below it, and leaves for `api.example.com`.
struct Lab {
    private static let made = Result { try Lab() }

    static func shared() throws -> Lab { try made.get() }

    static let host = "api.example.com"
    /// The verify date, when all certificates except ``expired`` are valid.
    static let time = TestAuthority.now.description

    let root: Certificate
    let intermediate: Certificate
    let leaf: Certificate
    let expired: Certificate
    let address: Certificate
    let selfSigned: Certificate
    let unrelated: Certificate

    private init() throws {
        let root = try TestAuthority.root(.authority("Lab Root"))
        let intermediate = try root.intermediate(.authority("Lab CA"))
        self.root = root.certificate
        self.intermediate = intermediate.certificate
        self.leaf = try intermediate.issue(.leaf(Self.host)).certificate
        self.expired = try intermediate.issue(
            .leaf("www.example.com").with { $0.notAfter = TestAuthority.now.advanced(by: -86_400) }
        ).certificate
        self.address = try intermediate.issue(.leaf("192.0.2.1", "2001:db8::1")).certificate
        self.selfSigned = try TestAuthority.selfSigned(.leaf(Self.host)).certificate
        self.unrelated = try TestAuthority.root(.authority("Unrelated Root")).certificate
    }
}

extension Certificate {
    var pem: String { PEM.encode(der, label: "CERTIFICATE") }
    var base64: String { Base64.encode(der) }
    var hexDigest: String { Hex.encode(sha256) }
}

func pem(_ certificates: Certificate...) -> Data { Data(certificates.map(\.pem).joined().utf8) }
