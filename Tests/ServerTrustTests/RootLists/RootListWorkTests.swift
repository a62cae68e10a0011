// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@testable import ServerTrust

/// The work of reading lists of roots is counted in their items; none of these asserts a time.
@Suite("The work of reading lists of roots")
struct RootListWorkTests {
    private static let digest = String(repeating: "ab", count: 32)

    private static func domains(_ count: Int) -> String {
        (0..<count).map { "permitted_dns_names: \"d\($0).test\"\n" }.joined()
    }

    private static func chrome(_ constraints: String) -> String {
        "version_major: 1\ntrust_anchors { sha256_hex: \"\(digest)\" constraints { \(constraints) } }\n"
    }

    @Test("Twice the fields of Chrome's list take twice the work") func fields() throws {
        let works = try [1_000, 2_000, 4_000].map { count in
            var parser = TextProto(bytes: Array(Self.chrome(Self.domains(count)).utf8))
            _ = try parser.fields()
            return parser.meter.work
        }
        #expect(works == [1_004, 2_004, 4_004])
    }

    @Test("Twice the values of a list in JSON take twice the work") func values() throws {
        let works = try [1_000, 2_000, 4_000].map { count in
            var parser = JSONParser(Array("[\(Array(repeating: "1", count: count).joined(separator: ","))]".utf8))
            _ = try parser.parse()
            return parser.meter.work
        }
        #expect(works == [1_001, 2_001, 4_001])
    }

    @Test("Every domain of Chrome's list is kept, in its order") func manyDomains() throws {
        let list = try RootList(Array(Self.chrome(Self.domains(20_000)).utf8))
        let domains = try #require(list.entries.values.first?.alternatives.first?.permittedDomains)
        #expect(domains.count == 20_000)
        #expect(domains.first == "d0.test" && domains.last == "d19999.test")
        let without = try RootList(Array(Self.chrome("min_version: \"1\"").utf8))
        #expect(without.entries.values.first?.alternatives == [AnchorConstraints()])
    }

    @Test("A list of more fields than any program has is an error") func tooMany() {
        #expect(throws: RootListError.self) { try RootList(Array(Self.chrome(Self.domains(100_000)).utf8)) }
    }

    @Test("A root that is listed again keeps the policies that both entries have, each once") func policies() throws {
        func anchor(_ policies: [Int]) -> String {
            "trust_anchors { sha256_hex: \"\(Self.digest)\" "
                + policies.map { "ev_policy_oids: \"1.2.3.\($0)\" " }.joined() + "}\n"
        }
        let text = "version_major: 1\n" + anchor([1, 2, 2, 3]) + anchor([2, 3, 4]) + anchor([2, 2])
        let list = try RootList(Array(text.utf8))
        #expect(list.entries.values.first?.extendedValidationPolicies == [OID("1.2.3.2")].compactMap { $0 })
    }
}
