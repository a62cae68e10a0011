// SPDX-License-Identifier: Apache-2.0

import ServerTrust

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
