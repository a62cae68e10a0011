// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PeerScripts
import ServerTrust
import ServerTrustTesting

@testable import ServerTrustLab

/// The root that the machine trusts, for clients without their own anchors.
enum MachineRoot {
    static func write(to path: String) throws {
        let root = try TestAuthority.root(CertificateTemplate.authority("Feature Root").valid(around: .now()))
        let text = PEM.encode(root.certificate.der, label: "CERTIFICATE") + (try root.key.pemRepresentation())
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Returns the root in FEATURE_ROOT. Without that variable, it returns a new root, which only clients with their
    /// own anchors trust.
    static func load() throws -> TestAuthority {
        guard let path = ProcessInfo.processInfo.environment["FEATURE_ROOT"] else {
            return try TestAuthority.root(CertificateTemplate.authority("Feature Root").valid(around: .now()))
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let blocks = try PEM.decode(Array(text.utf8), labels: ["CERTIFICATE"])
        let certificate = try Certificate(der: blocks.first.orThrow())
        let key = try TestKey(
            pemRepresentation: String(text[text.range(of: "-----BEGIN PRIVATE").orThrow().lowerBound...]))
        return try TestAuthority(existing: TestIdentity(certificate: certificate, key: key))
    }
}

extension Optional {
    struct Missing: Error {}
    func orThrow() throws -> Wrapped {
        guard let self else { throw Missing() }
        return self
    }
}

/// The certificates of `localhost`, a name that every client can resolve.
struct Site: Sendable {
    let root: TestAuthority
    let intermediate: TestAuthority
    let leaf: TestIdentity
    let now: Time

    /// - Parameter isKnown: whether the machine trusts the site's root.
    init(isKnown: Bool = true, _ set: (inout CertificateTemplate) -> Void = { _ in }) throws {
        now = Time.now()
        root =
            isKnown
            ? try MachineRoot.load()
            : try TestAuthority.root(CertificateTemplate.authority("Other Root").valid(around: now))
        intermediate = try root.intermediate(CertificateTemplate.authority("Feature CA").valid(around: now))
        var template = CertificateTemplate.leaf("localhost").valid(around: now)
        set(&template)
        leaf = try intermediate.issue(template)
    }

    /// Starts a server that presents its leaf and intermediate.
    func start(
        isComplete: Bool = true, _ set: (inout LabServer.Options) -> Void = { _ in }
    ) async throws -> LabServer {
        var options = LabServer.Options()
        set(&options)
        return try await LabServer.start(
            .custom(
                host: "localhost", leaf: leaf, others: isComplete ? [intermediate.certificate] : [],
                anchors: [root.certificate]),
            options: options)
    }

    /// Starts a proxy that uses TLS with the leaf and intermediate.
    func startProxy() async throws -> LabProxy {
        let scenario = LabScenario.custom(
            host: "localhost", leaf: leaf, others: [intermediate.certificate], anchors: [root.certificate])
        return try await LabProxy.start(certificates: scenario.certificates(at: now))
    }

    /// Returns a CRL that the intermediate issued.
    func crl(revoking certificate: Certificate?) throws -> [UInt8] {
        try intermediate.crl {
            $0.thisUpdate = now.advanced(by: -3600)
            $0.nextUpdate = now.advanced(by: 86_400)
            if let certificate { $0.revoke(certificate, at: now.advanced(by: -7200), reason: .keyCompromise) }
        }.der
    }
}

extension ClientKind {
    /// Whether the client refuses a server and sends it no part of a request. Over HTTP/2, the client has sent its
    /// preface and SETTINGS by then.
    func refuses(_ server: LabServer, _ setup: Setup) async throws -> Bool {
        do {
            _ = try await get(server.url + "/", setup)
            return false
        } catch {
            return server.counts.requestBytes == 0 || (self == .gated && server.counts.requests == 0)
        }
    }
}
