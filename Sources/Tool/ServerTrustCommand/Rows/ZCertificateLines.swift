// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// A reader of zcertificate's output lines. Each contains a certificate in `raw` as base64 of its DER, and
/// zcertificate's results.
///
/// The name of a row is `parsed.fingerprint_sha256`, if the line contains it. A line has no host and no intermediates.
struct ZCertificateLines {
    private let decoder = JSONDecoder()

    /// Returns the single row of a line.
    func rows(of line: Data) -> [BatchRow] {
        do throws(TrustFailure) {
            return [try (JSONLine.decoded(line, with: decoder) as CertificateLine).row]
        } catch {
            return [BatchRow(failures: [error])]
        }
    }
}

private struct CertificateLine: Decodable {
    var row = BatchRow()

    init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: JSONName.self)
        if let parsed = try? line.nestedContainer(keyedBy: JSONName.self, forKey: JSONName("parsed")) {
            row.id = try? parsed.decode(String.self, forKey: JSONName("fingerprint_sha256"))
        }
        let raw = JSONName("raw")
        if !line.contains(raw) || (try? line.decodeNil(forKey: raw)) == true {
            row.failures = [TrustFailure(.requestKeyMissing, expected: .text("raw"))]
        } else if let text = try? line.decode(String.self, forKey: raw) {
            row.chain = [.base64(text)]
        } else {
            row.failures = [.wrongType("raw", expected: "a string")]
        }
    }
}
