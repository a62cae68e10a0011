// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@testable import ServerTrust

@Suite("Certificates in code")
struct EmbeddedCertificateTests {
    static let certificate: Certificate? = try? TestAuthority.root().certificate

    static func good() throws -> Certificate { try #require(certificate) }

    static let forms: [(name: String, text: @Sendable (Certificate) -> String)] = [
        ("base64 on one line", { Base64.encode($0.der) }),
        ("base64 with line breaks", { lines($0, "\n") }),
        ("base64 with Windows line breaks", { lines($0, "\r\n") }),
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

    @Test("A certificate is readable in every form that code can contain", arguments: forms)
    func read(name: String, text: @Sendable (Certificate) -> String) throws {
        let certificate = try Self.good()
        #expect(try Certificate(base64: text(certificate)) == certificate, "\(name)")
    }

    /// The code, the offset and the labels of the error.
    struct Found: Sendable, Equatable {
        var code: ErrorCode
        var offset: Int?
        var labels: [String] = []
    }

    static let refused: [(name: String, found: Found, text: @Sendable (Certificate) -> String)] =
        [
            ("no text", Found(code: .certificateFileEmpty), { _ in "" }),
            ("white space", Found(code: .certificateFileEmpty), { _ in " \n\t\r\n" }),
            ("a word", Found(code: .certificateFileUndecodable, offset: 5), { _ in "hello" }),
            ("a strange character", Found(code: .certificateFileUndecodable, offset: 3), { _ in " AA*A" }),
            (
                "a strange character after white space", Found(code: .certificateFileUndecodable, offset: 7),
                { _ in "AAAA\n\n *AAA" }
            ),
            (
                "a space that is not ASCII", Found(code: .certificateFileUndecodable, offset: 4),
                { _ in "AAAA\u{a0}AAAA" }
            ),
            ("the alphabet of URLs", Found(code: .certificateFileUndecodable, offset: 2), { _ in "MI_-" }),
            ("padding in the middle", Found(code: .certificateFileUndecodable, offset: 4), { _ in "MI==MIIB" }),
            (
                "base64 of a PEM text", Found(code: .certificateFileEncodedTwice),
                { Base64.encode(Array(PEM.encode($0.der, label: "CERTIFICATE").utf8)) }
            ),
            (
                "two certificates", Found(code: .certificateFileOtherObjects, labels: ["CERTIFICATE", "CERTIFICATE"]),
                { PEM.encode($0.der, label: "CERTIFICATE") + PEM.encode($0.der, label: "CERTIFICATE") }
            ),
            (
                "a certificate and its private key",
                Found(code: .certificateFileOtherObjects, labels: ["CERTIFICATE", "PRIVATE KEY"]),
                { PEM.encode($0.der, label: "CERTIFICATE") + PEM.encode([1], label: "PRIVATE KEY") }
            ),
            (
                "a public key", Found(code: .certificateFileOtherObjects, labels: ["PUBLIC KEY"]),
                { PEM.encode($0.subjectPublicKeyInfo.der, label: "PUBLIC KEY") }
            ),
            (
                "OpenSSL's certificate with trust settings",
                Found(code: .certificateFileOtherObjects, labels: ["TRUSTED CERTIFICATE"]),
                { PEM.encode($0.der, label: "TRUSTED CERTIFICATE") }
            ),
        ]

    @Test("Other objects are rejected, and the error names their kind", arguments: refused)
    func noCertificate(
        name: String, found: Found, text: @Sendable (Certificate) -> String
    ) throws {
        let error = #expect(throws: CertificateFileError.self, "\(name)") {
            try Certificate(base64: text(Self.good()))
        }
        #expect(error.map { Found(code: $0.code, offset: $0.offset, labels: $0.labels) } == found, "\(name)")
        #expect(error?.file == nil)
    }

    static let malformed: [(name: String, reason: DERError.Reason, text: @Sendable (Certificate) -> String)] = [
        ("a cut certificate", .truncated, { Base64.encode(Array($0.der.dropLast())) }),
        ("one byte too many", .trailingBytes, { Base64.encode($0.der + [0]) }),
        ("two certificates in one", .trailingBytes, { Base64.encode($0.der + $0.der) }),
        (
            "a truncated certificate in PEM", .truncated,
            { PEM.encode(Array($0.der.dropLast()), label: "CERTIFICATE") }
        ),
        (
            "a public key", .unexpectedTag(expected: 0x30, found: 0x03),
            { Base64.encode($0.subjectPublicKeyInfo.der) }
        ),
    ]

    @Test("Base64 of other bytes is rejected with the error in those bytes", arguments: malformed)
    func somethingElse(name: String, reason: DERError.Reason, text: @Sendable (Certificate) -> String) throws {
        let error = #expect(throws: CertificateFileError.self, "\(name)") {
            try Certificate(base64: text(Self.good()))
        }
        #expect(error?.code == .certificateFileMalformed, "\(name)")
        #expect(error?.field?.reason == reason, "\(name)")
    }

    @Test("An undecodable PEM object is reported as such")
    func undecodable() throws {
        let error = #expect(throws: CertificateFileError.self) {
            try Certificate(base64: "-----BEGIN CERTIFICATE-----\nMII\n")
        }
        #expect(error?.code == .certificateFileUndecodable)
        #expect(error?.offset == 32)
        #expect(error?.line == 3)
        #expect(error?.pem?.object == 1)
    }

    @Test("Every prefix of the text is rejected")
    func truncated() throws {
        let text = Base64.encode(try Self.good().der)
        for count in 0..<(text.count - 2) {
            #expect(throws: CertificateFileError.self) { try Certificate(base64: String(text.prefix(count))) }
        }
    }
}
