// SPDX-License-Identifier: Apache-2.0

import Inspection
import PKIX
import ServerTrust
import TrustSupport

/// The columns of `verify --batch --columns`: comma-separated values (RFC 4180) with a header and line feeds.
enum AnswerColumns {
    /// The names of the columns in order.
    static let names = [
        "id", "place", "host", "verdict", "result", "code", "certificate", "message", "codes", "expires", "sha256",
        "subject", "issuer", "serialNumber", "notBefore", "notAfter", "key", "signature", "root", "path",
        "transparency", "revocation", "warnings",
    ]

    /// The header line, including its line feed.
    static let header = Array((names.joined(separator: ",") + "\n").utf8)

    /// The maximum size in bytes of a text from a certificate.
    private static let maximumText = 1024

    /// Appends the record for an answer.
    /// - Parameter words: the descriptions of its leaf.
    static func write(_ answer: BatchAnswer, _ words: CertificateWords?, to text: inout [UInt8]) {
        let leaf = answer.leaf
        let shown = answer.failures.prefix(BatchAnswer.maximumCount)
        let fields: [String?] = [
            answer.id, answer.place, answer.host?.description, answer.verdict.rawValue, answer.result.rawValue,
            shown.first?.code.name, shown.first?.certificate.map { String($0) },
            shown.first?.message.abridged(toBytes: 4096),
            shown.map(\.code.name).joined(separator: " "), answer.expires?.description,
            leaf.map { Hex.encode($0.sha256) }, leaf?.subject.description.abridged(toBytes: maximumText),
            leaf?.issuer.description.abridged(toBytes: maximumText),
            leaf?.serialNumber.description.abridged(toBytes: 64),
            leaf?.notBefore.description, leaf?.notAfter.description, words?.key, words?.signature,
            answer.root?.subject.description.abridged(toBytes: maximumText),
            answer.path.map { Hex.encode($0.sha256) }.joined(separator: " "), answer.transparency?.auditWords,
            answer.revocation?.map(\.batchStatus).joined(separator: " "),
            answer.warnings.prefix(BatchAnswer.maximumCount).map { $0.abridged(toBytes: maximumText) }.joined(
                separator: "; "),
        ]
        for (index, field) in fields.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            if let field { write(field, to: &text) }
        }
        text.append(UInt8(ascii: "\n"))
    }

    /// Appends a field, quoted if necessary. Control characters other than tabs and line breaks are written as
    /// `\u{1b}`, because CSV readers reject NUL and terminals interpret others.
    private static func write(_ field: String, to text: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let field = escaped(field)
        let needsQuotes = field.utf8.contains {
            $0 == quote || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        }
        guard needsQuotes else { return text.append(contentsOf: field.utf8) }
        text.append(quote)
        for byte in field.utf8 {
            if byte == quote { text.append(quote) }
            text.append(byte)
        }
        text.append(quote)
    }

    private static func escaped(_ field: String) -> String {
        // Few fields contain a byte that may be part of a control character: U+0080 to U+009F begin with 0xC2.
        guard field.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == 0xc2 }) else { return field }
        return field.unicodeScalars.map { scalar in
            isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\r": false
        default: scalar.properties.generalCategory == .control
        }
    }
}

extension AuditFacts {
    /// Creates the facts of an answer.
    init(_ answer: BatchAnswer, _ words: CertificateWords?) {
        let verdict: Verdict =
            switch answer.verdict {
            case .trusted: .trusted
            case .rejected: .rejected
            case .unreadable: .unreadable
            }
        self.init(verdict: verdict, codes: answer.failures.prefix(BatchAnswer.maximumCount).map(\.code.name))
        guard let leaf = answer.leaf, let words else { return }
        issuer = leaf.issuer.description.abridged(toBytes: 1024)
        root = answer.root?.subject.description.abridged(toBytes: 1024)
        key = words.key
        signatureAlgorithm = words.signature
        // The last second is included (RFC 5280 § 4.1.2.5).
        let seconds = leaf.notAfter.secondsSinceEpoch - leaf.notBefore.secondsSinceEpoch + 1
        validityDays = Int((seconds + 86_399) / 86_400)
        expires = leaf.notAfter
        transparency = answer.transparency?.auditWords
        revocation = answer.revocation?.first?.batchStatus
    }
}

extension TransparencyFinding {
    /// The outcome with its reason, for columns and counts.
    var auditWords: String { status == .complies ? outcome : "\(outcome): \(status.rawValue)" }
}
