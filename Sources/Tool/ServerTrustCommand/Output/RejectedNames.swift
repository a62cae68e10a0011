// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension TrustVerdict {
    /// The names of the leaf, each with the reason why it doesn't match the host. Nil unless the leaf was refused for
    /// its names.
    var nameMismatch: NameMismatch? {
        let codes: [TrustFailure.Code] = [.hostMismatch, .subjectAlternativeNameMissing]
        guard let host = referenceName, let leaf = path.first,
            failures.contains(where: { codes.contains($0.code) && $0.certificate == 0 })
        else { return nil }
        return NameMismatch(of: leaf, for: host)
    }
}

extension NameMismatch {
    /// The size of the names in JSON, in bytes.
    var writtenSize: Int { names.reduce(64) { $0 + $1.value.writtenSize + 96 } }

    var fields: ReportFields {
        [
            "rejectedNames": .objects(
                names.map { name in
                    [
                        "type": .text(name.form.rawValue), "value": .text(name.value),
                        "reason": .text(name.reason.rawValue),
                    ]
                }),
            "rejectedNamesOmitted": omitted > 0 ? .number(omitted) : nil,
        ]
    }
}
