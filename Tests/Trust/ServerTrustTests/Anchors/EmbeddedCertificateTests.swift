// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustTesting
import Testing

@Suite("Certificates in code")
struct EmbeddedCertificateTests {
    static let certificate: Certificate? = try? TestAuthority.root().certificate

    static func good() throws -> Certificate { try #require(certificate) }

    static let forms: [(name: String, text: @Sendable (Certificate) -> String)] = [
        ("base64 on one line", { Base64.encode($0.der) }),
        ("base64 with line breaks", { lines($0, "\n") }),
        ("base64 with Windows' line breaks", { lines($0, "\r\n") }),
        ("base64 indented with spaces and tabs", { "\n    " + lines($0, "\n \t  ") + "  \n" }),
        ("PEM", { PEM.encode($0.der, label: "CERTIFICATE") }),
        ("PEM with words around it", { "subject\n" + PEM.encode($0.der, label: "CERTIFICATE") + "\nend" }),
        ("PEM under an older label", { PEM.encode($0.der, label: "X509 CERTIFICATE") }),
    ]

    static func lines(_ certificate: Certificate, _ separator: String) -> String {
        var text = Array(Base64.encode(certificate.der))
        var lines: [String] = []
        while !text.isEmpty {
            lines.append(String(text.prefix(64)))
            text.removeFirst(min(64, text.count))
        }
        return lines.joined(separator: separator)
    }

    @Test("A certificate is read in every form in which code can have it", arguments: forms)
    func read(name: String, text: @Sendable (Certificate) -> String) throws {
        let certificate = try Self.good()
        #expect(try Certificate(base64: text(certificate)) == certificate, "\(name)")
    }

    static let refused:
        [(name: String, reason: EmbeddedCertificateError.Reason, text: @Sendable (Certificate) -> String)] =
            [
                ("no text", .empty, { _ in "" }),
                ("white space", .empty, { _ in " \n\t\r\n" }),
                ("a word", .notBase64(offset: 5), { _ in "hello" }),
                ("a strange character", .notBase64(offset: 3), { _ in " AA*A" }),
                ("a strange character behind white space", .notBase64(offset: 7), { _ in "AAAA\n\n *AAA" }),
                ("a space that is not ASCII", .notBase64(offset: 4), { _ in "AAAA\u{a0}AAAA" }),
                ("the alphabet of URLs", .notBase64(offset: 2), { _ in "MI_-" }),
                ("padding in the middle", .notBase64(offset: 4), { _ in "MI==MIIB" }),
                (
                    "base64 of a PEM text", .encodedPEM,
                    { Base64.encode(Array(PEM.encode($0.der, label: "CERTIFICATE").utf8)) }
                ),
                (
                    "two certificates", .objects(["CERTIFICATE", "CERTIFICATE"]),
                    { PEM.encode($0.der, label: "CERTIFICATE") + PEM.encode($0.der, label: "CERTIFICATE") }
                ),
                (
                    "a certificate and its private key", .objects(["CERTIFICATE", "PRIVATE KEY"]),
                    { PEM.encode($0.der, label: "CERTIFICATE") + PEM.encode([1], label: "PRIVATE KEY") }
                ),
                (
                    "a public key", .objects(["PUBLIC KEY"]),
                    { PEM.encode($0.subjectPublicKeyInfo.der, label: "PUBLIC KEY") }
                ),
                (
                    "OpenSSL's certificate with trust settings", .objects(["TRUSTED CERTIFICATE"]),
                    { PEM.encode($0.der, label: "TRUSTED CERTIFICATE") }
                ),
            ]

    @Test("Other objects are refused, and the error names their kind", arguments: refused)
    func noCertificate(
        name: String, reason: EmbeddedCertificateError.Reason, text: @Sendable (Certificate) -> String
    ) throws {
        let error = #expect(throws: EmbeddedCertificateError.self, "\(name)") {
            try Certificate(base64: text(Self.good()))
        }
        #expect(error?.reason == reason, "\(name)")
    }

    static let malformed: [(name: String, reason: DERError.Reason, text: @Sendable (Certificate) -> String)] = [
        ("a cut certificate", .truncated, { Base64.encode(Array($0.der.dropLast())) }),
        ("a byte too many", .trailingBytes, { Base64.encode($0.der + [0]) }),
        ("two certificates in one", .trailingBytes, { Base64.encode($0.der + $0.der) }),
        (
            "a cut certificate in PEM", .truncated,
            { PEM.encode(Array($0.der.dropLast()), label: "CERTIFICATE") }
        ),
        (
            "a public key", .unexpectedTag(expected: 0x30, found: 0x03),
            { Base64.encode($0.subjectPublicKeyInfo.der) }
        ),
    ]

    @Test("Base64 of other bytes is refused, with the error in them", arguments: malformed)
    func somethingElse(name: String, reason: DERError.Reason, text: @Sendable (Certificate) -> String) throws {
        let error = #expect(throws: EmbeddedCertificateError.self, "\(name)") {
            try Certificate(base64: text(Self.good()))
        }
        guard case .malformed(let derError) = error?.reason else {
            Issue.record("\(name): \(String(describing: error))")
            return
        }
        #expect(derError.reason == reason, "\(name)")
    }

    @Test("A PEM object that can't be decoded is reported as such")
    func undecodable() throws {
        let error = #expect(throws: EmbeddedCertificateError.self) {
            try Certificate(base64: "-----BEGIN CERTIFICATE-----\nMII\n")
        }
        guard case .pem(let block) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(block.code == .pemNotTerminated)
    }

    @Test("Every beginning of the text is refused")
    func truncated() throws {
        let text = Base64.encode(try Self.good().der)
        for count in 0..<(text.count - 2) {
            #expect(throws: EmbeddedCertificateError.self) { try Certificate(base64: String(text.prefix(count))) }
        }
    }
}
