// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

extension JSONValue {
    /// The value of a member, or nil for a missing key. Other readers would use the last member with a key, so a key that
    /// occurs twice is invalid.
    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = content else { return nil }
        let found = members.filter { $0.key.isExactly(key) }
        return found.count == 1 ? found[0].value : nil
    }

    /// The text of a string.
    var text: String? { if case .string(let text) = content { text } else { nil } }
}
