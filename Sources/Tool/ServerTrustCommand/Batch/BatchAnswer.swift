// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import TrustSupport

/// An answer of `verify --batch`, one line.
struct BatchAnswer {
    enum Verdict: String {
        case trusted
        case rejected
        case unreadable
    }

    /// The maximum number of failures, and of warnings, that are written; the rest is counted.
    static let maximumCount = 20

    var id: String?
    /// The place of the chain in its line; nil for a line with one.
    var place: String?
    /// The host that the leaf was compared with; nil for none.
    var host: Hostname?
    var verdict: Verdict
    var result: TrustResultType
    /// The validated path, or the best candidate.
    var path: [Certificate] = []
    /// The leaf; nil if it can't be read.
    var leaf: Certificate?
    /// The anchor of the path; nil for a path that doesn't end in one.
    var root: Certificate?
    var failures: [TrustFailure] = []
    /// The leaf's names with the reason why each isn't the host's; nil unless the leaf is refused for its names and one is nearly right.
    var nameMismatch: NameMismatch?
    var warnings: [String] = []
    /// The finding on timestamps; nil if it isn't asked for.
    var transparency: TransparencyFinding?
    /// The findings on revocation; nil if they aren't asked for.
    var revocation: [RevocationFinding]?

    /// Appends the answer and its line feed, less than 64 KB beside the request's `id`.
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
            json.key("id")
            json.string(id)
            if let place {
                json.key("place")
                json.string(place)
            }
            json.key("verdict")
            json.string(verdict.rawValue)
            json.key("result")
            json.string(result.rawValue)
            json.key("path")
            json.array(of: path) { $0.string(Hex.encode($1.sha256)) }
            json.key("failures")
            json.array(of: failures.kept) { json, failure in
                json.object { json in
                    json.key("code")
                    json.string(failure.code)
                    json.key("certificate")
                    json.number(failure.certificate)
                    json.key("message")
                    json.string(failure.message)
                }
            }
            nameMismatch?.write(to: &json)
            if let transparency {
                json.key("ct")
                transparency.write(timestamps.kept, omitted: timestamps.omitted, to: &json)
            }
            if let revocation {
                json.key("revocation")
                json.array(of: revocation) { $1.writeForBatch(to: &$0) }
            }
            if !warnings.kept.isEmpty {
                json.key("warnings")
                json.array(of: warnings.kept) { $0.string($1) }
            }
            if failures.omitted > 0 {
                json.key("failuresOmitted")
                json.number(failures.omitted)
            }
            if warnings.omitted > 0 {
                json.key("warningsOmitted")
                json.number(warnings.omitted)
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
