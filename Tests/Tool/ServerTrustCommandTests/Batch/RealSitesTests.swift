// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

/// The chains of real sites from x509-limbo, at their verify date. The corpus is next to the checkout.
@Suite(.enabled(if: RealSites.file != nil, "x509-limbo is neither in SERVERTRUST_CORPORA nor in ../shared/corpora"))
struct RealSitesTests {
    @Test("The batch trusts the chains of real sites") func everyOneVerifies() throws {
        let file = try #require(RealSites.file)
        let cases = try JSONDecoder().decode(RealSites.Suite.self, from: Data(contentsOf: file)).testcases
            .filter { $0.id.hasPrefix("online::") }
        #expect(cases.count == 14)
        let input = try cases.reduce(into: Data()) { $0 += try $1.request() }
        let answers = try Tool.batch(input)
        #expect(answers.map { "\($0.id ?? ""): \($0.verdict)" } == cases.map { "\($0.id): trusted" })
    }
}

private enum RealSites {
    struct Suite: Decodable { var testcases: [Case] }

    struct Case: Decodable {
        struct Name: Decodable { var value: String }
        var id: String
        var trusted_certs: [String]
        var untrusted_intermediates: [String]
        var peer_certificate: String
        var validation_time: String?
        var expected_peer_name: Name?

        func request() throws -> Data {
            func base64(_ pem: String) throws -> String {
                Base64.encode(try PEM.decode(Array(pem.utf8), labels: ["CERTIFICATE"]).flatMap { $0 })
            }
            var request: [String: Any] = [
                "id": id, "chain": [try base64(peer_certificate)] + (try untrusted_intermediates.map(base64)),
                "anchors": try trusted_certs.map(base64),
            ]
            request["host"] = expected_peer_name?.value
            request["time"] = validation_time
            return try JSONSerialization.data(withJSONObject: request) + [UInt8(ascii: "\n")]
        }
    }

    static let file: URL? = {
        let package = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let named = ProcessInfo.processInfo.environment["SERVERTRUST_CORPORA"].map { URL(fileURLWithPath: $0) }
        let beside = package.deletingLastPathComponent().appendingPathComponent("shared/corpora")
        return [named, beside].compactMap { $0?.appendingPathComponent("limbo.json") }.first {
            FileManager.default.fileExists(atPath: $0.path)
        }
    }()
}
