import PKIX
import ServerTrust
import ServerTrustTesting

/// A lab server under a name that every machine resolves, as clients find servers: without an address given to them beforehand.
enum LocalServer {
    /// - Parameter text: what it answers; the lab's own unless given.
    /// - Returns: a server that shows leaf and intermediate, all P-256.
    static func start(answering text: String? = nil) async throws -> LabServer {
        let now = Time.now()
        func valid(_ template: CertificateTemplate) -> CertificateTemplate {
            template.with {
                $0.notBefore = now.advanced(by: -3600)
                $0.notAfter = now.advanced(by: 86_400)
            }
        }
        let root = try TestAuthority.root(valid(.authority("Local Root")))
        let intermediate = try root.intermediate(valid(.authority("Local CA")))
        let leaf = try intermediate.issue(valid(.leaf("localhost")))
        var options = LabServer.Options()
        options.answer = text.map { .text($0) }
        return try await LabServer.start(
            .custom(
                host: "localhost", leaf: leaf, others: [intermediate.certificate], anchors: [root.certificate]),
            options: options)
    }
}
