// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import ServerTrustHTTP
import ServerTrustMigration
import ServerTrustPins
import ServerTrustTesting

/// The one way to do each thing, and the presets. No file of this example imports PKIX.
///
/// The certificates are created in memory for a fixed date, and no byte leaves the machine.
@main
struct OneWay {
    static func main() async throws {
        let scene = try Scene()
        try verdicts(scene)
        await missingEvidence(scene)
        durations()
        revocation(scene)
        try deniedLists(scene)
        try anchors(scene)
        try transparency(scene)
        await connectionFailures(scene.host)
        try gate()
        try pinLists()
        endpoints(scene.host)
        try ispStore(scene)
        errors()

        try await publicWeb(scene)
        try await privateCA(scene)
        try await pinned(scene)
        try await development(scene)
    }

    /// On every type, `evaluate` returns a verdict, and `requireTrust` throws a `TrustRefusal` for a refused server.
    static func verdicts(_ scene: Scene) throws {
        let evaluator = DefaultTrustEvaluator()
        let manager = try ServerTrustManager(evaluators: [Scene.name: evaluator])
        var trust = scene.trust
        for verdict in [trust.evaluate(), evaluator.evaluate(trust), manager.evaluate(trust)] {
            row("evaluate", verdict)
        }
        trust.anchors = .only([])
        do throws(TrustRefusal) {
            try trust.requireTrust()
        } catch {
            print("requireTrust: \(error.headline.code)")
        }
        do throws(TrustRefusal) {
            try manager.requireTrust(trust)
        } catch {
            print("requireTrust of a manager: \(error.headline.code)")
        }
    }

    /// One call evaluates with a source of evidence.
    static func missingEvidence(_ scene: Scene) async {
        var trust = scene.trust
        trust.presentedChain = PresentedChain(Array(scene.presented.certificates.prefix(1)))
        row("without a source", trust.evaluate())
        row("with a source", await trust.evaluate(fetching: scene.source()))
    }

    /// Every time span is a `Duration`.
    static func durations() {
        var policy = RevocationPolicy.required
        policy.maximumAge.leaf = .days(4)
        policy.futureTolerance = .seconds(60)
        var configuration = TrustedHTTPConfiguration()
        configuration.handshakeTimeout = .seconds(5)
        configuration.bodyTimeout = .seconds(60)
        print("durations: \(policy.maximumAge.leaf), \(policy.futureTolerance), \(configuration.handshakeTimeout)")
    }

    /// One policy contains the mode, the sources, the scope and the ages of a revocation check.
    static func revocation(_ scene: Scene) {
        var trust = scene.trust
        let leafOnly = RevocationPolicy(.required, sources: .ocsp, scope: .leaf, fetching: false)
        for policy in [RevocationPolicy.off, .bestEffort, .required, leafOnly] {
            trust.revocation = policy
            row("revocation \(policy.mode), \(policy.scope)", trust.evaluate())
        }
        row("revocation of a host", RevocationTrustEvaluator(.required).evaluate(scene.trust))
    }

    /// One list denies certificates and keys, with one code and the kind of the entry.
    static func deniedLists(_ scene: Scene) throws {
        var trust = scene.trust
        for list in [
            DeniedList(certificates: scene.presented.certificates.prefix(1), reason: "lost in May"),
            DeniedList(keys: [SPKIPin(scene.issuing.certificate)], reason: "stolen in June"),
        ] {
            trust.denied = list
            let verdict = trust.evaluate()
            let entry = verdict.headline?.deniedEntry
            print("denied \(entry?.kind.rawValue ?? "-"), \(entry?.reason ?? "-"): \(outcome(verdict))")
            row("denied for a host", DeniedListTrustEvaluator(list).evaluate(scene.trust))
        }
    }

    /// One type contains the anchors: the system's, others, or both, each with the conditions of a root program.
    static func anchors(_ scene: Scene) throws {
        let root = scene.root.certificate
        let digest = root.sha256.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let distrust = """
            {"schemaVersion":1,"program":"Example","date":"2026-11-01","complete":false,"roots":{},"distrusted":["\(digest)"]}
            """
        let list = try RootList(Array(distrust.utf8))
        var trust = scene.trust
        for (name, anchors) in [
            ("system", TrustAnchors.system), ("only", .only([root])), ("system adding", .system(adding: [root])),
            ("applying", .system(adding: [root]).applying(list)),
        ] {
            trust.anchors = anchors
            row("anchors, \(name)", trust.evaluate())
        }
    }

    /// Settings and evaluator use the same labels.
    static func transparency(_ scene: Scene) throws {
        let logs = try CTLogList(
            json: TestLog.list([TestLog("Log", operatedBy: "Operator")]), now: TestAuthority.now)
        let hosts = [try HostPattern("*.corp.example")]
        var trust = scene.trust
        trust.transparency = TransparencySettings(logs: logs, policy: .mozilla, mode: .require, exemptHosts: hosts)
        row("transparency", trust.evaluate())
        let evaluator = TransparencyTrustEvaluator(
            logs: logs, policy: .mozilla, mode: .require, exemptHosts: hosts)
        row("transparency of a host", evaluator.evaluate(scene.trust))
    }

    /// A connection without a verdict causes the same error in every client. Port 1 of loopback has no server.
    static func connectionFailures(_ host: Hostname) async {
        do throws(ConnectionFailure) {
            let report = try await TrustProbe(.publicWeb).probe(host, port: 1, connectingTo: "127.0.0.1")
            print("a server on port 1: \(outcome(report.verdict))")
        } catch {
            print("no connection: \(error.code), port \(error.port ?? 0)")
        }
    }

    /// The only gate for `HTTPClient` returns the checks that it can't do.
    static func gate() throws {
        var configuration = HTTPClient.Configuration()
        let limits = try configuration.gate(by: .publicWeb).limits
        print("gate without: \(limits.map(\.name).joined(separator: ", "))")
    }

    /// A value creates the contents of a signed pin list.
    static func pinLists() throws {
        let key = try PinSigningPrivateKey(.ed25519)
        let pins = """
            {"schemaVersion":1,"selection":"mostSpecific","unlistedHosts":"evaluatedByDefault","rules":[{"mode":"enforced",
            "hosts":["api.example.com"],"pins":[{"key":"sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=",
            "scope":"anywhere","role":"inUse"}]}]}
            """
        var payload = PinListPayload(
            audience: "com.example.app", sequence: 2, issued: TestAuthority.now,
            expires: TestAuthority.now.advanced(by: .days(30)), pins: Array(pins.utf8),
            signers: try PinSigners([key.publicKey]))
        payload.deniedKeys = [SPKIPin(try TestAuthority.root().certificate)]
        let list = try SignedPinList.signed(try payload.bytes(), by: [key]).unverifiedList()
        print("pin list \(list.sequence): denied keys \(list.deniedKeys.count), expires \(list.expires)")
    }

    /// Endpoints are part of ServerTrust.
    static func endpoints(_ host: Hostname) {
        let endpoint = ServerEndpoint(host: host, port: 8443, path: "/login")
        print("endpoint: \(endpoint.host) \(endpoint.port) \(endpoint.path)")
    }

    /// The store of SSL Conservatory's ISPCertificatePinning is a separate product.
    static func ispStore(_ scene: Scene) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).plist")
        defer { try? FileManager.default.removeItem(at: file) }
        let store = ISPPinStore(file: file.path)
        try store.setUp([Scene.name: [scene.issuing.certificate.der]])
        let verdict = scene.trust.evaluate()
        print("ISP store: \(store.verifyPinnedCertificate(for: verdict, domain: Scene.name))")
    }

    /// Every error has a code, and the values that its message contains.
    static func errors() {
        do throws(HostnameError) {
            _ = try Hostname("api.example.com:443")
        } catch {
            print("error: \(error.code)")
        }
        do throws(SPKIPinSetError) {
            _ = try SPKIPinSet(pins: ["sha256/tooShort"], backup: [String]())
        } catch {
            print("error: \(error.problems.map(\.code.name).joined(separator: ", "))")
        }
    }
}
