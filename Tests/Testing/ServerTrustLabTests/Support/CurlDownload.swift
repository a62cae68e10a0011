// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustTesting

/// A repository's response, downloaded with curl.
struct CurlDownload {
    /// curl's exit code.
    let status: Int32
    /// The HTTP status and media type.
    let line: String
    let body: Data

    init(_ url: String, _ more: [String] = []) async throws {
        (status, line, body) = try await OtherClient.inFolder { folder in
            let file = folder.appendingPathComponent("body")
            try Data().write(to: file)
            let outcome = try await OtherClient.curl.run(
                ["--silent", "--max-time", "60", "--noproxy", "*", "--output", file.path]
                    + ["--write-out", "%{http_code} %{content_type}"] + more + [url], in: folder)
            return (outcome.status, outcome.output, try Data(contentsOf: file))
        }
    }

    /// Runs an openssl command on the body, whose file is the last argument, and returns the output.
    func printed(by command: String, _ arguments: String...) async throws -> String {
        try await OtherClient.inFolder { folder in
            let file = folder.appendingPathComponent("body")
            try body.write(to: file)
            let input = command == "pkcs7" ? ["-inform", "DER", "-in", file.path] : [file.path]
            return try await OtherClient.openssl.run([command] + arguments + input, in: folder).output
        }
    }

    /// Runs `openssl verify` on a scenario's leaf with the body as the CRL, and returns the first error.
    func verifies(_ certificates: LabCertificates) async throws -> String? {
        try await OtherClient.inFolder { folder in
            func write(_ name: String, _ certificates: [Certificate]) throws -> String {
                let file = folder.appendingPathComponent(name)
                let pem = certificates.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined()
                try Data(pem.utf8).write(to: file)
                return file.path
            }
            let crl = folder.appendingPathComponent("crl.pem")
            try Data(PEM.encode(Array(body), label: "X509 CRL").utf8).write(to: crl)
            let outcome = try await OtherClient.openssl.run(
                [
                    "verify", "-crl_check", "-CRLfile", crl.path,
                    "-CAfile", try write("anchors.pem", certificates.anchors),
                    "-untrusted", try write("chain.pem", Array(certificates.chain.dropFirst())),
                    try write("leaf.pem", [certificates.chain[0]]),
                ], in: folder)
            let error = outcome.output.split(separator: "\n").first { $0.hasPrefix("error ") }
            return error.flatMap { $0.split(separator: ": ").last.map(String.init) }
        }
    }
}

/// A CA with a responder, and openssl as its client.
struct OCSPLab {
    let root: TestAuthority
    let good: TestIdentity
    let revoked: TestIdentity
    let unknown: TestIdentity
    let responder: TestOCSPResponder

    /// Uses the machine's date, because openssl has no option for another date here.
    init(isDelegated: Bool, name: String = "OCSP Root") throws {
        let now = Time.now()
        func dated(_ template: CertificateTemplate) -> CertificateTemplate {
            template.with { ($0.notBefore, $0.notAfter) = (now.advanced(by: -86_400), now.advanced(by: 86_400)) }
        }
        let root = try TestAuthority.root(dated(.authority(name)))
        let (good, revoked) = (try root.issue(dated(.leaf("a.test"))), try root.issue(dated(.leaf("b.test"))))
        (self.root, self.good, self.revoked, self.unknown) = (
            root, good, revoked, try root.issue(dated(.leaf("c.test")))
        )
        responder = TestOCSPResponder(
            root, signedBy: isDelegated ? try root.issue(dated(.ocspSigner())) : nil, now: { .now() }
        ) { serialNumber in
            switch serialNumber {
            case good.certificate.serialNumber.bytes: .good
            case revoked.certificate.serialNumber.bytes: .revoked(at: now, reason: .superseded)
            default: .unknown
            }
        }
    }

    func ask(_ identity: TestIdentity, url: String, _ more: [String] = []) async throws -> String {
        try await Self.ask(identity.certificate, issuer: root.certificate, root: root.certificate, url: url, more)
    }

    /// Sends a request about a scenario's leaf.
    static func ask(_ certificates: LabCertificates, url: String) async throws -> String {
        try await ask(
            certificates.chain[0], issuer: certificates.chain[1], root: certificates.anchors[0], url: url)
    }

    private static func ask(
        _ leaf: Certificate, issuer: Certificate, root: Certificate, url: String, _ more: [String] = []
    ) async throws -> String {
        try await OtherClient.inFolder { folder in
            let files = try write(["root": root, "issuer": issuer, "leaf": leaf], in: folder)
            return try await OtherClient.openssl.run(
                ["ocsp"] + more + ["-CAfile", files["root"] ?? "", "-issuer", files["issuer"] ?? ""]
                    + ["-cert", files["leaf"] ?? "", "-url", url, "-no-CApath", "-no-CAstore"], in: folder
            ).output
        }
    }

    /// Returns a request that openssl creates.
    func request(for identity: TestIdentity) async throws -> Data {
        try await OtherClient.inFolder { folder in
            let files = try Self.write(["issuer": root.certificate, "leaf": identity.certificate], in: folder)
            let request = folder.appendingPathComponent("request.der")
            _ = try await OtherClient.openssl.run(
                ["ocsp", "-issuer", files["issuer"] ?? "", "-cert", files["leaf"] ?? "", "-reqout", request.path],
                in: folder)
            return try Data(contentsOf: request)
        }
    }

    private static func write(_ certificates: [String: Certificate], in folder: URL) throws -> [String: String] {
        try Dictionary(
            uniqueKeysWithValues: certificates.map { name, certificate in
                let file = folder.appendingPathComponent(name + ".pem")
                try Data(PEM.encode(certificate.der, label: "CERTIFICATE").utf8).write(to: file)
                return (name, file.path)
            })
    }
}
