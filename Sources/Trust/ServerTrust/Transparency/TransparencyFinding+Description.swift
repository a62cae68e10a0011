// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TransparencyFinding: CustomStringConvertible {
    /// One readable line with the result, the numbers, the policy and the date of the list. The wording may change.
    public var description: String {
        let list = listDate.map { ", list of logs dated \($0)" } ?? ""
        return "\(status.rawValue), \(count) of \(required) timestamps, "
            + "policy \(DistinguishedName.printable(policy.abridged(toBytes: 100)))\(list)"
    }
}
