// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting

/// Where a scenario's certificates are made: a root, a CA below it, and the dates around the scenario's own.
struct LabWorkshop {
    /// The name that every scenario's client asks for, unless the name is what the scenario is about. `.test` is nobody's
    /// (RFC 6761 § 6.2).
    static let host = "api.lab.test"

    let roots: LabRoots
    /// Where the scenario's publications will be, without a slash at its end.
    let repository: String
    let root: TestAuthority
    let intermediate: TestAuthority

    var now: Time { roots.now }

    /// - Parameter repository: a folder that nobody answers for, unless given.
    init(roots: LabRoots, repository: String = "http://repository.lab.test") throws {
        self.roots = roots
        self.repository = repository
        self.root = try roots.root("Lab Root")
        self.intermediate = try roots.intermediate()
    }

    // MARK: - Templates

    /// A CA that is valid at the scenario's date.
    func authority(
        _ name: String, _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) -> CertificateTemplate {
        roots.dated(.authority(name)).with(change)
    }

    /// A server's certificate that is valid at the scenario's date.
    func leaf(
        _ name: String = host, _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) -> CertificateTemplate {
        roots.dated(.leaf(name)).with(change)
    }

    // MARK: - Scenarios

    /// Below the shared CA, which is sent along: a leaf that is changed in one way.
    func below(
        host: String = host, key: TestKey = .p256(), _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> LabCertificates {
        let leaf = try intermediate.issue(leaf(host, change), key: key)
        return try certificates(leaf, [intermediate.certificate], host: host)
    }

    /// A leaf with what is sent after it.
    /// - Parameter anchors: the shared root, unless given.
    func certificates(
        _ leaf: TestIdentity, _ others: [Certificate], anchors: [Certificate]? = nil, host: String = host,
        evaluator: any TrustEvaluator = DefaultTrustEvaluator(), revocation: LabRevocation = LabRevocation(),
        redirectTarget: LabScenario? = nil, publications: [LabPublication] = []
    ) throws -> LabCertificates {
        try LabCertificates(
            host: host, chain: [leaf.certificate] + others, key: leaf.key, anchors: anchors ?? [root.certificate],
            evaluator: evaluator, revocation: revocation, at: now, redirectTarget: redirectTarget,
            publications: publications)
    }
}

/// RSA keys take long to make, so that scenarios share them: one of each size in the process.
enum LabKeys {
    static let rsa2048 = Result { try TestKey.rsa() }
    static let rsa1024 = Result { try TestKey.rsa(bits: 1024) }
    static let rsaRoot = Result { try TestKey.rsa() }
}
