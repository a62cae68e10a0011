import PKIX
import ServerTrust

/// Where a scenario's certificates are made: a root, a CA below it, and the dates around the scenario's own.
struct LabWorkshop {
    /// The name that every scenario's client asks for, unless the name is what the scenario is about. `.test` is nobody's
    /// (RFC 6761 § 6.2).
    static let host = "api.lab.test"

    let now: Time
    let root: TestAuthority
    let intermediate: TestAuthority

    init(now: Time) throws {
        self.now = now
        self.root = try .root(Self.authority("Lab Root", at: now))
        self.intermediate = try root.intermediate(Self.authority("Lab CA", at: now))
    }

    // MARK: - Templates

    private static func dated(_ template: CertificateTemplate, at now: Time) -> CertificateTemplate {
        template.with {
            $0.notBefore = now.advanced(by: -30 * 86_400)
            $0.notAfter = now.advanced(by: 60 * 86_400)
        }
    }

    private static func authority(_ name: String, at now: Time) -> CertificateTemplate {
        dated(.authority(name), at: now)
    }

    /// A CA that is valid at the scenario's date.
    func authority(
        _ name: String, _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) -> CertificateTemplate {
        Self.authority(name, at: now).with(change)
    }

    /// A server's certificate that is valid at the scenario's date.
    func leaf(
        _ name: String = host, _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) -> CertificateTemplate {
        Self.dated(.leaf(name), at: now).with(change)
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
        evaluator: any TrustEvaluator = DefaultTrustEvaluator(), redirectTarget: LabScenario? = nil
    ) throws -> LabCertificates {
        try LabCertificates(
            host: host, chain: [leaf.certificate] + others, key: leaf.key, anchors: anchors ?? [root.certificate],
            evaluator: evaluator, at: now, redirectTarget: redirectTarget)
    }
}

/// RSA keys take long to make, so that scenarios share them: one of each size in the process.
enum LabKeys {
    static let rsa2048 = Result { try TestKey.rsa() }
    static let rsa1024 = Result { try TestKey.rsa(bits: 1024) }
    static let rsaRoot = Result { try TestKey.rsa() }
}
