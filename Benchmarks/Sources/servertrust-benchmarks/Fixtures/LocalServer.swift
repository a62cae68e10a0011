// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting

/// A lab server under a name that every machine resolves, as clients find servers: without an address given to them beforehand.
enum LocalServer {
    /// Starts a server that presents leaf and intermediate, all P-256.
    /// - Parameter text: the body of its answers; the lab's own unless given.
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
