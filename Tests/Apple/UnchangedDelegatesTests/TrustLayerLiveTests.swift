// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import Testing

/// Tests the TrustLayer folder, whose files have no Linux-specific code, with lab servers.
@Suite("An unchanged trust layer like Alamofire's, with import Security")
struct TrustLayerLiveTests {
    /// Returns a manager's answer to a server: the name of its reason, `loaded`, or `default handling` if something
    /// other than the manager refused the server.
    private func load(_ server: LabServer, _ manager: ServerTrustManager, anchored: Bool) async throws -> String {
        let before = server.counts.requests
        let trust = anchored ? server.certificates.configuration : .publicWeb
        let configuration = URLSessionConfiguration.ephemeral.withServerTrust(
            trust, connectingTo: [server.host.description: server.address.rawValue])
        let delegate = ManagedDelegate(manager)
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        let url = try #require(URL(string: server.url + "/"))
        do {
            let (_, response) = try await session.data(from: url)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            return "loaded"
        } catch is URLError {
            #expect(server.counts.requests == before)
            guard case .serverTrustEvaluationFailed(let reason)? = delegate.error else { return "default handling" }
            return Mirror(reflecting: reason).children.first?.label ?? "\(reason)"
        }
    }

    private struct Refusing: ServerTrustEvaluating {
        struct Refusal: Error {}
        func evaluate(_ trust: SecTrust, forHost host: String) throws { throw Refusal() }
    }

    /// An evaluator's expected answers. `trusted` is for the client with the lab's root, `plain` for one with the
    /// system's roots.
    private typealias Row = (name: String, evaluator: any ServerTrustEvaluating, trusted: String, plain: String)

    private func rows(_ server: LabServer, _ other: LabServer) throws -> [Row] {
        func certificate(_ certificate: Certificate) throws -> SecCertificate {
            try #require(SecCertificateCreateWithData(nil, Data(certificate.der) as CFData))
        }
        let leaf = try certificate(server.certificates.chain[0])
        let root = try certificate(server.certificates.anchors[0])
        let keys = [leaf].af.publicKeys
        let others = [try certificate(other.certificates.chain[0])]
        let untrusted = "trustEvaluationFailed"
        return [
            ("default", DefaultTrustEvaluator(), "loaded", untrusted),
            ("default without host", DefaultTrustEvaluator(validateHost: false), "loaded", untrusted),
            ("pinned leaf", .pinnedCertificates(certificates: [leaf]), "loaded", untrusted),
            (
                "own root", .pinnedCertificates(certificates: [root], acceptSelfSignedCertificates: true), "loaded",
                "loaded"
            ),
            (
                "pinned leaf without validation",
                PinnedCertificatesTrustEvaluator(
                    certificates: [leaf], performDefaultValidation: false, validateHost: false), "loaded", "loaded"
            ),
            (
                "other certificate", PinnedCertificatesTrustEvaluator(certificates: others),
                "certificatePinningFailed", untrusted
            ),
            (
                "other root", .pinnedCertificates(certificates: others, acceptSelfSignedCertificates: true), untrusted,
                untrusted
            ),
            (
                "other certificate without validation",
                .pinnedCertificates(certificates: others, performDefaultValidation: false, validateHost: false),
                "certificatePinningFailed", "certificatePinningFailed"
            ),
            ("the bundle's certificates", .pinnedCertificates, "noCertificatesFound", "noCertificatesFound"),
            ("pinned key", .publicKeys(keys: keys), "loaded", untrusted),
            (
                "pinned key without validation",
                PublicKeysTrustEvaluator(keys: keys, performDefaultValidation: false, validateHost: false), "loaded",
                "loaded"
            ),
            ("other key", .publicKeys(keys: others.af.publicKeys), "publicKeyPinningFailed", untrusted),
            ("the bundle's keys", .publicKeys, "noPublicKeysFound", "noPublicKeysFound"),
            ("revocation if known", .revocationChecking, "loaded", untrusted),
            (
                "revocation without evidence", .revocationChecking(options: [.crl, .ocsp, .requirePositiveResponse]),
                untrusted, untrusted
            ),
            ("no revocation method", .revocationChecking(options: []), "revocationPolicyCreationFailed", untrusted),
            (
                "composite", .composite(evaluators: [DefaultTrustEvaluator(), .publicKeys(keys: keys)]), "loaded",
                untrusted
            ),
            (
                "composite with another key",
                .composite(evaluators: [DefaultTrustEvaluator(), .publicKeys(keys: others.af.publicKeys)]),
                "publicKeyPinningFailed", untrusted
            ),
            ("disabled", DisabledTrustEvaluator(), "loaded", "loaded"),
            ("the app's own evaluator", Refusing(), "customEvaluationFailed", "customEvaluationFailed"),
        ]
    }

    @Test("Each evaluator accepts its own server and refuses others with its own reason")
    func evaluators() async throws {
        let server = try await LabServer.start(.good)
        let other = try await LabServer.start(.good)
        do {
            let host = server.host.description
            for row in try rows(server, other) {
                let manager = ServerTrustManager(evaluators: [host: row.evaluator])
                #expect(try await load(server, manager, anchored: true) == row.trusted, "\(row.name)")
                #expect(try await load(server, manager, anchored: false) == row.plain, "\(row.name), system's roots")
            }
            let strict = ServerTrustManager(evaluators: ["other.lab.test": DisabledTrustEvaluator()])
            #expect(try await load(server, strict, anchored: true) == "noRequiredEvaluator")
            let lax = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: strict.evaluators)
            #expect(try await load(server, lax, anchored: true) == "loaded")
            #expect(try await load(server, lax, anchored: false) == "default handling")
        } catch {
            for server in [server, other] { await server.stop() }
            throw error
        }
        for server in [server, other] { await server.stop() }
    }

    @Test("The functions from iOS 10 and 11 return the same answers")
    func validate() async throws {
        let server = try await LabServer.start(.good)
        let certificates = server.certificates
        await server.stop()
        let chain = try certificates.chain.map {
            try #require(SecCertificateCreateWithData(nil, Data($0.der) as CFData))
        }
        let root = try #require(SecCertificateCreateWithData(nil, Data(certificates.anchors[0].der) as CFData))
        var created: SecTrust?
        #expect(SecTrustCreateWithCertificates(chain as CFArray, SecPolicyCreateBasicX509(), &created).af.isSuccess)
        let trust = try #require(created)
        func reason(_ policy: SecPolicy) -> String {
            do {
                try trust.af.validate(policy: policy) { status, result in
                    AFError.serverTrustEvaluationFailed(
                        reason: .hostValidationFailed(
                            output: .init(certificates.host.description, trust, status, result)))
                }
                return "trusted"
            } catch AFError.serverTrustEvaluationFailed(.hostValidationFailed(let output)) {
                return "\(output.status) \(output.result == .recoverableTrustFailure)"
            } catch {
                return "\(error)"
            }
        }
        #expect(reason(.af.default) == "0 true")
        try trust.af.setAnchorCertificates([root])
        #expect(reason(.af.default) == "trusted")
        #expect(reason(.af.hostname(certificates.host.description)) == "trusted")
        #expect(reason(.af.hostname("other.lab.test")) == "0 true")
        // After an evaluation, the object contains the path up to the root.
        #expect(trust.af.certificateData == (chain + [root]).af.data)
        #expect(trust.af.publicKeys == (chain + [root]).af.publicKeys)
    }
}
