// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing
import TrustScenes

@testable import ServerTrust
@testable import ServerTrustTesting

@Suite("Findings about staples")
struct StapleFindingTests {
    typealias Claim = StapleFinding.Claim

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let claim: Claim
        let isVerified: Bool
        let staple: @Sendable (TrustScene) throws -> [UInt8]

        init(
            _ testDescription: String, _ claim: Claim, isVerified: Bool = false,
            _ staple: @escaping @Sendable (TrustScene) throws -> [UInt8]
        ) {
            self.testDescription = testDescription
            self.claim = claim
            self.isVerified = isVerified
            self.staple = staple
        }
    }

    private static let now = TestAuthority.now

    private static func foreign() throws -> TestAuthority { try TestAuthority.root(.authority("Test Intermediate")) }

    static let rows: [Row] = [
        Row("good", .good, isVerified: true) { scene in
            try scene.intermediate.ocspResponse { $0.add(scene.leaf) }.der
        },
        Row("revoked", .revoked, isVerified: true) { scene in
            try scene.intermediate.ocspResponse { $0.add(scene.leaf, .revoked) }.der
        },
        Row("good, from a responder that the CA has authorized", .good, isVerified: true) { scene in
            let signer = try scene.intermediate.issue(.ocspSigner())
            return try scene.intermediate.ocspResponse(signedBy: signer) { $0.add(scene.leaf) }.der
        },
        Row("good, about another certificate first", .good, isVerified: true) { scene in
            let other = try scene.intermediate.issue(.leaf("other.example.com"))
            return try scene.intermediate.ocspResponse {
                $0.add(other.certificate, .revoked)
                $0.add(scene.leaf)
            }.der
        },
        Row("unknown", .unknown) { scene in try scene.intermediate.ocspResponse { $0.add(scene.leaf, .unknown) }.der },
        Row("good and unknown, whose worst claim is shown", .unknown) { scene in
            try scene.intermediate.ocspResponse {
                $0.add(scene.leaf)
                $0.add(scene.leaf, .unknown)
            }.der
        },
        Row("a wrong signature", .good) { scene in
            try scene.intermediate.ocspResponse {
                $0.add(scene.leaf)
                $0.hasWrongSignature = true
            }.der
        },
        Row("a foreign CA's name for the leaf", .good) { scene in
            try foreign().ocspResponse { $0.add(scene.leaf) }.der
        },
        Row("a foreign CA's signature", .good) { scene in
            try foreign().ocspResponse { $0.add(scene.leaf) { $0.issuer = scene.intermediate } }.der
        },
        Row("a foreign CA's revocation", .revoked) { scene in
            try foreign().ocspResponse { $0.add(scene.leaf, .revoked) { $0.issuer = scene.intermediate } }.der
        },
        Row("another certificate of the CA", .otherCertificate) { scene in
            let other = try scene.intermediate.issue(.leaf("other.example.com"))
            return try scene.intermediate.ocspResponse { $0.add(other.certificate) }.der
        },
        Row("no certificate", .otherCertificate) { scene in try scene.intermediate.ocspResponse { _ in }.der },
        Row("expired", .good) { scene in
            try scene.intermediate.ocspResponse {
                $0.add(scene.leaf) {
                    $0.thisUpdate = now.advanced(by: .days(-9))
                    $0.nextUpdate = now.advanced(by: -1)
                }
            }.der
        },
        Row("dated tomorrow", .good) { scene in
            try scene.intermediate.ocspResponse { $0.add(scene.leaf) { $0.thisUpdate = now.advanced(by: .days(1)) } }
                .der
        },
        Row("an error", .unauthorized) { _ in TestOCSPResponse.error(.unauthorized).der },
        Row("no response", .malformed) { _ in [0x30, 0x00] },
        Row("no bytes", .malformed) { _ in [] },
    ]

    private func chain(_ scene: TrustScene, _ staple: [UInt8]) -> PresentedChain {
        var chain = PresentedChain(scene.chain)
        chain.staple = .given(staple)
        return chain
    }

    @Test("A finding is verified exactly if the staple decides the leaf's status", arguments: rows)
    func verified(row: Row) throws {
        let scene = try TrustScene()
        let chain = chain(scene, try row.staple(scene))
        for policy in [RevocationPolicy.off, .bestEffort, .required] {
            let verdict = scene.trust(presented: chain) { $0.revocation = policy }.evaluate()
            let staple = try #require(verdict.staple)
            #expect(staple.claim == row.claim)
            #expect(staple.isVerified == row.isVerified, "\(policy.mode)")
            #expect(verdict.codes.contains(.certificateRevoked) == (row.isVerified && row.claim == .revoked))
            let isSilent = staple.namesOtherIssuer || row.claim == .otherCertificate
            #expect(staple.isVerified == staple.obstacles.isEmpty || isSilent)
            #expect(staple.words(at: Self.now).hasPrefix("claims ") || staple.isVerified || staple.thisUpdate == nil)
            #expect(verdict.firstNotAfter == scene.path.map(\.notAfter).min())
            let copy = try JSONDecoder().decode(TrustVerdict.self, from: JSONEncoder().encode(verdict))
            #expect(copy == verdict && copy.staple == staple)
        }
        // With revocation on, a verified staple is the source of the finding for the leaf.
        let finding = scene.trust(presented: chain) { $0.revocation = .bestEffort }.evaluate().revocation.first
        #expect((finding?.source == .staple) == row.isVerified)
    }

    @Test("A staple isn't verified on a path that the evaluation refused before, or without an issuer", arguments: rows)
    func unexamined(row: Row) throws {
        let scene = try TrustScene()
        let chain = chain(scene, try row.staple(scene))
        let unknown = scene.trust(presented: chain) { $0.anchors = .only([]) }.evaluate()
        let mismatch = scene.trust(presented: chain, host: try Hostname("other.example.com")).evaluate()
        let anchored = scene.trust(presented: chain) { $0.anchors = .only([scene.leaf]) }.evaluate()
        for verdict in [unknown, mismatch, anchored] {
            let staple = try #require(verdict.staple)
            #expect(!staple.isVerified && staple.claim == row.claim)
        }
    }

    @Test("Without a staple, or without a leaf, there is no finding")
    func none() throws {
        let scene = try TrustScene()
        #expect(scene.trust { $0.revocation = .bestEffort }.evaluate().staple == nil)
        var chain = PresentedChain(scene.chain)
        chain.staple = .none
        #expect(scene.trust(presented: chain).evaluate().staple == nil)
        var empty = PresentedChain([])
        empty.staple = .given([0x30, 0x00])
        #expect(scene.trust(presented: empty).evaluate().staple == nil)
    }

    @Test("A forged staple shortens the interval in which the verdict is unchanged, and not the end of the path")
    func dates() throws {
        let scene = try TrustScene()
        let soon = Self.now.advanced(by: 60)
        let forged = try Self.foreign().ocspResponse {
            $0.add(scene.leaf) { ($0.issuer, $0.nextUpdate) = (scene.intermediate, soon) }
        }.der
        let verdict = scene.trust(presented: chain(scene, forged)) { $0.revocation = .bestEffort }.evaluate()
        #expect(verdict.isTrusted && verdict.unchangedUntil == soon)
        #expect(verdict.firstNotAfter == scene.path.map(\.notAfter).min())
        #expect(!verdict.description.contains("\(soon)"))
    }

    @Test("Two evaluations of one handshake keep a verified revocation first, then a claim that one didn't verify")
    func combined() {
        let good = StapleFinding(claim: .good, isVerified: true)
        let revoked = StapleFinding(claim: .revoked, isVerified: true)
        let claimed = StapleFinding(claim: .good, obstacles: [.ocspTooOld])
        for (one, other, expected) in [
            (good, revoked, revoked), (good, claimed, claimed), (claimed, revoked, revoked), (good, good, good),
        ] {
            #expect(StapleFinding.stricter(one, other) == expected && StapleFinding.stricter(other, one) == expected)
        }
        #expect(StapleFinding.stricter(nil, good) == good && StapleFinding.stricter(good, nil) == good)
        #expect(StapleFinding.stricter(nil, nil) == nil)
    }

    @Test("A staple's age is in words, whatever its date")
    func ages() {
        let rows: [(seconds: Int64, words: String)] = [
            (0, "good, 0 s old"), (119, "good, 119 s old"), (120, "good, 2 min old"), (7200, "good, 2 h old"),
            (172_800, "good, 2 days old"), (-60, "good, dated 60 s after the verify date"),
        ]
        for row in rows {
            let staple = StapleFinding(claim: .good, thisUpdate: Self.now.advanced(by: -row.seconds), isVerified: true)
            #expect(staple.words(at: Self.now) == row.words)
        }
        let extreme = StapleFinding(claim: .good, thisUpdate: Time(secondsSinceEpoch: .min))
        #expect(extreme.words(at: Self.now).hasPrefix("claims good, not verified, dated "))
    }
}
