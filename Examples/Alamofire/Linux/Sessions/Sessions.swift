// SPDX-License-Identifier: Apache-2.0

import Alamofire
import Foundation

/// Alamofire's sessions against the lab's servers: which servers are accepted, and which are refused.
@main
struct Sessions {
    static func main() async throws {
        let lab = try await Lab.start()
        var table = Table(lab: lab)
        await lab.explicitConfiguration(&table)
        await lab.unchangedSessions(&table)
        await lab.stop()
        print(table.text)
        exit(table.hasDifference ? 1 : 0)
    }
}

extension Lab {
    /// Tests sessions with this package's configuration, which connects the lab's names to its addresses and can set
    /// anchors.
    func explicitConfiguration(_ table: inout Table) async {
        let root = certificate(good.root)
        let leaf = certificate(good.leaf)
        let other = certificate(impostor.leaf)
        let host = good.host
        func key(_ certificate: SecCertificate) -> [SecKey] { [certificate].af.publicKeys }
        func session(
            _ evaluator: any ServerTrustEvaluating, _ anchors: Anchors = .ownRoot, listed: String? = nil,
            allHosts: Bool = true
        ) -> Session {
            Session(
                configuration: configuration(anchors),
                serverTrustManager: ServerTrustManager(
                    allHostsMustBeEvaluated: allHosts, evaluators: [listed ?? host: evaluator]))
        }

        await table.accepts("own root as the anchor", good, session(DefaultTrustEvaluator()))
        await table.accepts(
            "own root, by acceptSelfSignedCertificates", good,
            session(PinnedCertificatesTrustEvaluator(certificates: [root], acceptSelfSignedCertificates: true), .system)
        )
        await table.accepts(
            "pinned certificate", good, session(PinnedCertificatesTrustEvaluator(certificates: [leaf])))
        await table.accepts("pinned public key", good, session(PublicKeysTrustEvaluator(keys: key(leaf))))
        await table.accepts(
            "all of a composite", good,
            session(.composite(evaluators: [DefaultTrustEvaluator(), .publicKeys(keys: key(root))])))
        await table.accepts("disabled evaluation", good, session(DisabledTrustEvaluator(), .system))
        await table.accepts(
            "disabled evaluation, expired certificate", expired, session(DisabledTrustEvaluator(), .system))
        await table.accepts(
            "unlisted host, where others are let through", good,
            session(DisabledTrustEvaluator(), listed: "other.lab.test", allHosts: false))

        await table.refuses(
            "default evaluation, unknown root", good, session(DefaultTrustEvaluator(), .system),
            "trustEvaluationFailed")
        await table.refuses(
            "another certificate pinned", good, session(PinnedCertificatesTrustEvaluator(certificates: [other])),
            "certificatePinningFailed")
        await table.refuses(
            "another key pinned", good, session(PublicKeysTrustEvaluator(keys: key(other))),
            "publicKeyPinningFailed")
        await table.refuses(
            "one of a composite refuses", good,
            session(.composite(evaluators: [DefaultTrustEvaluator(), .publicKeys(keys: key(other))])),
            "publicKeyPinningFailed")
        await table.refuses(
            "no certificate to pin", good, session(PinnedCertificatesTrustEvaluator(certificates: [])),
            "noCertificatesFound")
        await table.refuses("no key to pin", good, session(PublicKeysTrustEvaluator(keys: [])), "noPublicKeysFound")
        await table.refuses(
            "unlisted host", good, session(DisabledTrustEvaluator(), listed: "other.lab.test"),
            "noRequiredEvaluator")
        await table.refuses(
            "unlisted host, unknown root", good,
            session(DisabledTrustEvaluator(), .system, listed: "other.lab.test", allHosts: false), "URLError -1202")
        await table.refuses(
            "a server with the same name and other keys", impostor,
            session(PublicKeysTrustEvaluator(keys: key(leaf))), "trustEvaluationFailed")
        await table.refuses(
            "expired certificate", expired, session(DefaultTrustEvaluator()), "trustEvaluationFailed")
        await table.refuses(
            "certificate of another host", wrongHost, session(DefaultTrustEvaluator(), listed: wrongHost.host),
            "trustEvaluationFailed")
        await table.refuses(
            "disabled evaluation, key of 1024 bits", shortKey, session(DisabledTrustEvaluator(), .system),
            "URLError -1202")
        await table.refuses(
            "revocation without evidence", good,
            session(RevocationTrustEvaluator(options: [.any, .requirePositiveResponse])), "trustEvaluationFailed")
    }

    /// Tests sessions as apps create them on Apple platforms, without a line for Linux. They use the server's address,
    /// which its certificate doesn't contain.
    func unchangedSessions(_ table: inout Table) async {
        let root = certificate(good.root)
        let other = certificate(impostor.root)
        func session(_ evaluator: any ServerTrustEvaluating) -> Session {
            Session(serverTrustManager: ServerTrustManager(evaluators: [good.address: evaluator]))
        }
        func pinned(_ certificate: SecCertificate) -> PinnedCertificatesTrustEvaluator {
            PinnedCertificatesTrustEvaluator(
                certificates: [certificate], acceptSelfSignedCertificates: true, validateHost: false)
        }

        await table.accepts("unchanged: own root", good, session(pinned(root)), byAddress: true)
        await table.accepts("unchanged: disabled evaluation", good, session(DisabledTrustEvaluator()), byAddress: true)
        await table.refuses(
            "unchanged: default evaluation", good, session(DefaultTrustEvaluator()), "trustEvaluationFailed",
            byAddress: true)
        await table.refuses(
            "unchanged: another root", good, session(pinned(other)), "trustEvaluationFailed", byAddress: true)
        await table.refuses(
            "unchanged: unlisted host", good,
            Session(serverTrustManager: ServerTrustManager(evaluators: ["other.lab.test": DisabledTrustEvaluator()])),
            "noRequiredEvaluator", byAddress: true)
        await table.refuses(
            "unchanged: AF, without a manager", good, AF, "URLError -1202", byAddress: true)
    }

    private func certificate(_ der: Data) -> SecCertificate {
        guard let certificate = SecCertificateCreateWithData(nil, der as CFData) else {
            preconditionFailure("the lab's certificates are readable")
        }
        return certificate
    }

    private func configuration(_ anchors: Anchors) -> URLSessionConfiguration {
        URLSessionConfiguration.af.default.withServerTrust(
            trust(anchors), connectingTo: addresses, errorNumbers: .asReported)
    }
}
