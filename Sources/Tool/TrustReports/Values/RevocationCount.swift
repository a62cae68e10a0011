// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The numbers of a path's revocation findings.
struct RevocationCount {
    /// The findings with the status good.
    let good: Int
    /// The certificates that were not checked, as those beyond the leaf under the scope `leaf`.
    let unchecked: Int
    private let total: Int
    private let startsAtLeaf: Bool

    init(_ findings: [RevocationFinding]) {
        good = findings.count { if case .good = $0.status { true } else { false } }
        unchecked = findings.count { if case .unchecked = $0.status { true } else { false } }
        total = findings.count
        startsAtLeaf =
            findings.first.map { if case .unchecked = $0.status { false } else { $0.certificate == 0 } } ?? false
    }

    var isEmpty: Bool { total == 0 }

    /// Whether the leaf was checked and no other certificate.
    var isOfLeafAlone: Bool { startsAtLeaf && unchecked > 0 && unchecked == total - 1 }

    /// The evidence of a passed check in words.
    var words: String {
        // The system's evaluator reports that it has checked revocation, without findings.
        guard !isEmpty else { return "checked by the system's evaluator, without details" }
        let answers = "\(good) of \(total) \(good == 1 ? "has a good answer" : "have good answers")"
        return unchecked > 0 ? answers + "; \(unchecked) not checked, by the rule's scope" : answers
    }
}
