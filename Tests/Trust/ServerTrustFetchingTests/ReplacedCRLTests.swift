// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO
import Testing

@testable import ServerTrustTesting

/// A server with a revoked certificate adds certificates to its handshake. The host of its distribution points serves
/// CRLs that one of these certificates signed. nginx plays both roles.
@Suite("Replaced CRLs", .serialized, .enabled(if: Servers.nginx != nil, "no nginx"))
struct ReplacedCRLTests {
    let now = Time.now()
    let servers: Servers
    let root: TestAuthority
    /// The leaf's issuer.
    let issuer: TestAuthority
    /// A CA below the same root, for other names.
    let constrained: TestAuthority

    init() throws {
        servers = try Servers()
        let (from, to) = (now.advanced(by: -86_400), now.advanced(by: 30 * 86_400))
        func template(_ name: String) -> CertificateTemplate {
            .authority(name).with { ($0.notBefore, $0.notAfter) = (from, to) }
        }
        root = try .root(template("Live Root"))
        issuer = try root.intermediate(template("Live CA"))
        constrained = try root.intermediate(template("Other CA").with { $0.permittedDNSNames = ["other.example"] })
    }

    private func dated(_ template: CertificateTemplate) -> CertificateTemplate {
        template.with { ($0.notBefore, $0.notAfter) = (now.advanced(by: -3600), now.advanced(by: 86_400)) }
    }

    private func crl(
        _ signer: TestIdentity, number: UInt64, seconds: Int64, _ change: (inout TestCRL.Template) -> Void = { _ in }
    ) throws -> [UInt8] {
        try signer.crl {
            ($0.number, $0.thisUpdate) = (number, now.advanced(by: seconds))
            $0.nextUpdate = now.advanced(by: 3600)
            change(&$0)
        }.der
    }

    /// Connects to the server and evaluates its chain with the resources that its certificates name.
    private func verdict(_ server: String, _ check: RevocationPolicy.Mode) async throws -> TrustVerdict {
        let loopback = try #require(IPAddress("127.0.0.1"))
        let port = try #require(server.split(separator: ":").last.flatMap { Int($0) })
        let manager = try ServerTrustManager(evaluators: ["www.example.com": DefaultTrustEvaluator()])
        var configuration = ServerTrustConfiguration(manager)
        configuration.anchors = .only([root.certificate])
        configuration.revocation.mode = check
        configuration.revocationData.crls = [try crl(root.identity, number: 1, seconds: -3600)]
        configuration.fetching = TrustFetchCoordinator(
            fetcher: try HTTPTrustFetcher(rules: AddressRules(allowedAddresses: [loopback])))
        let report = try await TrustProbe(configuration).probe(
            try Hostname("www.example.com"), port: port, connectingTo: "127.0.0.1")
        #expect(report.presentedChain.certificates.count == 4)
        return report.verdict
    }

    @Test(
        "A revoked leaf is refused with every chain from its server and every CRL from its two distribution points",
        .timeLimit(.minutes(10)))
    func replaced() async throws {
        let http = try await servers.startNginx()
        let leaf = try issuer.issue(
            dated(.leaf("www.example.com")).with {
                $0.crlDistributionPoints = ["a.crl", "b.crl"].map {
                    TestDistributionPoint(stringLiteral: "\(http)/\($0)")
                }
            })
        let revoking = try crl(issuer.identity, number: 7, seconds: -3600) {
            $0.revoke(leaf.certificate, at: now.advanced(by: -7200))
        }
        let good = try crl(issuer.identity, number: 7, seconds: -3600)
        let impostors = [
            try constrained.issue(dated(.authority("Live CA"))),
            try constrained.issue(dated(.crlSigner("Live CA"))),
            try constrained.issue(dated(.crlSigner("Live CA")).with { $0.keyUsage = nil }),
        ]
        try servers.write("leaf.key", try leaf.key.pemRepresentation())
        for (index, impostor) in impostors.enumerated() {
            // The last two certificates don't belong in the chain.
            let chain = [leaf.certificate, issuer.certificate, impostor.certificate, constrained.certificate]
            try servers.write("chain\(index).pem", chain.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined())
            let server = try await servers.startNginx(presenting: ("chain\(index).pem", "leaf.key"))
            let forged = try crl(impostor, number: 8, seconds: -60)
            let rows: [([UInt8], [UInt8], isTrusted: Bool, isRevoked: Bool)] = [
                (good, good, true, false), (revoking, revoking, false, true), (forged, forged, false, false),
                (forged, revoking, false, true), (revoking, forged, false, true), (forged, good, true, false),
            ]
            for (row, (first, second, isTrusted, isRevoked)) in rows.enumerated() {
                try servers.write("a.crl", first)
                try servers.write("b.crl", second)
                let required = try await verdict(server, .required)
                #expect(required.isTrusted == isTrusted, "impostor \(index), row \(row)")
                #expect(required.failures.contains { $0.code == .certificateRevoked } == isRevoked)
                let bestEffort = try await verdict(server, .bestEffort)
                #expect(bestEffort.isTrusted != isRevoked, "impostor \(index), row \(row)")
                // A certificate whose status can't be checked is never reported as good.
                #expect((bestEffort.revocation.first?.status == .good) == isTrusted)
            }
        }
    }
}
