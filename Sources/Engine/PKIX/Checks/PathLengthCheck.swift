// SPDX-License-Identifier: Apache-2.0

/// Checks that no CA has more intermediates below it than its `pathLenConstraint` allows, not counting self-issued ones
/// (RFC 5280 § 6.1.4 (l) and (m)).
///
/// The check never counts the leaf, even if it is a CA (§ 4.2.1.9). An anchor's own constraint counts, too (RFC 5937 §
/// 3).
enum PathLengthCheck {
    static func run(_ path: CandidatePath, _ context: EvaluationContext, _ list: inout FailureList) {
        var below = 0
        var index = 1
        while index <= path.anchorIndex {
            let constraints = path.certificates[index].storage.fields.extensions.basicConstraints
            if let maximum = constraints.maximumPathLength, below > maximum {
                list.certificate = index
                list.role = path.role(index)
                list.add(.pathLengthExceeded, expected: .number(maximum), found: .number(below))
            }
            if index < path.anchorIndex, !path.isSelfIssued(index) { below += 1 }
            index += 1
        }
        if let maximum = context.policy.maximumIntermediates, below > maximum {
            list.addToPath(.maximumIntermediatesExceeded, expected: .number(maximum), found: .number(below))
        }
    }
}
