// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust
import Testing

@testable import PinLint
@testable import ServerTrustPins

extension PinFixture {
    func configuration(_ text: String, _ format: PinFormat) throws -> PinConfiguration {
        try PinConfiguration(importing: Array(filled(text).utf8), as: format, file: "pins")
    }
}

/// Checks that pins from sources and tools are enforced as their owners enforce them.
@Suite struct ToolSemanticsTests {
    /// Source: CertificatePinner.kt, Pin.matchesHostname and findMatchingPins.
    @Test(
        "The package enforces OkHttp calls as OkHttp does",
        arguments: [
            (
                "val p = CertificatePinner.Builder()\n  .add(\"example.com\", \"sha256/{OTHER}\",\n    \"sha256/{ANOTHER}\") // c\n  .build()\n",
                "example.com"
            ),
            (
                "CertificatePinner p = new CertificatePinner.Builder().add(\"*.example.com\", \"sha256/{OTHER}\").build();",
                "a.example.com"
            ),
        ])
    func callsAreEnforced(_ text: String, _ host: String) throws {
        let scene = try PinFixture.shared()
        let configuration = try scene.configuration(text, .okHttp)
        #expect(try scene.outcome(configuration, host: host) == .missed)
        #expect(try scene.outcome(configuration, host: "example.org") == .unpinned)
        // The package's own format can express all of it.
        let json = try configuration.written(as: .json)
        #expect(json.losses == [])
        let again = try PinConfiguration(importing: json.bytes, as: .json, file: "again")
        #expect(try scene.outcome(again, host: host) == .missed)
    }

    /// Source: docs/cmdline-opts/pinnedpubkey.md and lib/vtls/vtls.c (Curl_pin_peer_pubkey).
    @Test(
        "curl's pins are compared with any host's leaf",
        arguments: [
            ("sha256//{LEAF}", PinOutcome.pinned(0)), ("sha256//{OTHER};sha256//{LEAF}", .pinned(0)),
            ("sha256//{CA}", .missed), ("sha256//{ROOT};sha256//{OTHER}", .missed),
            ("pinnedpubkey = \"sha256//{LEAF}\"", .pinned(0)), ("--pinnedpubkey 'sha256//{OTHER}'", .missed),
        ])
    func curlComparesTheLeaf(_ text: String, _ outcome: PinOutcome) throws {
        let scene = try PinFixture.shared()
        let configuration = try scene.configuration(text, .curl)
        #expect(throws: PinEnforcementError(problems: [.noHost])) { try configuration.serverTrustManager() }
        for host in ["example.com", "b.a.example.com"] {
            let bound = configuration.bound(to: try Hostname(host))
            #expect(try scene.outcome(bound, host: host) == outcome)
        }
    }

    @Test("The reader reads curl's key file as the key's pin") func curlTakesAKeyFile() throws {
        let scene = try PinFixture.shared()
        let pem = PEM.encode(scene.leaf.subjectPublicKeyInfo.der, label: "PUBLIC KEY")
        let configuration = try PinConfiguration(importing: Array(pem.utf8), file: "key.pem")
        #expect(try scene.outcome(configuration.bound(to: Hostname("example.com")), host: "example.com") == .pinned(0))
    }
}
