// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("p11-kit's files, and OpenSSL's trusted certificates")
struct P11KitReaderTests {
    let root: Certificate

    init() throws { root = try TestAuthority.root(.authority("Root")).certificate }

    var pem: String { RootListTexts.pem(root.der) }
    var key: String { RootListTexts.pem(root.subjectPublicKeyInfo.der, "PUBLIC KEY") }

    /// Returns the constraint sets of the root in a file whose first object has these attributes and the certificate.
    func alternatives(_ attributes: String, _ rest: String = "") throws -> [AnchorConstraints]? {
        try RootListTexts.list("# comment\n[p11-kit-object-v1]\n\(attributes)\n\(pem)\n\(rest)").alternatives(root)
    }

    /// Returns an object that attaches an extension to the root's key.
    func attached(_ identifier: String, _ value: String) -> String {
        "[p11-kit-object-v1]\nclass: x-certificate-extension\nobject-id: \(identifier)\nvalue: \"\(value)\"\n\(key)"
    }

    static let serverAndMail =
        "0 %06%03U%1D%25%01%01%FF%04%160%14%06%08%2B%06%01%05%05%07%03%01%06%08%2B%06%01%05%05%07%03%04"
    static let mail = "0%16%06%03U%1D%25%01%01%FF%04%0C0%0A%06%08%2B%06%01%05%05%07%03%04"
    static let rejectsServer =
        "0%1D%06%0A%2B%06%01%04%01%99w%06%0A%01%01%01%FF%04%0C0%0A%06%08%2B%06%01%05%05%07%03%01"

    @Test("A trusted certificate without extensions is trusted without conditions")
    func trusted() throws {
        #expect(try alternatives("label: \"A%20Root\"\ntrusted: true") == [AnchorConstraints()])
        let list = try RootListTexts.list("[p11-kit-object-v1]\nlabel: \"A%20Root\"\ntrusted: true\n\(pem)")
        #expect(!list.isComplete && list.entries[root.sha256]?.label == "A Root")
    }

    @Test(
        "A certificate that is distrusted or not marked as trusted isn't trusted for anything",
        arguments: ["", "trusted: false", "trusted: true\nx-distrusted: true", "x-distrusted: true"])
    func untrusted(_ attributes: String) throws {
        #expect(try alternatives(attributes) == [])
    }

    @Test("Attributes after the certificate count")
    func attributesBehind() throws {
        #expect(try alternatives("trusted: true", "x-distrusted: true") == [])
    }

    @Test("A distrust date is a limit")
    func date() throws {
        let limit = IssuanceLimit(.notAfter, try .at("2026-04-15T23:59:59Z"), clock: .notBeforeOrTimestamp)
        #expect(
            try alternatives("trusted: true\nnss-server-distrust-after: \"260415235959Z\"")
                == [.with { $0.dates = [limit] }])
        #expect(try alternatives("trusted: true\nnss-server-distrust-after: \"%00\"") == [AnchorConstraints()])
    }

    @Test("Attached extended key usage and rejected purposes are conditions, as whole extensions or as bare contents")
    func purposes() throws {
        #expect(
            try alternatives("trusted: true", attached("2.5.29.37", Self.serverAndMail))
                == [.with { $0.purposes = [.serverAuth] }])
        #expect(
            try alternatives("trusted: true", attached("2.5.29.37", Self.mail)) == [.with { $0.purposes = [] }])
        #expect(
            try alternatives("trusted: true", attached("2.5.29.37", "0%0A%06%08%2B%06%01%05%05%07%03%01"))
                == [.with { $0.purposes = [.serverAuth] }])
        #expect(
            try alternatives("trusted: true", attached("1.3.6.1.4.1.3319.6.10.1", Self.rejectsServer))
                == [.with { $0.purposes = [.clientAuth] }])
        let both = attached("2.5.29.37", Self.serverAndMail) + attached("1.3.6.1.4.1.3319.6.10.1", Self.rejectsServer)
        #expect(try alternatives("trusted: true", both) == [.with { $0.purposes = [] }])
    }

    @Test("An attached extension of any other kind can't be decided, except basic constraints of a CA")
    func otherExtension() throws {
        #expect(
            try alternatives("trusted: true", attached("2.5.29.30", "0%00")) == [.with { $0.isUndecidable = true }])
        #expect(
            try alternatives("trusted: true", attached("2.5.29.19", "0%0F%06%03U%1D%13%01%01%FF%04%050%03%01%01%FF"))
                == [AnchorConstraints()])
        #expect(
            try alternatives("trusted: true", attached("2.5.29.19", "0%06%01%01%FF%02%01%00"))
                == [.with { $0.isUndecidable = true }])
    }

    @Test("A certificate can be an attribute, and a distrusted one can be only named")
    func otherForms() throws {
        func quoted(_ bytes: [UInt8]) -> String { "\"" + bytes.map { "%" + Hex.encode([$0]) }.joined() + "\"" }
        let value = "[p11-kit-object-v1]\nclass: certificate\nvalue: \(quoted(root.der))\n"
        #expect(try RootListTexts.list(value + "trusted: true").alternatives(root) == [AnchorConstraints()])
        #expect(try RootListTexts.list(value + "x-distrusted: true").alternatives(root) == [])
        let serial = root.serialNumber.bytes
        let named =
            "[p11-kit-object-v1]\nclass: certificate\nissuer: \(quoted(root.issuer.der))\n"
            + "serial-number: \(quoted([0x02, UInt8(serial.count)] + serial))\nx-distrusted: true\n"
        #expect(try RootListTexts.list(named).alternatives(root) == [])
        // Distrust by name outweighs trust in the certificate.
        #expect(try alternatives("trusted: true", named) == [])
    }

    @Test(
        "An unreadable object causes an error with its line",
        arguments: [
            "trusted: yes", "x-distrusted: 1", "trusted: true\ntrusted: true", "no colon", "label: \"%4\"",
            "label: \"x",
            "nss-server-distrust-after: \"261315235959Z\"", "nss-server-distrust-after: \"2604152359Z\"",
            "value: \"0%82\"\n-----BEGIN CERTIFICATE-----",
            "[p11-kit-object-v1]\nclass: x-certificate-extension\nobject-id: 2.5.29.37\nvalue: \"0%00\"",
            "[p11-kit-object-v1]\nclass: certificate\nvalue: \"0%00\"\ntrusted: true",
            "[p11-kit-object-v1]\nclass: certificate\nx-distrusted: true",
        ])
    func errors(_ attributes: String) {
        let error = #expect(throws: RootListError.self) { try alternatives("trusted: true", attributes) }
        #expect(error?.line != nil)
    }

    @Test("An extension whose identifier differs from its object's causes an error")
    func otherIdentifier() {
        #expect(throws: RootListError.self) {
            try alternatives("trusted: true", attached("2.5.29.37", Self.rejectsServer))
        }
    }

    @Test("A file without a certificate causes an error")
    func empty() {
        #expect(throws: RootListError.self) { try RootListTexts.list("[p11-kit-object-v1]\ntrusted: true\n") }
    }

    @Test("A certificate object whose block isn't a certificate causes an error, unless it distrusts a key")
    func otherBlock() throws {
        let key = RootListTexts.pem(root.subjectPublicKeyInfo.der, "PUBLIC KEY")
        func list(_ flags: String) throws -> RootList {
            try RootListTexts.list(
                "[p11-kit-object-v1]\nclass: certificate\n" + flags + key
                    + "[p11-kit-object-v1]\nclass: certificate\ntrusted: true\n" + RootListTexts.pem(root.der))
        }
        for flags in ["trusted: true\n", "", "x-distrusted: false\n"] {
            #expect(throws: RootListError.self) { try list(flags) }
        }
        #expect(try list("x-distrusted: true\n").distrusted.count == 1)
        #expect(throws: RootListError.self) { try list("x-distrusted: true\n" + key) }
    }

    // MARK: - OpenSSL

    /// Returns the constraint sets of a trusted certificate followed by these settings.
    func trusted(_ settings: [UInt8]) throws -> [AnchorConstraints]? {
        try RootListTexts.list(RootListTexts.pem(root.der + settings, "TRUSTED CERTIFICATE")).alternatives(root)
    }

    static let server: [UInt8] = [0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 3, 1]
    static let client: [UInt8] = [0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 3, 2]

    @Test("OpenSSL's settings are conditions on purposes, and rejection outweighs trust")
    func settings() throws {
        #expect(try trusted([]) == [AnchorConstraints()])
        #expect(try trusted([0x30, 0x00]) == [AnchorConstraints()])
        #expect(try trusted([0x30, 0x0c, 0x30, 0x0a] + Self.client) == [.with { $0.purposes = [.clientAuth] }])
        #expect(try trusted([0x30, 0x0c, 0xa0, 0x0a] + Self.server) == [.with { $0.purposes = [.clientAuth] }])
        #expect(
            try trusted([0x30, 0x18, 0x30, 0x0a] + Self.server + [0xa0, 0x0a] + Self.server)
                == [.with { $0.purposes = [] }])
        #expect(try trusted([0x30, 0x02, 0x30, 0x00]) == [.with { $0.purposes = [] }])
    }

    @Test("Unreadable settings cause an error")
    func brokenSettings() {
        for settings: [UInt8] in [[0x30], [0x30, 0x01], [0x30, 0x02, 0x05, 0x00], [0x31, 0x00], [0x30, 0x00, 0x00]] {
            #expect(throws: RootListError.self, "\(settings)") { try trusted(settings) }
        }
        #expect(throws: RootListError.self) { try RootListTexts.list(pem) }
    }
}
