// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerTrust

/// The form of the answers of `verify --batch`.
enum AnswerForm: String, Codable, Sendable {
    /// One JSON object per line, as documented in the contract.
    case lines
    /// Comma-separated values with a header.
    case columns
    /// Name, verdict, code of the first failure and expiry date, separated by tabs.
    case short
}

/// The answers to a block in the requested form, with their counts.
struct AnswerBuffer {
    private let form: AnswerForm
    private let hasSummary: Bool
    private var json = JSONWriter(isIndented: false)
    private var text: [UInt8] = []
    private(set) var counts = BatchCounts()
    /// The facts of each answer. Empty unless the run writes a summary.
    private(set) var facts: [AuditFacts] = []

    init(_ form: AnswerForm, hasSummary: Bool) {
        self.form = form
        self.hasSummary = hasSummary
    }

    /// The bytes of the answers.
    var bytes: [UInt8] { form == .lines ? json.bytes : text }

    /// The maximum size in bytes of a buffer that is reused for the next block.
    private static let keptSize = 1 << 20

    mutating func removeAll() {
        if json.bytes.count > Self.keptSize { json = JSONWriter(isIndented: false) } else { json.removeAll() }
        text.removeAll(keepingCapacity: text.count <= Self.keptSize)
        facts.removeAll(keepingCapacity: facts.count <= RowBlock.maximumRows)
        counts = BatchCounts()
    }

    /// Adds to the count of lines.
    mutating func count(lines: Int) { counts.lines += lines }

    mutating func append(_ answer: BatchAnswer) {
        counts.verdicts.add(answer.verdict)
        let facts = form == .columns || hasSummary ? AuditFacts(answer) : nil
        switch form {
        case .lines: answer.write(to: &json)
        case .columns: AnswerColumns.write(answer, facts, to: &text)
        case .short: answer.writeShort(to: &text)
        }
        if hasSummary, let facts { self.facts.append(facts) }
    }
}

extension BatchAnswer {
    /// Appends the name, the verdict, the code of the first failure and the expiry date, separated by tabs
    /// (``TableCell``), and a line feed.
    ///
    /// Missing values are empty.
    func writeShort(to text: inout [UInt8]) {
        TableCell.appendTSV([id, verdict.rawValue, failures.first?.code.name, expires?.description], to: &text)
    }

    /// The earliest end of validity on the path, or the leaf's end if there is no path. Nil for a row without a leaf.
    var expires: Time? { path.map(\.notAfter).min() ?? leaf?.notAfter }
}

/// The columns of `verify --batch --columns`: comma-separated values with a header (``TableCell``).
enum AnswerColumns {
    /// The names of the columns in order.
    static let names = [
        "id", "host", "verdict", "result", "code", "certificate", "message", "codes", "expires", "sha256",
        "subject", "issuer", "serialNumber", "notBefore", "notAfter", "key", "signature", "root", "path",
        "transparency", "revocation", "warnings",
    ]

    /// The header line, including its line feed.
    static let header = Array((names.joined(separator: ",") + "\n").utf8)

    /// The maximum size in bytes of a text from a certificate.
    private static let maximumText = 1024

    /// Appends the record for an answer.
    /// - Parameter facts: the facts of the answer.
    static func write(_ answer: BatchAnswer, _ facts: AuditFacts?, to text: inout [UInt8]) {
        let leaf = answer.leaf
        let shown = answer.failures.prefix(BatchAnswer.maximumCount)
        let fields: [String?] = [
            answer.id, answer.host?.description, answer.verdict.rawValue, answer.result.rawValue,
            shown.first?.code.name, shown.first?.certificate.map { String($0) },
            shown.first?.message.abridged(toBytes: 4096),
            shown.map(\.code.name).joined(separator: " "), answer.expires?.description,
            leaf.map { Hex.encode($0.sha256) }, leaf?.subject.description.abridged(toBytes: maximumText),
            facts?.issuer, leaf?.serialNumber.description.abridged(toBytes: 64),
            leaf?.notBefore.description, leaf?.notAfter.description, facts?.key, facts?.signatureAlgorithm,
            facts?.root, answer.path.map { Hex.encode($0.sha256) }.joined(separator: " "),
            answer.transparency?.auditWords,
            answer.revocation?.map(\.batchStatus).joined(separator: " "),
            answer.warnings.prefix(BatchAnswer.maximumCount).map { $0.abridged(toBytes: maximumText) }.joined(
                separator: "; "),
        ]
        TableCell.appendCSV(fields, to: &text)
    }
}

extension AuditFacts {
    /// Creates the facts of an answer.
    init(_ answer: BatchAnswer) {
        self.init(
            verdict: answer.verdict, codes: answer.failures.prefix(BatchAnswer.maximumCount).map(\.code.name))
        guard let leaf = answer.leaf else { return }
        let words = CertificateWords(leaf)
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
