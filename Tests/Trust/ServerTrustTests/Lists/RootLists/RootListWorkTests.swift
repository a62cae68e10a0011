// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

/// Counted items measure the work of reading root lists. No test here measures time.
@Suite("Work for reading root lists")
struct RootListWorkTests {
    private static let digest = String(repeating: "ab", count: 32)

    private static func domains(_ count: Int) -> String {
        (0..<count).map { "permitted_dns_names: \"d\($0).test\"\n" }.joined()
    }

    private static func chrome(_ constraints: String) -> String {
        "version_major: 1\ntrust_anchors { sha256_hex: \"\(digest)\" constraints { \(constraints) } }\n"
    }

    @Test("Twice the fields in Chrome's list take twice the work") func fields() throws {
        let works = try [1_000, 2_000, 4_000].map { count in
            var parser = TextProto(bytes: Array(Self.chrome(Self.domains(count)).utf8))
            _ = try parser.fields()
            return parser.meter.work
        }
        #expect(works == [1_004, 2_004, 4_004])
    }

    @Test("The reader keeps every domain in Chrome's list in order") func manyDomains() throws {
        let list = try RootList(Array(Self.chrome(Self.domains(20_000)).utf8))
        let domains = try #require(list.entries.values.first?.alternatives.first?.permittedDomains)
        #expect(domains.count == 20_000)
        #expect(domains.first == "d0.test" && domains.last == "d19999.test")
        let without = try RootList(Array(Self.chrome("min_version: \"1\"").utf8))
        #expect(without.entries.values.first?.alternatives == [AnchorConstraints()])
    }

    @Test("A list with more fields than any program has causes an error") func tooMany() {
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

    // MARK: - Texts that take long to compare

    /// Runs of combining characters, literally and as JSON escapes.
    private static let runs = [
        "a" + String(repeating: "\u{301}\u{316}", count: 40), "a" + String(repeating: "\\u0301\\u0316", count: 40),
    ]

    @Test("The reader rejects a JSON list with a run of combining characters before it compares keys", arguments: runs)
    func combiningJSON(_ run: String) {
        let texts = [
            "{\"schemaVersion\": 1, \"program\": \"Test\", \"\(run)\": 1}",
            "{\"schemaVersion\": 1, \"program\": \"\(run)\", \"distrusted\": [\"\(Self.digest)\"]}",
        ]
        for text in texts { #expect(throws: RootListError.self) { try RootList(Array(text.utf8)) } }
        let record = "{\"data\": [{\"\(run)\": 1, \"issuerName\": \"\", \"serialNumber\": \"\"}]}"
        #expect(throws: DeniedListError.self) { try DeniedList(Array(record.utf8)) }
        let later = Time(secondsSinceEpoch: 1_800_000_000)
        let logs = "{\"log_list_timestamp\": \"2026-11-01T00:00:00Z\", \"operators\": [], \"\(run)\": 1}"
        #expect(throws: CTLogListError.self) { try CTLogList(json: Array(logs.utf8), now: later) }
        let plain = logs.replacing(run, with: "other")
        #expect(throws: Never.self) { try CTLogList(json: Array(plain.utf8), now: later) }
        let wide: [UInt8] = [0xfe, 0xff] + plain.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        #expect(throws: CTLogListError.self) { try CTLogList(json: wide, now: later) }
    }

    @Test(
        "The reader rejects a domain in Chrome's list with a run of combining characters, in one string or in several")
    func combiningDomain() {
        let part = String(repeating: "\u{301}", count: 20)
        for domain in ["\"a\(part)\(part)\"", "\"a\(part)\" \"\(part)\""] {
            #expect(throws: RootListError.self) {
                try RootList(Array(Self.chrome("permitted_dns_names: \(domain)").utf8))
            }
        }
        #expect(throws: Never.self) {
            try RootList(Array(Self.chrome("permitted_dns_names: \"a\(part)\"").utf8))
        }
    }

    // MARK: - Other lists

    @Test("Twice the entries of a denied list give twice the counted entries", arguments: [1_000, 2_000, 4_000])
    func denied(_ count: Int) throws {
        let name = Base64.encode([0x30, 0x00])
        let key = Base64.encode([UInt8](repeating: 7, count: 32))
        let serials = (0..<count).map { Base64.encode([1, UInt8($0 >> 8), UInt8($0 & 0xff)]) }
        // One issuer or subject for all entries, so they are all in one set.
        let bySerial = serials.map { "{\"issuerName\": \"\(name)\", \"serialNumber\": \"\($0)\"}" }
        let byKey = serials.map { _ in "{\"subject\": \"\(name)\", \"pubKeyHash\": \"\(key)\"}" }
        for records in [bySerial, byKey] {
            let list = try DeniedList(Array("[\(records.joined(separator: ","))]".utf8))
            #expect(list.count == count)
        }
    }

    @Test(
        "Twice the serial numbers and parents in a CRLSet give twice the counted entries",
        arguments: [500, 1_000, 2_000])
    func crlSet(_ count: Int) throws {
        let key = [UInt8](repeating: 7, count: 32)
        let serials = (0..<count).map { [UInt8(1), UInt8($0 >> 8), UInt8($0 & 0xff)] }
        #expect(try DeniedList(DeniedListBytes.crlSet(parents: [(key, serials)])).count == count)
        // A parent for each serial number, all with the same key.
        let parents = serials.map { (key: key, serials: [$0]) }
        #expect(try DeniedList(DeniedListBytes.crlSet(parents: parents)).count == count)
    }

    @Test("Twice the objects in certdata.txt give twice the counted attributes") func certdata() throws {
        let root = try TestAuthority.root().certificate
        let object = RootListTexts.trustObject(root)
        let works = try [100, 200, 400].map { count in
            var reader = CertdataReader()
            let bytes = Array(String(repeating: object, count: count).utf8)
            try reader.readObjects(bytes.span)
            return reader.meter.work
        }
        #expect(works == [400, 800, 1_600])
    }

    @Test("Twice the objects in p11-kit's form give twice the counted lines") func p11Kit() throws {
        let root = try TestAuthority.root().certificate
        let object = "[p11-kit-object-v1]\nclass: certificate\ntrusted: true\n" + RootListTexts.pem(root.der)
        let lines = object.split(separator: "\n").count
        let works = try [100, 200, 400].map { count in
            var meter = WorkMeter(work: 1_000_000)
            let objects = try P11KitObject.objects(in: Array(String(repeating: object, count: count).utf8), &meter)
            #expect(objects.count == count)
            return meter.work
        }
        #expect(works == [100 * lines, 200 * lines, 400 * lines])
        var meter = WorkMeter(work: 10 * lines)
        #expect(throws: RootListError.self) {
            try P11KitObject.objects(in: Array(String(repeating: object, count: 11).utf8), &meter)
        }
    }
}
