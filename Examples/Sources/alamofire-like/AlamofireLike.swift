// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting

/// Alamofire's manager and each of its evaluators, with the server that each is meant for and with an impostor.
@main
struct AlamofireLike {
    static func main() throws {
        let root = try TestAuthority.root()
        // Another CA that the machine trusts, such as a middlebox's CA.
        let middleBox = try TestAuthority.root(.authority("Middle Box"))
        let servers = try Servers(root)

        let manager = try ServerTrustManager(
            evaluators: [
                "default.example.com": DefaultTrustEvaluator(),
                "certificates.example.com": PinnedCertificatesTrustEvaluator(
                    certificates: [servers.leaf("certificates")]),
                "self-signed.example.com": PinnedCertificatesTrustEvaluator(
                    certificates: [servers.selfSigned], acceptSelfSigned: true),
                "keys.example.com": PublicKeysTrustEvaluator(
                    keys: [servers.leaf("keys").subjectPublicKeyInfo]),
                "revocation.example.com": RevocationTrustEvaluator(RevocationPolicy(.required, sources: .crls)),
                "composite.example.com": CompositeTrustEvaluator(evaluators: [
                    DefaultTrustEvaluator(),
                    PublicKeysTrustEvaluator(keys: [servers.leaf("composite").subjectPublicKeyInfo]),
                    ShortLived(),
                ]),
                "disabled.example.com": DisabledTrustEvaluator.insecurelyTrustingAnyServer,
                // A pattern, which Alamofire's manager doesn't support.
                "*.cdn.example.com": DefaultTrustEvaluator(),
            ],
            insecureOptions: .allowsDisabledEvaluators)

        for name in ["default", "certificates", "self-signed", "keys", "revocation", "composite", "disabled", "other"] {
            print("\(name):")
            let host = try Hostname("\(name).example.com")
            let impostor = try middleBox.issue(.leaf(host.description)).certificate
            for (sender, chain) in [("its server", servers.chain(name)), ("impostor", [impostor])] {
                var trust = Trust(presentedChain: chain, host: host)
                trust.anchors = .only([root.certificate, middleBox.certificate])
                trust.verifyDate = .at(TestAuthority.now)
                trust.revocationData = RevocationData(crls: [servers.crl.der])
                show(sender, manager, trust)
            }
        }
    }

    static func show(_ sender: String, _ manager: ServerTrustManager, _ trust: Trust) {
        do {
            let verdict = try manager.requireTrust(trust)
            print("  \(sender): \(verdict.result.rawValue)")
        } catch {
            // AFError.serverTrustEvaluationFailed(reason:), with every failure.
            print("  \(sender): refused, \(error.verdict.failures.map(\.code.name).joined(separator: ", "))")
        }
    }
}

/// An app's own evaluator, like a type that implements `ServerTrustEvaluating`. It can refuse a valid path, but can't
/// accept an invalid one.
struct ShortLived: TrustEvaluator {
    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        let seconds = path.leaf.notAfter.secondsSinceEpoch - path.leaf.notBefore.secondsSinceEpoch
        guard seconds <= 398 * 86_400 else { throw TrustFailures(TrustFailure(.evaluatorRefused, certificate: 0)) }
    }
}

/// The certificates of the app's servers.
struct Servers {
    private let leaves: [String: Certificate]
    let selfSigned: Certificate
    /// The CA's CRL, which has no entries.
    let crl: TestCRL

    init(_ root: TestAuthority) throws {
        var leaves: [String: Certificate] = [:]
        for name in ["default", "certificates", "keys", "revocation", "composite", "disabled", "other"] {
            leaves[name] = try root.issue(.leaf("\(name).example.com")).certificate
        }
        self.leaves = leaves
        self.selfSigned = try TestAuthority.selfSigned(.leaf("self-signed.example.com")).certificate
        self.crl = try root.crl()
    }

    func leaf(_ name: String) -> Certificate { leaves[name] ?? selfSigned }
    func chain(_ name: String) -> [Certificate] { [leaf(name)] }
}
