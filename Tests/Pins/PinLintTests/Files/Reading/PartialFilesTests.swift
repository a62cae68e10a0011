// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrustPins
import ServerTrustTesting
import Testing

@testable import PinLint

/// Files with a faulty rule beside a good one, and files in forms that no reader supports.
@Suite struct PartialFilesTests {
    private static let key = LintRow.digest(1)
    private static let other = LintRow.digest(2)
    private static let both = "sha256//\(key);sha256//\(other)"

    /// Files with a fault in the rule for `a.example.com`. The rule for `b.example.com` has one pin.
    static let rows: [(format: PinFormat, text: String)] = [
        (.okHttp, "a.example.com sha256/AAAA\nb.example.com sha256/\(key)\n"),
        (
            .okHttp,
            "CertificatePinner.Builder().add(\"a.example.com\", \"sha256/AAAA\").add(\"b.example.com\", \"sha256/\(key)\").build()"
        ),
        (
            .android,
            """
            <network-security-config>
            <domain-config><domain>a.example.com</domain><pin-set><pin digest="SHA-256">AAAA</pin></pin-set></domain-config>
            <domain-config><domain>b.example.com</domain><pin-set><pin digest="SHA-256">\(key)</pin></pin-set></domain-config>
            </network-security-config>
            """
        ),
        (
            .trustKit,
            "{\"TSKPinnedDomains\": {\"a.example.com\": {\"TSKPublicKeyHashs\": []}, \"b.example.com\": {\"TSKEnforcePinning\": false, \"TSKPublicKeyHashes\": [\"\(key)\"]}}}"
        ),
        (
            .ats,
            LintRow.ats(
                "\"a.example.com\": {\"NSPinnedCAIdentites\": []}",
                "\"b.example.com\": {\"NSPinnedCAIdentities\": [{\"SPKI-SHA256-BASE64\": \"\(key)\"}]}")
        ),
        (
            .json,
            "{\"schemaVersion\": 1, \"selection\": \"mostSpecific\", \"unlistedHosts\": \"refused\", \"rules\": ["
                + ["sha256/AAAA", "sha256/\(key)"].enumerated().map { index, pin in
                    "{\"hosts\": [\"\(["a", "b"][index]).example.com\"], \"mode\": \"enforced\", \"pins\": [{\"key\": \"\(pin)\", \"scope\": \"anywhere\"}]}"
                }.joined(separator: ",\n") + "]}"
        ),
        (
            .reactNative,
            "{\"a.example.com\": {\"publicKeyHashes\": [\"AAAA\"]}, \"b.example.com\": {\"publicKeyHashes\": [\"\(key)\"]}}"
        ),
        (
            .reactNative,
            "initializeSslPinning({\"a.example.com\": {publicKeyHashes: [\"AAAA\"]}, \"b.example.com\": {publicKeyHashes: [\"\(key)\"]}});"
        ),
        (
            .reactNative,
            "fetch(\"https://a.example.com/\", { pkPinning: true, sslPinning: { certs: [\"sha256/AAAA\"] } });\nfetch(\"https://b.example.com/\", { pkPinning: true, sslPinning: { certs: [\"sha256/\(key)\"] } });"
        ),
        (
            .git,
            "[http \"https://a.example.com/\"]\n\tpinnedPubkey = \"sha256//AAAA\"\n[http \"https://b.example.com/\"]\n\tpinnedPubkey = \"sha256//\(key)\"\n"
        ),
        (
            .tlsa,
            "_443._tcp.a.example.com. IN TLSA 2 1 1 abcd\n_443._tcp.b.example.com. IN TLSA 2 1 1 \((1...32).map { "0\($0 % 10)" }.joined())\n"
        ),
        (
            .envoy,
            "[{\"sni\": \"a.example.com\", \"trusted_ca\": {}, \"verify_certificate_spki\": [\"AAAA\"]}, {\"sni\": \"b.example.com\", \"trusted_ca\": {}, \"verify_certificate_spki\": [\"\(key)\"]}]"
        ),
    ]

    @Test(
        "A faulty rule doesn't hide the findings about another rule, and is the subject of no other finding",
        arguments: rows)
    func rest(_ row: (format: PinFormat, text: String)) {
        let sources = PinLintSource.sources(reading: Array(row.text.utf8), as: row.format, file: "file")
        let findings = PinLinter(at: TestAuthority.now).findings(in: sources)
        #expect(sources.allSatisfy { $0.configuration == nil })
        #expect(findings.contains { $0.rule.id.hasPrefix("file/") }, "\(findings)")
        let about = findings.filter { $0.subject?.contains("b.example.com") == true }
        #expect(about.contains { $0.rule == .noBackup || $0.rule == .notEnforced }, "\(findings)")
        #expect(!findings.contains { $0.subject?.contains("a.example.com") == true }, "\(findings)")
    }

    @Test("A comment accepts a finding about a rule beside a faulty one") func acceptance() {
        let text = """
            a.example.com sha256/AAAA
            # servertrust:ignore pins/no-backup
            b.example.com sha256/\(Self.key)
            """
        let sources = PinLintSource.sources(reading: Array(text.utf8), as: .okHttp, file: "file")
        let findings = PinLinter(at: TestAuthority.now).findings(in: sources)
        #expect(findings.filter { !$0.isAccepted }.map(\.rule.id) == ["file/wrong-length"])
        #expect(findings.filter(\.isAccepted).map(\.rule) == [.noBackup])
    }

    // MARK: - Other forms

    static let forms: [(text: String, words: String)] = [
        ("validation_context:\n  verify_certificate_spki:\n  - \(key)\n", "pins for Envoy"),
        ("validation_context:\n  verify_certificate_hash:\n  - abcd\n", "pins for Envoy"),
        ("{\"validation_context\": {\"verify_certificate_hash\": [\"abcd\"]}}", "pins for Envoy"),
        ("Header set Public-Key-Pins \"pin-sha256=\\\"\(key)\\\"; max-age=1\"\n", "Public-Key-Pins"),
        ("HttpCertificatePinning.check(allowedSHAFingerprints: [\"9D 7C\"]);\n", "fingerprints of whole certificates"),
        ("location / { proxy_ssl_trusted_certificate ca.pem; }\n", "no pins"),
    ]

    @Test("A form that no reader supports has a name and a remedy, as a file and in a folder", arguments: forms)
    func foreign(_ row: (text: String, words: String)) throws {
        let bytes = Array(row.text.utf8)
        for format in [nil, PinFormat.envoy] {
            let findings = PinLinter(at: TestAuthority.now).findings(
                in: PinLintSource.sources(reading: bytes, as: format, file: "file"))
            #expect(findings.map(\.rule.id) == ["file/unreadable"])
            #expect(findings.first?.message.contains(row.words) == true)
            #expect(findings.first?.fix.isEmpty == false)
        }
        let search = PinFormat.search(bytes)
        #expect(search.formats.isEmpty)
        #expect(search.foreign?.words.contains(row.words) == true)
    }

    @Test("A part of a property list is read with its lines", arguments: ["<key>", "<!-- a -->\n<key>", "<dict><key>"])
    func fragment(_ start: String) {
        let end = start.hasPrefix("<dict>") ? "</dict>" : ""
        let text = """
            \(start)NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
            <key>b.example.com</key><dict><key>NSPinnedCAIdentities</key><array>
            <dict><key>SPKI-SHA256-BASE64</key><string>\(Self.key)</string></dict></array></dict></dict></dict>\(end)
            """
        let sources = PinLintSource.sources(reading: Array(text.utf8), file: "file")
        let findings = PinLinter(at: TestAuthority.now).findings(in: sources)
        #expect(findings.map(\.rule.id) == ["odd/misplaced-key", "pins/no-backup"])
        #expect(findings.last?.location.line == (start.hasPrefix("<!--") ? 3 : 2))
        #expect(findings.first?.severity == .note)
        #expect(PinFormat.search(Array(text.utf8)).formats == [.ats])
    }

    // MARK: - Options without verification

    static let options: [(format: PinFormat, text: String, option: String?)] = [
        (.curl, "curl -k --pinnedpubkey \"\(both)\" https://a.test\n", "-k"),
        (.curl, "curl --pinnedpubkey \"\(both)\" -fsSk https://a.test\n", "-k"),
        (.curl, "curl \\\n --insecure --pinnedpubkey '\(both)' https://a.test\n", "--insecure"),
        (.curl, "wget --no-check-certificate --pinnedpubkey='\(both)' https://a.test\n", "--no-check-certificate"),
        (.curl, "pinnedpubkey = \"\(both)\"\ninsecure\n", "insecure"),
        (.curl, "curl -ok --pinnedpubkey \"\(both)\" https://a.test\n", nil),
        (.curl, "curl -k https://b.test; curl --pinnedpubkey \"\(both)\" https://a.test\n", nil),
        (.curl, "curl --pinnedpubkey \"\(both)\" https://a.test\ncurl -k https://b.test\n", nil),
        (.git, "[http \"https://a.test/\"]\npinnedPubkey = \"\(both)\"\nsslVerify = false\n", "sslVerify"),
        (.git, "[http \"https://a.test/\"]\npinnedPubkey = \"\(both)\"\nsslVerify = true\n", nil),
    ]

    @Test("An option that turns off the verification beside a pin is a warning", arguments: options)
    func insecure(_ row: (format: PinFormat, text: String, option: String?)) {
        let findings = PinLinter(at: TestAuthority.now).findings(
            in: PinLintSource.sources(reading: Array(row.text.utf8), as: row.format, file: "file"))
        let found = findings.filter { $0.rule.id == "odd/contradiction" }
        #expect(found.count == (row.option == nil ? 0 : 1), "\(findings)")
        #expect(found.allSatisfy { $0.severity == .warning && $0.message.hasPrefix(row.option ?? "-") })
    }
}
