// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import PKIX

/// Filters that Mozilla's builder created for the sites that CAs run for revocation tests, in both formats.
@Suite(.enabled(if: !Corpora.areMissing, "no corpora beside the checkout or at SERVERTRUST_CORPORA"))
struct FilterAnswersTests {
    private struct Question: Decodable {
        var issuer: Data
        var serial: Data
        var scts: [[Timestamp]]?
        var site: Int?
        var status: String
    }

    /// A log's ID or milliseconds since 1970.
    private enum Timestamp: Decodable {
        case log([UInt8])
        case milliseconds(UInt64)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(UInt64.self) {
                self = .milliseconds(number)
            } else {
                self = .log(try Base64.decode(container.decode(String.self)))
            }
        }
    }

    private static func timestamps(
        _ question: Question, _ sites: [RevokedSite]
    ) throws -> [(log: [UInt8], milliseconds: UInt64)] {
        if let site = question.site { return sites[site].timestamps }
        return try #require(question.scts).map { pair in
            guard case .log(let log)? = pair.first, case .milliseconds(let milliseconds)? = pair.last else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return (log, milliseconds)
        }
    }

    @Test("5,695 queries return the same answers as Mozilla's reader", arguments: ["v3", "v4"])
    func answers(format: String) throws {
        let filter = try RevocationFilter(Array(Corpora.data("crlite/\(format).filter")))
        #expect("v\(filter.version)" == format)
        let sites = try RevokedSite.all()
        let questions = try JSONDecoder().decode([Question].self, from: Corpora.data("crlite/test-answers.json.gz"))
        #expect(questions.count == 5_695)
        var counts: [String: Int] = [:]
        for question in questions {
            let status = filter.status(
                issuerKey: Array(question.issuer), serial: Array(question.serial),
                timestamps: try Self.timestamps(question, sites))
            #expect(status.rawValue == question.status)
            counts[status.rawValue, default: 0] += 1
        }
        #expect(counts == ["Revoked": 2_853, "Good": 2_821, "NotEnrolled": 15, "NotCovered": 6])
    }

    @Test("Each site's path has the expected status with either format as the checker's evidence")
    func paths() throws {
        let sites = try RevokedSite.all()
        #expect(sites.count == 115)
        let filters = try ["v3", "v4"].map { try RevocationFilter(Array(Corpora.data("crlite/\($0).filter"))) }
        let questions = try JSONDecoder().decode([Question].self, from: Corpora.data("crlite/test-answers.json.gz"))
        let statuses: [String: RevocationFinding.Status] = [
            "Revoked": .revoked(at: nil, reason: nil), "Good": .good, "NotCovered": .unobtainable([.filterNotCovered]),
            "NotEnrolled": .unobtainable([.filterNotEnrolled]),
        ]
        // The leaves were issued at different times, but the filters have one date.
        var policy = RevocationPolicy.bestEffort
        policy.maximumFilterAge = .days(10 * 366)
        for question in questions {
            guard let index = question.site else { continue }
            let site = sites[index]
            let path = try #require(site.path)
            for filter in filters {
                var evidence = RevocationEvidence()
                evidence.filters = [filter]
                let findings = RevocationChecker(evidence, policy: policy, at: site.time, memory: nil).findings(
                    for: path)
                #expect(findings.first?.status == statuses[question.status])
                // CA certificates have no timestamps, so no filter covers them.
                #expect(findings.dropFirst().allSatisfy { $0.status == .unobtainable([.filterNotCovered]) })
            }
        }
    }

    @Test(
        "Every truncation causes an error, and every flipped bit causes an error or yields a different filter",
        arguments: ["v3", "v4"])
    func damage(format: String) throws {
        let whole = Array(try Corpora.data("crlite/\(format).filter"))
        for count in 0..<whole.count {
            #expect(throws: ClubcardError.self) { try RevocationFilter(Array(whole.prefix(count))) }
        }
        #expect(throws: ClubcardError.self) { try RevocationFilter(whole + [0]) }
        let site = try #require(try RevokedSite.all().first)
        let path = try #require(site.path)
        var bytes = whole
        var read = 0
        for index in whole.indices {
            bytes[index] ^= 1 << UInt8(index % 8)
            if let filter = try? RevocationFilter(bytes) {
                read += 1
                var evidence = RevocationEvidence()
                evidence.filters = [filter]
                _ = RevocationChecker(evidence, at: site.time, memory: nil).findings(for: path)
            }
            bytes[index] = whole[index]
        }
        #expect(read > 0 && read < whole.count)
    }
}

/// A site with a revoked certificate, from the list of July 2026.
struct RevokedSite {
    let leaf: Certificate
    let others: [Certificate]

    var timestamps: [(log: [UInt8], milliseconds: UInt64)] {
        (leaf.embeddedTimestamps?.timestamps ?? []).map { ($0.logID, $0.milliseconds) }
    }

    /// A date when the leaf is valid: after a quarter of its validity.
    var time: Time {
        leaf.notBefore.advanced(by: (leaf.notAfter.secondsSinceEpoch - leaf.notBefore.secondsSinceEpoch) / 4)
    }

    /// The path to the last certificate that the site sends, which is the anchor.
    var path: ValidatedPath? {
        guard let anchor = others.last else { return nil }
        return PathValidator(anchors: AnchorStore([anchor]), policy: .plain, memory: nil)
            .validate(leaf, presented: others, host: nil, at: time).path
    }

    private struct File: Decodable {
        struct Site: Decodable {
            struct Detail: Decodable {
                var end_entity_cert: Data
                var intermediates: [Data]
            }
            var detail: Detail?
        }
        var sites: [Site]
    }

    static func all() throws -> [RevokedSite] {
        try JSONDecoder().decode(File.self, from: Corpora.data("ct/revoked-sites.json.gz")).sites
            .compactMap(\.detail).map { detail in
                RevokedSite(
                    leaf: try Certificate(der: Array(detail.end_entity_cert)),
                    others: try detail.intermediates.map { try Certificate(der: Array($0)) })
            }
    }
}
