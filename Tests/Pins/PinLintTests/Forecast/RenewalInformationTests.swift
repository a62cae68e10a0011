// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint

/// Renewal information (RFC 9773).
@Suite struct RenewalInformationTests {
    @Test("The identifier matches the RFC's example") func identifier() throws {
        // § 4.1.
        let key: [UInt8] = [
            0x69, 0x88, 0x5b, 0x6b, 0x87, 0x46, 0x40, 0x41, 0xe1, 0xb3, 0x7b, 0x84, 0x7b, 0xa0, 0xae, 0x2c, 0xde, 0x01,
            0xc8, 0xd4,
        ]
        #expect(
            RenewalInformation.identifier(keyIdentifier: key, serialNumber: [0x00, 0x87, 0x65, 0x43, 0x21])
                == "aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE")
    }

    @Test(
        "A certificate's identifier consists of its issuer's key identifier and its serial number, and requires that key identifier"
    )
    func certificate() throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("api.example.com").with { $0.serialNumber = [0x87, 0x65] }).certificate
        let key = try #require(root.certificate.subjectKeyIdentifier)
        #expect(
            RenewalInformation.url(of: leaf, under: "https://ca.example/ari/")
                == "https://ca.example/ari/"
                + RenewalInformation.identifier(keyIdentifier: key, serialNumber: [0x00, 0x87, 0x65]))
        let bare = try root.issue(.leaf("api.example.com").with { $0.hasAuthorityKeyIdentifier = false }).certificate
        #expect(RenewalInformation.identifier(of: bare) == nil)
    }

    @Test("The RFC's response contains its window") func window() throws {
        // § 4.2.
        let text = """
            {"suggestedWindow": {"start": "2025-01-02T04:00:00Z", "end": "2025-01-03T04:00:00Z"},
             "explanationURL": "https://acme.example.com/docs/ari"}
            """
        let window = try RenewalInformation.window(in: Array(text.utf8))
        #expect(window.start == (try Time(rfc3339: "2025-01-02T04:00:00Z")))
        #expect(window.end == (try Time(rfc3339: "2025-01-03T04:00:00Z")))
        #expect(window.explanation == "https://acme.example.com/docs/ari")
    }

    @Test(
        "Malformed responses cause errors",
        arguments: [
            "", "[]", "{}", "{\"suggestedWindow\": 1}", "{\"suggestedWindow\": {\"start\": \"2025-01-02T04:00:00Z\"}}",
            "{\"suggestedWindow\": {\"start\": \"soon\", \"end\": \"later\"}}",
            "{\"suggestedWindow\": {\"start\": \"2025-01-03T04:00:00Z\", \"end\": \"2025-01-02T04:00:00Z\"}}",
            "{\"suggestedWindow\": {\"start\": \"2025-01-03T04:00:00Z\", \"end\": \"2025-01-03T04:00:00Z\"}}",
            "{\"suggestedWindow\": " + String(repeating: "[", count: 10_000),
            String(repeating: " ", count: 70_000) + "{}",
        ])
    func badWindow(_ text: String) {
        #expect(throws: RenewalInformationError.self) { try RenewalInformation.window(in: Array(text.utf8)) }
    }

    @Test("A directory contains either the URL or none") func directory() throws {
        let text = "{\"newNonce\": \"https://ca.example/n\", \"renewalInfo\": \"https://ca.example/ari\"}"
        #expect(try RenewalInformation.base(inDirectory: Array(text.utf8)) == "https://ca.example/ari")
        for bad in ["{}", "{\"renewalInfo\": 1}", "{\"renewalInfo\": \"http://ca.example/ari\"}", "<html>"] {
            #expect(throws: RenewalInformationError.self) { try RenewalInformation.base(inDirectory: Array(bad.utf8)) }
        }
    }
}
