// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting

/// A root, a CA below it, and whatever a test asks them for.
struct TrustLab: Sendable {
    static let host = "www.example.com"
    /// The second before the verify date.
    static let past = TestAuthority.now.advanced(by: -1)

    let root: TestAuthority
    let intermediate: TestAuthority

    init(intermediate: CertificateTemplate = .authority("Test Intermediate")) throws {
        self.root = try .root()
        self.intermediate = try root.intermediate(intermediate)
    }

    /// A leaf of the intermediate for ``host``, with changes.
    func leaf(key: TestKey = .p256(), _ change: (inout CertificateTemplate) -> Void = { _ in }) throws -> Certificate {
        try intermediate.issue(.leaf(Self.host).with(change), key: key).certificate
    }

    func expiredLeaf(key: TestKey = .p256()) throws -> Certificate { try leaf(key: key) { $0.notAfter = Self.past } }

    /// A leaf for ``host`` that nobody but itself vouches for.
    static func selfSigned(
        key: TestKey = .p256(), _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> Certificate {
        try TestAuthority.selfSigned(.leaf(host).with(change), key: key).certificate
    }

    /// A certificate for ``host`` that nobody but itself vouches for, and that may sign as well.
    static func selfSignedAuthority(
        _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> Certificate {
        try selfSigned {
            $0.isAuthority = true
            $0.keyUsage = [.digitalSignature, .keyCertSign]
            change(&$0)
        }
    }

    /// A root that has nothing to do with the others.
    static func stranger() throws -> TestAuthority { try .root(.authority("Stranger")) }

    /// The chain that an honest server sends, with the root as the only anchor.
    func trust(
        _ leaf: Certificate, host: String = host, at time: Time = TestAuthority.now
    ) throws -> Trust {
        try Trust.lab([leaf, intermediate.certificate], anchors: [root.certificate], host: host, at: time)
    }
}

/// A leaf of a CA that two roots have signed; both are anchors.
struct CrossSignedLab: Sendable {
    let rootA: TestAuthority
    let rootB: TestAuthority
    /// Name and key of the same CA, signed by one root each.
    let underA: TestAuthority
    let underB: TestAuthority
    let leaf: Certificate

    var pathA: [Certificate] { [leaf, underA.certificate, rootA.certificate] }
    var pathB: [Certificate] { [leaf, underB.certificate, rootB.certificate] }

    init() throws {
        let key = TestKey.p256()
        self.rootA = try .root(.authority("Root A"))
        self.rootB = try .root(.authority("Root B"))
        self.underA = try rootA.intermediate(.authority("Cross-signed"), key: key)
        self.underB = try rootB.intermediate(.authority("Cross-signed"), key: key)
        self.leaf = try underA.issue(.leaf(TrustLab.host)).certificate
    }

    /// Both ways of presenting the CA's two certificates.
    func trusts() throws -> [Trust] {
        let both = [underA.certificate, underB.certificate]
        return try [both, both.reversed()].map { others in
            try Trust.lab([leaf] + others, anchors: [rootA.certificate, rootB.certificate])
        }
    }
}

/// RSA keys, which take long to make.
enum RSAKeys {
    static let bits1024 = Result { try TestKey.rsa(bits: 1024) }
    static let bits2048 = Result { try TestKey.rsa(bits: 2048) }
}

extension Trust {
    /// With these anchors alone, at the fixed date, without a memory of signatures.
    static func lab(
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
    var failureCodes: [TrustFailure.Code] { failures.map(\.code) }
    var excusedCodes: [TrustFailure.Code] { excused.map(\.code) }
}

extension SPKIPin {
    /// The pin of a key that nobody has.
    static func nobodys(_ number: UInt8 = 0) throws -> SPKIPin {
        try SPKIPin("sha256/" + Base64.encode([UInt8](repeating: number, count: 32)))
    }
}

extension Certificate {
    /// The same with one bit of the signature flipped.
    func withFlippedSignatureBit() throws -> Certificate {
        var der = der
        der[der.count - 1] ^= 1
        return try Certificate(der: der)
    }
}
