// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Configuration presets")
struct PresetTests {
    private let host = TrustScene.name
    private let hasSystem = (try? TrustAnchors.system.count) != nil

    /// Returns the failure codes for a presented chain, or none for a trusted server.
    private func codes(
        _ configuration: ServerTrustConfiguration, _ chain: [Certificate], host: String = TrustScene.name,
        anchors: [Certificate]? = nil, at time: Time = TestAuthority.now
    ) throws -> [TrustFailure.Code] {
        var configuration = configuration
        configuration.verifyDate = .at(time)
        if let anchors { configuration.anchors = .only(anchors) }
        let verdict = configuration.evaluateWithoutFetching(PresentedChain(chain), host: try Hostname(host))
        #expect(verdict.isTrusted == verdict.failures.isEmpty)
        return verdict.codes
    }

    // MARK: - The public web

    @Test("The publicWeb preset has the system's anchors and the default settings")
    func publicWebSettings() {
        let configuration = ServerTrustConfiguration.publicWeb
        #expect(configuration.settings.leadToSameVerdict(as: TrustSettings()))
        #expect(configuration.anchors.isSame(as: .system))
        #expect(configuration.fetching == nil && configuration.exceptions == nil && configuration.verifyDate == .now)
        #expect(!configuration.manager.allHostsMustBeEvaluated && configuration.manager.count == 0)
        #expect(configuration.manager !== ServerTrustConfiguration.publicWeb.manager)
        #expect(configuration.warnings.isEmpty)
    }

    @Test("The publicWeb preset accepts any host's valid chain and refuses invalid ones")
    func publicWeb() throws {
        let scene = try TrustScene()
        let root = scene.root.certificate
        let other = try TrustScene(leaf: .leaf("api.other.example"), host: "api.other.example")
        let web = ServerTrustConfiguration.publicWeb
        #expect(try codes(web, scene.chain, anchors: [root]).isEmpty)
        #expect(try codes(web, other.chain, host: "api.other.example", anchors: [other.root.certificate]).isEmpty)
        #expect(try codes(web, scene.chain, host: "api.other.example", anchors: [root]) == [.hostMismatch])
        // Another root with the same name.
        #expect(try codes(web, other.chain, host: "api.other.example", anchors: [root]) == [.signatureInvalid])
        let late = TestAuthority.notAfter.advanced(by: 1)
        #expect(try codes(web, scene.chain, anchors: [root], at: late).contains(.certificateExpired))
        #expect(try codes(web, [], anchors: [root]) == [.presentedChainEmpty])
        // The system's anchors don't contain the tests' root.
        #expect(try codes(web, scene.path) == [hasSystem ? .untrustedRoot : .systemAnchorsUnavailable])
    }

    @Test("The publicWeb preset with a list refuses a root that the list distrusts")
    func conditions() throws {
        let scene = try TrustScene()
        let list = try RootListTexts.list(
            """
            { "schemaVersion": 1, "program": "Test", "date": "2026-11-01", "complete": true, "roots": { "\(Hex.encode([UInt8](repeating: 1, count: 32)))": [] },
              "distrusted": ["\(Hex.encode(scene.root.certificate.sha256))"] }
            """)
        var configuration = ServerTrustConfiguration.publicWeb(conditions: list)
        if hasSystem { #expect(configuration.anchors.lists.contains("Test, 2026-11-01")) }
        #expect(try !codes(configuration, scene.chain).isEmpty)
        // Additional anchors don't bypass the list.
        configuration.anchors = configuration.anchors.adding([scene.root.certificate])
        #expect(try codes(configuration, scene.chain) == [hasSystem ? .certificateDenied : .systemAnchorsUnavailable])
    }

    // MARK: - A private CA

    @Test("The private CA preset accepts only its roots, for every host")
    func privateCA() throws {
        let scene = try TrustScene()
        let other = try TrustScene()
        let configuration = ServerTrustConfiguration.privateCA(roots: [scene.root.certificate])
        #expect(try configuration.anchors.certificates == [scene.root.certificate])
        #expect(try codes(configuration, scene.chain).isEmpty)
        #expect(try codes(configuration, scene.chain, host: "other.example") == [.hostMismatch])
        #expect(try codes(configuration, other.chain) == [.signatureInvalid])
        let unrelated = try TrustLab.unrelatedRoot()
        let leaf = try unrelated.issue(.leaf(host)).certificate
        #expect(try codes(configuration, [leaf, unrelated.certificate]) == [.untrustedRoot])
    }

    @Test("The private CA preset without roots refuses every server")
    func noRoots() throws {
        let scene = try TrustScene()
        #expect(try codes(.privateCA(roots: []), scene.path) == [.untrustedRoot])
    }

    // MARK: - Pins

    /// Returns the preset for the scene's host. The backup is a pin that matches no key, unless a test passes another.
    private func pinned(_ certificate: Certificate, backup: [String] = [TrustScene.pin(1)]) throws
        -> ServerTrustConfiguration
    {
        try .pinned(["\(SPKIPin(certificate))"], backup: backup, for: [host])
    }

    @Test("The pins preset accepts a pinned key or a backup anywhere in the validated path")
    func pinnedKeys() throws {
        let scene = try TrustScene()
        for certificate in scene.path {
            let pinned = try pinned(certificate)
            #expect(try codes(pinned, scene.chain, anchors: [scene.root.certificate]).isEmpty)
            let backup = try ServerTrustConfiguration.pinned(
                [TrustScene.pin(1)], backup: ["\(SPKIPin(certificate))"], for: [host])
            #expect(try codes(backup, scene.chain, anchors: [scene.root.certificate]).isEmpty)
        }
    }

    @Test("The pins preset refuses other keys, invalid paths with the key, and other hosts")
    func otherKeys() throws {
        let scene = try TrustScene()
        let other = try scene.root.issue(.leaf(host)).certificate
        let pinned = try pinned(scene.leaf)
        let anchors = [scene.root.certificate]
        #expect(pinned.anchors.isSame(as: .system))
        #expect(try codes(pinned, [other], anchors: anchors) == [.pinNotMatched])
        // The server sends the pinned certificate in addition to its path.
        #expect(try codes(pinned, [other] + scene.chain, anchors: anchors) == [.pinNotMatched])
        #expect(try codes(pinned, scene.chain, anchors: [TrustLab.unrelatedRoot().certificate]) == [.unknownIssuer])
        #expect(try codes(pinned, scene.chain, host: "other.example", anchors: anchors) == [.hostNotListed])
        #expect(pinned.denial(of: try Hostname("other.example"))?.headline?.code == .hostNotListed)
        let none = try ServerTrustConfiguration.pinned([TrustScene.pin(1)], backup: [TrustScene.pin(2)], for: [])
        #expect(try codes(none, scene.chain, anchors: anchors) == [.hostNotListed])
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pins: [String]
        let backup: [String]
        let code: ErrorCode
    }

    static let refused: [Refused] = [
        Refused(testDescription: "no backup", pins: [TrustScene.pin(1)], backup: [], code: .pinSetWithoutBackup),
        Refused(
            testDescription: "a backup that is in use", pins: [TrustScene.pin(1)], backup: [TrustScene.pin(1)],
            code: .pinSetDuplicate),
        Refused(testDescription: "no pin", pins: [], backup: [TrustScene.pin(1)], code: .pinSetEmpty),
    ]

    @Test("The pins preset throws for pins without a separate backup", arguments: refused)
    func backupRequired(row: Refused) {
        let error = #expect(throws: SPKIPinSetError.self) {
            _ = try ServerTrustConfiguration.pinned(row.pins, backup: row.backup, for: [TrustScene.name])
        }
        #expect(error?.code == row.code)
    }

    @Test("Presets for named hosts throw for every unreadable or repeated pattern")
    func patterns() throws {
        let hosts = ["a.example", "https://b.example", "A.example", "*.*.example"]
        let certificate = try TrustLab.selfSigned()
        let pinned = #expect(throws: ServerTrustManagerError.self) {
            _ = try ServerTrustConfiguration.pinned([TrustScene.pin(1)], backup: [TrustScene.pin(2)], for: hosts)
        }
        let development = #expect(throws: ServerTrustManagerError.self) {
            _ = try ServerTrustConfiguration.development(trusting: certificate, for: hosts)
        }
        #expect(pinned?.problems.count == 3 && pinned == development)
        #expect(pinned?.problems.last?.code == .hostPatternRepeated)
    }

    // MARK: - Development

    @Test("The development preset accepts the self-signed certificate for named hosts only")
    func development() throws {
        let certificate = try TrustLab.selfSigned { $0.dnsNames.append("other.example") }
        let configuration = try ServerTrustConfiguration.development(trusting: certificate, for: [host])
        #expect(try codes(configuration, [certificate]).isEmpty)
        #expect(try codes(configuration, [certificate], host: "other.example") == [.hostNotListed])
        let empty = try ServerTrustConfiguration.development(trusting: certificate, for: [])
        #expect(try codes(empty, [certificate]) == [.hostNotListed])
        // A named host that the certificate doesn't name.
        let wide = try ServerTrustConfiguration.development(trusting: certificate, for: ["third.example"])
        #expect(try codes(wide, [certificate], host: "third.example") == [.hostMismatch])
    }

    @Test("The development preset refuses another certificate, an expired one and one for another purpose")
    func otherCertificates() throws {
        let key = TestKey.p256()
        let certificate = try TrustLab.selfSigned(key: key)
        let configuration = try ServerTrustConfiguration.development(trusting: certificate, for: [host])
        // The same names with another key.
        #expect(try codes(configuration, [TrustLab.selfSigned()]).first == .signatureInvalid)
        #expect(try codes(configuration, [certificate.withFlippedSignatureBit()]).first == .signatureInvalid)
        let scene = try TrustScene()
        #expect(try codes(configuration, scene.path) == [.untrustedRoot])
        // A certificate that isn't a CA's can't issue another one.
        let issuer = try TestAuthority(existing: TestIdentity(certificate: certificate, key: key))
        let issued = try issuer.issue(.leaf(host)).certificate
        #expect(try codes(configuration, [issued, certificate]).first == .notCertificateAuthority)

        let late = TestAuthority.notAfter.advanced(by: 1)
        #expect(try codes(configuration, [certificate], at: late) == [.certificateExpired])
        let client = try TrustLab.selfSigned { $0.extendedKeyUsage = [.clientAuth] }
        let clients = try ServerTrustConfiguration.development(trusting: client, for: [host])
        #expect(try codes(clients, [client]) == [.extendedKeyUsageNotAllowed])
    }

    @Test("The development preset accepts certificates from a root, for named hosts only")
    func developmentRoot() throws {
        let scene = try TrustScene()
        let configuration = try ServerTrustConfiguration.development(
            trusting: scene.root.certificate, for: ["**.example.com"])
        #expect(try codes(configuration, scene.chain).isEmpty)
        #expect(try codes(configuration, scene.chain, host: "example.org") == [.hostNotListed])
        #expect(try codes(configuration, TrustScene().chain) == [.signatureInvalid])
    }
}
