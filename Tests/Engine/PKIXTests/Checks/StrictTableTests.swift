// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing

/// A deviation that only the strict rules refuse, with the answers of other strict verifiers.
struct StrictRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let source: String
    /// The index of the certificate in the path.
    let index: Int
    let code: TrustFailure.Code
    /// Whether the rule also applies in the plain profile.
    let isPlain: Bool
    /// The first error of `openssl verify -x509_strict` 3.0 to 3.5, or nil if it accepts the chain.
    let openssl: Int?
    /// Whether Python's cryptography 48 refuses the chain by default.
    let python: Bool
    let change: @Sendable (inout CraftedCertificate) -> Void

    init(
        _ words: String, _ source: String, at index: Int, _ code: TrustFailure.Code, plain isPlain: Bool, openssl: Int?,
        python: Bool, _ change: @escaping @Sendable (inout CraftedCertificate) -> Void
    ) {
        self.testDescription = words
        self.source = source
        self.index = index
        self.code = code
        self.isPlain = isPlain
        self.openssl = openssl
        self.python = python
        self.change = change
    }

    /// Leaf, intermediate and root.
    func chain() throws -> [Certificate] {
        let none: @Sendable (inout CraftedCertificate) -> Void = { _ in }
        return try StrictTests.chain(
            root: index == 2 ? change : none, intermediate: index == 1 ? change : none, leaf: index == 0 ? change : none
        )
    }

    static let all: [StrictRow] = [
        StrictRow(
            "an intermediate without key usage", "RFC 5280 § 4.2.1.3", at: 1, .strictKeyUsage, plain: true, openssl: 92,
            python: true,
            StrictTests.replace("2.5.29.15", nil)),
        StrictRow(
            "the root without key usage", "RFC 5280 § 4.2.1.3", at: 2, .strictKeyUsage, plain: true, openssl: 92,
            python: true,
            StrictTests.replace("2.5.29.15", nil)),
        StrictRow(
            "an intermediate whose basic constraints aren't critical", "RFC 5280 § 4.2.1.9", at: 1,
            .strictExtensionCriticality, plain: true, openssl: 89, python: true,
            StrictTests.replace("2.5.29.19", .basicConstraints(critical: false))),
        StrictRow(
            "the root whose basic constraints aren't critical", "RFC 5280 § 4.2.1.9", at: 2,
            .strictExtensionCriticality, plain: true, openssl: 89, python: true,
            StrictTests.replace("2.5.29.19", .basicConstraints(critical: false))),
        StrictRow(
            "an intermediate without subject key identifier", "RFC 5280 § 4.2.1.2", at: 1, .strictSubjectKeyIdentifier,
            plain: true, openssl: 86, python: false,
            StrictTests.replace("2.5.29.14", nil)),
        StrictRow(
            "the root without subject key identifier", "RFC 5280 § 4.2.1.2", at: 2, .strictSubjectKeyIdentifier,
            plain: true, openssl: 86, python: false,
            StrictTests.replace("2.5.29.14", nil)),
        StrictRow(
            "an intermediate without authority key identifier", "RFC 5280 § 4.2.1.1", at: 1,
            .strictAuthorityKeyIdentifier, plain: true, openssl: 85, python: false,
            StrictTests.replace("2.5.29.35", nil)),
        StrictRow(
            "a server without authority key identifier", "RFC 5280 § 4.2.1.1", at: 0, .strictAuthorityKeyIdentifier,
            plain: true, openssl: 85, python: true,
            StrictTests.replace("2.5.29.35", nil)),
        StrictRow(
            "an authority key identifier without key identifier", "RFC 5280 § 4.2.1.1", at: 0,
            .strictAuthorityKeyIdentifier, plain: true, openssl: 85, python: false,
            StrictTests.replace("2.5.29.35", .named("2.5.29.35", ASN1.sequence()))),
        StrictRow(
            "a critical authority key identifier", "RFC 5280 § 4.2.1.1", at: 0, .strictExtensionCriticality,
            plain: true, openssl: 34, python: true,
            StrictTests.replace("2.5.29.35", .authorityKeyIdentifier([2], critical: true))),
        StrictRow(
            "a critical subject key identifier of a CA", "RFC 5280 § 4.2.1.2", at: 1, .strictExtensionCriticality,
            plain: true, openssl: 34, python: true,
            StrictTests.replace("2.5.29.14", .subjectKeyIdentifier([2], critical: true))),
        StrictRow(
            "an empty subject beside alternative names that aren't critical", "RFC 5280 § 4.2.1.6", at: 0,
            .strictExtensionCriticality, plain: true, openssl: 88, python: true,
            { $0.subject = ASN1.emptyName }),
        StrictRow(
            "critical alternative names beside a subject", "RFC 5280 § 4.2.1.6", at: 0, .strictExtensionCriticality,
            plain: false, openssl: nil, python: true,
            StrictTests.replace("2.5.29.17", .alternativeNames(ASN1.dns("www.example.com"), critical: true))),
        StrictRow(
            "an empty list of alternative names", "RFC 5280 § 4.2.1.6", at: 1, .strictAlternativeName, plain: true,
            openssl: 87, python: false,
            StrictTests.add(.alternativeNames([]))),
        StrictRow(
            "a path length in a certificate that isn't a CA's", "RFC 5280 § 4.2.1.9", at: 0, .strictExtensionNotAllowed,
            plain: true, openssl: 80, python: false,
            StrictTests.add(.basicConstraints(isAuthority: false, pathLength: 0))),
        StrictRow(
            "keyCertSign in a certificate that isn't a CA's", "RFC 5280 § 4.2.1.3", at: 0, .strictKeyUsage, plain: true,
            openssl: 82, python: true,
            StrictTests.add(.keyUsage([0x84], unused: 2))),
        StrictRow(
            "name constraints in a server's certificate", "RFC 5280 § 4.2.1.10", at: 0, .strictExtensionNotAllowed,
            plain: true, openssl: nil, python: true,
            StrictTests.add(.nameConstraints(permitted: [ASN1.dns("example.com")]))),
        StrictRow(
            "a name constraint with a leading dot", "RFC 5280 § 4.2.1.10", at: 1, .strictNameConstraints, plain: true,
            openssl: nil, python: true,
            StrictTests.add(.nameConstraints(permitted: [ASN1.dns(".example.com")]))),
        StrictRow(
            "serial number 0", "RFC 5280 § 4.1.2.2", at: 0, .strictSerialNumber, plain: true, openssl: nil,
            python: false,
            { $0.serialNumber = ASN1.value(0x02, [0]) }),
        StrictRow(
            "a negative serial number", "RFC 5280 § 4.1.2.2", at: 0, .strictSerialNumber, plain: true, openssl: nil,
            python: true,
            { $0.serialNumber = ASN1.value(0x02, [0x80]) }),
        StrictRow(
            "a serial number of 21 bytes", "RFC 5280 § 4.1.2.2", at: 0, .strictSerialNumber, plain: true, openssl: nil,
            python: false,
            { $0.serialNumber = ASN1.value(0x02, [1] + [UInt8](repeating: 0, count: 20)) }),
        StrictRow(
            "a GeneralizedTime before 2050", "RFC 5280 § 4.1.2.5", at: 0, .strictTimeEncoding, plain: true,
            openssl: nil, python: true,
            { $0.notBefore = ASN1.generalizedTime("20260101000000Z") }),
        StrictRow(
            "an encoded default value", "X.690 § 11.5", at: 0, .strictEncoding, plain: true, openssl: nil, python: true,
            StrictTests.add(.named("2.5.29.19", critical: true, ASN1.sequence(ASN1.boolean(false))))),
        StrictRow(
            "a server that is a CA", "Baseline § 7.1.2.7.8", at: 0, .strictLeafIsAuthority, plain: false, openssl: nil,
            python: true,
            { made in
                StrictTests.add(.basicConstraints())(&made)
                StrictTests.add(.keyUsage([0x84], unused: 2))(&made)
                StrictTests.add(.subjectKeyIdentifier([3]))(&made)
            }),
        StrictRow(
            "a server without extended key usage", "Baseline § 7.1.2.7.10", at: 0, .strictExtendedKeyUsage,
            plain: false, openssl: nil, python: false,
            StrictTests.replace("2.5.29.37", nil)),
        StrictRow(
            "a critical extended key usage", "Baseline § 7.1.2.7.10", at: 0, .strictExtensionCriticality, plain: false,
            openssl: nil, python: true,
            StrictTests.replace("2.5.29.37", .extendedKeyUsage("1.3.6.1.5.5.7.3.1", critical: true))),
        StrictRow(
            "a common name that isn't an alternative name", "Baseline § 7.1.4.3", at: 0, .strictSubjectName,
            plain: false, openssl: nil, python: false,
            { $0.subject = ASN1.name("Web server") }),
    ]
}

@Suite("The table of strict rules")
struct StrictTableTests {
    @Test("Only the strict rules refuse a deviation", arguments: StrictRow.all)
    func verdicts(row: StrictRow) throws {
        let chain = try row.chain()
        func codes(_ policy: ValidationPolicy) throws -> [TrustFailure.Code] {
            let found = try failures(chain[0], [chain[1]], anchors: [chain[2]], host: "www.example.com", policy: policy)
            #expect(found.allSatisfy { $0.certificate == row.index })
            return found.map(\.code)
        }
        #expect(try codes(.strict) == [row.code])
        #expect(try codes(.strictPlain) == (row.isPlain ? [row.code] : []))
        #expect(try codes(ValidationPolicy()).isEmpty && codes(.plain).isEmpty)
    }

    @Test(
        "Strict OpenSSL accepts nothing that the strict rules refuse for the same reason, and names its error",
        .disabled(if: OpenSSL.isMissing, "there is no openssl on the path"), arguments: StrictRow.all)
    func openssl(row: StrictRow) throws {
        let errors = try OpenSSL.errors(
            in: row.chain(), ["-x509_strict"], host: "www.example.com", at: TestAuthority.now)
        #expect(row.openssl.map { errors.contains($0) } ?? errors.isEmpty, "\(errors)")
    }

    @Test("The table in Documentation/Generated/StrictTable.md contains these rows")
    func documentation() throws {
        var text = """
            <!-- SPDX-License-Identifier: Apache-2.0 -->
            # Strict rules and other strict verifiers

            Each row is a chain with one deviation that the default rules accept. With `--strict`, both profiles refuse it, or only `webPKI`.
            "OpenSSL" is the error of `openssl verify -x509_strict`, which Python 3.13 turns on in `ssl.create_default_context()`.
            "cryptography" is the default policy of Python's cryptography 48.

            With the profile `webPKI`, `--strict` refuses every deviation that the two refuse. The default rules already refuse some of them:
            extensions in a certificate that isn't of version 3, an empty issuer, different signature algorithms inside and outside, and a CA
            that isn't allowed to sign certificates. Identifiers of issuers (`authorityCertIssuer`) are accepted by all three.

            The rules for CAs also apply to anchors, as in OpenSSL and cryptography. All three refuse an anchor of version 1 under strict rules
            (`certificateVersionNotAllowed`), which can't have extensions. An anchor is always a certificate: a key alone, as in a pin, has no
            extensions, so these rules don't apply to it. An exception: a root's serial number may be 0.

            `StrictTableTests` compares this page, and writes it with `SERVERTRUST_WRITE_DOCUMENTATION=1`.

            | deviation | source | code | profiles | OpenSSL | cryptography |
            |---|---|---|---|---|---|

            """
        for row in StrictRow.all {
            let cells = [
                row.testDescription, row.source, "`\(row.code.name)`", row.isPlain ? "both" : "`webPKI`",
                row.openssl.map(String.init) ?? "accepts", row.python ? "refuses" : "accepts",
            ]
            text += "| \(cells.joined(separator: " | ")) |\n"
        }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Documentation/Generated/StrictTable.md")
        if ProcessInfo.processInfo.environment["SERVERTRUST_WRITE_DOCUMENTATION"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
}
