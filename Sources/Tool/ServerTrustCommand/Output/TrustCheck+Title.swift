// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension TrustCheck {
    /// The name for people: `certificate transparency`.
    var title: String {
        name.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
    }
}
