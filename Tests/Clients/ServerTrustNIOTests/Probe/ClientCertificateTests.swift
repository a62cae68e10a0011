// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

@testable import ServerTrustNIO

@Suite("Probes of servers that ask for a client certificate", .timeLimit(.minutes(10)))
struct ClientCertificateTests {
    /// The client's certificate.
    enum Client: CaseIterable {
        case without
        case accepted
        case unknown
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let versions: LabServer.TLSVersions
        let demand: LabServer.ClientCertificates
        let client: Client

        var testDescription: String { "\(versions), \(demand), a client \(client)" }
    }

    static let rows = [LabServer.TLSVersions.tls12, .tls13].flatMap { versions in
        [LabServer.ClientCertificates.notRequested, .requested, .required].flatMap { demand in
            Client.allCases.map { Row(versions: versions, demand: demand, client: $0) }
        }
    }

    private func identity(_ client: Client, _ server: LabServer) throws -> ClientIdentity? {
        let identity: TestIdentity
        switch client {
        case .without: return nil
        case .accepted:
            guard let accepted = server.clientIdentity else { return nil }
            identity = accepted
        case .unknown: identity = try TestAuthority.root(.authority("Unknown")).issue(.leaf("client.lab.test"))
        }
        return try ClientIdentity(
            certificates: [identity.certificate], key: Array(identity.key.pemRepresentation().utf8))
    }

    @Test(
        "The error says that the server refused the client, even in TLS 1.3, where the refusal follows the handshake",
        arguments: rows)
    func refusal(row: Row) async throws {
        var options = LabServer.Options()
        options.versions = row.versions
        options.clientCertificates = row.demand
        let server = try await LabServer.start(.good, options: options)
        var probe = TrustProbe(server.certificates.configuration)
        probe.timeout = .seconds(30)
        probe.identity = try identity(row.client, server)
        let report = try await probe.probe(server.host, port: server.port, connectingTo: "127.0.0.1")
        #expect(report.verdict.isTrusted)
        #expect((report.clientCertificateDemand != nil) == (row.demand != .notRequested))
        let isRefused =
            switch row.demand {
            case .notRequested: false
            case .requested: row.client == .unknown
            case .required: row.client != .accepted
            }
        #expect(report.failure?.code == (isRefused ? .connectionClientCertificateRequired : nil))
        await server.stop()
    }

    @Test("A refused server gets no client certificate")
    func refusedServer() async throws {
        for versions in [LabServer.TLSVersions.tls12, .tls13] {
            var options = LabServer.Options()
            options.versions = versions
            options.clientCertificates = .requested
            let server = try await LabServer.start(.wrongHost, options: options)
            var probe = TrustProbe(server.certificates.configuration)
            probe.identity = try identity(.accepted, server)
            let report = try await probe.probe(server.host, port: server.port, connectingTo: "127.0.0.1")
            #expect(!report.verdict.isTrusted)
            #expect(server.counts.clientCertificates == 0)
            await server.stop()
        }
    }

    @Test("A key that is unreadable or doesn't match the certificate causes an error before the probe connects")
    func keys() throws {
        let root = try TestAuthority.root()
        let client = try root.issue(.leaf("client.lab.test"))
        let chain = [client.certificate]
        let pem = try client.key.pemRepresentation()
        #expect(throws: Never.self) { try ClientIdentity(certificates: chain, key: Array(pem.utf8)) }
        let keys: [(String, ClientIdentityError)] = [
            (try root.key.pemRepresentation(), .otherKey), (try TestKey.rsa().pemRepresentation(), .otherKey),
            ("", .unreadableKey), (client.certificatePEM, .unreadableKey),
            (pem.replacing("PRIVATE KEY", with: "ENCRYPTED PRIVATE KEY"), .encryptedKey),
            (
                "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n-----END EC PRIVATE KEY-----",
                .encryptedKey
            ),
        ]
        for (key, error) in keys {
            #expect(throws: error) { try ClientIdentity(certificates: chain, key: Array(key.utf8)) }
        }
        #expect(throws: ClientIdentityError.noCertificate) {
            try ClientIdentity(certificates: [], key: Array(pem.utf8))
        }
    }

    @Test("The probe limits the number and size of CA names and leaves out malformed ones")
    func names() throws {
        let name = try TestAuthority.root(.authority("A CA")).certificate
        let der = Array(name.subject.der)
        let request = ClientCertificateDemand(
            authorities: [der, [1, 2, 3], [], [UInt8](repeating: 0x30, count: 5000)] + Array(repeating: der, count: 50))
        let names = try #require(request.authorityNames(16, toBytes: 64))
        #expect(names.first == name.subject.description)
        #expect(names.count == 14)
        #expect(ClientCertificateDemand(authorities: nil).authorityNames(16, toBytes: 64) == nil)
    }
}
