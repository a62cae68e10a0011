// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@testable import Diagnosis

/// Messages from public reports, with all codes that the search finds for them.
@Suite("Messages from public reports") struct ReportedMessageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var codes: [TrustFailure.Code]
        var testDescription: String { String(text.prefix(60)) }

        init(_ text: String, _ codes: TrustFailure.Code...) {
            self.text = text
            self.codes = codes
        }
    }

    @Test(
        "The search finds the codes for a reported message, the most likely first",
        arguments: situations + threads + fragments)
    func aReportedMessageLeadsToItsCodes(_ row: Row) {
        let search = MessageSearch(row.text)
        #expect(search.codes == row.codes, "\(search.matches.map { "\($0.message.tool): \($0.form)" })")
    }

    /// Log lines, and parts of messages.
    static let fragments: [Row] = [
        Row("(3) eap_tls: ERROR: TLS Alert write:fatal:unknown CA", .unknownIssuer, .untrustedRoot, .selfSignedLeaf),
        Row(
            "boringssl_context_handle_fatal_alert(2072) [C3:1] read alert, level: fatal, description: certificate unknown",
            .unknownIssuer, .untrustedRoot, .hostMismatch, .certificateExpired),
        Row(
            "remote error: tls: unknown certificate authority", .unknownIssuer, .untrustedRoot, .selfSignedLeaf),
        Row(
            "error:14094415:SSL routines:ssl3_read_bytes:sslv3 alert certificate expired", .certificateExpired,
            .certificateNotYetValid),
        Row(
            #"x509: certificate signed by unknown authority (possibly because of "x509: cannot verify signature: insecure algorithm SHA1-RSA" while trying to verify candidate authority certificate "Example CA")"#,
            .signatureUsesSHA1, .signatureUsesMD5),
        Row(
            #"Server api/api1 is DOWN, reason: Layer6 invalid response, info: "SSL handshake failure""#, .unknownIssuer,
            .untrustedRoot, .selfSignedLeaf, .hostMismatch, .presentedChainEmpty),
        Row(
            "SSL: :certify: ssl_handshake.erl:1606:Fatal error: unknown ca", .unknownIssuer, .untrustedRoot,
            .selfSignedLeaf),
        Row("The host name did not match any of the valid hosts for this certificate", .hostMismatch),
        Row("The root CA certificate is not trusted for this purpose", .untrustedRoot),
        Row("No certificates could be verified", .unknownIssuer),
        Row(
            "ERROR: The certificate of ‘example.com’ hasn't got a known issuer.", .unknownIssuer, .untrustedRoot,
            .selfSignedLeaf),
        Row("Error: host name verification failed.", .hostMismatch, .subjectAlternativeNameMissing),
        Row(
            "java.security.cert.CertificateException: Failed to validate the server name in a certificate during Secure Sockets Layer (SSL) initialization.",
            .hostMismatch, .subjectAlternativeNameMissing),
        Row("HRESULT: 0x800B010F", .hostMismatch, .subjectAlternativeNameMissing),
        Row("certificate expired", .certificateExpired, .certificateNotYetValid),
        Row("has been revoked", .certificateRevoked),
    ]

    // Each string is part of messages in the table, or common in the same logs.
    @Test(
        "The search finds nothing for text without a specific word",
        arguments: [
            "the certificate", "SSL error", "TLS handshake failed", "certificate chain", "invalid certificate",
            "server certificate", "the root certificate", "not found", "was not found", "does not match",
            "connection to the server failed", "error: the server has no certificate", "fatal error", "hostname",
            "expired", "unknown", "curl: (7) Failed to connect to example.com port 443: Connection refused",
            "curl: (28) Operation timed out after 30001 milliseconds", "getaddrinfo ENOTFOUND api.example.com",
            "HTTP/1.1 403 Forbidden", "java.net.SocketTimeoutException: Read timed out", "read ECONNRESET",
            "Permission denied (publickey)", "GET /certificates/20 200",
        ])
    func aTextWithoutASpecificWordFindsNothing(_ text: String) {
        let search = MessageSearch(text)
        #expect(search.codes.isEmpty, "\(search.matches.map(\.form))")
    }

    @Test("A message inside another tool's longer message doesn't count") func theOutermostMessageCounts() {
        let search = MessageSearch("X509 - Certificate verification failed, e.g. CRL, CA or signature check failed")
        #expect(search.matches.map(\.message.tool) == ["Mbed TLS"])
        // Elsewhere in the text, it counts.
        #expect(MessageSearch("SSL certificate problem … signature check failed").codes.contains(.signatureInvalid))
    }

    @Test("Notes name existing codes") func notesNameCodesThatExist() {
        for message in ForeignMessages.all {
            for part in (message.note ?? "").components(separatedBy: "servertrust explain ").dropFirst() {
                let name = String(part.prefix { $0.isLetter || $0.isNumber })
                #expect(Guides.errors[name] != nil, "\(name)")
            }
        }
    }
}
