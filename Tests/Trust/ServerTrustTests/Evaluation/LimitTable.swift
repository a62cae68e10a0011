// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing
import TrustScenes

@testable import ServerTrust
@testable import ServerTrustTesting

/// A row of the table of limits: evidence that revokes the leaf beyond a limit of its reader or of the evaluation.
struct LimitRow: Sendable, CustomTestStringConvertible {
    /// The evidence and the part of it that is counted.
    let evidence: String
    /// The limit, or "none".
    let limit: String
    /// The author of the count.
    let author: String
    /// Whether the engine verifies the author's signature before it uses the part beyond the limit.
    let isVerifiedFirst: Bool
    /// Whether the engine finds the revocation. Otherwise the result is `budgetExceeded`.
    var isAnswered = true
    /// The verdict on the leaf that this evidence revokes.
    let verdict: @Sendable (EvidenceScene, RevocationPolicy.Mode) throws -> TrustVerdict

    var testDescription: String { "\(evidence), \(limit)" }
}

// MARK: - Rows

extension LimitRow {
    static let all = lists + scopes + responses + others

    private static func list(
        _ part: String, limit: String = "none", isVerifiedFirst: Bool = true, isAnswered: Bool = true,
        _ change: @escaping @Sendable (inout TestCRL.Template, EvidenceScene) throws -> Void
    ) -> LimitRow {
        LimitRow(
            evidence: "CRL: " + part, limit: limit, author: "its signer", isVerifiedFirst: isVerifiedFirst,
            isAnswered: isAnswered
        ) { scene, mode in
            let crl = try scene.issuer.crl { try change(&$0, scene) }
            return try scene.verdict(Evidence(crls: [crl.der]), mode)
        }
    }

    private static func unknown(_ count: Int) throws -> [Extension] {
        (0..<count).compactMap { OID("1.2.3.\($0)") }.map {
            Extension(identifier: $0, isCritical: false, value: [0x05, 0x00])
        }
    }

    private static func entry(_ scene: EvidenceScene, issuers: [GeneralName] = []) -> TestCRL.Entry {
        var entry = TestCRL.Entry(serialNumber: scene.leaf.serialNumber.bytes)
        entry.certificateIssuer = issuers
        return entry
    }

    private static func names(_ count: Int) throws -> [GeneralName] {
        try (0..<count).map {
            try GeneralName.directory(organization: "Größere Behörde", commonName: "Prüfstelle \($0)")
        }
    }

    private static let lists: [LimitRow] = [
        list("50,000 entries before the leaf's", isVerifiedFirst: false) { list, scene in
            list.entries = (0..<50_000).map { TestCRL.Entry(serialNumber: [0x41, UInt8($0 >> 8), UInt8($0 & 255)]) }
            list.revoke(scene.leaf)
        },
        list("2,000 issuers with the leaf's serial number before the leaf's issuer") { list, scene in
            list.issuingDistributionPoint = .with { $0.isIndirect = true }
            list.entries = try names(2000).map { entry(scene, issuers: [$0]) }
            list.entries.append(entry(scene, issuers: [.directoryName(scene.issuer.certificate.subject)]))
        },
        list("2,000 issuers of one entry before the leaf's issuer") { list, scene in
            list.issuingDistributionPoint = .with { $0.isIndirect = true }
            let issuers = try names(2000) + [.directoryName(scene.issuer.certificate.subject)]
            list.entries = [entry(scene, issuers: issuers)]
        },
        list("2,000 entries of one issuer for the leaf, which lift a hold, before one that revokes it") { list, scene in
            list.issuingDistributionPoint = .with { $0.isIndirect = true }
            let issuer = GeneralName.directoryName(scene.issuer.certificate.subject)
            list.entries = (0...2000).map { index in
                var entry = entry(scene, issuers: index == 0 ? [issuer] : [])
                entry.reason = index < 2000 ? .removeFromCRL : .keyCompromise
                return entry
            }
        },
        list("200 extensions before the entry's reason", isVerifiedFirst: false) { list, scene in
            var entry = entry(scene)
            entry.extensions = try unknown(200)
            list.entries = [entry]
        },
        list("200 extensions before the list's scope", isVerifiedFirst: false) { list, scene in
            list.extensions = try unknown(200)
            list.revoke(scene.leaf)
        },
        list("unreadable entries before the leaf's", isVerifiedFirst: false) { list, scene in
            var unreadable = TestCRL.Entry(serialNumber: [])
            unreadable.extensions = [Extension(identifier: .anyPolicy, isCritical: true, value: [])]
            list.entries = [unreadable]
            list.revoke(scene.leaf)
        },
        list("unreadable issuers of the entries before the leaf's") { list, scene in
            list.issuingDistributionPoint = .with { $0.isIndirect = true }
            list.entries = [TestCRL.Entry(serialNumber: [1])]
            list.entries[0].certificateIssuer = [.uri("http://ca.example")]
            list.revoke(scene.leaf)
        },
        LimitRow(
            evidence: "CRLs: 500 forged ones that list the leaf, before one that revokes it",
            limit: "400 signatures for an evaluation", author: "the source of the evidence", isVerifiedFirst: false,
            isAnswered: false
        ) { scene, mode in
            let crls = try (0..<500).map { number in
                try scene.issuer.crl {
                    ($0.hasWrongSignature, $0.number) = (true, UInt64(number))
                    $0.revoke(scene.leaf)
                }.der
            }
            let last = try scene.issuer.crl {
                $0.revoke(scene.leaf)
                $0.extensions = try unknown(20)
            }
            return try scene.verdict(Evidence(crls: crls + [last.der]), mode)
        },
        list("names of issuers with the leaf's serial number", limit: "8 MiB for an evaluation", isAnswered: false) {
            list, scene in
            list.issuingDistributionPoint = .with { $0.isIndirect = true }
            let text = String(repeating: "a", count: 4000)
            list.entries = try (0..<2200).map {
                entry(scene, issuers: [try GeneralName.directory(organization: text, commonName: "\($0)")])
            }
            list.entries.append(entry(scene, issuers: [.directoryName(scene.issuer.certificate.subject)]))
        },
        list(
            "its issuer's name in another encoding", limit: "50,000 steps for an evaluation", isVerifiedFirst: false,
            isAnswered: false
        ) {
            list, scene in
            let padding = String(repeating: "\u{3000}", count: 100_000)
            let name = try GeneralName.directory(organization: "Test", commonName: padding + "CA")
            guard case .directoryName(let issuer) = name else { return }
            list.issuer = issuer
            list.revoke(scene.leaf)
        },
    ]

    // MARK: Scopes

    private static func encoded(_ name: GeneralName) -> [UInt8] {
        if case .directoryName(let name) = name { DERWriter.tagged(4, name.der) } else { [] }
    }

    /// A leaf whose distribution points contain these issuers, and the CRL of the last issuer, which revokes it.
    private static func indirect(
        _ part: String, limit: String, isAnswered: Bool,
        points: @escaping @Sendable (_ issuer: [UInt8], _ others: [[UInt8]]) -> [[UInt8]]
    ) -> LimitRow {
        LimitRow(
            evidence: part, limit: limit, author: "the leaf's issuer", isVerifiedFirst: true, isAnswered: isAnswered
        ) { scene, mode in
            let signer = try scene.root.issue(.crlSigner("Signer of indirect CRLs"))
            let others = try names(20).map(encoded)
            let own = encoded(.directoryName(signer.certificate.subject))
            let value = DERWriter.sequence(of: points(own, others).map { DERWriter.sequence($0) })
            let identifier = try #require(OID("2.5.29.31"))
            let leaf = try scene.issuer.issue(
                .leaf("www.example.com").with {
                    $0.extensions = [Extension(identifier: identifier, isCritical: false, value: value)]
                }
            ).certificate
            let crl = try signer.crl {
                $0.issuingDistributionPoint = .with { $0.isIndirect = true }
                $0.revoke(leaf, namesIssuer: true)
            }
            return try scene.verdict(
                Evidence(crls: [crl.der, scene.root.crl().der], certificates: [signer.certificate]), mode, leaf: leaf)
        }
    }

    private static let scopes: [LimitRow] = [
        indirect("Certificate: issuers of a distribution point's CRL", limit: "none", isAnswered: true) {
            [DERWriter.tagged(2, ($1 + [$0]).flatMap { $0 })]
        },
        indirect("Certificate: distribution points", limit: "16", isAnswered: false) { own, others in
            (others + [own]).map { DERWriter.tagged(2, $0) }
        },
        list("names of its scope", limit: "8, then out of scope") { list, scene in
            list.issuingDistributionPoint = .with {
                $0.fullName = (0..<8).map { .uri("http://\($0).example") } + [EvidenceScene.point]
            }
            list.revoke(scene.leaf)
        },
        list("bytes of its scope", limit: "16 KiB, then out of scope") { list, scene in
            list.issuingDistributionPoint = .with {
                $0.fullName = [.uri("http://" + String(repeating: "a", count: 17 << 10)), EvidenceScene.point]
            }
            list.revoke(scene.leaf)
        },
    ]

    // MARK: OCSP

    private static func response(
        _ part: String, limit: String = "none", author: String = "its signer", isVerifiedFirst: Bool = false,
        isAnswered: Bool = true, isStaple: Bool = false,
        _ make: @escaping @Sendable (EvidenceScene) throws -> TestOCSPResponse
    ) -> LimitRow {
        LimitRow(
            evidence: (isStaple ? "OCSP staple: " : "OCSP response: ") + part, limit: limit, author: author,
            isVerifiedFirst: isVerifiedFirst, isAnswered: isAnswered
        ) { scene, mode in
            let der = try make(scene).der
            return try scene.verdict(isStaple ? Evidence(staple: der) : Evidence(responses: [der]), mode)
        }
    }

    private static func answers(_ scene: EvidenceScene) throws -> TestOCSPResponse {
        let other = try scene.issuer.issue(.leaf("other.example")).certificate
        return try scene.issuer.ocspResponse {
            for _ in 0..<2000 { $0.add(other) }
            $0.add(scene.leaf, .revoked)
        }
    }

    private static func unreadable(_ scene: EvidenceScene) throws -> TestOCSPResponse {
        try scene.issuer.ocspResponse {
            $0.add(scene.leaf) { $0.serialNumber = [] }
            $0.add(scene.leaf, .revoked)
        }
    }

    private static func certificates(_ scene: EvidenceScene) throws -> TestOCSPResponse {
        let signer = try scene.issuer.issue(.ocspSigner())
        return try scene.issuer.ocspResponse(signedBy: signer) {
            $0.add(scene.leaf, .revoked)
            $0.certificates = Array(repeating: scene.leaf, count: 16) + [signer.certificate]
        }
    }

    private static let responses = [false, true].flatMap { isStaple in
        [
            response("2,000 answers before the leaf's", isStaple: isStaple, answers),
            response("unreadable answers before the leaf's", isStaple: isStaple, unreadable),
            response("extensions", limit: "16, then it can only revoke", isStaple: isStaple) { scene in
                try scene.issuer.ocspResponse {
                    $0.add(scene.leaf, .revoked)
                    $0.extensions = try unknown(17)
                }
            },
            response(
                "certificates before its signer's", limit: "16", author: "the server or the network",
                isAnswered: false, isStaple: isStaple, certificates),
            LimitRow(
                evidence: (isStaple ? "OCSP staple: " : "OCSP response: ") + "bytes", limit: "16 MiB",
                author: "the server or the network", isVerifiedFirst: false, isAnswered: false
            ) { scene, mode in
                let bytes = [UInt8](repeating: 0, count: 16 << 20 + 1)
                return try scene.verdict(isStaple ? Evidence(staple: bytes) : Evidence(responses: [bytes]), mode)
            },
        ]
    }

    // MARK: Other evidence

    private static let others: [LimitRow] = [
        LimitRow(
            evidence: "OCSP responses: 500 forged ones before one that revokes the leaf",
            limit: "400 signatures for an evaluation", author: "the source of the evidence", isVerifiedFirst: false,
            isAnswered: false
        ) { scene, mode in
            let forged = try scene.issuer.ocspResponse {
                $0.add(scene.leaf, .revoked)
                $0.hasWrongSignature = true
            }.der
            let revoking = try scene.issuer.ocspResponse { $0.add(scene.leaf, .revoked) }.der
            // Each has other bytes in its signature. The last one stays wrong, so that none becomes the valid signature
            // by chance.
            let many = (0..<500).map { index in
                var der = forged
                der[der.count - 2] = UInt8(index & 255)
                der[der.count - 3] = UInt8(index >> 8)
                return der
            }
            return try scene.verdict(Evidence(responses: many + [revoking]), mode)
        },
        LimitRow(
            evidence: "CRLite filter: timestamps before the one that it covers", limit: "none",
            author: "the leaf's issuer", isVerifiedFirst: true
        ) { scene, mode in
            let logs = try (0..<2).map { try TestLog("Log \($0)", operatedBy: "Operator") }
            let timestamps = (0..<40).map { _ in logs[0].timestamp() } + [logs[1].timestamp()]
            let leaf = try scene.issuer.issue(.leaf("www.example.com").with { $0.timestamps = timestamps }).certificate
            func number(_ value: Int64, _ size: Int64) -> [UInt8] {
                (1...size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - $0))) }
            }
            // Format 4: the dates of one log, one issuer without columns, which lists all serial numbers, and no columns.
            let dates = number(0, 8) + number(TestAuthority.now.secondsSinceEpoch * 1_000, 8)
            let entry = scene.issuer.certificate.subjectPublicKeyInfoSHA256 + number(1, 4) + number(0, 16)
            let filter = [4, 0] + number(1, 2) + logs[1].logID + dates + number(1, 4) + entry + number(0, 5)
            return try scene.verdict(Evidence(), mode, leaf: leaf) {
                $0.revocationData.filters = [try RevocationFilter(filter)]
            }
        },
        LimitRow(
            evidence: "Issuers of a leaf that is its own anchor: presented ones before the one that revokes",
            limit: "16 presented, none supplied", author: "the caller", isVerifiedFirst: false
        ) { scene, mode in
            let others = try (0..<20).map { _ in try TestAuthority.root(.authority("CA")).certificate }
            let crl = try scene.issuer.crl { $0.revoke(scene.leaf) }
            return try scene.verdict(Evidence(crls: [crl.der]), mode) {
                $0.anchors = .only([scene.leaf])
                $0.intermediates = others + [scene.issuer.certificate]
                $0.presentedChain = PresentedChain([scene.leaf])
            }
        },
    ]
}
