// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TransparencyFinding {
    /// Returns the part of the finding that fits into a report, and the number of omitted timestamps.
    func abridged(_ allowance: inout ReportAllowance) -> (kept: TransparencyFinding, omitted: Int) {
        allowance.take(400 + policy.abridged(toBytes: 200).writtenSize)
        let shown = allowance.first(of: timestamps, part: 2, size: \.writtenSize)
        let kept = TransparencyFinding(
            status: status, policy: policy.abridged(toBytes: 200), listDate: listDate,
            listVersion: listVersion?.abridged(toBytes: 100), count: count, required: required,
            timestamps: Array(shown.kept))
        return (kept, shown.omitted)
    }
}

extension TransparencyFinding.Timestamp {
    /// The timestamp's size in a record, in bytes, with room for indentation.
    fileprivate var writtenSize: Int {
        480 + (log?.writtenSize ?? 4) + (operatorName?.writtenSize ?? 4)
    }
}
