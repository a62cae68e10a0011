// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting

/// A root, a CA below it, and the certificates that they issue for a test.
package struct TrustLab: Sendable {
    package static let host = "www.example.com"
    /// The second before the verify date.
    package static let past = TestAuthority.now.advanced(by: -1)

    package let root: TestAuthority
    package let intermediate: TestAuthority

    package init(intermediate: CertificateTemplate = .authority("Test Intermediate")) throws {
        self.root = try .root()
        self.intermediate = try root.intermediate(intermediate)
    }

    /// A leaf that the intermediate issues for ``host``, with changes.
    package func leaf(key: TestKey = .p256(), _ change: (inout CertificateTemplate) -> Void = { _ in }) throws
        -> Certificate
    {
        try intermediate.issue(.leaf(Self.host).with(change), key: key).certificate
    }

    package func expiredLeaf(key: TestKey = .p256()) throws -> Certificate {
        try leaf(key: key) { $0.notAfter = Self.past }
    }

    /// Returns a self-signed leaf for ``host``.
    package static func selfSigned(
        key: TestKey = .p256(), _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> Certificate {
        try TestAuthority.selfSigned(.leaf(host).with(change), key: key).certificate
    }

    /// Returns a self-signed certificate for ``host`` that is also a CA.
    package static func selfSignedAuthority(
        _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> Certificate {
        try selfSigned {
            $0.isAuthority = true
            $0.keyUsage = [.digitalSignature, .keyCertSign]
            change(&$0)
        }
    }

    /// Returns a root that is unrelated to the others.
    package static func unrelatedRoot() throws -> TestAuthority { try .root(.authority("Stranger")) }

    /// The chain that an honest server sends, with the root as the only anchor.
    package func trust(
        _ leaf: Certificate, host: String = host, at time: Time = TestAuthority.now
    ) throws -> Trust {
        try Trust.lab([leaf, intermediate.certificate], anchors: [root.certificate], host: host, at: time)
    }
}

/// A leaf of a CA that two roots signed. Both roots are anchors.
package struct CrossSignedLab: Sendable {
    package let rootA: TestAuthority
    package let rootB: TestAuthority
    /// Certificates for the same name and key, each signed by one root.
    package let underA: TestAuthority
    package let underB: TestAuthority
    package let leaf: Certificate

    package var pathA: [Certificate] { [leaf, underA.certificate, rootA.certificate] }
    package var pathB: [Certificate] { [leaf, underB.certificate, rootB.certificate] }

    package init() throws {
        let key = TestKey.p256()
        self.rootA = try .root(.authority("Root A"))
        self.rootB = try .root(.authority("Root B"))
        self.underA = try rootA.intermediate(.authority("Cross-signed"), key: key)
        self.underB = try rootB.intermediate(.authority("Cross-signed"), key: key)
        self.leaf = try underA.issue(.leaf(TrustLab.host)).certificate
    }

    /// Both orders in which a server can send the CA's two certificates.
    package func trusts() throws -> [Trust] {
        let both = [underA.certificate, underB.certificate]
        return try [both, both.reversed()].map { others in
            try Trust.lab([leaf] + others, anchors: [rootA.certificate, rootB.certificate])
        }
    }
}

/// RSA keys, because generating them takes long.
package enum RSAKeys {
    package static let bits1024 = Result { try TestKey.rsa(bits: 1024) }
    package static let bits2048 = Result { try TestKey.rsa(bits: 2048) }
}

extension Trust {
    /// Returns a trust with only these anchors, at the fixed date, without a signature cache.
    package static func lab(
        _ chain: [Certificate], anchors: [Certificate], host: String = TrustLab.host, at time: Time = TestAuthority.now
    ) throws -> Trust {
        var trust = Trust(presentedChain: chain, host: try Hostname(host))
        trust.anchors = .only(anchors)
        trust.verifyDate = .at(time)
        trust.signatureMemory = nil
        return trust
    }
}

extension TrustVerdict {
    package var failureCodes: [TrustFailure.Code] { failures.map(\.code) }
    package var excusedCodes: [TrustFailure.Code] { excused.map(\.code) }
}

extension SPKIPin {
    /// Returns the pin of a key that doesn't exist.
    package static func unused(_ number: UInt8 = 0) throws -> SPKIPin {
        try SPKIPin("sha256/" + Base64.encode([UInt8](repeating: number, count: 32)))
    }
}

extension Certificate {
    /// Returns the certificate with one bit of the signature flipped.
    package func withFlippedSignatureBit() throws -> Certificate {
        var der = der
        der[der.count - 1] ^= 1
        return try Certificate(der: der)
    }
}
