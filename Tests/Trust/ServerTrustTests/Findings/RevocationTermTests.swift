// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import PKIX
@testable import ServerTrust

@Suite("Words for names in revocation findings")
struct RevocationTermTests {
    /// The text of one of this package's source files.
    private static func source(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns the names of a struct's constants, between its beginning and its end.
    private static func names(_ text: String, from start: String, _ pattern: Regex<(Substring, Substring)>) throws
        -> [String]
    {
        let begin = try #require(text.range(of: start))
        let rest = text[begin.upperBound...]
        return rest[..<(rest.range(of: "\n}\n")?.lowerBound ?? rest.endIndex)].matches(of: pattern).map { String($0.1) }
    }

    @Test("Every obstacle and note in the engine has words")
    func engine() throws {
        let text = try Self.source("Sources/Engine/PKIX/Revocation/RevocationFinding.swift")
        let obstacles = try Self.names(text, from: "struct RevocationObstacle", /static let \w+ = Self\("(\w+)"\)/)
        #expect(obstacles.count == 33)
        for name in obstacles { #expect(RevocationTerm.named(name, .obstacle) != nil, "\(name)") }
        let notes = try Self.names(text, from: "struct RevocationNote", /static let \w+ = Self\(name: "(\w+)"\)/)
        #expect(notes.count == 14)
        for name in notes { #expect(RevocationTerm.named(name, .note) != nil, "\(name)") }
    }

    @Test("Every failed fetch code has words under the name that findings use")
    func fetches() throws {
        let text = try Self.source("Sources/Trust/ServerTrust/Fetches/TrustFetchError.swift")
        let codes = try Self.names(text, from: "extension ErrorCode", /static let \w+ = ErrorCode\("(\w+)"\)/)
        #expect(codes.count == 15)
        for code in codes {
            let name = TrustFetchError(ErrorCode(code), url: "").reportedName
            #expect("fetch" + name.prefix(1).uppercased() + name.dropFirst() == code)
            #expect(RevocationTerm.named(name, .obstacle) != nil, "\(name)")
        }
    }

    @Test("Every source, exemption and gap has words, and no name of a kind occurs twice")
    func complete() {
        for source in [RevocationFinding.Source.staple, .ocsp, .crl, .filter, .deniedList] {
            #expect(RevocationTerm.named(source.rawValue, .source) != nil)
        }
        for exemption in RevocationExemption.allCases { #expect(exemption.words.hasSuffix("(\(exemption.rawValue))")) }
        for gap in RevocationGap.allCases { #expect(RevocationTerm.named(gap.rawValue, .gap) != nil) }
        let keys = RevocationTerm.all.map { "\($0.kind) \($0.name)" }
        #expect(Set(keys).count == keys.count)
        for term in RevocationTerm.all { #expect(term.words.count > 3 && !term.words.hasSuffix("."), "\(term.name)") }
    }

    @Test("An unknown name has no words, and a known name has its words")
    func unknown() {
        #expect(
            RevocationTerm.words(["other", "crlTooOld"], .obstacle)
                == "other; the CRL is older than the policy allows (crlTooOld)")
    }

    @Test("The JSON of a finding contains its words, and decoding ignores them")
    func json() throws {
        var finding = RevocationFinding(certificate: 0, status: .exempt(.noRevAvail))
        let encoder = JSONEncoder()
        let text = String(decoding: try encoder.encode(finding), as: UTF8.self)
        #expect(text.contains(#""words":"the issuer publishes no revocation information about it"#))
        #expect(try JSONDecoder().decode(RevocationFinding.self, from: Data(text.utf8)) == finding)
        finding.status = .good
        finding.source = .filter
        #expect(finding.words?.contains("CRLite") == true)
        finding.source = nil
        #expect(finding.words == nil)
    }
}
