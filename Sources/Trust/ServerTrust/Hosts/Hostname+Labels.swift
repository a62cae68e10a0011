// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Hostname {
    /// Returns the number of labels before `name`: 0 for the name or address itself, nil for a host that isn't below
    /// it.
    ///
    /// This is the only place that compares a host with a pattern or with a domain of pins. It compares bytes, and the
    /// match must begin at the start of the host or after a dot.
    package func labels(below name: Kind) -> Int? {
        guard case .dns(let name) = name, case .dns = kind else { return kind == name ? 0 : nil }
        let dot = UInt8(ascii: ".")
        let start = dnsBytes.count - name.utf8.count
        guard start >= 0, dnsBytes[start...].elementsEqual(name.utf8) else { return nil }
        guard start > 0 else { return 0 }
        return dnsBytes[start - 1] == dot ? dnsBytes[..<start].count { $0 == dot } : nil
    }
}
