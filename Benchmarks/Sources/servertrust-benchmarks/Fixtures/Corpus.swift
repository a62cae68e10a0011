// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// The cases of x509-limbo, if the corpora are next to the checkout or at `SERVERTRUST_CORPORA`.
struct Corpus: Decodable {
    struct Case: Decodable {
        struct PeerName: Decodable {
            var kind: String
            var value: String
        }
        var id: String
        var trusted_certs: [String]
        var untrusted_intermediates: [String]
        var peer_certificate: String
        var validation_time: String?
        var expected_peer_name: PeerName?
    }
    var testcases: [Case]

    /// Returns all cases, or no cases if the corpora aren't available.
    static func cases() throws -> [Case] {
        // The path is Sources/servertrust-benchmarks/Fixtures in Benchmarks in the package.
        var package = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { package.deleteLastPathComponent() }
        let named = ProcessInfo.processInfo.environment["SERVERTRUST_CORPORA"].map { URL(fileURLWithPath: $0) }
        let beside = package.deletingLastPathComponent().appendingPathComponent("shared/corpora")
        for directory in [named, beside].compactMap({ $0 }) {
            guard let data = try? Data(contentsOf: directory.appendingPathComponent("limbo.json")) else { continue }
            return try JSONDecoder().decode(Corpus.self, from: data).testcases
        }
        return []
    }

    static func certificate(_ pem: String) throws -> [UInt8] {
        guard let der = try PEM.decode(Array(pem.utf8), labels: ["CERTIFICATE"]).first else {
            throw WrongAnswer(contender: "x509-limbo", what: "a certificate without a CERTIFICATE")
        }
        return der
    }
}
