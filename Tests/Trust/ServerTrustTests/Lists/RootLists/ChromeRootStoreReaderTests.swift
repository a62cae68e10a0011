// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Chrome's root_store.textproto")
struct ChromeRootStoreReaderTests {
    let root: Certificate

    init() throws { root = try TestAuthority.root(.authority("Root")).certificate }

    /// Returns the list with an anchor that has these fields and with another anchor.
    func list(_ fields: String, kind: String = "trust_anchors") throws(RootListError) -> RootList {
        try RootListTexts.list(
            """
            # Version 23
            version_major: 23

            trust_anchors {
              # CN=Other
              sha256_hex: "\(String(repeating: "ab", count: 32))"
            }
            \(kind) {
              sha256_hex: "\(Hex.encode(root.sha256))"
              \(fields)
            }
            """)
    }

    func alternatives(_ fields: String) throws -> [AnchorConstraints]? { try list(fields).alternatives(root) }

    @Test("An anchor without constraints is trusted without conditions, but not for extended validation")
    func plain() throws {
        let list = try list("display_name: \"A Root\" crs_root_id: 7 enforce_anchor_expiry: true")
        #expect(list.alternatives(root) == [AnchorConstraints()])
        #expect(list.program == "Chrome Root Store 23" && list.isComplete && list.count == 2)
        #expect(list.entries[root.sha256]?.label == "A Root")
        #expect(list.entries[root.sha256]?.extendedValidationPolicies == [])
    }

    @Test("Each date limit has its own direction and clock")
    func dates() throws {
        let rows: [(String, IssuanceLimit.Side, IssuanceLimit.Clock)] = [
            ("sct_not_after_sec", .notAfter, .timestamps), ("sct_all_after_sec", .after, .timestamps),
            ("validity_starts_not_after_sec", .notAfter, .notBefore), ("validity_starts_after_sec", .after, .notBefore),
        ]
        for (name, side, clock) in rows {
            let limit = IssuanceLimit(side, Time(secondsSinceEpoch: 1_731_456_000), clock: clock)
            #expect(
                try alternatives("constraints: { \(name): 1731456000 }") == [.with { $0.dates = [limit] }], "\(name)")
        }
    }

    @Test("All constraints in a set must be met, and sets are alternatives")
    func sets() throws {
        let sets = try alternatives(
            """
            constraints { sct_not_after_sec: 0x10 permitted_dns_names: "a.example" permitted_dns_names: 'b.example' }
            constraints < permitted_dns_names: ["c.example", "d." "example"], >;
            """)
        let limit = IssuanceLimit(.notAfter, Time(secondsSinceEpoch: 16), clock: .timestamps)
        #expect(
            sets == [
                .with {
                    $0.dates = [limit]
                    $0.permittedDomains = ["a.example", "b.example"]
                }, .with { $0.permittedDomains = ["c.example", "d.example"] },
            ])
    }

    @Test("A minimum version counts as met, but a maximum version or an unknown constraint counts as not met")
    func versions() throws {
        #expect(try alternatives("constraints { min_version: \"128\" }") == [AnchorConstraints()])
        for field in [
            "index_not_after: 7 index_after: 1",
            "max_version_exclusive: \"128\"", "another_constraint: 1", "another { deep: [1, 2] }",
        ] {
            #expect(try alternatives("constraints { \(field) }") == [.with { $0.isUndecidable = true }], "\(field)")
        }
    }

    @Test("An anchor with an unknown member isn't trusted for anything")
    func unknownMembers() throws {
        let limit = IssuanceLimit(.notAfter, Time(secondsSinceEpoch: 16), clock: .timestamps)
        #expect(try alternatives("distrust_after_sec: 7") == [.with { $0.isUndecidable = true }])
        #expect(
            try alternatives("constraints { sct_not_after_sec: 16 } more { deep: 1 }") == [
                .with {
                    $0.dates = [limit]
                    $0.isUndecidable = true
                }
            ])
    }

    @Test("The reader reads the extended validation policies")
    func extendedValidation() throws {
        let list = try list("ev_policy_oids: \"2.23.140.1.1\" ev_policy_oids: \"1.3.159.1.17.1\"")
        let policies = ["2.23.140.1.1", "1.3.159.1.17.1"].compactMap { OID($0) }
        #expect(list.entries[root.sha256]?.extendedValidationPolicies == policies)
    }

    @Test("An additional certificate is an anchor only if its entry says so")
    func additional() throws {
        #expect(try list("eutl: true", kind: "additional_certs").alternatives(root) == nil)
        #expect(try list("tls_trust_anchor: false", kind: "additional_certs").alternatives(root) == nil)
        #expect(
            try list("eutl: true tls_trust_anchor: true", kind: "additional_certs").alternatives(root)
                == [AnchorConstraints()])
    }

    @Test("An anchor that occurs twice must meet both entries")
    func twice() throws {
        let again = "} trust_anchors { sha256_hex: \"\(Hex.encode(root.sha256))\" "
        let set = "constraints { permitted_dns_names: \"a.example\" }"
        let expected = [AnchorConstraints.with { $0.permittedDomains = ["a.example"] }]
        #expect(try alternatives(again + set) == expected)
        #expect(try alternatives(set + again) == expected)
        #expect(try alternatives("constraints { sct_not_after_sec: 1 }" + again + set) == [])
    }

    @Test("Numbers at the ends of their range are dates")
    func extremes() throws {
        for number in [Int64.min, .max] {
            let list = try list("constraints { sct_not_after_sec: \(number) }")
            #expect(list.alternatives(root)?.first?.dates.first?.date.description.isEmpty == false)
        }
    }

    @Test(
        "Malformed fields cause errors with a line",
        arguments: [
            "sha256_hex: \"ab\"", "sha256_hex: 7", "display_name { }", "constraints: 7", "constraints: \"x\"",
            "constraints { sct_not_after_sec: \"1\" }", "constraints { sct_not_after_sec: 9223372036854775808 }",
            "constraints { sct_not_after_sec: 1.5 }", "constraints { permitted_dns_names: 1 }", "ev_policy_oids: \"x\"",
            "ev_policy_oids: \"1\"", "x", "x:", "x: \"", "x: \"\\", "x: \"a\nb\"", "x: [1", "x: [1 2]", "[ext]: 1", "{",
            "<", "\u{0}",
            String(repeating: "x { ", count: 100), String(repeating: "x: [", count: 100), "x \"a\"", "x 1",
        ])
    func errors(_ text: String) {
        let error = #expect(throws: RootListError.self) { try list(text) }
        #expect(error?.line != nil)
    }

    @Test("A list without an anchor causes an error")
    func noAnchor() {
        for text in ["version_major: 1", "trust_anchors { eutl: true }", "additional_certs { sha256_hex: \"ab\" }"] {
            #expect(throws: RootListError.self, "\(text)") { try RootListTexts.list(text) }
        }
        #expect(throws: RootListError.self) {
            try RootListTexts.list(String(repeating: "trust_anchors { ", count: 100_000))
        }
        #expect(throws: RootListError.self) {
            try RootListTexts.list("version_major: 1\n" + String(repeating: "x: 1\n", count: 100_001))
        }
    }
}
