// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// The public conformance suites. They are next to the checkout, never in it.
enum Corpora {
    /// `SERVERTRUST_CORPORA`, or `../shared/corpora` from the package, or nil if neither exists.
    static let directory: URL? = {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let named = ProcessInfo.processInfo.environment["SERVERTRUST_CORPORA"].map { URL(fileURLWithPath: $0) }
        let beside = package.deletingLastPathComponent().appendingPathComponent("shared/corpora")
        return [named, beside].compactMap { $0 }.first {
            FileManager.default.fileExists(atPath: $0.appendingPathComponent("limbo.json").path)
        }
    }()

    static var areMissing: Bool { directory == nil }

    /// Cases of x509-limbo, or of BetterTLS in the same schema, decompressed by gzip.
    static func cases(_ name: String) throws -> [LimboCase] {
        guard !areMissing else { return [] }
        return try JSONDecoder().decode(LimboSuite.self, from: data(name)).testcases
    }

    /// The contents of a file, decompressed if its name ends in `.gz`.
    static func data(_ name: String) throws -> Data {
        guard let file = directory?.appendingPathComponent(name) else { throw CocoaError(.fileNoSuchFile) }
        guard name.hasSuffix(".gz") else { return try Data(contentsOf: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }
}

struct LimboSuite: Decodable {
    var testcases: [LimboCase]
}

/// A case in x509-limbo's schema.
struct LimboCase: Decodable, CustomStringConvertible {
    struct PeerName: Decodable {
        var kind: String
        var value: String
    }
    var id: String
    var conflicts_with: [String]
    var features: [String]
    var validation_kind: String
    var trusted_certs: [String]
    var untrusted_intermediates: [String]
    var peer_certificate: String
    var validation_time: String?
    var extended_key_usage: [String]
    var expected_result: String
    var expected_peer_name: PeerName?
    var max_chain_depth: Int?
    var crls: [String]

    var description: String { id }
    var expectsSuccess: Bool { expected_result == "SUCCESS" }

    enum Verdict {
        case trusted(ValidatedPath)
        case rejected([TrustFailure])
        /// The leaf isn't a certificate.
        case unreadable(DERError)

        var isTrusted: Bool { if case .trusted = self { true } else { false } }
    }

    /// Evaluates as a client would: ignores unreadable anchors and intermediates, and stops at an unreadable leaf.
    func evaluate(profile: ValidationPolicy.Profile, strict: Bool, memory: SignatureMemory? = nil) throws -> Verdict {
        let leaf: Certificate
        do {
            leaf = try Self.certificate(peer_certificate)
        } catch let error as DERError {
            return .unreadable(error)
        }
        let anchors = trusted_certs.compactMap { try? Self.certificate($0) }
        let intermediates = untrusted_intermediates.compactMap { try? Self.certificate($0) }
        let policy = ValidationPolicy(
            profile: profile, purpose: validation_kind == "CLIENT" ? .clientAuth : .serverAuth, isStrict: strict,
            maximumIntermediates: max_chain_depth)
        let time = try Time(rfc3339: validation_time ?? "2026-11-21T00:00:00Z")
        let validator = PathValidator(anchors: AnchorStore(anchors), policy: policy, memory: memory)
        let outcome = validator.validate(
            leaf, intermediates: intermediates, host: try expected_peer_name.map { try Hostname($0.value) },
            at: time, additionalChecks: try demands(intermediates, time))
        switch outcome {
        case .valid(let path): return .trusted(path)
        case .rejected(let rejection): return .rejected(rejection.failures)
        }
    }

    /// If the case has CRLs, they must show that every certificate is good.
    private func demands(_ others: [Certificate], _ time: Time) throws -> ((ValidatedPath) -> [TrustFailure])? {
        guard !crls.isEmpty else { return nil }
        let lists = try crls.map { pem in
            try CertificateRevocationList(der: PEM.decode(Array(pem.utf8), labels: ["X509 CRL"]).first ?? [])
        }
        let checker = RevocationChecker(
            RevocationEvidence(crls: lists, certificates: others),
            policy: .required, at: time, memory: nil)
        return { path in
            checker.findings(for: path).filter { $0.status != .good }.map {
                TrustFailure(Self.notGood, certificate: $0.certificate, found: .text($0.description))
            }
        }
    }

    private static let notGood = TrustFailure.Code(
        "notGood", rank: 50, severity: .fatal, message: "{found}")

    private static func certificate(_ pem: String) throws -> Certificate {
        guard let der = try PEM.decode(Array(pem.utf8), labels: ["CERTIFICATE"]).first else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return try Certificate(der: der)
    }
}
