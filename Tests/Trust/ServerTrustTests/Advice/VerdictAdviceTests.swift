// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting
import Testing
import TrustScenes

/// The advice for verdicts: party, certificates and options, for situations from public reports.
@Suite("Advice for verdicts")
struct VerdictAdviceTests {
    /// A situation with the advice on its failures, in order.
    struct Situation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: [Expected]
        let places: CertificatePlaces
        let trust: @Sendable (TrustScene) throws -> Trust

        init(
            _ name: String, _ expected: [Expected], places: CertificatePlaces = CertificatePlaces(anchors: ["ca.pem"]),
            _ trust: @escaping @Sendable (TrustScene) throws -> Trust
        ) {
            testDescription = name
            self.expected = expected
            self.places = places
            self.trust = trust
        }
    }

    /// One piece of advice.
    struct Expected: Sendable, Hashable {
        let code: TrustFailure.Code
        let party: Advice.Party
        let certificates: [Int?]
        let options: [Advice.Option]
        let gap: RevocationGap?

        init(
            _ code: TrustFailure.Code, _ party: Advice.Party, at certificates: Int?..., options: [Advice.Option] = [],
            gap: RevocationGap? = nil
        ) {
            self.code = code
            self.party = party
            self.certificates = certificates
            self.options = options
            self.gap = gap
        }

        init?(_ advice: Advice) {
            guard case .failure(let code) = advice.subject else { return nil }
            self.code = code
            party = advice.party
            certificates = advice.certificates
            options = advice.options
            gap = advice.revocationGap
        }
    }

    private static let past = TestAuthority.now.advanced(by: -1)

    private static func leaf(of scene: TrustScene, _ template: CertificateTemplate) throws -> [Certificate] {
        [try scene.intermediate.issue(template).certificate, scene.intermediate.certificate]
    }

    private static func client(_ trust: inout Trust) { trust.policy.purpose = .clientAuth }

    static let situations: [Situation] = [
        Situation(
            "an expired leaf is the server's",
            [Expected(.certificateExpired, .server, at: 0, options: [.time(past)])]
        ) { $0.trust(try leaf(of: $0, .expired)) },
        Situation(
            "an expired intermediate that the server sends is the server's",
            [Expected(.certificateExpired, .server, at: 1, options: [.time(past)])]
        ) { _ in try TrustScene(intermediate: .authority("Test Intermediate").until(past)).trust() },
        Situation(
            "an expired intermediate from a file is the user's",
            [Expected(.certificateExpired, .user, at: 1, options: [.time(past)])]
        ) { _ in
            let scene = try TrustScene(intermediate: .authority("Test Intermediate").until(past))
            return scene.trust([scene.leaf]) { $0.intermediates = [scene.intermediate.certificate] }
        },
        Situation(
            "an expired root from a file is the user's",
            [Expected(.certificateExpired, .user, at: 2, options: [.time(past)])]
        ) { _ in try TrustScene(root: .authority("Test Root").until(past)).trust() },
        Situation(
            "an expired root from the store is the machine's",
            [Expected(.certificateExpired, .machine, at: 2, options: [.time(past)])],
            places: CertificatePlaces(anchors: [])
        ) { _ in try TrustScene(root: .authority("Test Root").until(past)).trust() },
        Situation(
            "an expired intermediate below an expired root is the root's problem",
            [Expected(.certificateExpired, .user, at: 2, options: [.time(past)])]
        ) { _ in
            try TrustScene(
                root: .authority("Test Root").until(past), intermediate: .authority("Test Intermediate").until(past)
            ).trust()
        },
        Situation(
            "certificates that are never valid together have no date", [Expected(.certificateExpired, .user, at: 2)]
        ) { _ in
            let end = TestAuthority.now.advanced(by: -100)
            return try TrustScene(
                root: .authority("Test Root").until(end),
                leaf: .leaf(TrustScene.name).from(TestAuthority.now.advanced(by: -50))
            ).trust()
        },
        Situation(
            "a leaf that isn't valid yet",
            [
                Expected(
                    .certificateNotYetValid, .server, at: 0, options: [.time(TestAuthority.now.advanced(by: 60))])
            ]
        ) { $0.trust(try leaf(of: $0, .leaf(TrustScene.name).from(TestAuthority.now.advanced(by: 60)))) },
        Situation("a recreated root is the user's", [Expected(.signatureInvalid, .user, at: 1)]) { scene in
            let again = try TestAuthority.root(.authority("Test Root"), key: .p384()).certificate
            return scene.trust { $0.anchors = .only([again]) }
        },
        Situation(
            "a recreated root, in the store", [Expected(.signatureInvalid, .machine, at: 1)],
            places: CertificatePlaces(anchors: [])
        ) { scene in
            let again = try TestAuthority.root(.authority("Test Root"), key: .p384()).certificate
            return scene.trust { $0.anchors = .only([again]) }
        },
        Situation("an intermediate with another key is the server's", [Expected(.signatureInvalid, .server, at: 0)]) {
            let again = try $0.root.intermediate(.authority("Test Intermediate"), key: .p384()).certificate
            return $0.trust([$0.leaf, again])
        },
        Situation(
            "a root with CA:FALSE is the user's", [Expected(.notCertificateAuthority, .user, at: 2)]
        ) { _ in try TrustScene(root: .authority("Test Root").with { $0.isAuthority = false }).trust() },
        Situation(
            "a root without basic constraints is the user's", [Expected(.basicConstraintsMissing, .user, at: 2)]
        ) { _ in try TrustScene(root: .authority("Test Root").with { $0.isAuthority = nil }).trust() },
        Situation(
            "a server certificate as an intermediate is the server's",
            [Expected(.notCertificateAuthority, .server, at: 1)]
        ) { _ in
            try TrustScene(intermediate: .authority("Test Intermediate").with { $0.isAuthority = false }).trust()
        },
        Situation(
            "a server certificate that a client presents is the client's",
            [Expected(.extendedKeyUsageNotAllowed, .client, at: 0)]
        ) { $0.trust(nil, client) },
        Situation(
            "an intermediate for servers above a client is the client's",
            [Expected(.extendedKeyUsageNotAllowed, .client, at: 1)]
        ) { _ in
            let scene = try TrustScene(
                intermediate: .authority("Test Intermediate").with { $0.extendedKeyUsage = [.serverAuth] },
                leaf: .leaf(TrustScene.name).with { $0.extendedKeyUsage = [.clientAuth] })
            return scene.trust(nil, client)
        },
        Situation(
            "a root for servers above a client is the user's",
            [Expected(.extendedKeyUsageNotAllowed, .user, at: 2)]
        ) { _ in
            let scene = try TrustScene(
                root: .authority("Test Root").with { $0.extendedKeyUsage = [.serverAuth] },
                leaf: .leaf(TrustScene.name).with { $0.extendedKeyUsage = [.clientAuth] })
            return scene.trust(nil, client)
        },
        Situation(
            "an expired client", [Expected(.certificateExpired, .client, at: 0, options: [.time(past)])]
        ) { scene in
            let template = CertificateTemplate.expired.with { $0.extendedKeyUsage = [.clientAuth] }
            return scene.trust(try leaf(of: scene, template), client)
        },
        Situation(
            "a chain under an unknown root", [Expected(.unknownIssuer, .user, at: 1, options: [.anchors])]
        ) { scene in scene.trust { $0.anchors = .only([]) } },
        Situation(
            "a chain with its unknown root", [Expected(.untrustedRoot, .user, at: 2, options: [.anchors])]
        ) { scene in scene.trust(scene.path) { $0.anchors = .only([]) } },
        Situation(
            "a leaf that names its issuer's address, without an intermediate",
            [Expected(.unknownIssuer, .server, at: 0, options: [.fetching])]
        ) {
            $0.trust([
                try $0.intermediate.issue(.leaf(TrustScene.name).with { $0.caIssuers = ["http://ca.test/ca.cer"] })
                    .certificate
            ])
        },
        Situation(
            "a self-signed leaf", [Expected(.selfSignedLeaf, .server, at: 0, options: [.anchors])]
        ) { $0.trust([try TestAuthority.selfSigned(.leaf(TrustScene.name)).certificate]) },
        Situation(
            "revocation without an address for evidence",
            [Expected(.revocationUnavailable, .user, at: 0, 1, options: [.evidence], gap: .noAddress)]
        ) { $0.trust { $0.revocation = RevocationPolicy(.required) } },
        Situation(
            "revocation with an address, but nothing fetched",
            [
                Expected(.revocationUnavailable, .user, at: 0, options: [.fetching, .evidence], gap: .noSource),
                Expected(.revocationUnavailable, .user, at: 1, options: [.evidence], gap: .noAddress),
            ]
        ) {
            let template = CertificateTemplate.leaf(TrustScene.name).with { $0.ocspResponders = ["http://ocsp.test"] }
            return $0.trust(try leaf(of: $0, template)) { $0.revocation = RevocationPolicy(.required) }
        },
        Situation("another name is the server's", [Expected(.hostMismatch, .server, at: 0)]) {
            $0.trust(try leaf(of: $0, .leaf("other.example")))
        },
    ]

    @Test("Advice names the party that can act and the options that change the verdict", arguments: situations)
    func advice(_ row: Situation) throws {
        let scene = try TrustScene()
        let trust = try row.trust(scene)
        let verdict = trust.evaluate()
        let advice = verdict.advice(presented: trust.presentedChain, places: row.places)
        #expect(advice.compactMap(Expected.init) == row.expected, "\(verdict)")
        // If the user or the machine has the certificate, the advice names its location.
        for advice in advice where advice.party == .machine {
            #expect(advice.text.contains("this machine's root store"))
        }
        for option in advice.flatMap(\.options) {
            guard case .time(let time) = option else { continue }
            var other = trust
            other.verifyDate = .at(time)
            #expect(other.evaluate().isTrusted)
        }
    }

    @Test("The advice names the anchor's file, and the file's name can't add a line") func place() throws {
        let trust = try TrustScene(root: .authority("Test Root").until(Self.past)).trust()
        let places = CertificatePlaces(anchors: ["my\nroots.pem", "b.pem"])
        let text = trust.evaluate().advice(presented: trust.presentedChain, places: places).first?.text ?? ""
        #expect(text.contains("roots.pem") && !text.contains("\n"))
    }

    @Test("If a profile trusts the chain, the first advice lists the profile as an option") func profile() throws {
        let scene = try TrustScene()
        let trust = scene.trust(try Self.leaf(of: scene, .expired))
        let verdict = trust.evaluate()
        let advice = verdict.advice(presented: trust.presentedChain, trustedUnder: .rfc5280)
        #expect(advice.first?.options.contains(.profile(.rfc5280)) == true)
    }

    @Test("The advice gives a failed fetch as the reason for a missing status") func failedFetch() throws {
        let scene = try TrustScene()
        let template = CertificateTemplate.leaf(TrustScene.name).with { $0.ocspResponders = ["http://ocsp.test"] }
        let trust = scene.trust(try Self.leaf(of: scene, template)) { $0.revocation = RevocationPolicy(.required) }
        var verdict = trust.evaluate()
        verdict.revocation[0].status = .unobtainable([RevocationObstacle(name: "unreachable")])
        let advice = verdict.advice(presented: trust.presentedChain)
        #expect(advice.first?.revocationGap == .notObtained)
        #expect(advice.first?.options == [.evidence])
        #expect(advice.first?.text.contains("unreachable") == true)
    }
}
