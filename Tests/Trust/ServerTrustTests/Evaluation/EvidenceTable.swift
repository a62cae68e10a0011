// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import Testing

@testable import ServerTrustTesting

/// The leaf of a CA below a root, and evidence about the leaf.
struct EvidenceScene: Sendable {
    static let point = GeneralName.uri("http://crl.example.com/1")
    static let day: Int64 = 86_400

    let root: TestAuthority
    let issuer: TestAuthority
    let leaf: Certificate

    /// - Parameter key: The key of the leaf's CA.
    init(key: TestKey = .p256()) throws {
        root = try .root()
        issuer = try root.intermediate(.authority("CA"), key: key)
        leaf = try issuer.issue(
            .leaf("www.example.com").with { $0.crlDistributionPoints = [.init(fullName: [Self.point])] }
        ).certificate
    }

    static func days(_ count: Int64) -> Time { TestAuthority.now.advanced(by: count * day) }

    /// The verdict with this evidence if only the leaf is in the check's scope.
    func verdict(
        _ evidence: Evidence, _ mode: RevocationPolicy.Mode, leaf: Certificate? = nil,
        _ change: (inout Trust) throws -> Void = { _ in }
    ) throws -> TrustVerdict {
        var trust = Trust(
            presentedChain: PresentedChain([leaf ?? self.leaf, issuer.certificate]),
            host: try Hostname("www.example.com"))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        trust.signatureMemory = nil
        trust.revocation.mode = mode
        trust.revocation.scope = .leaf
        trust.revocationData.crls = evidence.crls
        trust.revocationData.ocspResponses = evidence.responses
        if let staple = evidence.staple { trust.presentedChain.staple = .given(staple) }
        trust.intermediates = evidence.certificates
        try change(&trust)
        return trust.evaluate()
    }
}

/// Evidence in DER.
struct Evidence: Sendable {
    var crls: [[UInt8]] = []
    var responses: [[UInt8]] = []
    var staple: [UInt8]?
    var certificates: [Certificate] = []
}

enum Statement: String, CaseIterable, Sendable { case good, revoked }

/// The effect that a piece of evidence can have.
enum EvidenceForce: Sendable {
    /// It can prove a certificate good and can revoke it.
    case full
    /// It can only revoke. `good` is the obstacle to proving a certificate good, `revoked` the note about a revocation.
    case revokes(good: String, revoked: String?)
    /// It isn't authentic.
    case none(String)
}

/// A row of the table: a kind of evidence with a weakness.
struct EvidenceRow: Sendable, CustomTestStringConvertible {
    let kind: String
    let weakness: String
    let force: EvidenceForce
    /// Whether the leaf's CA has an RSA key.
    var isRSA = false
    let make: @Sendable (EvidenceScene, Statement) throws -> Evidence

    var testDescription: String { "\(kind), \(weakness)" }
}

// MARK: - Rows

extension EvidenceRow {
    static let all =
        lists + listSigners + responses("OCSP response") { Evidence(responses: [$0]) }
        + responses("OCSP staple") { Evidence(staple: $0) } + delegates

    /// Generated once, because that takes long.
    private static let weakKey = Result { try TestKey.rsa(bits: 1024) }

    private static let unknown = Extension(identifier: .anyPolicy, isCritical: true, value: [0x05, 0x00])

    private static func list(
        _ weakness: String, _ force: EvidenceForce, isRSA: Bool = false,
        _ change: @escaping @Sendable (inout TestCRL.Template) throws -> Void = { _ in }
    ) -> EvidenceRow {
        EvidenceRow(kind: "CRL", weakness: weakness, force: force, isRSA: isRSA) { scene, statement in
            Evidence(crls: [
                try scene.issuer.crl {
                    if statement == .revoked { $0.revoke(scene.leaf, reason: .keyCompromise) }
                    try change(&$0)
                }.der
            ])
        }
    }

    private static let weak = EvidenceForce.revokes(good: "signatureWeak", revoked: "signatureWeak")

    private static func same(_ name: String) -> EvidenceForce { .revokes(good: name, revoked: name) }

    private static let lists: [EvidenceRow] = [
        list("none", .full),
        list("signed with SHA-1 and ECDSA", weak) { $0.signatureAlgorithm = .ecdsaSHA1 },
        list("signed with SHA-1 and RSA", weak, isRSA: true) { $0.signatureAlgorithm = .rsaSHA1 },
        list("signed with SHA-1 and RSA-PSS", weak, isRSA: true) { $0.signatureAlgorithm = .rsaPSSSHA1 },
        list("signed with ECDSA, whose parameters are NULL", weak) { $0.signatureAlgorithm = .ecdsaSHA256Null },
        list("too early", same("crlNotYetValid")) { $0.thisUpdate = EvidenceScene.days(1) },
        list("too old", .revokes(good: "crlExpired", revoked: nil)) { $0.nextUpdate = EvidenceScene.days(-1) },
        list("without an end", .revokes(good: "crlExpired", revoked: nil)) { $0.nextUpdate = nil },
        list("of another distribution point", same("crlScopeMismatch")) {
            $0.issuingDistributionPoint = .with { $0.fullName = [.uri("http://crl.example.com/2")] }
        },
        list("only for CAs", same("crlScopeMismatch")) {
            $0.issuingDistributionPoint = .with { $0.onlyContainsCACertificates = true }
        },
        list("for other reasons", .revokes(good: "crlReasonsNotCovered", revoked: nil)) {
            $0.issuingDistributionPoint = .with { $0.onlySomeReasons = [.superseded] }
        },
        list("with an unknown critical extension", same("crlCriticalExtension")) { $0.extensions = [unknown] },
        list("with an unknown critical extension of an entry", same("crlCriticalExtension")) {
            var entry = TestCRL.Entry(serialNumber: [0x42])
            entry.extensions = [unknown]
            $0.entries.append(entry)
        },
        list("with a malformed number", same("evidenceMalformed")) {
            $0.number = nil
            $0.extensions = [
                Extension(identifier: OID("2.5.29.20") ?? .anyPolicy, isCritical: false, value: [0x02, 0x01, 0xff])
            ]
        },
        list(
            "signed with SHA-1, too early and of another distribution point",
            .revokes(good: "crlScopeMismatch", revoked: "crlNotYetValid")
        ) {
            $0.signatureAlgorithm = .ecdsaSHA1
            $0.thisUpdate = EvidenceScene.days(1)
            $0.issuingDistributionPoint = .with { $0.fullName = [.uri("http://crl.example.com/2")] }
        },
        list("with a wrong signature", .none("crlSignatureInvalid")) { $0.hasWrongSignature = true },
        list("with a wrong signature with SHA-1", .none("crlSignatureInvalid")) {
            ($0.signatureAlgorithm, $0.hasWrongSignature) = (.ecdsaSHA1, true)
        },
        EvidenceRow(kind: "CRL", weakness: "of another issuer", force: .none("noEvidence")) { scene, statement in
            let other = try scene.root.intermediate(.authority("Other CA"))
            let list = try other.crl { if statement == .revoked { $0.revoke(scene.leaf) } }
            return Evidence(crls: [list.der], certificates: [other.certificate])
        },
    ]

    /// A list in the CA's name from a signer that the root certified for CRLs.
    private static func listSigner(
        _ weakness: String, _ force: EvidenceForce, key: Result<TestKey, any Error> = .success(.p256()),
        _ change: @escaping @Sendable (inout CertificateTemplate) throws -> Void = { _ in },
        list: @escaping @Sendable (inout TestCRL.Template) -> Void = { _ in }
    ) -> EvidenceRow {
        EvidenceRow(kind: "CRL of a separate signer", weakness: weakness, force: force) { scene, statement in
            let signer = try scene.root.issue(.crlSigner("CA").with(change), key: key.get())
            let made = try signer.crl {
                if statement == .revoked { $0.revoke(scene.leaf, reason: .keyCompromise) }
                list(&$0)
            }
            return Evidence(crls: [made.der, try scene.root.crl().der], certificates: [signer.certificate])
        }
    }

    private static let listSigners: [EvidenceRow] = [
        listSigner("none", .full),
        listSigner("its certificate signed with SHA-1", weak, { $0.signatureAlgorithm = .ecdsaSHA1 }),
        listSigner("its key RSA with 1024 bits", weak, key: weakKey),
        listSigner(
            "its certificate expired since", same("signerNotCurrent"), { $0.notAfter = EvidenceScene.days(-1) },
            list: { $0.thisUpdate = EvidenceScene.days(-2) }),
        listSigner(
            "its certificate expired before", .none("crlSignerNotFound"), { $0.notAfter = EvidenceScene.days(-1) }),
    ]

    private static func responses(
        _ kind: String, _ evidence: @escaping @Sendable ([UInt8]) -> Evidence
    ) -> [EvidenceRow] {
        func row(
            _ weakness: String, _ force: EvidenceForce, isRSA: Bool = false,
            _ change: @escaping @Sendable (inout TestOCSPResponse.Template) -> Void = { _ in },
            single: @escaping @Sendable (inout TestOCSPResponse.SingleResponse) -> Void = { _ in }
        ) -> EvidenceRow {
            EvidenceRow(kind: kind, weakness: weakness, force: force, isRSA: isRSA) { scene, statement in
                evidence(
                    try scene.issuer.ocspResponse {
                        $0.add(scene.leaf, statement.status, single)
                        change(&$0)
                    }.der)
            }
        }
        let twice = Extension(identifier: .anyPolicy, isCritical: false, value: [0x05, 0x00])
        return [
            row("none", .full),
            row("signed with SHA-1 and ECDSA", weak) { $0.signatureAlgorithm = .ecdsaSHA1 },
            row("signed with SHA-1 and RSA", weak, isRSA: true) { $0.signatureAlgorithm = .rsaSHA1 },
            row("signed with SHA-1 and RSA-PSS", weak, isRSA: true) { $0.signatureAlgorithm = .rsaPSSSHA1 },
            row("signed with ECDSA, whose parameters are NULL", weak) { $0.signatureAlgorithm = .ecdsaSHA256Null },
            row("too early", same("ocspNotYetValid"), single: { $0.thisUpdate = EvidenceScene.days(1) }),
            row("produced too early", same("ocspNotYetValid")) { $0.producedAt = EvidenceScene.days(1) },
            row(
                "too old", .revokes(good: "ocspExpired", revoked: nil),
                single: { ($0.thisUpdate, $0.nextUpdate) = (EvidenceScene.days(-3), EvidenceScene.days(-1)) }),
            row("with an unknown critical extension", same("ocspCriticalExtension")) { $0.extensions = [unknown] },
            row(
                "with an unknown critical extension of the status", same("ocspCriticalExtension"),
                single: { $0.extensions = [unknown] }),
            row("with an extension twice", same("evidenceMalformed")) { $0.extensions = [twice, twice] },
            row("with a wrong signature", .none("ocspSignatureInvalid")) { $0.hasWrongSignature = true },
            row("with a wrong signature with SHA-1", .none("ocspSignatureInvalid")) {
                ($0.signatureAlgorithm, $0.hasWrongSignature) = (.ecdsaSHA1, true)
            },
        ]
    }

    private static func delegate(
        _ weakness: String, _ force: EvidenceForce, isRSA: Bool = false,
        key: Result<TestKey, any Error> = .success(.p256()), date: Int64? = nil,
        _ change: @escaping @Sendable (inout CertificateTemplate) throws -> Void = { _ in }
    ) -> EvidenceRow {
        EvidenceRow(kind: "OCSP response of a delegate", weakness: weakness, force: force, isRSA: isRSA) {
            scene, statement in
            let signer = try scene.issuer.issue(.ocspSigner().with(change), key: key.get())
            let made = try scene.issuer.ocspResponse(signedBy: signer) {
                $0.add(scene.leaf, statement.status) { if let date { $0.thisUpdate = EvidenceScene.days(date) } }
                if let date { $0.producedAt = EvidenceScene.days(date) }
            }
            return Evidence(responses: [made.der])
        }
    }

    private static let delegates: [EvidenceRow] = [
        delegate("none", .full),
        delegate("its certificate signed with SHA-1 and ECDSA", weak) { $0.signatureAlgorithm = .ecdsaSHA1 },
        delegate("its certificate signed with SHA-1 and RSA", weak, isRSA: true) { $0.signatureAlgorithm = .rsaSHA1 },
        delegate("its certificate signed with ECDSA, whose parameters are NULL", weak) {
            $0.signatureAlgorithm = .ecdsaSHA256Null
        },
        delegate("its key RSA with 1024 bits", weak, key: weakKey),
        delegate("its id-pkix-ocsp-nocheck not NULL", .full) {
            $0.hasOCSPNoCheck = false
            $0.extensions = [
                Extension(
                    identifier: OID("1.3.6.1.5.5.7.48.1.5") ?? .anyPolicy, isCritical: false, value: [0x30, 0x00])
            ]
        },
        delegate("its certificate expired since", same("signerNotCurrent"), date: -2) {
            $0.notAfter = EvidenceScene.days(-1)
        },
        delegate("its certificate expired before", .none("ocspResponderNotAuthorized")) {
            $0.notAfter = EvidenceScene.days(-1)
        },
        delegate("its certificate not valid yet", same("signerNotCurrent"), date: 2) {
            $0.notBefore = EvidenceScene.days(1)
        },
        delegate("not for OCSP", .none("ocspResponderNotAuthorized")) { $0.extendedKeyUsage = [.serverAuth] },
    ]
}

extension Statement {
    var status: TestOCSPResponse.CertificateStatus {
        switch self {
        case .good: .good
        case .revoked: .revoked(at: EvidenceScene.days(-1), reason: .keyCompromise)
        }
    }
}
