// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

@testable import ServerTrustCommand

/// Answers and runs for the tests of summaries, the same in every run.
enum AuditSample {
    static let date = Time(secondsSinceEpoch: 1_795_000_000)  // 2026-11-18T11:06:40Z, a Wednesday

    static func run(_ answers: Int, lines: Int? = nil, date: Time? = date) -> AuditRun {
        AuditRun(
            inputs: ["scan.ndjson"], format: "requests", lines: lines ?? answers, answers: answers, evaluationDate: date
        )
    }

    static func summary(_ facts: some Sequence<AuditFacts>) -> AuditSummary {
        facts.reduce(into: AuditSummary()) { $0.add($1) }
    }

    /// Three answers, one for each verdict, for the documentation's example.
    static let example: [AuditFacts] = [
        AuditFacts(
            verdict: .trusted, issuer: "C=US, O=Example CA, CN=Example Issuing 1",
            root: "C=US, O=Example CA, CN=Example Root",
            key: "EC P-256", signatureAlgorithm: "ECDSA with SHA-256", validityDays: 90,
            expires: date.advanced(by: 30 * 86_400), transparency: "complies", revocation: "good"),
        AuditFacts(
            verdict: .rejected, codes: ["certificateExpired", "hostMismatch"],
            issuer: "C=US, O=Example CA, CN=Example Issuing 1", key: "RSA 2048 bits",
            signatureAlgorithm: "RSA with SHA-256",
            validityDays: 398, expires: date.advanced(by: -10 * 86_400), transparency: "fails: notEnoughSCTs",
            revocation: "unknown"),
        AuditFacts(verdict: .unreadable, codes: ["base64Malformed"]),
    ]

    private static let codes = [
        "certificateExpired", "unknownIssuer", "hostMismatch", "certificateRevoked", "untrustedRoot",
        "rsaKeyTooSmall", "pinNotMatched", "certificateNotYetValid", "requestNotJSON", "certificateMalformed",
    ]

    /// Returns answers of all kinds in a fixed order.
    /// - Parameters:
    ///   - count: the number of answers.
    ///   - texts: the strings in the certificates, by number.
    static func answers(_ count: Int, texts: (Int) -> String = { "CN=Name \($0)" }) -> [AuditFacts] {
        var state: UInt64 = 7
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Small numbers are more frequent.
            let number = Int((state >> 33) % UInt64(limit))
            return number * number / limit
        }
        return (0..<count).map { _ in
            let kind = random(25)
            var facts = AuditFacts(verdict: kind < 16 ? .trusted : kind < 21 ? .rejected : .unreadable)
            if facts.verdict != .trusted { facts.codes = (0...random(3)).map { _ in codes[random(codes.count)] } }
            guard facts.verdict != .unreadable else { return facts }
            facts.issuer = texts(random(60))
            facts.root = facts.verdict == .trusted ? texts(100 + random(9)) : nil
            facts.key = ["EC P-256", "RSA 2048 bits", "RSA 4096 bits", "EC P-384", texts(200)][random(9) % 5]
            facts.signatureAlgorithm = ["ECDSA with SHA-256", "RSA with SHA-256", texts(300)][random(7) % 3]
            facts.validityDays = [90, 398, 47, 7, 199, 825, 3650, 0][random(20) % 8]
            facts.expires = date.advanced(by: Int64(random(120) - 8) * 86_400)
            facts.transparency = ["complies", "fails: notEnoughSCTs", "notChecked: logListOutOfDate"][random(7) % 3]
            facts.revocation = ["good", "exempt", "unknown", "revoked"][random(4)]
            return facts
        }
    }

    /// Strings that could break out of markup or lines, or change the text direction.
    static let hostile = [
        "<script>alert(1)</script>", "</style><script>", "\" onmouseover=\"alert(1)", "' onload='x'", "]]><!--",
        "&lt;&#60;",
        "moc.elpmaxe\u{202e}api", "\u{2066}left\u{2069}\u{200e}", "zero\u{200b}width\u{feff}", "null\u{0}byte",
        "line\nfeed\r\t", "\u{1b}[2J", "e" + String(repeating: "\u{301}", count: 300), "👩‍👩‍👧🔒", "שלום مرحبا", "", " ",
        String(repeating: "w", count: 10_000), String(repeating: "\u{202e}", count: 4000), "\\", "javascript:alert(1)",
    ]
}
