// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting

/// A lab server under a name that every machine resolves, so that clients find it without being given an address.
enum LocalServer {
    /// Starts a server that presents a leaf and an intermediate, all P-256.
    /// - Parameter text: the body of its responses. The default is the lab's.
    static func start(answering text: String? = nil) async throws -> LabServer {
        let now = Time.now()
        let root = try TestAuthority.root(CertificateTemplate.authority("Local Root").valid(around: now))
        let intermediate = try root.intermediate(CertificateTemplate.authority("Local CA").valid(around: now))
        let leaf = try intermediate.issue(CertificateTemplate.leaf("localhost").valid(around: now))
        var options = LabServer.Options()
        options.response = text.map { .text($0) }
        return try await LabServer.start(
            .custom(
                host: "localhost", leaf: leaf, others: [intermediate.certificate], anchors: [root.certificate]),
            options: options)
    }
}
