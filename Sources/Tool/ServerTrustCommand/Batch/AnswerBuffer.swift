// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

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
        counts.add(answer.verdict)
        let words = form == .columns || hasSummary ? answer.leaf.map { CertificateWords($0) } : nil
        switch form {
        case .lines: answer.write(to: &json)
        case .columns: AnswerColumns.write(answer, words, to: &text)
        case .short: answer.writeShort(to: &text)
        }
        if hasSummary { facts.append(AuditFacts(answer, words)) }
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
