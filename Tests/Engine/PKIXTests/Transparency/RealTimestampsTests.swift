// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

/// The timestamps of real certificates, with the keys of real logs. The corpora are next to the checkout.
@Suite(.enabled(if: !Corpora.areMissing, "x509-limbo is neither in SERVERTRUST_CORPORA nor in ../shared/corpora"))
struct RealTimestampsTests {
    @Test("Every timestamp from real sites verifies with its log's key, and with no other entry") func verifies()
        throws
    {
        let keys = try RealLogs.keys()
        #expect(keys.count == 75)
        var count = 0
        for site in try RealLogs.sites() {
            let list = try #require(site.leaf.embeddedTimestamps)
            #expect(list.otherVersions == 0 && list.malformed == 0 && list.omitted == 0)
            let issuer = site.issuer.subjectPublicKeyInfo.sha256
            for timestamp in list.timestamps {
                let key = try #require(keys[timestamp.logID])
                count += 1
                #expect(key.isValid(timestamp, for: .precertificate(of: site.leaf, issuerKeySHA256: issuer)))
                #expect(!key.isValid(timestamp, for: .certificate(site.leaf)))
                let leafKey = site.leaf.subjectPublicKeyInfo.sha256
                #expect(!key.isValid(timestamp, for: .precertificate(of: site.leaf, issuerKeySHA256: leafKey)))
                #expect(!key.isValid(timestamp, for: .precertificate(of: site.issuer, issuerKeySHA256: issuer)))
                for other in keys.values where other.logID != timestamp.logID {
                    #expect(!other.isValid(timestamp, for: .precertificate(of: site.leaf, issuerKeySHA256: issuer)))
                }
            }
        }
        #expect(count == 38)
    }
}

enum RealLogs {
    struct List: Decodable {
        struct Operator: Decodable {
            var logs: [Log]?
            var tiled_logs: [Log]?
        }
        struct Log: Decodable {
            var log_id: Data
            var key: Data
        }
        var operators: [Operator]
    }

    static func keys() throws -> [[UInt8]: TransparencyLogKey] {
        let file = try #require(Corpora.directory).appendingPathComponent("ct/log_list.json")
        let list = try JSONDecoder().decode(List.self, from: Data(contentsOf: file))
        let logs = list.operators.flatMap { ($0.logs ?? []) + ($0.tiled_logs ?? []) }
        return try Dictionary(
            uniqueKeysWithValues: logs.map { log in
                let key = try #require(TransparencyLogKey(SubjectPublicKeyInfo(der: Array(log.key))))
                #expect(key.logID == Array(log.log_id))
                return (key.logID, key)
            })
    }

    /// The leaf and its issuer for each chain of x509-limbo's real sites.
    static func sites() throws -> [(leaf: Certificate, issuer: Certificate)] {
        try Corpora.cases("limbo.json").filter { $0.id.hasPrefix("online::") }.compactMap { site in
            guard case .trusted(let path) = try site.evaluate(profile: .webPKI, strict: false) else { return nil }
            return (path.certificates[0], path.certificates[1])
        }
    }
}
