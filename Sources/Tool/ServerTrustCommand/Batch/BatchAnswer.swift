// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// An answer of `verify --batch`: one line of output.
struct BatchAnswer {
    typealias Verdict = AuditVerdict

    /// The maximum number of failures, and of warnings, in an answer. It only counts the rest.
    static let maximumCount = 20

    var id: String?
    /// The host that the evaluator compared with the leaf, or nil if it compared none.
    var host: Hostname?
    var verdict: Verdict
    var result: TrustResultType
    /// The validated path, or the best candidate if no path is valid.
    var path: [Certificate] = []
    /// The leaf, or nil if it can't be read.
    var leaf: Certificate?
    /// The anchor of the path, or nil if the path doesn't end in one.
    var root: Certificate?
    var failures: [TrustFailure] = []
    /// The leaf's names, each with the reason why it doesn't match the host. Nil unless the leaf is rejected for its
    /// names and one of them nearly matches.
    var nameMismatch: NameMismatch?
    var warnings: [String] = []
    /// The result of the Certificate Transparency check, or nil if the request doesn't ask for it.
    var transparency: TransparencyFinding?
    /// The revocation findings, or nil if the request doesn't ask for them.
    var revocation: [RevocationFinding]?

    /// Appends the answer and its line feed. Without the request's `id`, an answer is smaller than 64 KB.
    func write(to json: inout JSONWriter) {
        var allowance = ReportAllowance()
        allowance.take(path.count * 68)
        for finding in revocation ?? [] { allowance.take(finding.batchSize) }
        allowance.take(nameMismatch?.writtenSize ?? 0)
        let failures = allowance.first(
            of: failures.map { (code: $0.code.name, certificate: $0.certificate, message: $0.message) }, part: 2,
            maximum: Self.maximumCount
        ) { $0.message.writtenSize + $0.code.utf8.count + 48 }
        let warnings = allowance.first(
            of: warnings.map { $0.abridged(toBytes: 1024) }, part: 2, maximum: Self.maximumCount
        ) { $0.writtenSize + 3 }
        let timestamps = allowance.first(of: transparency?.timestamps ?? [], size: \.batchSize)
        json.object { json in
            json.member("id", id)
            json.member("verdict", verdict.rawValue)
            json.member("result", result.rawValue)
            json.array("path", of: path) { $0.hexadecimal($1.sha256) }
            json.array("failures", of: failures.kept) { json, failure in
                json.object { json in
                    json.member("code", failure.code)
                    json.member("certificate", failure.certificate)
                    json.member("message", failure.message)
                }
            }
            if let nameMismatch { json.members(nameMismatch.fields) }
            if let transparency {
                json.key("ct")
                transparency.write(timestamps.kept, omitted: timestamps.omitted, to: &json)
            }
            if let revocation {
                json.array("revocation", of: revocation) { $1.writeForBatch(to: &$0) }
            }
            if !warnings.kept.isEmpty {
                json.member("warnings", warnings.kept)
            }
            if failures.omitted > 0 {
                json.member("failuresOmitted", failures.omitted)
            }
            if warnings.omitted > 0 {
                json.member("warningsOmitted", warnings.omitted)
            }
        }
        json.lineFeed()
    }
}

extension BatchAnswer {
    init(unreadable failures: [TrustFailure], id: String?, warnings: [String] = []) {
        self.init(id: id, verdict: .unreadable, result: .otherError, failures: failures, warnings: warnings)
    }
}

extension RevocationFinding {
    /// The size in bytes that the finding takes in an answer.
    var batchSize: Int { (batchReason?.writtenSize ?? 4) + 64 }

    /// Writes an element of an answer's `revocation` array: `status`, `source` and `reason`.
    func writeForBatch(to json: inout JSONWriter) {
        json.object { json in
            json.member("status", batchStatus)
            json.member("source", batchSource)
            json.member("reason", batchReason)
        }
    }

    /// The status as one word.
    var batchStatus: String {
        switch status {
        case .good: "good"
        case .revoked: "revoked"
        case .exempt: "exempt"
        case .unobtainable, .unchecked: "unknown"
        }
    }

    private var batchSource: String? {
        if case .exempt(let exemption) = status { return exemption.rawValue }
        return source.map { $0 == .staple ? Source.ocsp.rawValue : $0.rawValue }
    }

    /// The reason of a revocation, or the obstacles to determining the status. Nil if there is neither.
    private var batchReason: String? {
        switch status {
        case .good, .exempt, .unchecked: nil
        case .revoked(_, let reason): reason?.name
        case .unobtainable(let obstacles): obstacles.prefix(8).map(\.name).joined(separator: ", ")
        }
    }
}
