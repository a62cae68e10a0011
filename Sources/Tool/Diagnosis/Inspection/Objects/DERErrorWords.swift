// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension DERError {
    /// The field, the reason and the position in words, with the names of tags: `serialNumber: expected an INTEGER,
    /// found a BOOLEAN (byte 15)`.
    var words: String {
        let place = offset == 0 ? "" : " (byte \(offset))"
        let rule = detail.map { ": " + clipped($0, to: 300) } ?? ""
        return "\(clipped(field, to: 100)): \(reasonInWords)\(place)\(rule)"
    }

    private var reasonInWords: String {
        switch reason {
        case .truncated: "cut off"
        case .indefiniteLength: "an indefinite length, which DER doesn't allow"
        default: clipped(reason.description, to: 200)
        }
    }
}
