// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

/// The report and the exit code of `effective`.
@Suite("pins effective") struct EffectiveTests {
    static let pins = LintTests.pins.map { $0.dropFirst(7) }
    static let android = """
        <network-security-config>
          <base-config cleartextTrafficPermitted="true"/>
          <domain-config>
            <domain includeSubdomains="true">example.com</domain>
            <pin-set expiration="2027-03-31">
              <pin digest="SHA-256">\(pins[0])</pin>
              <pin digest="SHA-256">47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=</pin>
              <pin digest="sha-256">\(pins[1])</pin>
            </pin-set>
            <trustkit-config><report-uri>https://reports.example.org/pins</report-uri></trustkit-config>
            <domain-config><domain>www.example.com</domain></domain-config>
          </domain-config>
          <debug-overrides><trust-anchors><certificates src="user"/></trust-anchors></debug-overrides>
        </network-security-config>
        """

    private struct Answer: Decodable {
        struct Oddity: Decodable {
            let code: String
            let line: Int?
        }

        let oddities: [Oddity]
        let outcome: String
        let reason: String
        let format: String?
        let host: String
    }

    private func effective(_ arguments: [String], input: String) throws -> Tool.Outcome {
        try Tool.run(["pins", "why", "-"] + arguments, input: Data(input.utf8))
    }

    @Test(
        "effective exits with 0 if every host is pinned, 1 if one isn't, 2 for an unreadable file, and 64 for incorrect usage"
    )
    func exitCodes() throws {
        #expect(try effective(["api.example.com", "--at", "2026-11-22"], input: Self.android).status == 0)
        #expect(try effective(["api.example.com", "other.test"], input: Self.android).status == 1)
        #expect(try effective(["api.example.com", "--at", "2027-04-01"], input: Self.android).status == 1)
        #expect(try effective(["a.test"], input: "<network-security-config>").status == 2)
        #expect(try effective(["a.test"], input: "nothing").status == 2)
        #expect(try Tool.run(["pins", "why", "/nonexistent", "a.test"]).status == 2)
        #expect(try Tool.run(["pins", "why", "-"]).status == 64)
        #expect(try effective(["no host"], input: Self.android).status == 64)
        #expect(try effective(["a.test", "--threshold", "2"], input: Self.android).status == 64)
    }

    @Test("effective reports one error for a file with too many levels")
    func oneError() throws {
        let open = String(repeating: "<domain-config><domain>a.test</domain>", count: 100)
        let outcome = try effective(["a.test"], input: "<network-security-config>" + open)
        #expect(outcome.status == 2)
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test("The page contains every row with its line number")
    func page() throws {
        let page = try effective(["https://API.example.com/x", "--at", "2026-11-22"], input: Self.android).lines
        for start in [
            "OK    api.example.com is pinned", "      format   android", "      rule     line 3,",
            "               line 6  sha256/\(Self.pins[0])", "      expiry   2027-03-31T00:00:00Z, 129 days left",
            "      anchors  system (default)", "      reports  https://reports.example.org/pins",
            "      cleartextTrafficPermitted  true (file)", "      odd      line 8",
        ] {
            #expect(page.contains { $0.hasPrefix(start) }, "\(start)")
        }
    }

    @Test("An Info.plist with pins for the system and for TrustKit has an outcome for each of them")
    func both() throws {
        let list =
            "<plist><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>example.com</key><dict><key>NSPinnedCAIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(Self.pins[0])</string></dict></array></dict></dict></dict><key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict><key>example.org</key><dict><key>TSKPublicKeyHashes</key><array><string>\(Self.pins[0])</string><string>\(Self.pins[1])</string></array></dict></dict></dict></dict></plist>"
        let answers: [Answer] = try effective(["example.com", "--format", "json"], input: list).json()
        #expect(answers.map(\.format) == ["ats", "trustkit"])
        #expect(answers.map(\.outcome) == ["pinned", "notPinned"])
    }

    static let unknown: [(text: String, line: Int)] = [
        (
            "import TrustKit\nlet c = [kTSKPinnedDomains: [\"a.example.com\": [kTSKPublicKeyHashes: [\"\(pins[0])\", \"\(pins[1])\"],\nkTSKEnforcePinning: enforce]]]",
            3
        ),
        (
            "#import <TrustKit/TrustKit.h>\nNSMutableDictionary *c = [@{ kTSKPinnedDomains : @{ @\"a.example.com\" : @{ kTSKPublicKeyHashes : @[ @\"\(pins[0])\", @\"\(pins[1])\" ] } } } mutableCopy];\nc[kTSKPinnedDomains] = @{};",
            3
        ),
        (
            "import okhttp3.CertificatePinner\nval b = CertificatePinner.Builder()\nhosts.forEach { b.add(it, \"sha256/\(pins[0])\") }",
            3
        ),
    ]

    @Test(
        "A part that isn't a literal makes every outcome unknown, and effective reports its line and exits with 2",
        arguments: unknown)
    func unknownParts(_ text: String, _ line: Int) throws {
        for host in ["a.example.com", "elsewhere.test"] {
            let page = try effective([host], input: text)
            #expect(page.status == 2)
            #expect(page.lines.first?.hasPrefix("UNKNOWN  \(host) is perhaps pinned") ?? false)
            #expect(page.lines.contains { $0.hasPrefix("      odd      line \(line)") && $0.hasSuffix("[notLiteral]") })
            let answers: [Answer] = try effective([host, "--format", "json"], input: text).json()
            #expect(answers.map(\.outcome) == ["unknown"])
            #expect(answers.map(\.reason) == ["notLiteral"])
            #expect(answers.first?.oddities.map(\.code) == ["notLiteral"])
            #expect(answers.first?.oddities.map(\.line) == [line])
        }
    }

    @Test("effective accepts a signed list only with the right key")
    func signedList() throws {
        try PinsTests.Desk.with { (desk: PinsTests.Desk) throws in
            #expect(try desk.first().status == 0)
            let list = desk.path("list.json")
            func run(_ arguments: String...) throws -> Tool.Outcome {
                try Tool.run(["pins", "why", list, "a.example.com"] + arguments)
            }
            #expect(try run("--key", desk.path("office.pub")).status == 0)
            #expect(
                try run("--key", desk.path("office.pub"), "--key", desk.path("safe.pub"), "--threshold", "2").status
                    == 0)
            #expect(try run().status == 2)
            #expect(try desk.run("keygen", "--out", desk.path("third")).status == 0)
            #expect(try run("--key", desk.path("third.pub")).status == 2)
            #expect(try run("--key", desk.path("office.pub"), "--at", "2127-01-01").status == 2)
        }
    }

    @Test("Names in a file can't control the terminal")
    func hostileText() throws {
        let text = "{\"TSKPinnedDomains\": {\"a.example.org\": {\"TSKPublicKeyHashes\": [\"\u{1b}[31m\"]}}}"
        let outcome = try effective(["a.example.org"], input: text)
        #expect(outcome.status == 2)
        #expect(!outcome.errors.contains("\u{1b}"))
    }

    @Test("The JSON contains the same answers") func golden() throws {
        let outcome = try effective(
            ["www.example.com", "v.w.exemple.com", "--at", "2026-11-22", "--format", "json"], input: Self.android)
        try Golden.expect(outcome, "effective", status: 1, texts: ["remark"])
    }
}
