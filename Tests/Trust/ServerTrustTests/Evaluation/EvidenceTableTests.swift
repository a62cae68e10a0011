// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust
@testable import ServerTrustTesting

/// The rule for evidence: an authentic statement "revoked" counts, even if it is too weak, too early, too late or out
/// of scope to say "good". The table is Documentation/Generated/EvidenceTable.md.
@Suite("Kinds of evidence, weaknesses, statements and modes")
struct EvidenceTableTests {
    private static let scenes = Result {
        (plain: try EvidenceScene(), rsa: try EvidenceScene(key: .rsa()))
    }

    private func verdict(_ row: EvidenceRow, _ statement: Statement, _ mode: RevocationPolicy.Mode) throws
        -> TrustVerdict
    {
        let scenes = try Self.scenes.get()
        let scene = row.isRSA ? scenes.rsa : scenes.plain
        return try scene.verdict(try row.make(scene, statement), mode)
    }

    @Test("Authentic evidence revokes in every mode, with its reason", arguments: EvidenceRow.all)
    func revoked(row: EvidenceRow) throws {
        for mode in RevocationPolicy.Mode.allCases {
            let verdict = try verdict(row, .revoked, mode)
            switch row.force {
            case .full:
                #expect(verdict.codes == [.certificateRevoked], "\(mode)")
                #expect(verdict.revocation.first?.notes.filter { $0 != .crlSignedWithOtherKey } == [], "\(mode)")
            case .revokes(_, let note):
                #expect(verdict.codes == [.certificateRevoked], "\(mode)")
                let notes = verdict.revocation.first?.notes.map(\.name) ?? []
                if let note { #expect(notes.contains(note), "\(mode): \(notes)") }
            case .none(let obstacle):
                #expect(verdict.isTrusted == (mode != .required), "\(mode)")
                if mode != .off { #expect(verdict.obstacles.contains(obstacle), "\(mode): \(verdict.obstacles)") }
            }
        }
    }

    @Test(
        "Evidence with a weakness never proves a certificate good, and the verdict contains the reason",
        arguments: EvidenceRow.all)
    func good(row: EvidenceRow) throws {
        for mode in RevocationPolicy.Mode.allCases {
            let verdict = try verdict(row, .good, mode)
            switch row.force {
            case .full:
                #expect(verdict.isTrusted, "\(mode)")
                #expect(verdict.revocation.first?.status == (mode == .off ? nil : .good), "\(mode)")
            case .revokes(let obstacle, _), .none(let obstacle):
                #expect(verdict.codes == (mode == .required ? [.revocationUnavailable] : []), "\(mode)")
                if mode != .off { #expect(verdict.obstacles.contains(obstacle), "\(mode): \(verdict.obstacles)") }
            }
            #expect(verdict.notChecked.contains(.revocation) || mode != .off)
        }
    }

    @Test("An authentic revocation always refuses the server, whatever good evidence accompanies it")
    func property() throws {
        let scenes = try Self.scenes.get()
        let weak = try EvidenceRow.all.compactMap { other -> (row: EvidenceRow, evidence: Evidence)? in
            guard case .revokes = other.force else { return nil }
            return (other, try other.make(other.isRSA ? scenes.rsa : scenes.plain, .good))
        }
        for row in EvidenceRow.all {
            if case .none = row.force { continue }
            let scene = row.isRSA ? scenes.rsa : scenes.plain
            let bad = try row.make(scene, .revoked)
            for mode in RevocationPolicy.Mode.allCases {
                #expect(try !scene.verdict(bad, mode).isTrusted, "\(row), \(mode)")
                // A good response from the CA doesn't outweigh it.
                var beside = bad
                beside.responses.append(try scene.issuer.ocspResponse { $0.add(scene.leaf) }.der)
                #expect(try !scene.verdict(beside, mode).isTrusted, "\(row), \(mode), beside a good response")
            }
            // Neither does evidence that is too weak to prove a certificate good.
            for other in weak where other.row.isRSA == row.isRSA {
                var both = other.evidence
                both.crls += bad.crls
                both.responses += bad.responses
                both.staple = bad.staple ?? both.staple
                both.certificates += bad.certificates
                #expect(try !scene.verdict(both, .off).isTrusted, "\(row), beside \(other.row)")
            }
        }
    }

    // MARK: - Both directions

    @Test("A list from the future revokes certificates starting on the revocation date")
    func revocationDate() throws {
        let scene = try Self.scenes.get().plain
        for (seconds, isRevoked) in [(0, true), (1, false)] as [(Int64, Bool)] {
            let date = TestAuthority.now.advanced(by: seconds)
            let list = try scene.issuer.crl {
                $0.thisUpdate = EvidenceScene.days(1)
                $0.revoke(scene.leaf, at: date)
            }
            let response = try scene.issuer.ocspResponse {
                $0.add(scene.leaf, .revoked(at: date, reason: nil)) { $0.thisUpdate = EvidenceScene.days(1) }
            }
            for mode in RevocationPolicy.Mode.allCases {
                for evidence in [Evidence(crls: [list.der]), Evidence(responses: [response.der])] {
                    let verdict = try scene.verdict(evidence, mode)
                    #expect(verdict.codes.contains(.certificateRevoked) == isRevoked)
                    #expect(verdict.isTrusted == (!isRevoked && mode != .required))
                }
            }
        }
    }

    @Test("A newer list lifts a hold, even one in a weak list, but a weak list lifts none")
    func superseding() throws {
        let scene = try Self.scenes.get().plain
        func list(_ algorithm: TestSignatureAlgorithm, _ number: UInt64, isHold: Bool) throws -> [UInt8] {
            try scene.issuer.crl {
                ($0.signatureAlgorithm, $0.number) = (algorithm, number)
                $0.thisUpdate = TestAuthority.now.advanced(by: Int64(number) * 60 - 3600)
                if isHold { $0.revoke(scene.leaf, reason: .certificateHold) }
            }.der
        }
        let algorithms = [TestSignatureAlgorithm.ecdsaSHA1, .ecdsaSHA256]
        for hold in algorithms {
            for newer in algorithms {
                let lists = [try list(hold, 1, isHold: true), try list(newer, 2, isHold: false)]
                for crls in [lists, lists.reversed()] {
                    for mode in [RevocationPolicy.Mode.off, .bestEffort] {
                        let verdict = try scene.verdict(Evidence(crls: crls), mode)
                        #expect(verdict.isTrusted == (newer == .ecdsaSHA256), "\(hold) \(newer) \(mode)")
                    }
                }
            }
        }
    }

    @Test("A weak list that revokes a delegate invalidates the delegate's good answers but not its revocations")
    func revokedDelegate() throws {
        let scene = try Self.scenes.get().plain
        let signer = try scene.issuer.issue(.ocspSigner().with { $0.hasOCSPNoCheck = false })
        for (algorithm, isWeak) in [(TestSignatureAlgorithm.ecdsaSHA1, true), (.ecdsaSHA256, false)] {
            let list = try scene.issuer.crl {
                $0.signatureAlgorithm = algorithm
                $0.revoke(signer.certificate)
                // With this scope, the list doesn't apply to the leaf.
                $0.issuingDistributionPoint = .with { $0.onlySomeReasons = [.keyCompromise] }
            }
            func verdict(_ statement: Statement) throws -> TrustVerdict {
                let response = try scene.issuer.ocspResponse(signedBy: signer) {
                    $0.add(scene.leaf, statement.status)
                }
                return try scene.verdict(Evidence(crls: [list.der], responses: [response.der]), .required)
            }
            #expect(try verdict(.revoked).codes == [isWeak ? .certificateRevoked : .revocationUnavailable])
            let good = try verdict(.good)
            #expect(good.codes == [.revocationUnavailable])
            #expect(good.obstacles.contains("signerRevoked"))
        }
    }

    @Test("A SHA-1 signature verifies no certificate in a path, and the engine remembers no weak signature")
    func paths() throws {
        let scene = try Self.scenes.get().plain
        let leaf = try scene.issuer.issue(.leaf("www.example.com").with { $0.signatureAlgorithm = .ecdsaSHA1 })
        var trust = Trust(
            presentedChain: PresentedChain([leaf.certificate, scene.issuer.certificate]),
            host: try Hostname("www.example.com"))
        trust.anchors = .only([scene.root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        trust.policy = ValidationPolicy(profile: .rfc5280)
        #expect(trust.evaluate().codes == [.signatureUsesSHA1])
        let memory = SignatureMemory()
        let list = try CertificateRevocationList(
            der: scene.issuer.crl {
                $0.signatureAlgorithm = .ecdsaSHA1
                $0.revoke(scene.leaf)
            }.der)
        trust.presentedChain = PresentedChain([scene.leaf, scene.issuer.certificate])
        trust.signatureMemory = memory
        trust.revocationData.lists = [list]
        for _ in 0..<2 { #expect(trust.evaluate().codes == [.certificateRevoked]) }
        #expect(!list.isVerified)
    }

    // MARK: - The page

    @Test("The table in Documentation/Generated/EvidenceTable.md contains these verdicts and reasons")
    func documentation()
        throws
    {
        var text = """
            <!-- SPDX-License-Identifier: Apache-2.0 -->
            # Evidence of revocation: who may say what

            An authentic statement "revoked" counts, even if it is too weak, too early, too late or out of scope to say "good". A newer valid
            statement of the same authority, key and scope supersedes an older one. Each cell has the verdict on an otherwise valid chain with only
            the row's evidence, and the reason: a code, an obstacle to the status or, in parentheses, the notes of the finding.
            `EvidenceTableTests` compares this page, and writes it with `SERVERTRUST_WRITE_DOCUMENTATION=1`.

            | evidence | weakness | statement | off | best effort | required |
            |---|---|---|---|---|---|

            """
        for row in EvidenceRow.all {
            for statement in Statement.allCases {
                let cells = try [RevocationPolicy.Mode.off, .bestEffort, .required].map {
                    try verdict(row, statement, $0).cell
                }
                text +=
                    "| \(row.kind) | \(row.weakness) | \(statement.rawValue) | \(cells.joined(separator: " | ")) |\n"
            }
        }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Documentation/Generated/EvidenceTable.md")
        if ProcessInfo.processInfo.environment["SERVERTRUST_WRITE_DOCUMENTATION"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
}

extension TrustVerdict {
    /// The obstacles to the leaf's status.
    fileprivate var obstacles: [String] {
        guard case .unobtainable(let obstacles) = revocation.first?.status else { return [] }
        return obstacles.map(\.name)
    }

    /// The verdict and its reason in a cell of the table.
    fileprivate var cell: String {
        let notes = revocation.first?.notes.map(\.name) ?? []
        let reasons = obstacles.isEmpty ? codes.map(\.name) : obstacles
        let reason =
            switch revocation.first?.status {
            case nil: "not checked"
            case .good: "good"
            default: reasons.joined(separator: ", ")
            }
        return (isTrusted ? "trusted: " : "**refused**: ") + reason
            + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }
}
